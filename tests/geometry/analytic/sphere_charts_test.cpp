#include "oloid/geometry/analytic/sphere_charts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::sphere_charts_test {

using namespace geometry::sphere_charts;

Uv<double> in_working_domain(Random& random) {
  while (true) {
    const Uv<double> q = random.vector<2>(-1, 1);
    if (margin(q) >= 0) return q;
  }
}

template <class F>
void for_all_charts(F f) {
  for (int chart = 0; chart < kCharts; ++chart) {
    for (bool inward : {false, true}) {
      SCOPED_TRACE(testing::Message() << "chart " << chart << (inward ? ", inward" : ""));
      f(chart, inward);
    }
  }
}

TEST(SphereCharts, LieOnTheUnitSphereAndAreConformal) {
  for_all_charts([](int chart, bool inward) {
    for_random_cases(50, [&](Random& random) {
      const Jet<double, 1> c = jet<1, double>(chart, inward, random.vector<2>(-1, 1));
      const Vec3<double> cu = c.d(1, 0), cv = c.d(0, 1);
      EXPECT_LE(difference(c.d(0, 0).norm(), 1.0), 4 * kEps);
      EXPECT_LE(difference(cu.norm(), cv.norm()), 16 * kEps);
      EXPECT_LE(std::abs(cu.dot(cv)), 32 * kEps);
      // Outward or inward, as asked.
      const Vec3<double> n = cu.cross(cv).normalized();
      EXPECT_LE(difference(n, (inward ? -1.0 : 1.0) * c.d(0, 0)), 16 * kEps);
    });
  });
}

TEST(SphereCharts, AreWellConditionedOnTheWorkingDomain) {  // |c_u| = 2 / (1 + u² + v²)
  for_all_charts([](int chart, bool inward) {
    for_random_cases(50, [&](Random& random) {
      const Uv<double> q = in_working_domain(random);
      const double stretch = jet<1, double>(chart, inward, q).d(1, 0).norm();
      EXPECT_LE(stretch, 2 + 8 * kEps);
      EXPECT_GE(stretch, 1.5 - 8 * kEps);
    });
  });
}

TEST(SphereCharts, CoordinatesInvertTheChart) {
  for_all_charts([](int chart, bool inward) {
    for_random_cases(50, [&](Random& random) {
      const Uv<double> q = random.vector<2>(-1, 1);
      const Vec3<double> d = jet<0, double>(chart, inward, q).d(0, 0);
      const double length = random(0.1, 10);
      EXPECT_LE(difference(coordinates(chart, inward, length * d), q), 16 * kEps);
    });
  });
}

TEST(SphereCharts, BestChartHasRoomForEveryDirection) {
  // Farthest from all six centres are the corners of the cube, 54.7° away: u² + v² = 0.268.
  const double corner = std::pow(std::tan(0.5 * std::acos(1 / std::sqrt(3.0))), 2);
  for_random_cases(500, [&](Random& random) {
    const Vec3<double> d = random.direction();
    const int chart = best_chart(d);
    for (bool inward : {false, true})
      EXPECT_GE(margin(coordinates(chart, inward, d)), kRadiusSquared - corner - 4 * kEps);
  });
  for (double x : {-1.0, 0.0, 1.0})
    for (double y : {-1.0, 0.0, 1.0})
      for (double z : {-1.0, 0.0, 1.0}) {
        const Vec3<double> d(x, y, z);
        if (d.norm() == 0) continue;
        EXPECT_GE(margin(coordinates(best_chart(d), false, d)), kRadiusSquared - corner - 4 * kEps);
      }
}

TEST(SphereCharts, WorkingDomainEndsAt60Degrees) {
  const double r = std::sqrt(kRadiusSquared);
  for_all_charts([&](int chart, bool inward) {
    const Vec3<double> centre = jet<0, double>(chart, inward, {0, 0}).d(0, 0);
    for (double angle = 0; angle < 6; angle += 0.5) {
      const Uv<double> q(r * std::cos(angle), r * std::sin(angle));
      EXPECT_LE(std::abs(margin(q)), 4 * kEps);
      const Vec3<double> border = jet<0, double>(chart, inward, q).d(0, 0);
      EXPECT_LE(difference(border.dot(centre), 0.5), 8 * kEps);
    }
  });
}

}  // namespace oloid::test::sphere_charts_test
