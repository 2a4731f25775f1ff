// The near-singular example of [NelsonJohnsonCohen99]: a probe in a dish that is less and less
// wider than it is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/tracker.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test::conditioning_test {

constexpr double kDepth = 0.02;

// Lowest point with curvatures 1 and 1/1.2.
TouchableBody probe() { return TouchableBody({*Ellipsoid::make({1, std::sqrt(1.2), 1}), {}}); }
// A round dish with its lowest point at the origin; radius 0: a plane.
TouchableBody dish(double radius) {
  if (radius == 0) return TouchableBody({Plane{}, {}});
  return TouchableBody({*Ellipsoid::make(Vec3<double>::Constant(radius), true),
                        {Mat3<double>::Identity(), {0, 0, radius}}});
}
Spot lowest(const TouchableBody& body, const Vec3<double>& p) { return body.near(p); }

template <class M>
double condition(const M& m) {
  const auto values = Eigen::JacobiSVD<M>(m).singularValues();
  return values(0) / values(values.size() - 1);
}

struct Row {
  double newton4, velocity4, reduced2;
  TrackedPair pair;
  double cold, warm;  // iterations
};

// Both 4 × 4 matrices of the 1999 paper, in unit tangents of A, so that no parameterisation enters:
//   Newton    ( C_A        MᵀK_B      )       velocity  ( 1 + χ K_B   −M     )
//             ( M          −(1 + χK_B) )                 ( K_B         M K_A )
Row row(double radius) {
  const TouchableBody A = probe(), B = dish(radius);
  const Pose<double> X{Mat3<double>::Identity(), {0, 0, 1 - kDepth}};
  const Vec3<double> up(0, 0, 1);
  Row r;
  r.pair = nearest_from(A, B, X, lowest(A, {0, 0, -1}), lowest(B, {0, 0, 0}), up);
  const LocalFeature<double> a = X * A.at(r.pair.A), b = B.at(r.pair.B);
  const Mat2<double> M = b.E.transpose() * a.E, one = Mat2<double>::Identity();
  const double gap = r.pair.gap;
  Mat<double, 4, 4> newton, velocity;
  newton << a.K, M.transpose() * b.K, M, -(one + gap * b.K);
  velocity << one + gap * b.K, -M, b.K, M * a.K;
  r.newton4 = condition(newton);
  r.velocity4 = condition(velocity);
  r.reduced2 = r.pair.condition;
  // Cold: from 0.1 away. Warm: rocking by 1 mrad a step.
  r.cold =
      nearest_from(A, B, X, lowest(A, {0.07, 0.07, -1}), lowest(B, {-0.05, 0, 0}), up).iterations;
  Tracker tracker(A, B);
  tracker.start(X, r.pair);
  for (int i = 1; i <= 50; ++i) tracker.update({axis_angle<double>({0.6, 0.8, 0}, 1e-3 * i), X.p});
  r.warm = tracker.tracking() ? static_cast<double>(tracker.counters().iterations) / 50 : NAN;
  return r;
}

TEST(Conditioning, BothFormsAreAlikeAndSingularWhereTheProbeConforms) {
  fmt::print(
      "dish radius | Newton 4x4 | velocity 4x4 | N 2x2 | conformity | status | cold | warm\n");
  double before = 0;
  for (const double radius : {0.0, 3.0, 1.5, 1.25, 1.21, 1.05}) {
    const Row r = row(radius);
    fmt::print("{:11} | {:10.1f} | {:12.1f} | {:5.1f} | {:10.2g} | {} | {:.0f} | {:.2f}\n", radius,
               r.newton4, r.velocity4, r.reduced2, r.pair.conformity, name(r.pair.status), r.cold,
               r.warm);
    EXPECT_NEAR(r.velocity4 / r.newton4, 1, 0.1) << radius;
    EXPECT_NEAR(r.pair.gap, -kDepth, 1e-12);
    // N = K_A + K_B + χ K_A K_B with curvatures 1, 1/1.2 and −1/radius.
    const double k = radius > 0 ? -1 / radius : 0;
    const double least = 1 / 1.2 + k - kDepth * k / 1.2;
    EXPECT_NEAR(r.pair.conformity,
                least * (radius > 0 ? std::min(radius, std::sqrt(1.2)) : std::sqrt(1.2)), 1e-9);
    if (radius == 1.05) {  // tighter than the probe: a saddle
      EXPECT_EQ(r.pair.status, PairStatus::not_minimum);
    } else {
      EXPECT_EQ(r.pair.status, PairStatus::found);
      EXPECT_GT(r.newton4, before);  // grows towards conformity
      before = r.newton4;
      EXPECT_LE(r.warm, 2);
    }
  }
}

}  // namespace oloid::test::conditioning_test
