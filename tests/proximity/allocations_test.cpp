// What is called at every step asks for no memory.
#include <gtest/gtest.h>

#include <limits>

#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracker.h"
#include "support/count_allocations.h"
#include "support/rooms.h"

namespace oloid::test::allocations_test {

TEST(Allocations, FeaturesAskForNone) {
  Random random(2);
  const std::vector<TouchableBody> bodies{
      TouchableBody(PlacedShape{Ellipsoid::make({1, 0.7, 0.5}).value(), {}}),
      TouchableBody(
          PlacedShape{Polyhedron::make({ConvexPolyhedron::cuboid({1, 2, 3}).value()}).value(), {}}),
      TouchableBody(PlacedShape{CircleHull::oloid(1).value(), {}}),
      TouchableBody(PlacedShape{CircleHull::sphericon(1).value(), {}}),
      TouchableBody(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}).value())};
  for (const TouchableBody& body : bodies) {
    const std::vector<Spot> seeds = body.seeds();
    const long before = allocations;
    for (const Spot& seed : seeds) {
      std::optional<Spot> spot = seed;
      for (int i = 0; i < 20 && spot; ++i) {
        const LocalFeature<double> at = body.at(*spot);
        if (const auto larger = body.larger(*spot, random.direction()))
          spot = larger;
        else
          spot = body.moved(*spot, at, random.vector<2>(-1, 1));
      }
    }
    EXPECT_EQ(allocations, before);
  }
}

// Over faces, edges and vertices, and where motions are followed in parts or the pair is lost.
TEST(Allocations, TrackersAskForNone) {
  Random random(4);
  const TouchableBody ball({*Ellipsoid::make({0.1, 0.1, 0.1}), {}});
  const TouchableBody box({*Polyhedron::make({*ConvexPolyhedron::cuboid({1, 0.7, 0.4})}), {}});
  Tracker tracker(ball, box);
  Pose<double> X{Mat3<double>::Identity(), {0, 0, 0.31}};
  TrackedPair start;
  start.A = ball.near({0, 0, -0.1});
  start.B = box.near({0, 0, 0.2});
  ASSERT_TRUE(tracker.start(X, start).usable());
  const long before = allocations;
  for (int i = 0; i < 3000; ++i) {
    X.p = (X.p + 0.02 * random.direction()).normalized() * 0.7;
    tracker.update(X);
  }
  X.p = {-3, 2, 1};
  tracker.update(X);
  X.p(0) = std::numeric_limits<double>::quiet_NaN();
  tracker.update(X);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(tracker.counters().feature_changes, 10);
}

}  // namespace oloid::test::allocations_test
