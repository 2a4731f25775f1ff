// What the tests of the parameter-rate form share: the laws, admissible rates, friction.
#pragma once

#include "oloid/dynamics/parameter_rates.h"
#include "support/random_bicubic.h"
#include "support/rooms.h"

namespace oloid::test {

inline constexpr Law kFrictionless{Slip::frictionless, Spin::free},
    kSliding{Slip::sliding, Spin::free}, kRolling{Slip::stuck, Spin::free},
    kNoSpin{Slip::stuck, Spin::stuck};

inline constexpr Law kAllLaws[] = {kFrictionless, kSliding, kRolling, kNoSpin};

// Calls f<law>() for every law: for what is compiled for each.
template <class F>
void for_all_laws(F f) {
  f.template operator()<kFrictionless>();
  f.template operator()<kSliding>();
  f.template operator()<kRolling>();
  f.template operator()<kNoSpin>();
}

// Friction whose step began with the slip that the rates have now.
inline Friction friction_along(const ParametricPair<double>& pair, double psi,
                               const Vec5<double>& q_rate, double mu) {
  const Vec2<double> v = twist_of_rates(contact_matrix(pair, psi), q_rate).tail<2>();
  const Mat3<double> R_BC = contact_axes_in_B(pair.B.R, contact_rotation(psi));
  return {mu, 1e-9, (R_BC.leftCols<2>() * v).normalized()};
}

// A random motion of B.
struct MovingB {
  Twist<double> phi, phi_rate;
  explicit MovingB(Random& random) {
    phi.w = random.vector<3>(-2, 2);
    phi.v = random.vector<3>(-2, 2);
    phi_rate.w = random.vector<3>(-5, 5);
    phi_rate.v = random.vector<3>(-5, 5);
  }
};

}  // namespace oloid::test
