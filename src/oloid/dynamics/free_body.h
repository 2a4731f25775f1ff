// A body in free flight under gravity.
#pragma once

#include "oloid/spatial/inertia.h"
#include "oloid/spatial/rotation.h"

namespace oloid::dynamics {

// Position of the centre of mass and orientation in the world; twist in body axes.
template <class S>
struct FreeState {
  Vec3<S> p_WA;
  Quat<S> q_WA;
  Twist<S> phi;  // ω and velocity of the centre of mass, in A
};

// `load` in A's frame at the centre of mass.
template <class S>
FreeState<S> free_rates(const FreeState<S>& x, const Inertia<S>& M, const Mat3<S>& J_inv,
                        const Wrench<S>& load) {
  const Wrench<S> g = driving_wrench(M, load, x.phi);
  return {rotation_matrix(x.q_WA) * x.phi.v, quaternion_rate(x.q_WA, x.phi.w),
          Twist<S>{J_inv * g.t, (S(1.0) / M.mass) * g.f}};
}

}  // namespace oloid::dynamics
