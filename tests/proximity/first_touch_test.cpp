// Moving bodies to their first touch, against closed forms.
#include "oloid/proximity/first_touch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::first_touch_test {

using Vector = Vec3<double>;
using Status = FirstTouch::Status;

struct Body : ProximityBody {
  explicit Body(Shape shape) : ProximityBody(TouchableBody(PlacedShape{std::move(shape), {}})) {}
  Obstacle at(const Vector& p) const { return {this, {Mat3<double>::Identity(), p}}; }
};
Pose<double> at(const Vector& p) { return {Mat3<double>::Identity(), p}; }
Shape ball(double radius) { return *Ellipsoid::make({radius, radius, radius}); }

// Two balls: |r + s u| = sum of the radii.
TEST(FirstTouch, OfBallsIsARootOfAQuadratic) {
  const Body small(ball(0.3)), large(ball(0.5));
  int touched = 0;
  for_random_cases(100, [&](Random& random) {
    const Vector p = 3 * random.direction(),
                 u = (0.4 * random.direction() - p.normalized()).normalized();
    const FirstTouch touch = first_touch(small, at(p), u, std::vector{large.at(Vector::Zero())});
    const double b = p.dot(u), c = p.squaredNorm() - 0.8 * 0.8, root = b * b - c;
    if (root < 0 || b > 0) {
      EXPECT_EQ(touch.status, Status::never);
      return;
    }
    ++touched;
    ASSERT_EQ(touch.status, Status::touches);
    EXPECT_NEAR(touch.way, -b - std::sqrt(root), 1e-13 / std::sqrt(root));
    EXPECT_TRUE(touch.certified);
    EXPECT_NEAR(touch.pair.gap, 0, 1e-15);
  });
  EXPECT_GT(touched, 20);
}

// A ball that falls into a ring: on the tube where the distance to its circle is the sum of radii.
TEST(FirstTouch, PassesNothingThatIsNotConvex) {
  const Body marble(ball(0.1)), ring(*Torus::make(0.7, 0.25));
  for_random_cases(30, [&](Random& random) {
    const double rho = random(0.36, 1.04), angle = random(-3, 3);
    const Vector p(rho * std::cos(angle), rho * std::sin(angle), 2);
    const FirstTouch touch =
        first_touch(marble, at(p), -Vector::UnitZ(), std::vector{ring.at(Vector::Zero())});
    ASSERT_EQ(touch.status, Status::touches);
    const double height = std::sqrt(0.35 * 0.35 - (rho - 0.7) * (rho - 0.7));
    EXPECT_NEAR(2 - touch.way, height, 1e-13 / height);
    EXPECT_TRUE(touch.certified);
  });
  const FirstTouch through = first_touch(marble, at({0.05, 0.1, 2}), -Vector::UnitZ(),
                                         std::vector{ring.at(Vector::Zero())});
  EXPECT_EQ(through.status, Status::never);
}

TEST(FirstTouch, TakesTheFirstOfSeveral) {
  const Body marble(ball(0.1)), stone(ball(0.4)), floor(Plane{});
  const std::vector<Obstacle> others{floor.at(Vector::Zero()), stone.at({0, 0, 1}),
                                     stone.at({0.2, 0, 1.2}), stone.at({9, 0, 1})};
  const FirstTouch touch = first_touch(marble, at({0.1, 0, 5}), -Vector::UnitZ(), others);
  ASSERT_EQ(touch.status, Status::touches);
  EXPECT_EQ(touch.other, 2u);
  EXPECT_NEAR(5 - touch.way, 1.2 + std::sqrt(0.25 - 0.01), 1e-13);
}

TEST(FirstTouch, TellsOfOverlapAndOfMotionAlong) {
  const Body marble(ball(0.1)), floor(Plane{});
  const std::vector<Obstacle> others{floor.at(Vector::Zero())};
  EXPECT_EQ(first_touch(marble, at({0, 0, 0.05}), -Vector::UnitZ(), others).status,
            Status::overlap);
  EXPECT_EQ(first_touch(marble, at({0, 0, 1}), Vector::UnitX(), others).status, Status::never);
  EXPECT_EQ(first_touch(marble, at({0, 0, 1}), Vector::UnitZ(), others).status, Status::never);
  EXPECT_EQ(first_touch(marble, at({0, 0, 1}), Vector::UnitZ(), {}).status, Status::never);
}

// A thin plate is not jumped over, however far away the body starts.
TEST(FirstTouch, DoesNotTunnel) {
  const Body marble(ball(0.1)), plate(*Ellipsoid::make({1, 1, 0.01}));
  const FirstTouch touch =
      first_touch(marble, at({0, 0, 1e3}), -Vector::UnitZ(), std::vector{plate.at(Vector::Zero())});
  ASSERT_EQ(touch.status, Status::touches);
  EXPECT_NEAR(1e3 - touch.way, 0.11, 1e-12);
}

}  // namespace oloid::test::first_touch_test
