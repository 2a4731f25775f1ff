// Mass and inertia of a rigid body in the frame at its centre of mass.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/spatial/twist.h"

namespace oloid::spatial {

template <class S>
struct Inertia {
  S mass = S(1);                    // [kg]
  Mat3<S> J = Mat3<S>::Identity();  // [kg m²], about the centre of mass, in body axes

  // Momentum as a wrench (angular, linear): M φ.
  Wrench<S> operator*(const Twist<S>& phi) const { return {J * phi.w, mass * phi.v}; }
};

// Newton and Euler in body axes, M φ̇ = f + ad_φᵀ M φ: the right-hand side. `f` in the body's frame
// at the centre of mass.
template <class S>
Wrench<S> driving_wrench(const Inertia<S>& M, const Wrench<S>& f, const Twist<S>& phi) {
  return f + cross_transpose(phi, M * phi);
}

template <class S>
S kinetic_energy(const Inertia<S>& M, const Twist<S>& phi) {
  return S(0.5) * power(M * phi, phi);
}

// The same body in axes turned by R_AB: J_A = R_AB J_B R_ABᵀ.
template <class S>
Inertia<S> rotate(const Mat3<S>& R_AB, const Inertia<S>& M_B) {
  return {M_B.mass, R_AB * M_B.J * R_AB.transpose()};
}

// Moment of inertia about a point at p from the centre of mass (Steiner).
template <class S>
Mat3<S> about(const Inertia<S>& M, const Vec3<S>& p) {
  const Mat3<S> P = cross_matrix(p);
  return M.J - M.mass * (P * P);
}

}  // namespace oloid::spatial
