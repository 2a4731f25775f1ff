// How an island's state lies in the vector that is integrated: a root block, then one block per
// contact. Mode changes never move data; rows that a mode constrains are 0 with rate 0.
#pragma once

#include "oloid/dynamics/contact_kernel.h"
#include "oloid/dynamics/free_body.h"

namespace oloid {

// Root block of a free body: position 3, quaternion (w, x, y, z) 4, twist in body axes 6.
inline constexpr int kRootSize = 13;
// Contact block: location on A 3, on B 3, psi 1, w 5, booked work 3 (friction, rolling, spin).
inline constexpr int kContactSize = 15;

inline constexpr int kLocationA = 0, kLocationB = 3, kPsi = 6, kW = 7, kBooked = 12;

using RootVector = Vec<double, kRootSize>;
using ContactVector = Vec<double, kContactSize>;

inline ContactState<double> unpack(const ContactVector& y) {
  return {y.segment<3>(kLocationA), y.segment<3>(kLocationB), y(kPsi), y.segment<5>(kW)};
}
inline ContactVector pack(const ContactState<double>& x, double booked_friction) {
  ContactVector y;
  y << x.location_A, x.location_B, x.psi, x.w, booked_friction, 0, 0;
  return y;
}

inline FreeState<double> unpack(const RootVector& y) {
  return {y.segment<3>(0), {y(3), y(4), y(5), y(6)}, {y.segment<3>(7), y.segment<3>(10)}};
}
inline RootVector pack(const FreeState<double>& x) {
  RootVector y;
  y << x.p_WA, x.q_WA.w, x.q_WA.x, x.q_WA.y, x.q_WA.z, x.phi.w, x.phi.v;
  return y;
}

}  // namespace oloid
