#include "oloid/geometry/core/tangents.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::tangents_test {

void expect_right_handed(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& n) {
  Mat3<double> R;
  R << a, b, n;
  EXPECT_LE((R.transpose() * R - Mat3<double>::Identity()).norm(), 1e-14);
  EXPECT_NEAR(R.determinant(), 1, 1e-14);
}

TEST(Tangents, MakeARightHandedFrame) {
  for_random_cases(100, [](Random& random) {
    const Vec3<double> axis = random.vector<3>(-1, 1), n = axis.normalized();
    const Crosswise across = crosswise(axis);
    expect_right_handed(across.a, across.b, n);
    const Mat<double, 3, 2> T = tangents(n);
    expect_right_handed(T.col(0), T.col(1), n);
  });
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3<double> n = sign * Vec3<double>::Unit(i);
      expect_right_handed(crosswise(n).a, crosswise(n).b, n);
      expect_right_handed(tangents(n).col(0), tangents(n).col(1), n);
    }
  }
}

TEST(Tangents, FarthestAxisIsNeverNear) {
  EXPECT_EQ(farthest_axis({0.5, -0.1, 2}), Vec3<double>::UnitY());
  for_random_cases(100, [](Random& random) {
    const Vec3<double> n = random.vector<3>(-1, 1).normalized();
    EXPECT_LE(std::abs(farthest_axis(n).dot(n)), std::sqrt(1.0 / 3) + 1e-15);
  });
}

TEST(Tangents, TowardsADirectionIsNearestToIt) {
  for_random_cases(100, [](Random& random) {
    const Vec3<double> n = random.vector<3>(-1, 1).normalized(), e = random.vector<3>(-1, 1);
    const Vec3<double> x = tangent_towards(e, n);
    EXPECT_NEAR(x.dot(n), 0, 1e-13);
    EXPECT_NEAR(x.norm(), 1, 1e-15);
    EXPECT_NEAR(e.dot(n.cross(x)), 0, 1e-14);  // e lies in the plane of n and x
    EXPECT_GT(e.dot(x), 0);
  });
}

}  // namespace oloid::test::tangents_test
