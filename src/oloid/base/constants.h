// Numbers with names.
#pragma once

#include <limits>
#include <numbers>

#include "oloid/base/rooms.h"

namespace oloid::base {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kTau = 2 * kPi;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace oloid::base
