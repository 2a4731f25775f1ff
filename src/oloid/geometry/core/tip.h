// A tip: a point where a surface ends because it has no normal there, such as the apex of a cone.
#pragma once

#include <algorithm>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/geometry/core/chart_segment.h"

namespace oloid::geometry {

struct Tip {
  Vec3<double> point;  // [m]
  // Next to it, where charts may still be used: lines that follow each other from one side of the
  // surface to the other, or all round.
  std::vector<ChartSegment> around;

  // The place on these lines, one after the other, as s runs from 0 to 1.
  Location beside(double s) const {
    const double along = s * static_cast<double>(around.size());
    const std::size_t k = std::min(static_cast<std::size_t>(along), around.size() - 1);
    return around[k].at(along - static_cast<double>(k));
  }
};

}  // namespace oloid::geometry
