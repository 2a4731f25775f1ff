// From what the user wrote about a shape to the surface itself.
#pragma once

#include "oloid/geometry/shape.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// All problems that were found, each with its place in the scene.
Result<Shape, Errors> compile_shape(const Located<ShapeSpec>& given);

}  // namespace oloid::world
