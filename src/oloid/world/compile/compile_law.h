// From what the user wrote about materials and pairs to the law of each pair of bodies.
#pragma once

#include "oloid/scene/spec.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

// A pair's own values; what it does not specify follows from the two materials: the geometric mean
// of friction, the smaller restitution, the larger resistance. Friction must be given for every two
// bodies of which at least one moves.
Result<PairLaws, Errors> compile_laws(const Spec& spec);

}  // namespace oloid::world
