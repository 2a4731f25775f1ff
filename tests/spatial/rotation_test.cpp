#include "oloid/spatial/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "oloid/base/pack.h"
#include "spatial/motions.h"
#include "support/rooms.h"

namespace oloid::test::rotation_test {

double distance_from_rotation(const Mat3<double>& R) {
  return std::max(difference(R * R.transpose(), Mat3<double>::Identity()),
                  difference(R.determinant(), 1.0));
}

RC_GTEST_PROP(RotationMatrix, IsARotationForAnyQuaternionButZero, ()) {
  const Quat<double> q = *unit_quaternion();
  const double s = std::pow(10.0, *real(6));
  const Mat3<double> R = rotation_matrix(Quat<double>{s * q.w, s * q.x, s * q.y, s * q.z});
  RC_ASSERT(distance_from_rotation(R) <= 16 * kEps);
  RC_ASSERT(difference(R, rotation_matrix(q)) <= 16 * kEps);
}

RC_GTEST_PROP(RotationMatrix, TurnsProductsIntoProducts, ()) {
  const Quat<double> a = *unit_quaternion(), b = *unit_quaternion();
  RC_ASSERT(difference(rotation_matrix(a * b), rotation_matrix(a) * rotation_matrix(b)) <=
            32 * kEps);
  RC_ASSERT(difference(squared_norm(a * b), squared_norm(a) * squared_norm(b)) <= 16 * kEps);
}

RC_GTEST_PROP(RotationMatrix, ActsAsQuaternionConjugation, ()) {  // (0, R p) = q (0, p) q*
  const Quat<double> q = *unit_quaternion();
  const Vec3<double> p = *matrix<3>();
  const Quat<double> turned =
      q * Quat<double>{0, p.x(), p.y(), p.z()} * Quat<double>{q.w, -q.x, -q.y, -q.z};
  const Vec3<double> Rp = rotation_matrix(q) * p;
  RC_ASSERT(difference(turned, Quat<double>{0, Rp.x(), Rp.y(), Rp.z()}) <= 32 * kEps);
}

RC_GTEST_PROP(Unit, HasLengthOneAndTheSameDirection, ()) {
  const Quat<double> q = *unit_quaternion();
  const double s = 3.5 + *real(3);
  const Quat<double> u = unit(Quat<double>{s * q.w, s * q.x, s * q.y, s * q.z});
  RC_ASSERT(difference(squared_norm(u), 1.0) <= 4 * kEps);
  RC_ASSERT(difference(u, q) <= 4 * kEps);
}

// quaternion(R(q)) is q or −q.
void expect_round_trip(const Quat<double>& q) {
  const Quat<double> back = quaternion(rotation_matrix(q));
  EXPECT_LE(difference(nearer_sign(back, q), unit(q)), 16 * kEps) << q << " came back as " << back;
  EXPECT_LE(difference(squared_norm(back), 1.0), 4 * kEps);
}

RC_GTEST_PROP(QuaternionOfMatrix, ComesBackUpToSign, ()) {
  const Quat<double> q = *unit_quaternion();
  const Quat<double> back = quaternion(rotation_matrix(q));
  RC_ASSERT(difference(nearer_sign(back, q), q) <= 16 * kEps);
}

TEST(QuaternionOfMatrix, ComesBackInEveryBranch) {
  for (int largest = 0; largest < 4; ++largest) {
    for (double small : {0.0, 1e-300, 1e-12, 1e-8, 1e-3, 0.3}) {
      for (int signs = 0; signs < 8; ++signs) {
        Vec<double, 4> c;
        for (int i = 0, k = 0; i < 4; ++i)
          c(i) = i == largest ? 1.0 : ((signs >> k++) & 1 ? -small : small);
        expect_round_trip({c(0), c(1), c(2), c(3)});
      }
    }
  }
}

TEST(QuaternionOfMatrix, ComesBackNearAHalfTurn) {
  const Vec3<double> axes[] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},  {1, 1, 0},
                               {0, 1, -1}, {1, 0, 1}, {1, 1, -1}, {3, -2, 1}};
  for (const Vec3<double>& axis : axes) {
    for (double short_of_pi : {0.0, 1e-16, 1e-12, 1e-8, 1e-4, 0.1, -1e-8, -0.1}) {
      const double half = (std::numbers::pi - short_of_pi) / 2;
      const Vec3<double> v = std::sin(half) * axis.normalized();
      expect_round_trip({std::cos(half), v.x(), v.y(), v.z()});
    }
  }
}

TEST(QuaternionOfMatrix, ComesBackWhereBranchesMeet) {
  expect_round_trip({1, 1, 1, 1});  // trace 0, all diagonal entries equal
  expect_round_trip({1, 1, 1, 1 + 1e-15});
  expect_round_trip({0, 1, 1, 1});  // all three equal
  expect_round_trip({0, 1, 1, 0});  // two equal
  expect_round_trip({0.5, -std::sqrt(0.75), 0, 0});
}

RC_GTEST_PROP(QuaternionOfMatrix, HasPositiveRealPartBelowTwoThirdsOfAHalfTurn, ()) {
  const Quat<double> q = *unit_quaternion();
  RC_PRE(std::abs(q.w) > 0.51);  // trace = 4 w² − 1 > 0
  RC_ASSERT(quaternion(rotation_matrix(q)).w > 0);
}

