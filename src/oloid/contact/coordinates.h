// From contact coordinates to poses and back: docs/notation.md, docs/theory/contact.md eqs. 7 to 9.
#pragma once

#include <cmath>
#include <type_traits>

#include "oloid/geometry/core/local_surface.h"
#include "oloid/spatial/pose.h"

namespace oloid::contact {

// Both sides of a contact, each in its own body's frame.
template <class S, class SideB = LocalSurface<S>>
struct PairGeometry {
  LocalSurface<S> A;
  SideB B;
};
template <class SideB, class S>
inline constexpr bool kIsPlane = std::is_same_v<SideB, LocalPlane<S>>;

// Axes of B's contact frame seen from A's, upper-left block; the third axes are opposite.
// [KryPai02] Eq. 7. An involution: R R = 1.
template <class S>
Mat2<S> contact_rotation(const S& psi) {
  using std::cos;
  using std::sin;
  const S c = cos(psi), s = sin(psi);
  Mat2<S> R;
  R << c, -s, -s, -c;
  return R;
}

// Axes of the contact frame C (A's frame at the contact) in B's body axes: R_BC = R_B R(psi).
template <class S>
Mat3<S> contact_axes_in_B(const Mat3<S>& R_B, const Mat2<S>& R) {
  Mat3<S> R_BC;
  R_BC.template leftCols<2>() = R_B.template leftCols<2>() * R;
  R_BC.col(2) = -R_B.col(2);
  return R_BC;
}
template <class S>
Mat3<S> contact_axes_in_B(const LocalSurface<S>& B, const Mat2<S>& R) {
  return contact_axes_in_B(B.R, R);
}

// Pose of A in B from the contact frames of both, third axes outward, gap included: [KryPai02]
// Eq. 9.
template <class S>
Pose<S> pose_of_A_in_B(const Pose<S>& frame_A, const Pose<S>& frame_B, const S& psi, const S& gap) {
  const Mat3<S> R_BC = contact_axes_in_B(frame_B.R, contact_rotation(psi));
  const Mat3<S> R_BA = R_BC * frame_A.R.transpose();
  return {R_BA, frame_B.p + gap * Vec3<S>(frame_B.R.col(2)) - R_BA * frame_A.p};
}
// Of surfaces; the gap is 0 in contact evolution.
template <class S>
Pose<S> pose_of_A_in_B(const PairGeometry<S>& pair, const S& psi, const S& gap = S(0.0)) {
  return pose_of_A_in_B<S>({pair.A.R, pair.A.p}, {pair.B.R, pair.B.p}, psi, gap);
}

// psi of a pose in which the normals are opposite.
double psi_of_pose(const Mat3<double>& R_A, const Mat3<double>& R_B, const Mat3<double>& R_BA);
inline double psi_of_pose(const PairGeometry<double>& pair, const Mat3<double>& R_BA) {
  return psi_of_pose(pair.A.R, pair.B.R, R_BA);
}

}  // namespace oloid::contact
