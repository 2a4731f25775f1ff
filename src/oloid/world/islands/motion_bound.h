// How fast bodies move at most during a leg: from the polynomials of its curve.
#pragma once

#include "oloid/world/evaluate/instant.h"
#include "oloid/world/islands/leg.h"

namespace oloid::world {

// Fills bounds and origins of a leg that has a curve; `instant` is scratch memory.
void bound_motion(const Group& group, const Setting& setting, Instant& instant, Leg& leg);

// Of any body, up to t1.
MotionBound bound_of(const Group& group, const Leg& leg, BodyId body, double t1);

}  // namespace oloid::world