RC_GTEST_PROP(NearerSign, KeepsTheRotationAndTurnsLessThanHalf, ()) {
  const Quat<double> q = *unit_quaternion(), reference = *unit_quaternion();
  const Quat<double> n = nearer_sign(q, reference);
  RC_ASSERT(difference(rotation_matrix(n), rotation_matrix(q)) == 0.0);
  RC_ASSERT(coefficients(n).dot(coefficients(reference)) >= 0);
  RC_ASSERT(difference(nearer_sign(n, reference), n) == 0.0);
}

RC_GTEST_PROP(QuaternionRate, TurnsTheMatrixWithTheAngularVelocity, ()) {  // R' = R [ω]
  const Quat<double> q = *unit_quaternion();
  const Vec3<double> w = *matrix<3>(10);
  const Quat<double> dq = quaternion_rate(q, w);
  Quat<Time> moved{q.w, q.x, q.y, q.z};
  moved.w.d[0] = dq.w;
  moved.x.d[0] = dq.x;
  moved.y.d[0] = dq.y;
  moved.z.d[0] = dq.z;
  const Mat3<Time> R = rotation_matrix(moved);
  RC_ASSERT(difference(derivative(R, 0), value(R) * cross_matrix(w)) <= 10 * 64 * kEps);
  RC_ASSERT(std::abs(coefficients(q).dot(coefficients(dq))) <= 10 * 8 * kEps);  // |q| stays
}

RC_GTEST_PROP(QuaternionRate, IsTheDerivativeOfATurnAboutABodyAxis, ()) {
  using std::cos;
  using std::sin;
  const Quat<double> q0 = *unit_quaternion();
  const Vec3<double> axis = *unit_vector();
  const double speed = *real(10), t0 = *real();
  const Time half = Time(0.5 * speed) * Time::variable(t0, 0);
  const Time s = sin(half);
  const Quat<Time> q = Quat<Time>{q0.w, q0.x, q0.y, q0.z} *
                       Quat<Time>{cos(half), s * axis.x(), s * axis.y(), s * axis.z()};
  const Quat<double> now{q.w.v, q.x.v, q.y.v, q.z.v};
  const Quat<double> expected = quaternion_rate(now, Vec3<double>(speed * axis));
  RC_ASSERT(difference(Quat<double>{q.w.d[0], q.x.d[0], q.y.d[0], q.z.d[0]}, expected) <=
            10 * 32 * kEps);
}

RC_GTEST_PROP(AxisAngle, IsTheQuaternionOfHalfTheAngle, ()) {
  const Vec3<double> axis = *unit_vector();
  const double angle = *real(7);
  const Vec3<double> v = std::sin(angle / 2) * axis;
  const Quat<double> q{std::cos(angle / 2), v.x(), v.y(), v.z()};
  const Mat3<double> R = axis_angle(axis, angle);
  RC_ASSERT(difference(R, rotation_matrix(q)) <= 32 * kEps);
  RC_ASSERT(difference(R * axis, axis) <= 32 * kEps);
}

RC_GTEST_PROP(AxisAngle, AddsAnglesAboutOneAxis, ()) {
  const Vec3<double> axis = *unit_vector();
  const double a = *real(3), b = *real(3);
  RC_ASSERT(difference(axis_angle(axis, a) * axis_angle(axis, b), axis_angle(axis, a + b)) <=
            64 * kEps);
}

RC_GTEST_PROP(AxisAngle, IsReadBackAsRotationVector, ()) {
  const Vec3<double> axis = *unit_vector();
  const double angle = std::abs(*real(3));
  RC_ASSERT(difference(rotation_vector(axis_angle(axis, angle)), angle * axis) <= 64 * kEps);
}

RC_GTEST_PROP(AxisAngle, HasTheAxisAsAngularVelocity, ()) {  // dR/dα = [axis] R
  const Vec3<double> axis = *unit_vector();
  const Mat3<Time> R = axis_angle<Time>(axis.cast<Time>(), Time::variable(*real(7), 0));
  RC_ASSERT(difference(derivative(R, 0), cross_matrix(axis) * value(R)) <= 32 * kEps);
}

RC_GTEST_PROP(Rotation, PacksEqualScalars, ()) {
  using P = Pack<2>;
  const Quat<double> q[2] = {*unit_quaternion(), *unit_quaternion()};
  const Vec3<double> w = *matrix<3>();
  const auto wide = [&](double Quat<double>::*c) {
    return P::generate([&](std::size_t i) { return q[i].*c; });
  };
  const Quat<P> q_wide{wide(&Quat<double>::w), wide(&Quat<double>::x), wide(&Quat<double>::y),
                       wide(&Quat<double>::z)};
  const Mat3<P> R = rotation_matrix(q_wide);
  const Quat<P> rate = quaternion_rate(q_wide, Vec3<P>(w.cast<P>()));
  for (int i = 0; i < 2; ++i) {
    const Quat<double> one{lane(rate.w, i), lane(rate.x, i), lane(rate.y, i), lane(rate.z, i)};
    RC_ASSERT(lane(R, i) == rotation_matrix(q[i]));
    RC_ASSERT(difference(one, quaternion_rate(q[i], w)) == 0.0);
  }
}

}  // namespace oloid::test::rotation_test
