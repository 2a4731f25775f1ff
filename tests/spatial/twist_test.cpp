#include "oloid/spatial/twist.h"

#include <gtest/gtest.h>

#include "spatial/motions.h"
#include "support/rooms.h"

namespace oloid::test::twist_test {

RC_GTEST_PROP(Transform, IsAHomomorphism, ()) {  // Ad(X) Ad(Y) = Ad(X Y)
  const Pose<double> X = *pose(), Y = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = *wrench();
  RC_ASSERT(difference(transform(X, transform(Y, phi)), transform(X * Y, phi)) <= kRoundOff);
  RC_ASSERT(difference(transform(X, transform(Y, f)), transform(X * Y, f)) <= kRoundOff);
}

RC_GTEST_PROP(Adjoint, IsTransformAsAMatrix, ()) {
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = *wrench();
  RC_ASSERT(difference(as_twist<double>(adjoint(X) * stacked(phi)), transform(X, phi)) <=
            kRoundOff);
  RC_ASSERT(difference(Mat6<double>(inverse_adjoint(X) * adjoint(X)),
                       Mat6<double>(Mat6<double>::Identity())) <= kRoundOff);
  RC_ASSERT(difference(as_wrench<double>(inverse_adjoint(X).transpose() * stacked(f)),
                       transform(X, f)) <= kRoundOff);
}

RC_GTEST_PROP(Transform, IsUndoneByTheInverse, ()) {
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = *wrench();
  RC_ASSERT(difference(transform(inverse(X), transform(X, phi)), phi) <= kRoundOff);
  RC_ASSERT(difference(transform(inverse(X), transform(X, f)), f) <= kRoundOff);
}

RC_GTEST_PROP(Transform, KeepsPower, ()) {
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = *wrench();
  RC_ASSERT(difference(power(transform(X, f), transform(X, phi)), power(f, phi)) <= kRoundOff);
}

RC_GTEST_PROP(Transform, IsLinear, ()) {
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist(), psi = *twist();
  const Wrench<double> f = *wrench(), g = *wrench();
  RC_ASSERT(difference(transform(X, phi + psi), transform(X, phi) + transform(X, psi)) <=
            kRoundOff);
  RC_ASSERT(difference(transform(X, phi - psi), transform(X, phi) - transform(X, psi)) <=
            kRoundOff);
  RC_ASSERT(difference(transform(X, f + g), transform(X, f) + transform(X, g)) <= kRoundOff);
}

RC_GTEST_PROP(Transform, IsTheSameMotionOfEveryParticle, ()) {  // seen from A and from B
  const Pose<double> X_AB = *pose();
  const Twist<double> phi_B = *twist();
  const Vec3<double> p_BQ = *matrix<3>(), p_AQ = X_AB * p_BQ;
  const Twist<double> phi_A = transform(X_AB, phi_B);
  RC_ASSERT(difference(phi_A.v + phi_A.w.cross(p_AQ), X_AB.R * (phi_B.v + phi_B.w.cross(p_BQ))) <=
            kRoundOff);
}

RC_GTEST_PROP(Transform, IsTheSameForceOnEveryLine, ()) {  // a force f in Q has moment p × f
  const Pose<double> X_AB = *pose();
  const Vec3<double> p_BQ = *matrix<3>(), f_B = *matrix<3>();
  const Vec3<double> p_AQ = X_AB * p_BQ, f_A = X_AB.R * f_B;
  const Wrench<double> w_B{p_BQ.cross(f_B), f_B}, w_A{p_AQ.cross(f_A), f_A};
  RC_ASSERT(difference(transform(X_AB, w_B), w_A) <= kRoundOff);
}

RC_GTEST_PROP(Cross, IsTheDerivativeOfTransform, ()) {  // d/dt Ad(X) ψ = Ad(X) ad_φ ψ
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist(), psi = *twist();
  const Twist<Time> moved = transform(moving(X, phi), constant(psi));
  RC_ASSERT(difference(rate(moved), transform(X, cross(phi, psi))) <= kRoundOff);
}

RC_GTEST_PROP(CrossTranspose, IsMinusTheDerivativeOfTransform, ()) {  // of wrenches
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = *wrench();
  const Wrench<Time> moved =
      transform(moving(X, phi), Wrench<Time>{f.t.cast<Time>(), f.f.cast<Time>()});
  const Wrench<double> expected = transform(X, cross_transpose(phi, f));
  RC_ASSERT(difference(rate(moved), {-expected.t, -expected.f}) <= kRoundOff);
}

RC_GTEST_PROP(CrossTranspose, IsDualToCross, ()) {
  const Twist<double> phi = *twist(), psi = *twist();
  const Wrench<double> f = *wrench();
  RC_ASSERT(difference(power(cross_transpose(phi, f), psi), power(f, cross(phi, psi))) <=
            kRoundOff);
}

RC_GTEST_PROP(Cross, IsAntisymmetric, ()) {
  const Twist<double> phi = *twist(), psi = *twist();
  RC_ASSERT(difference(cross(phi, psi) + cross(psi, phi), {}) <= kRoundOff);
  RC_ASSERT(difference(cross(phi, phi), {}) <= kRoundOff);
}

RC_GTEST_PROP(Cross, KeepsJacobisIdentity, ()) {
  const Twist<double> a = *twist(), b = *twist(), c = *twist();
  RC_ASSERT(difference(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), {}) <=
            kRoundOff);
}

RC_GTEST_PROP(Cross, DoesNotDependOnTheFrame, ()) {  // Ad(X) [φ, ψ] = [Ad(X) φ, Ad(X) ψ]
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist(), psi = *twist();
  RC_ASSERT(difference(transform(X, cross(phi, psi)),
                       cross(transform(X, phi), transform(X, psi))) <= kRoundOff);
}

}  // namespace oloid::test::twist_test
