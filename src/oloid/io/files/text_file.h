// The whole of a text file, up to a limit.
#pragma once

#include <cstddef>
#include <string>

#include "oloid/base/result.h"

namespace oloid::io {

// Also reads pipes and devices. If the file has more than `most` bytes, a little more than that is
// returned, so that the parser can refuse it.
Result<std::string> read_text_file(const std::string& path, std::size_t most);

}  // namespace oloid::io
