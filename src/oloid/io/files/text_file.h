// The whole of a text file, up to a limit.
#pragma once

#include <cstddef>
#include <string>

#include "oloid/base/result.h"

namespace oloid::io {

// Pipes and devices too. Of a file with more bytes than `most` a little more than that is returned:
// who parses it refuses it.
Result<std::string> read_text_file(const std::string& path, std::size_t most);

}  // namespace oloid::io
