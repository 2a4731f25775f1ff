// Where a frame is: X_AB turns coordinates in B into coordinates in A.
#pragma once

#include "oloid/base/linalg.h"

namespace oloid::spatial {

template <class S>
struct Pose {
  Mat3<S> R = Mat3<S>::Identity();  // R_AB
  Vec3<S> p = Vec3<S>::Zero();      // p_AB: origin of B in A

  Vec3<S> operator*(const Vec3<S>& p_BQ) const { return R * p_BQ + p; }
  Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
};

template <class S>
Pose<S> inverse(const Pose<S>& X) {
  return {X.R.transpose(), -(X.R.transpose() * X.p)};
}

// Whether it is finite and its rotation is one, to 1e-6.
bool is_pose(const Pose<double>& X);

}  // namespace oloid::spatial
