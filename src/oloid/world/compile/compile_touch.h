// Which bodies touch at the start, and where.
#pragma once

#include "oloid/world/model/model.h"

namespace oloid::world {

// Finds the contacts of a model whose bodies, pairs and scales are set, and moves bodies along the
// normals to gap 0. Overlaps are refused.
Errors compile_touches(const Spec& spec, Model& model);

}  // namespace oloid::world
