// Containers count in std::size_t, everything else here in int.
#pragma once

#include <cstddef>

#include "oloid/base/rooms.h"

namespace oloid::base {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace oloid::base
