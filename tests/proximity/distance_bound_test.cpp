#include "oloid/proximity/distance_bound.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::distance_bound_test {

struct Body {
  TouchableBody features;
  FarBody far;
  explicit Body(Shape shape) : features(PlacedShape{std::move(shape), {}}), far(features) {}
};

// Never above the true distance, and of use: not far below what was asked for.
TEST(DistanceBound, IsABoundAndUseful) {
  const Body ring(*Torus::make(0.5, 0.15)), egg(*Ellipsoid::make({0.5, 0.35, 0.25})),
      plane(Shape{Plane{}});
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    const Body& A = i % 2 ? ring : egg;
    const Body& B = i % 3 == 0 ? plane : i % 3 == 1 ? ring : egg;
    const Mat3<double> R = random.rotation();
    Vec3<double> p = random.vector<3>(-1, 1);
    p = random(1.3, 2.3) * p.normalized();
    p.z() = std::abs(p.z()) + 0.7;
    const Pose<double> X{R, p};
    const FarResult exact = globally_nearest(A.far, B.far, X);
    ASSERT_FALSE(exact.pairs.empty());
    const double gap = exact.pairs.front().gap;
    for (const double part : {0.2, 0.5, 0.9, 1.0, 1.1, 3.0}) {
      const double bound = distance_bound(A.far, B.far, X, part * gap);
      EXPECT_LE(bound, gap * (1 + 1e-12)) << i;
      if (part <= 0.9) {
        EXPECT_EQ(bound, part * gap) << i;
      }
    }
  }
}

}  // namespace oloid::test::distance_bound_test
