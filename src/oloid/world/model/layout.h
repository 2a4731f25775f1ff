// How the state lies in the vector that is integrated: one block for each moving body, then work.
// A block is that of a free body or that of the contact which holds it. Changes of mode never move
// data; rows that a mode constrains are 0 with rate 0.
#pragma once

#include "oloid/dynamics/contact_kernel.h"
#include "oloid/dynamics/free_body.h"

namespace oloid::world {

inline constexpr int kBlock = 15;
// Free body: position 3, quaternion (w, x, y, z) 4, angular velocity in body axes 3, velocity in
// world axes 3, in which it does not turn with the body; the rest is 0.
inline constexpr int kPosition = 0, kQuaternion = 3, kSpinning = 7, kVelocity = 10;
// Contact: location on A 3, on B 3, psi 1, rates 5, booked work 3 (slip, roll, spin). Rates are the
// relative twist w, or rates of (s, t, u, v, psi) in the parameter-rate form.
inline constexpr int kLocationA = 0, kLocationB = 3, kPsi = 6, kRates = 7, kBooked = 12;
// After all blocks: work done by loads and by drives [J].
inline constexpr int kWorkSize = 2;

using StateVector = Eigen::VectorXd;
using BlockVector = Vec<double, kBlock>;

inline int state_size(int nodes) { return kBlock * nodes + kWorkSize; }
inline Eigen::Index block_at(int node) { return Eigen::Index{kBlock} * node; }

inline FreeState<double> unpack_free(const BlockVector& y) {
  const Quat<double> q{y(3), y(4), y(5), y(6)};
  const Vec3<double> v = rotation_matrix(q).transpose() * y.segment<3>(kVelocity);
  return {y.segment<3>(kPosition), q, {y.segment<3>(kSpinning), v}};
}
inline BlockVector pack_free(const FreeState<double>& x) {
  BlockVector y;
  const Vec3<double> v = rotation_matrix(x.q_WA) * x.phi.v;
  y << x.p_WA, x.q_WA.w, x.q_WA.x, x.q_WA.y, x.q_WA.z, x.phi.w, v, 0, 0;
  return y;
}
// Adds a jump of the twist, in body axes.
inline void add_jump(Eigen::Ref<BlockVector> y, const Twist<double>& jump) {
  y.segment<3>(kSpinning) += jump.w;
  y.segment<3>(kVelocity) += rotation_matrix(Quat<double>{y(3), y(4), y(5), y(6)}) * jump.v;
}

}  // namespace oloid::world
