// The bodies of a scene for inspection: no contact is searched for, none is needed.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "oloid/geometry/curves/curve.h"
#include "oloid/geometry/shape.h"
#include "oloid/scene/display_mesh.h"
#include "oloid/scene/spec.h"
#include "oloid/spatial/pose.h"

namespace oloid::world {

struct BodyForm {
  std::string name;
  std::variant<Shape, Curve> form;
  Pose<double> X_WS;  // of the form's frame, at the start
};

// In the scene's order. Refused: what is wrong with shapes, their densities and poses.
Result<std::vector<BodyForm>, Errors> compile_forms(const Spec& spec);

// Whether a body of the scene is a curve, so that it can be inspected but not run.
bool has_wires(const Spec& spec);

// Sharp edges and borders of a shape, or the curve itself, as chains of straight lines within a
// tolerance [m], in the form's frame.
std::vector<Polyline> outlines(const Shape& shape, double tolerance);
std::vector<Polyline> outlines(const Curve& curve, double tolerance);

}  // namespace oloid::world
