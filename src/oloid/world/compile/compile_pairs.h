// Which bodies may touch, with the law between them.
#pragma once

#include "oloid/world/compile/compile_law.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

// All pairs of bodies of which at least one moves.
void compile_pairs(const PairLaws& laws, Model& model);

}  // namespace oloid::world
