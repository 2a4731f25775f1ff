// The search for nearest pairs against what can be known without it.
#include "oloid/proximity/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/spatial/rotation.h"
#include "support/patches.h"
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
  const TouchableBody ring{PlacedShape{*Torus::make(0.5, 0.15), {}}};
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
    const TouchableBody features{PlacedShape{known.shape, {}}};
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
      const TouchableBody A{PlacedShape{first.shape, {}}}, B{PlacedShape{second.shape, {}}};
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

// A body with its starts.
struct Searched {
  TouchableBody features;
  SearchBody search{features};
  explicit Searched(Shape shape) : features(PlacedShape{std::move(shape), {}}) {}
  Searched(const Searched&) = delete;
  Searched& operator=(const Searched&) = delete;
};
TrackedPair nearest(const Searched& A, const Searched& B, const Pose<double>& X_BA) {
  return nearest_pair(A.search, B.search, X_BA);
}

TEST(NearestPair, SpheresAreAsFarApartAsTheirCentresSay) {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const double r = random(0.1, 1), R = random(0.1, 2);
    const Searched A(*Ellipsoid::make({r, r, r})), B(*Ellipsoid::make({R, R, R}));
    const Pose<double> X_BA = random_pose(random, r + R + random(-0.05, 1));
    const TrackedPair found = nearest(A, B, X_BA);
    ASSERT_EQ(found.status, PairStatus::found);
    EXPECT_NEAR(found.gap, X_BA.p.norm() - r - R, 1e-14);
  }
}

TEST(NearestPair, BallInABowl) {
  const Searched A(*Ellipsoid::make({0.2, 0.2, 0.2})), B(*Ellipsoid::make({1, 1, 1}, true));
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Pose<double> X_BA = random_pose(random, random(0.1, 0.8));
    const TrackedPair found = nearest(A, B, X_BA);
    ASSERT_EQ(found.status, PairStatus::found);
    EXPECT_NEAR(found.gap, 0.8 - X_BA.p.norm(), 1e-14);
  }
}

// Height of an ellipsoid over a plane: centre minus √(n·A² n) along the plane's normal.
TEST(NearestPair, EllipsoidOverAPlaneAndItsQuadricTwin) {
  const Vector axes(0.3, 0.2, 0.12);
  const Vector q = axes.cwiseProduct(axes).cwiseInverse();
  const Searched A(*Ellipsoid::make(axes)), B(Plane{}),
      twin(*Quadric::make(q.asDiagonal(), Vector::Zero(), -1));
  Random random(8);
  for (int i = 0; i < 30; ++i) {
    Pose<double> X = random_pose(random, 1);
    X.p.z() = random(0.1, 1);
    const double support = axes.cwiseProduct(Vector(X.R.transpose().col(2))).norm();
    for (const Searched* body : {&A, &twin}) {
      const TrackedPair found = nearest(*body, B, X);
      ASSERT_EQ(found.status, PairStatus::found);
      EXPECT_NEAR(found.gap, X.p.z() - support, 1e-14);
    }
  }
}

// Height of a box over a plane: that of its lowest corner, whether one corner is lowest, an edge or
// a face.
TEST(NearestPair, BoxOverAPlane) {
  const Vector half(0.2, 0.3, 0.4);
  const Searched A(*Polyhedron::make({*ConvexPolyhedron::cuboid(2 * half)})), B(Plane{});
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    Pose<double> X = random_pose(random, 1);
    if (i % 4 == 1) X.R = axis_angle<double>(Vector::UnitX(), random(-3, 3));
    if (i % 4 == 2) X.R = Mat3<double>::Identity();
    X.p.z() = random(0.6, 2);
    const TrackedPair found = nearest(A, B, X);
    ASSERT_TRUE(found.usable());
    EXPECT_NEAR(found.gap, X.p.z() - half.dot(X.R.row(2).cwiseAbs()), 1e-14);
    EXPECT_EQ(found.status == PairStatus::conforming, i % 4 == 1 || i % 4 == 2);
  }
}

