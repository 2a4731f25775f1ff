// Bytes as text.
#pragma once

#include <span>
#include <string>

namespace oloid {

// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace oloid
