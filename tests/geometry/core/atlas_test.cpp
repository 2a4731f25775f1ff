#include "oloid/geometry/core/atlas.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/surfaces.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "support/rooms.h"

namespace oloid::test::atlas_test {

TEST(Location, IsAPointOfTheFirstChartByDefault) {
  EXPECT_EQ(Location{}.chart, ChartId{0});
  EXPECT_EQ(Location{}.x, Vec3<double>::Zero());
}

// A path around the body changes charts a few times; each change leaves room, so that it is not
// followed by another at once.
TEST(Atlas, APathAroundTheBodyDoesNotPingPong) {
  const Ellipsoid surface = ellipsoid(0.7, 0.5, 0.4);
  for_random_cases(20, [&](Random& random) {
    const Vec3<double> a = random.direction(), b = a.cross(random.direction()).normalized();
    Location q = surface.near(surface.semi_axes().cwiseProduct(a));
    int changes = 0, since = 1000;
    for (int i = 0; i <= 1000; ++i, ++since) {  // one great circle, stretched
      const double t = 2 * std::acos(-1) * i / 1000;
      const Vec3<double> d = std::cos(t) * a + std::sin(t) * b;
      q.x.head<2>() = sphere_charts::coordinates(q.chart.index, false, d);
      if (surface.margin(q) > 0) continue;
      const ChartExit exit = surface.leave(q);
      q = std::get<Crossing>(exit).to;
      EXPECT_GT(since, 10);  // at least 5.3° of 360° apart, the width of the overlap
      ++changes;
      since = 0;
    }
    EXPECT_LE(changes, 8);
    EXPECT_GE(changes, 3);
  });
}

}  // namespace oloid::test::atlas_test
