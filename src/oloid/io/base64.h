// Bytes as text that goes anywhere: base64, RFC 4648.
#pragma once

#include <string>
#include <string_view>

namespace oloid {

std::string base64(std::string_view bytes);

}  // namespace oloid
