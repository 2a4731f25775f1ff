// From what the user wrote about a body's motion to the motion itself.
#pragma once

#include "oloid/dynamics/motion.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// The motion of a body that is fixed or has a motion. It must have no velocity and, with a motion,
// no mass. The motion must be finite up to t_end [s].
Result<Motion, Errors> compile_motion(const BodySpec& body, double t_end = 0);

}  // namespace oloid::world
