// Nearest points of bodies with edges and corners, against dense samples of their surfaces.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/search.h"
#include "support/edged_shapes.h"
#include "support/rooms.h"

namespace oloid::test::edged_bodies_test {

// Points of the surface, with how far at most any other point of it is from one of them.
struct Samples {
  std::vector<Vec3<double>> points;
  double apart = 0;  // [m]

  explicit Samples(const Shape& shape) {
    constexpr int n = 160;
    for (const Tile& tile : tiles(shape, 1)) {
      const auto point = [&](int i, int j) {
        const Location q = location(shape, tile, i / double(n), j / double(n));
        return local_surface<double>(shape, q.chart, q.x, {0.48, 0.6, 0.64}).p;
      };
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= (tile.sides == 4 ? n : n - i); ++j) {
          const auto is_kept = [&](int a, int b) {
            return kept(shape, tile, a / double(n), b / double(n)) >= 0;
          };
          if (!is_kept(i, j)) continue;
          points.push_back(point(i, j));
          if (i == 0 || j == 0 || !is_kept(i - 1, j - 1)) continue;
          apart = std::max(apart, (points.back() - point(i - 1, j - 1)).norm());
        }
      }
    }
  }
  double distance(const Vec3<double>& p) const {
    double least = INFINITY;
    for (const Vec3<double>& q : points) least = std::min(least, (q - p).squaredNorm());
    return std::sqrt(least);
  }
};

// Never farther than a sample, and nearer by no more than samples are apart; next to an edge, where
// cells of the grid are cut, twice that.
void expect_nearest(const Shape& shape, double low, const char* name) {
  SCOPED_TRACE(name);
  const Samples samples(shape);
  const TouchableBody features{PlacedShape{shape, {}}};
  const SearchBody body(features);
  const double d = samples.apart;
  int off_surface = 0, cases = 0;
  for_random_cases(40, [&](Random& random) {
    Vec3<double> p = bounding_box(shape).centre() + random.vector<3>(-2.5, 2.5);
    p.z() = std::max(p.z(), low + 0.1 * random(0, 1));
    const double judged = samples.distance(p);
    if (judged < 4 * d || body.encloses(p)) return;
    const TrackedPair pair = body.nearest_to(p);
    ASSERT_TRUE(pair.usable()) << p.transpose();
    ++cases;
    off_surface += pair.B.kind == Spot::Kind::surface ? 0 : 1;
    EXPECT_LE(std::abs(pair.gap), judged + 1e-12) << p.transpose();
    EXPECT_GE(std::abs(pair.gap), judged - 2 * d) << p.transpose();
  });
  EXPECT_GE(cases, 20);
  EXPECT_GE(off_surface, 3);
}

TEST(EdgedBodies, NearestPointsOfIntersectionsAreRight) {
  expect_nearest(lens(), -INFINITY, "lens");
  expect_nearest(can(), -INFINITY, "can");
  expect_nearest(eighth_of_a_ball(), -INFINITY, "eighth of a ball");
  expect_nearest(bent_wedge(), -INFINITY, "bent wedge");
}

// From above: behind an open surface only its inner side is near.
TEST(EdgedBodies, NearestPointsOfTrimmedPatchesAreRight) {
  for (const int spans : {1, 3}) {
    expect_nearest(hill_with_hole(spans), 0.4, "hole");
    expect_nearest(notched_hill(spans), 0.4, "notch");
  }
}

// In closed form: above the rim of a can, in the edge's cone, and beside it.
TEST(EdgedBodies, RimsOfCansAreWhereTheyAre) {
  const TouchableBody features{PlacedShape{can(), {}}};
  const SearchBody body(features);
  for_random_cases(40, [&](Random& random) {
    const double angle = random(0, 2 * std::numbers::pi), out = random(0.01, 1),
                 up = random(0.01, 1);
    const Vec3<double> radial(std::cos(angle), std::sin(angle), 0);
    const Vec3<double> p = (0.7 + out) * radial + Vec3<double>(0, 0, 0.3 + up);
    const TrackedPair pair = body.nearest_to(p);
    ASSERT_TRUE(pair.usable());
    EXPECT_EQ(pair.B.kind, Spot::Kind::curve);
    EXPECT_NEAR(pair.gap, std::hypot(out, up), 1e-12);
  });
}

}  // namespace oloid::test::edged_bodies_test
