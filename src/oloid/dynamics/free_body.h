// Where a body in free flight is and how it moves.
#pragma once

#include "oloid/spatial/rotation.h"
#include "oloid/spatial/twist.h"

namespace oloid::dynamics {

// Position of the centre of mass and orientation in the world; twist in body axes.
template <class S>
struct FreeState {
  Vec3<S> p_WA;
  Quat<S> q_WA;
  Twist<S> phi;  // ω and velocity of the centre of mass, in A
};

}  // namespace oloid::dynamics
