// Where curves of trimming loops meet that should not.
#pragma once

#include <optional>

#include "oloid/geometry/bezier/loop_curve.h"

namespace oloid::geometry::trimming_loops {

// Where a curve meets itself, other than at the ends of a closed one.
std::optional<Point> meets_itself(const LoopCurve& c, bool closed);

// Where two curves meet, other than at ends that they have in common.
std::optional<Point> meeting(const LoopCurve& a, const LoopCurve& b);

}  // namespace oloid::geometry::trimming_loops
