// From what the user wrote about curves to the curves themselves.
#pragma once

#include <vector>

#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/curves/curve.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// Of a wire, which compile_shape refuses: it has no surface.
Result<Curve, Errors> compile_curve(const WireSpec& given);

// The Bezier pieces of a plane curve. A chain of straight lines may be closed by itself.
Result<std::vector<BezierCurve<2>>, Errors> curve_pieces(CurveSpec spec, bool close);

}  // namespace oloid::world
