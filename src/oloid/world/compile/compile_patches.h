// From what the user wrote about patches to the surface they make together.
#pragma once

#include "oloid/geometry/shape.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// `place` is that of the whole shape. All problems found are reported.
Result<Shape, Errors> compile_patches(const PatchesSpec& spec, const Place& place);

}  // namespace oloid::world