// The answer is that of the search that takes its time, and does not depend on which body comes
// first.
TEST(NearestPair, IsThatOfTheSearchFromMoreStarts) {
  Random random(9);
  std::vector<std::unique_ptr<Searched>> bodies;
  for (const Known& known : known_shapes())
    bodies.push_back(std::make_unique<Searched>(known.shape));
  bodies.push_back(std::make_unique<Searched>(*Frustum::cylinder(0.3, 0.8)));
  for (const auto& A : bodies) {
    for (const auto& B : bodies) {
      for (int i = 0; i < 10; ++i) {
        const Pose<double> X = random_pose(random, random(0.7, 2));
        const SearchResult thorough = search_pairs(A->search, B->search, X, 0);
        if (thorough.overlap) continue;
        const TrackedPair ab = nearest(*A, *B, X), ba = nearest(*B, *A, inverse(X));
        ASSERT_TRUE(ab.usable() && ba.usable());
        EXPECT_NEAR(ab.gap, thorough.pairs.front().gap, 1e-13);
        EXPECT_NEAR(ba.gap, ab.gap, 1e-13);
      }
    }
  }
}

// A sheet can be touched at its border, but not from behind.
TEST(NearestPair, OfASheetWithABorder) {
  std::vector<std::vector<Vector>> net(2, std::vector<Vector>(2));
  net[0][0] = {0, 0, 0};
  net[1][0] = {1, 0, 0};
  net[0][1] = {0, 1, 0};
  net[1][1] = {1, 1, 0};
  const Searched sheet(single_patch(net)), ball(*Ellipsoid::make({0.2, 0.2, 0.2}));
  const Mat3<double> R = Mat3<double>::Identity();
  const TrackedPair above = nearest(ball, sheet, {R, {0.4, 0.5, 0.3}});
  EXPECT_EQ(above.B.kind, Spot::Kind::surface);
  EXPECT_NEAR(above.gap, 0.1, 1e-14);
  const TrackedPair beside = nearest(ball, sheet, {R, {1.3, 0.5, 0.4}});
  EXPECT_EQ(beside.B.kind, Spot::Kind::curve);
  EXPECT_NEAR(beside.gap, 0.3, 1e-14);
}

// In a hollow ball the vertex farthest from the middle is nearest to the wall; along edges and
// over faces the distance has no minimum, so that starts there lead nowhere.
TEST(Search, FindsTheNearestVertexOfAPolyhedronInAHollowBall) {
  const Searched hollow(*Ellipsoid::make({3, 3, 3}, true));
  for_random_cases(300, [&](Random& random) {
    std::vector<Vector> points;
    for (int i = 0; i < 10; ++i) points.push_back(random.direction());
    const ConvexPolyhedron hull = *ConvexPolyhedron::hull(points);
    const Searched body(*Polyhedron::make({hull}));
    const Pose<double> X = random_pose(random, 1.9);
    double farthest = 0;
    for (const Vector& p : points) farthest = std::max(farthest, (X * p).norm());
    const TrackedPair near = nearest_pair(body.search, hollow.search, X);
    ASSERT_TRUE(near.usable());
    EXPECT_NEAR(near.gap, 3 - farthest, 1e-12);
  });
}

// A needle in the middle of a hollow is far from its wall on all sides: a pair is found all the
// same, and it is nearer than the needle's middle.
TEST(NearestPair, OfANeedleInTheMiddleOfAHollow) {
  const Searched hollow(*Ellipsoid::make({0.0657, 0.0671, 0.0437}, true)),
      needle(*Ellipsoid::make({0.00867, 0.0004, 0.000336}));
  for_random_cases(200, [&](Random& random) {
    const Pose<double> X = random_pose(random, random(0, 0.001));
    const TrackedPair near = nearest_pair(needle.search, hollow.search, X);
    ASSERT_TRUE(near.usable());
    EXPECT_LT(near.residual, 1e-10);
    EXPECT_LE(near.gap, hollow.search.nearest_to(X.p).gap);
  });
}

}  // namespace oloid::test::search_test
