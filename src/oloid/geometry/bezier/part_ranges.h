// Derivatives of a patch over a part of its domain, by intervals.
#pragma once

#include "oloid/base/interval_linalg.h"
#include "oloid/geometry/bezier/bezier.h"

namespace oloid::geometry {

// Each derivative of a polynomial patch has control points of its own, whose box holds it. Over a
// rectangle of size h that box is wider than the derivative by a part of h² only; interval
// arithmetic, which rational patches and S-patches are left with, adds a multiple of the largest
// control point. Round-off is allowed for.
Jet<Interval, 3> part_ranges(const Patch& patch, const Uv<double>& low, const Uv<double>& high);

}  // namespace oloid::geometry
