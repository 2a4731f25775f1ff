#include "oloid/spatial/pose.h"

#include <gtest/gtest.h>

#include "spatial/motions.h"
#include "support/rooms.h"

namespace oloid::test::pose_test {

RC_GTEST_PROP(Pose, IsAssociative, ()) {
  const Pose<double> X = *pose(), Y = *pose(), Z = *pose();
  RC_ASSERT(difference((X * Y) * Z, X * (Y * Z)) <= kRoundOff);
}

RC_GTEST_PROP(Pose, HasTheIdentityByDefault, ()) {
  const Pose<double> X = *pose(), I;
  RC_ASSERT(difference(X * I, X) == 0.0);
  RC_ASSERT(difference(I * X, X) == 0.0);
}

RC_GTEST_PROP(Pose, HasAnInverseOnBothSides, ()) {
  const Pose<double> X = *pose(), I;
  RC_ASSERT(difference(X * inverse(X), I) <= kRoundOff);
  RC_ASSERT(difference(inverse(X) * X, I) <= kRoundOff);
  RC_ASSERT(difference(inverse(inverse(X)), X) <= kRoundOff);
}

RC_GTEST_PROP(Pose, InverseOfAProductIsTheReversedProduct, ()) {
  const Pose<double> X = *pose(), Y = *pose();
  RC_ASSERT(difference(inverse(X * Y), inverse(Y) * inverse(X)) <= kRoundOff);
}

RC_GTEST_PROP(Pose, ProductsActOneAfterTheOther, ()) {
  const Pose<double> X_AB = *pose(), X_BC = *pose();
  const Vec3<double> p_CQ = *matrix<3>();
  RC_ASSERT(difference((X_AB * X_BC) * p_CQ, X_AB * (X_BC * p_CQ)) <= kRoundOff);
  RC_ASSERT(difference(inverse(X_AB) * (X_AB * p_CQ), p_CQ) <= kRoundOff);
}

RC_GTEST_PROP(Pose, KeepsDistances, ()) {
  const Pose<double> X = *pose();
  const Vec3<double> p = *matrix<3>(), q = *matrix<3>();
  RC_ASSERT(difference((X * p - X * q).norm(), (p - q).norm()) <= kRoundOff);
}

RC_GTEST_PROP(Pose, MovesPointsWithItsTwist, ()) {  // (X p)' = R (v + ω × p)
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Vec3<double> p = *matrix<3>();
  const Vec3<Time> moved = moving(X, phi) * Vec3<Time>(p.cast<Time>());
  RC_ASSERT(difference(derivative(moved, 0), X.R * (phi.v + phi.w.cross(p))) <= kRoundOff);
}

}  // namespace oloid::test::pose_test
