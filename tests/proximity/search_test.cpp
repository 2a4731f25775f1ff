// The search for nearest pairs against what can be known without it.
#include "oloid/proximity/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test::search_test {

using Vector = Vec3<double>;

// A shape and whether a point lies inside.
struct Known {
  Shape shape;
  bool (*encloses)(const Vector& p);
};
std::vector<Known> known_shapes() {
  return {
      {*Ellipsoid::make({0.5, 0.3, 0.2}),
       [](const Vector& p) { return p.cwiseQuotient(Vector(0.5, 0.3, 0.2)).norm() < 1; }},
      {*Torus::make(0.5, 0.15),
       [](const Vector& p) { return std::hypot(std::hypot(p.x(), p.y()) - 0.5, p.z()) < 0.15; }},
      {*Polyhedron::make({*ConvexPolyhedron::cuboid({0.4, 0.6, 0.8})}), [](const Vector& p) {
         return (p.cwiseAbs().array() < Vector(0.2, 0.3, 0.4).array()).all();
       }}};
}

Pose<double> random_pose(Random& random, double far) {
  const Quat<double> q{random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)};
  return {rotation_matrix(q), far * random.direction()};
}

TEST(Search, FindsThePlaceNearestToAPoint) {
  const Features ring{Side{*Torus::make(0.5, 0.15), {}}};
  const SearchBody body(ring);
  for_random_cases(60, [&](Random& random) {
    const Vector p = random.vector<3>(-0.6, 0.6);
    const Vector centre = 0.5 * Vector(p.x(), p.y(), 0).normalized(),
                 out = (p - centre).normalized();
    const TrackedPair pair = body.nearest_to(p);
    ASSERT_TRUE(pair.usable());
    EXPECT_NEAR(pair.gap, (p - centre).norm() - 0.15, 1e-13);
    EXPECT_LT((pair.point_B - centre - 0.15 * out).norm(), 1e-12);
  });
}

TEST(Search, KnowsWhatABodyEncloses) {
  for (const Known& known : known_shapes()) {
    const Features features{Side{known.shape, {}}};
    const SearchBody body(features);
    for_random_cases(60, [&](Random& random) {
      const Vector p = random.vector<3>(-0.6, 0.6);
      EXPECT_EQ(body.encloses(p), known.encloses(p)) << p.transpose();
    });
  }
}

// No two starts are nearer than the nearest pair, bodies overlap if a start of one is inside of the
// other, and a pair is missing only then.
TEST(Search, NothingIsNearerThanTheNearest) {
  const std::vector<Known> shapes = known_shapes();
  for (const Known& first : shapes) {
    for (const Known& second : shapes) {
      const Features A{Side{first.shape, {}}}, B{Side{second.shape, {}}};
      const SearchBody a(A), b(B);
      for_random_cases(15, [&](Random& random) {
        const Pose<double> X_BA = random_pose(random, random(0.4, 1.5));
        const SearchResult found = search_pairs(a, b, X_BA, 0.1);
        ASSERT_FALSE(found.pairs.empty());
        const TrackedPair& nearest = found.pairs.front();
        if (!nearest.usable()) {
          EXPECT_TRUE(found.overlap) << name(nearest.status);
          return;
        }
        double least = 1e9;
        bool inside = false;
        for (const auto& start_A : a.starts()) {
          const Vector p = X_BA * start_A.at.p;
          inside = inside || second.encloses(p);
          for (const auto& start_B : b.starts()) least = std::min(least, (p - start_B.at.p).norm());
        }
        EXPECT_TRUE(found.overlap || !inside);
        EXPECT_TRUE(found.overlap || nearest.gap <= least + 1e-12);
        // Pairs come in order, and each is one.
        for (std::size_t i = 1; i < found.pairs.size(); ++i) {
          EXPECT_LE(found.pairs[i - 1].gap, found.pairs[i].gap);
          EXPECT_LT(found.pairs[i].gap, 0.1);
        }
      });
    }
  }
}

}  // namespace oloid::test::search_test
