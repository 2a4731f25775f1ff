// The loops of a trimming, checked: closed chains inside the rectangle that meet nowhere and have
// what is kept to their left.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/loop_curve.h"
#include "oloid/geometry/bezier/trimming.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry::trimming_loops {

// The plane in which the rectangle is the unit square.
struct Frame {
  Uv<double> low, size;
  Uv<double> back(const Point& p) const { return low + size.cwiseProduct(p); }
  std::string text(const Point& p) const;
};
Result<Frame> checked_frame(const Rect& r);

struct Loop {
  std::vector<LoopCurve> curves;
  double area = 0;  // positive if counter-clockwise
};
// Loop number l, in the scaled plane.
Result<Loop> checked_loop(const TrimmingLoop& given, std::size_t l, const Frame& frame,
                          const GaussRule& gauss);

// Meetings of any two curves. The last loop may be the rectangle: that one has no number.
std::optional<Unexpected<Error>> wrong_meetings(const std::vector<Loop>& loops, std::size_t given,
                                                const Frame& frame);

// Curves that are no border of what is kept, by the winding number of all loops about a point.
std::optional<Unexpected<Error>> wrong_sides(const std::vector<Loop>& loops, std::size_t given,
                                             const std::function<int(const Point&)>& winding);

}  // namespace oloid::geometry::trimming_loops
