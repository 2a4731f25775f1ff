// A tip: a point where a surface ends because it has no normal there, such as the apex of a cone.
#pragma once

#include <functional>

#include "oloid/base/linalg.h"
#include "oloid/geometry/core/atlas.h"

namespace oloid::geometry {

struct Tip {
  Vec3<double> point;  // [m]
  // Locations next to it, where charts may still be used, from one side to the other or all round
  // as s runs from 0 to 1. Calls do not allocate.
  std::function<Location(double s)> around;
};

}  // namespace oloid::geometry
