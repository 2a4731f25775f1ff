// How the state lies in the vector that is integrated: one block for each moving body, then work.
// A block is that of a free body or that of the contact that holds it. Changes of mode never move
// data; rows that a mode constrains are 0 with rate 0.
#pragma once

#include "oloid/dynamics/contact_kernel.h"
#include "oloid/dynamics/free_body.h"

namespace oloid::world {

inline constexpr int kBlock = 15;
// Free body: position 3, quaternion (w, x, y, z) 4, angular velocity in body axes 3, velocity in
// world axes 3, in which it does not turn with the body; the rest is 0.
inline constexpr int kPosition = 0, kQuaternion = 3, kSpinning = 7, kVelocity = 10;
// Contact: location on A 3, on B 3, psi 1, rates 5, dissipated work 3 (slip, roll, spin). Rates are
// the relative twist w, or rates of (s, t, u, v, psi) in the parameter-rate form.
inline constexpr int kLocationA = 0, kLocationB = 3, kPsi = 6, kRates = 7, kBooked = 12;
// After all blocks: work done by loads and by drives [J].
inline constexpr int kWorkSize = 2;

using StateVector = Eigen::VectorXd;
using BlockVector = Vec<double, kBlock>;

inline int state_size(int nodes) { return kBlock * nodes + kWorkSize; }
inline Eigen::Index block_at(int node) { return Eigen::Index{kBlock} * node; }

FreeState<double> unpack_free(const BlockVector& y);
BlockVector pack_free(const FreeState<double>& x);
// Adds a jump of the twist, in body axes.
void add_jump(Eigen::Ref<BlockVector> y, const Twist<double>& jump);

}  // namespace oloid::world
