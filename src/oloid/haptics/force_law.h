// How hard a model pushes a tool that overlaps it. docs/haptics.md eqs. 1 to 3.
#pragma once

#include "oloid/base/result.h"

namespace oloid::haptics {

struct ForceLaw {
  double stiffness = 1000;    // k [N/m]
  double damping = 0;         // c [N s/m]
  double largest_force = 50;  // [N], of all pairs together
  double force_ramp = 500;    // [N/s], how fast a pair that is lost, or found overlapping, may fade
  double reach = 0.05;        // [m], pairs farther apart are not followed
};

// The law itself, if its numbers make sense.
Result<ForceLaw> checked(const ForceLaw& law);

// Of one pair, along its normal from the model to the tool. [N]
//   d = max(0, −χ),   f = k d + clamp(−c χ', −k d, k d)
// Damping is at most as strong as the spring: nothing pulls, and the force begins at 0 however fast
// the bodies meet.
double pair_force(const ForceLaw& law, double gap, double gap_rate);

}  // namespace oloid::haptics
