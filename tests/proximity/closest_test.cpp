#include "oloid/proximity/closest.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "oloid/spatial/rotation.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::closest_test {

Side ellipsoid(const Vec3<double>& axes, bool cavity = false) {
  return {*Ellipsoid::make(axes, cavity), {}};
}

// Contact coordinates and a gap make a pose; from the pose the same points and gap must come back.
TEST(Closest, FindsThePointsThatMadeThePose) {
  for_random_contacts(4, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const PairGeometry<double> at = c.pair();
    for (double gap : {0.0, 0.002, -0.002, 0.05}) {
      const Pose<double> X_BA = pose_of_A_in_B(at, c.state.psi, gap);
      // Start some way off.
      Location a{c.anchor_A.chart, c.state.location_A}, b{c.anchor_B.chart, c.state.location_B};
      a.x += at.A.L * Vec2<double>(0.02, -0.01);
      b.x += at.B.L * Vec2<double>(-0.01, 0.02);
      const Closest found =
          closest_from(c.A, c.B, X_BA, settled(c.A.shape, a), settled(c.B.shape, b));
      ASSERT_EQ(found.status, ClosestStatus::found)
          << "gap " << gap << " residual " << found.residual;
      EXPECT_NEAR(found.gap, gap, 1e-12);
      EXPECT_LE((found.point_B - at.B.p).norm(), 1e-10);
      EXPECT_LE(found.iterations, 12);
    }
  });
}

TEST(Closest, SpheresAreAsFarApartAsTheirCentresSay) {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const double r = random(0.1, 1), R = random(0.1, 2);
    const Side A = ellipsoid({r, r, r}), B = ellipsoid({R, R, R});
    const Pose<double> X_BA{random.rotation(),
                            random.vector<3>(-1, 1).normalized() * (r + R + random(-0.05, 1))};
    const Closest found = closest_anywhere(A, B, X_BA, make_starts(A, B));
    ASSERT_EQ(found.status, ClosestStatus::found);
    EXPECT_NEAR(found.gap, X_BA.p.norm() - r - R, 1e-14);
  }
}

TEST(Closest, BallInABowl) {
  const Side A = ellipsoid({0.2, 0.2, 0.2}), B = ellipsoid({1, 1, 1}, true);
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Vec3<double> p = random.vector<3>(-1, 1).normalized() * random(0.1, 0.8);
    const Closest found = closest_anywhere(A, B, {random.rotation(), p}, make_starts(A, B));
    ASSERT_EQ(found.status, ClosestStatus::found);
    EXPECT_NEAR(found.gap, 0.8 - p.norm(), 1e-14);
  }
}

// Height of an ellipsoid over a plane: centre minus √(n·A² n) along the plane's normal.
TEST(Closest, EllipsoidOverAPlaneAndItsQuadricTwin) {
  const Vec3<double> axes(0.3, 0.2, 0.12);
  const Side A = ellipsoid(axes), B{Plane{}, {}};
  const Vec3<double> q = axes.cwiseProduct(axes).cwiseInverse();
  const Side twin{*Quadric::make(q.asDiagonal(), Vec3<double>::Zero(), -1), {}};
  Random random(8);
  for (int i = 0; i < 30; ++i) {
    const Pose<double> X{random.rotation(), {random(-1, 1), random(-1, 1), random(0.1, 1)}};
    const double support = axes.cwiseProduct(Vec3<double>(X.R.transpose().col(2))).norm();
    for (const Side* side : {&A, &twin}) {
      const Closest found = closest_anywhere(*side, B, X, make_starts(*side, B));
      ASSERT_EQ(found.status, ClosestStatus::found);
      EXPECT_NEAR(found.gap, X.p.z() - support, 1e-14);
    }
  }
}

// The answer does not depend on where the pair is in the world, nor on which body comes first.
TEST(Closest, SwappingTheBodiesGivesTheSameGap) {
  const Side A = ellipsoid({0.3, 0.2, 0.12}), B = ellipsoid({0.5, 0.8, 0.4});
  Random random(9);
  for (int i = 0; i < 20; ++i) {
    const Pose<double> X{random.rotation(), random.vector<3>(-1, 1).normalized() * 1.5};
    const Closest ab = closest_anywhere(A, B, X, make_starts(A, B));
    const Closest ba = closest_anywhere(B, A, inverse(X), make_starts(B, A));
    ASSERT_EQ(ab.status, ClosestStatus::found);
    ASSERT_EQ(ba.status, ClosestStatus::found);
    EXPECT_NEAR(ab.gap, ba.gap, 1e-14 * 4);
    EXPECT_LE((X * ba.point_B - ab.point_A).norm(), 1e-10);
  }
}

TEST(Closest, BorderOfAPatchIsReported) {
  std::vector<std::vector<Vec3<double>>> net(2, std::vector<Vec3<double>>(2));
  net[0][0] = {0, 0, 0};
  net[1][0] = {1, 0, 0};
  net[0][1] = {0, 1, 0};
  net[1][1] = {1, 1, 0};
  const Side patch{single_patch(net), {}}, ball = ellipsoid({0.2, 0.2, 0.2});
  const Closest beside = closest_anywhere(ball, patch, {Mat3<double>::Identity(), {2, 0.5, 0.2}},
                                          make_starts(ball, patch));
  EXPECT_NE(beside.status, ClosestStatus::found);
  const Closest above = closest_anywhere(ball, patch, {Mat3<double>::Identity(), {0.4, 0.5, 0.3}},
                                         make_starts(ball, patch));
  ASSERT_EQ(above.status, ClosestStatus::found);
  EXPECT_NEAR(above.gap, 0.1, 1e-14);
}

}  // namespace oloid::test::closest_test
