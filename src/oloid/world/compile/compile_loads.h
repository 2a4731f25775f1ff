// From what the user wrote about loads, springs and drags to the loads themselves.
#pragma once

#include <span>

#include "oloid/dynamics/loads.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// `start`: all bodies of the scene, in its order, at t = 0; formulas must be finite there.
Result<Loads, Errors> compile_loads(const Spec& spec, std::span<const BodyMotion> start);

}  // namespace oloid::world
