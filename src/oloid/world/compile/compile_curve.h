// From what the user wrote about curves to the curves themselves.
#pragma once

#include <vector>

#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/curves/curve.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// The curve of a wire. compile_shape refuses wires, which have no surface.
Result<Curve, Errors> compile_curve(const WireSpec& given);

// The Bezier pieces of a plane curve. A chain of straight lines is closed automatically.
Result<std::vector<BezierCurve<2>>, Errors> curve_pieces(CurveSpec spec, bool close);

}  // namespace oloid::world
