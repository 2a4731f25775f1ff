// Bytes as plain text: base64, RFC 4648.
#pragma once

#include <string>
#include <string_view>

#include "oloid/base/rooms.h"

namespace oloid::io {

std::string base64(std::string_view bytes);

}  // namespace oloid::io
