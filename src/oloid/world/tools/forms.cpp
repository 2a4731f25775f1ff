#include "oloid/world/tools/forms.h"

#include <algorithm>

#include "oloid/geometry/core/edge.h"

namespace oloid::world {

bool has_wires(const Spec& spec) {
  return std::any_of(spec.bodies.begin(), spec.bodies.end(), [](const BodySpec& body) {
    return std::holds_alternative<WireSpec>(body.shape.value);
  });
}

std::vector<Polyline> outlines(const Shape& shape, double tolerance) {
  std::vector<Polyline> result;
  for (const Edge& edge : edges(shape)) result.push_back(edge.curve.outline(tolerance));
  return result;
}

std::vector<Polyline> outlines(const Curve& curve, double tolerance) {
  return {curve.outline(tolerance)};
}

}  // namespace oloid::world
