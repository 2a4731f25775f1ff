// A straight line in the plane of a chart: how edges, tips and their neighbours say where they are.
#pragma once

#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

// From one point to another as s runs from 0 to 1, at a pace: t / (1 − t) = s / (1 − s) / pace is
// the part of the way at s. Two patches may run along one border at different paces.
struct ChartSegment {
  ChartId chart;
  Uv<double> from, to;
  double pace = 1;

  Location at(double s) const {
    const double t = s / (s + pace * (1 - s));
    Location q{chart};
    for (int i = 0; i < 2; ++i) q.x(i) = from(i) == to(i) ? from(i) : (1 - t) * from(i) + t * to(i);
    return q;
  }
  friend bool operator==(const ChartSegment&, const ChartSegment&) = default;
};

}  // namespace oloid::geometry
