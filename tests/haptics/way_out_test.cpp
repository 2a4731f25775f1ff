#include "oloid/haptics/way_out.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::way_out_test {

// Another way to the same point: Hildreth's method, one multiplier after the other.
Vec3<double> by_projections(const std::vector<HalfSpace>& spaces) {
  std::vector<double> lambda(spaces.size(), 0);
  Vec3<double> delta = Vec3<double>::Zero();
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (std::size_t i = 0; i < spaces.size(); ++i) {
      const double more = std::max(-lambda[i], spaces[i].b - spaces[i].n.dot(delta));
      lambda[i] += more;
      delta += more * spaces[i].n;
    }
  }
  return delta;
}

TEST(WayOut, IsTheShortest) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<HalfSpace> spaces;
    const Vec3<double> up = random.vector<3>(-1, 1).normalized();
    for (int k = 0; k < 1 + i % 8; ++k) {  // all contain points far up
      Vec3<double> n = random.vector<3>(-1, 1).normalized();
      if (n.dot(up) < 0) n = -n;
      spaces.push_back({(n + 0.3 * up).normalized(), random(-0.5, 1)});
    }
    const WayOut way = shortest_way_out(spaces);
    EXPECT_LE(way.lacking, 1e-12) << i;
    EXPECT_LE((way.delta - by_projections(spaces)).norm(), 1e-9) << i;
  }
}

TEST(WayOut, StaysWhereNothingPushes) {
  const WayOut way = shortest_way_out(std::vector<HalfSpace>{{{0, 0, 1}, -1}, {{1, 0, 0}, 0}});
  EXPECT_EQ(way.delta, Vec3<double>::Zero().eval());
  EXPECT_EQ(way.lacking, 0);
  EXPECT_EQ(shortest_way_out({}).delta, Vec3<double>::Zero().eval());
}

TEST(WayOut, SaysWhatIsLackingBetweenWalls) {
  const WayOut way = shortest_way_out(std::vector<HalfSpace>{{{1, 0, 0}, 0.3}, {{-1, 0, 0}, 0.1}});
  EXPECT_EQ(way.delta, Vec3<double>::Zero().eval());
  EXPECT_EQ(way.lacking, 0.3);
}

}  // namespace oloid::test::way_out_test
