// Every surface is an atlas of charts; leaving one is an event.
#pragma once

#include <variant>

#include "oloid/base/id.h"
#include "oloid/base/linalg.h"

namespace oloid::geometry {

// A point on a surface: (u, v, 0) in a chart, or, on an implicit surface, the point itself.
struct Location {
  ChartId chart{0};
  Vec3<double> x = Vec3<double>::Zero();
};

enum class Joint { G0, G1, G2 };  // continuity as measured
struct Crossing {
  Location to;
  Joint joint;
};
// A tip: the surface comes to a point. A notch: another part of the body stands on it.
enum class Border { free, trimmed, tip, edge, notch };
struct OpenEdge {
  Location at;  // on the border, where the surface ends
  Border border = Border::free;
};
using ChartExit = std::variant<Crossing, OpenEdge>;

}  // namespace oloid::geometry
