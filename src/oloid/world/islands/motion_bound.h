// Upper bounds for the motion of bodies during a step, from the polynomials of its curve.
#pragma once

#include "oloid/world/evaluate/evaluation.h"
#include "oloid/world/islands/step.h"

namespace oloid::world {

// Fills bounds and origins of a step that has a curve; `instant` is scratch memory.
void bound_motion(const IslandIndex& group, const DiscreteState& discrete, Evaluation& instant,
                  Step& step);

// After that: the boxes that contain the bodies during the step, which ends with the state `end`.
void box_motion(const IslandIndex& group, const DiscreteState& discrete, const StateVector& end,
                Evaluation& instant, Step& step);

// The bound for any body, up to t1.
MotionBound bound_of(const IslandIndex& group, const Step& step, BodyId body, double t1);

}  // namespace oloid::world
