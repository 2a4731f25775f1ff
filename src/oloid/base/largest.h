// The larger of two numbers, where one that is not a number must not get lost.
#pragma once

#include <cmath>

#include "oloid/base/rooms.h"

namespace oloid::base {

// NaN if either is: std::max(a, NaN) is a.
inline double nan_or_max(double a, double b) { return a > b || std::isnan(a) ? a : b; }

}  // namespace oloid::base
