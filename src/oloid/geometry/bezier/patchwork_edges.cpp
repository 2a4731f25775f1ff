// Edges of patchworks: free sides and sharp seams.
#include <utility>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/edge.h"

namespace oloid::geometry {
namespace {

// Along a part of a side, s' = from + (to − from) s at a pace: s' / (1 − s') grows by a factor.
EdgeFlank along_side(int patch, const Uv<double>& from, const Uv<double>& to, double pace) {
  return [=](double s) {
    const double t = s / (s + pace * (1 - s));
    Location q{ChartId{patch}};
    q.x.head<2>() = (1 - t) * from + t * to;
    return q;
  };
}

}  // namespace

// Sides run counter-clockwise: their own patch is to the left, the one beyond runs the other way.
// Sides of trimmed patches count where all of them is kept; trimmed edges do not.
std::vector<Edge> Patchwork::edges() const {
  constexpr int kLooks = 33;
  std::vector<Edge> result;
  for (int i = 0; i < patches(); ++i) {
    const PatchDomain& unit = domain(patch(i));
    for (int k = 0; k < unit.sides(); ++k) {
      const Side& side = chart(i).side(k);
      for (int part = 0; part < side.parts && !side.collapsed; ++part) {
        const Seam& seam = side.seams[static_cast<std::size_t>(part)];
        const PatchSide& other = seam.beyond.at;
        if (!seam.open() && (seam.cap >= 0 || seam.tip || seam.joint != Joint::G0)) continue;
        // Each seam once: from its half, if it has halves, else from the side that comes first.
        if (other.valid()) {
          const bool against_half = this->side(other).parts == 2;
          const bool first = std::pair(i, k) < std::pair(other.patch, other.side);
          if (against_half || (side.parts == 1 && !first)) continue;
        }
        bool kept = true;
        for (int n = 0; n < kLooks; ++n) {
          Location q{ChartId{i}};
          q.x.head<2>() = unit.on_side(k, seam.from + (seam.to - seam.from) * n / (kLooks - 1.0));
          kept = kept && !is_trimmed_off(q);
        }
        if (!kept) continue;

        BezierCurve<3> curve = side_curve(patch(i), k);
        for (auto& h : curve.points) h.head<3>() += h(3) * chart(i).origin;
        if (seam.to < 1) curve = split(curve, seam.to).before;
        if (seam.from > 0) curve = split(curve, seam.from / seam.to).after;
        Edge edge{Curve::make({curve}).value(),
                  along_side(i, unit.on_side(k, seam.from), unit.on_side(k, seam.to), 1)};
        if (other.valid()) {
          const PatchDomain& there = domain(patch(other.patch));
          edge.right = along_side(other.patch, there.on_side(other.side, seam.beyond.to),
                                  there.on_side(other.side, seam.beyond.from), seam.pace);
        }
        result.push_back(std::move(edge));
      }
    }
  }
  return result;
}

}  // namespace oloid::geometry
