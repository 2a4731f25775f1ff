#include "oloid/proximity/far.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/newton.h"
#include "oloid/proximity/tracker.h"
#include "support/random_contact.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test::far_test {

// A body that keeps what its tree refers to.
struct Body {
  std::unique_ptr<TouchableBody> features;
  FarBody far;
  explicit Body(Shape shape, const Pose<double>& X_BS = {})
      : features(std::make_unique<TouchableBody>(PlacedShape{std::move(shape), X_BS})),
        far(*features) {}
  const PlacedShape& side() const { return *features->side(); }
};
Shape ball(double r, bool cavity = false) { return *Ellipsoid::make({r, r, r}, cavity); }
Shape cuboid(const Vec3<double>& size) {
  return *Polyhedron::make({*ConvexPolyhedron::cuboid(size)});
}

// All minima of separated points that Newton's method reaches from many starts.
std::vector<TrackedPair> minima(const TouchableBody& A, const TouchableBody& B,
                                const Pose<double>& X_BA, double limit) {
  std::vector<TrackedPair> all;
  const auto offer = [&](const Spot& a, const Spot& b) {
    const Vec3<double> r = X_BA * A.at(a).p - B.at(b).p;
    const TrackedPair c = nearest_from(A, B, X_BA, a, b, r.normalized());
    if (c.status != PairStatus::found || c.gap < 1e-9 || c.gap >= limit - 1e-9) return;
    const bool known = std::any_of(all.begin(), all.end(), [&](const TrackedPair& other) {
      return (other.point_A - c.point_A).norm() < 1e-6 && (other.point_B - c.point_B).norm() < 1e-6;
    });
    if (!known) all.push_back(c);
  };
  for (const Spot& a : A.seeds()) offer(a, B.near(X_BA * A.at(a).p));
  for (const Spot& b : B.seeds()) offer(A.near(inverse(X_BA) * B.at(b).p), b);
  return all;
}

bool holds(const FarResult& result, const TrackedPair& pair) {
  return std::any_of(result.pairs.begin(), result.pairs.end(), [&](const TrackedPair& found) {
    return (found.point_A - pair.point_A).norm() < 1e-5 &&
           (found.point_B - pair.point_B).norm() < 1e-5 && std::abs(found.gap - pair.gap) < 1e-9;
  });
}

TEST(Far, MissesNoMinimumThatASearchFromManyStartsFinds) {
  Random random(1);
  std::vector<Body> bodies;
  bodies.emplace_back(*Ellipsoid::make({0.5, 0.35, 0.25}),
                      Pose<double>{random.rotation(), {0.1, 0, 0}});
  bodies.emplace_back(*Torus::make(0.5, 0.15));
  bodies.emplace_back(random_patch(random, 1.2));
  bodies.emplace_back(*Quadric::make(Vec3<double>(4, 9, 6).asDiagonal(), {0, 0, 0}, -1));
  bodies.emplace_back(*Frustum::cylinder(0.3, 0.8));
  bodies.emplace_back(cuboid({0.5, 0.6, 0.7}));
  for (const Body& A : bodies) {
    for (const Body& B : bodies) {
      for (int i = 0; i < 6; ++i) {
        const Pose<double> X_BA{random.rotation(),
                                random.vector<3>(-1, 1).normalized() * random(0.5, 1.1)};
        const FarResult result = far_pairs(A.far, B.far, X_BA, 0.15);
        EXPECT_TRUE(result.certified);
        for (const TrackedPair& pair : minima(*A.features, *B.features, X_BA, 0.15))
          EXPECT_TRUE(holds(result, pair)) << pair.gap;
      }
    }
  }
}

TEST(Far, ExchangingTheBodiesAndMovingBothChangesNothing) {
  Random random(2);
  const Shape a = *Ellipsoid::make({0.5, 0.3, 0.2}), b = *Torus::make(0.5, 0.15);
  const Body A(a), B(b);
  for (int i = 0; i < 10; ++i) {
    const Pose<double> X_BA{random.rotation(),
                            random.vector<3>(-1, 1).normalized() * random(0.6, 1)};
    const Pose<double> X{random.rotation(), random.vector<3>(-1, 1)};
    const Body moved_A(a, X);
    const FarResult one = far_pairs(A.far, B.far, X_BA, 0.2);
    const FarResult two = far_pairs(B.far, A.far, inverse(X_BA), 0.2);
    const FarResult three = far_pairs(moved_A.far, B.far, X_BA * inverse(X), 0.2);
    ASSERT_EQ(one.pairs.size(), two.pairs.size());
    ASSERT_EQ(one.pairs.size(), three.pairs.size());
    for (std::size_t k = 0; k < one.pairs.size(); ++k) {
      EXPECT_NEAR(one.pairs[k].gap, two.pairs[k].gap, 1e-13);
      EXPECT_NEAR(one.pairs[k].gap, three.pairs[k].gap, 1e-13);
    }
  }
}

TEST(Far, ReportsAPairAsFollowingItDoes) {
  Random random(3);
  const Body A(*Torus::make(0.5, 0.15));
  const Body others[] = {Body(*Ellipsoid::make({0.5, 0.3, 0.2})), Body(cuboid({0.5, 0.6, 0.7}))};
  int compared = 0;
  for (const Body& B : others) {
    for (int i = 0; i < 40; ++i) {
      const Vec3<double> way = random.vector<3>(-1, 1).normalized();
      const Pose<double> X_BA{random.rotation(), random(0.7, 1) * way};
      for (const TrackedPair& far : far_pairs(A.far, B.far, X_BA, 0.2).pairs) {
        const TrackedPair near =
            nearest_from(*A.features, *B.features, X_BA, far.A, far.B, far.normal);
        if (far.gap < 0) continue;  // features may change
        ASSERT_EQ(near.status, far.status);
        EXPECT_LT((near.normal - far.normal).norm(), 1e-9);
        EXPECT_LT((near.K_A - far.K_A).norm(), 1e-6);
        EXPECT_LT((near.K_B - far.K_B).norm(), 1e-6);
        EXPECT_NEAR(near.conformity, far.conformity, 1e-7);
        EXPECT_NEAR(near.condition, far.condition, 1e-6 * far.condition);
        EXPECT_LT(far.residual, 1e-11);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 15);
}

TEST(Far, FindsAllMinimaOfABallInsideATorus) {
  const Body A(ball(0.2)), B(*Torus::make(0.5, 0.15));
  const FarResult off = far_pairs(A.far, B.far, {Mat3<double>::Identity(), {0.05, 0, 0}}, 0.5);
  EXPECT_TRUE(off.certified);
  ASSERT_EQ(off.pairs.size(), 1u);  // the far side is no minimum
  EXPECT_NEAR(off.pairs[0].gap, 0.35 - 0.25, 1e-14);
  const FarResult centred = far_pairs(A.far, B.far, {}, 0.5);
  ASSERT_EQ(centred.pairs.size(), 1u);
  EXPECT_EQ(centred.pairs[0].status, PairStatus::continuum);
  EXPECT_NEAR(centred.pairs[0].gap, 0.15, 1e-14);
}

TEST(Far, ConnectedMinimaHaveOneRepresentative) {
  const Body small(ball(0.3)), bowl(ball(1, true)), box(cuboid({0.4, 0.5, 0.6})), ground(Plane{});
  const FarResult inside = far_pairs(small.far, bowl.far, {}, 1);
  ASSERT_EQ(inside.pairs.size(), 1u);
  EXPECT_TRUE(inside.certified);
  EXPECT_EQ(inside.pairs[0].status, PairStatus::continuum);
  EXPECT_NEAR(inside.pairs[0].gap, 0.7, 1e-14);
  const FarResult flat =
      far_pairs(box.far, ground.far, {Mat3<double>::Identity(), {0, 0, 0.35}}, 0.1);
  ASSERT_EQ(flat.pairs.size(), 1u);
  EXPECT_TRUE(flat.certified);
  EXPECT_EQ(flat.pairs[0].status, PairStatus::continuum);
  EXPECT_NEAR(flat.pairs[0].gap, 0.05, 1e-14);
  // Spheres in one place face each other through their middle only.
  const FarResult same = far_pairs(small.far, small.far, {}, 0.7);
  ASSERT_EQ(same.pairs.size(), 1u);
  EXPECT_TRUE(same.certified);
  EXPECT_EQ(same.pairs[0].status, PairStatus::continuum);
  EXPECT_NEAR(same.pairs[0].gap, -0.6, 1e-13);
}

TEST(Far, CornersAndEdgesOfBoxes) {
  const Body A(cuboid({0.4, 0.4, 0.4})), ground(Plane{}), B(cuboid({1, 1, 1}));
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Pose<double> X_BA{random.rotation(), {0, 0, 1}};
    const FarResult result = globally_nearest(A.far, ground.far, X_BA);
    double lowest = 1;
    for (int k = 0; k < 8; ++k) {
      const Vec3<double> corner(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2, k & 4 ? 0.2 : -0.2);
      lowest = std::min(lowest, (X_BA * corner).z());
    }
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].A.kind, Spot::Kind::vertex);
    EXPECT_NEAR(result.pairs[0].gap, lowest, 1e-14);
    EXPECT_TRUE(result.certified);
  }
  // Corner to corner.
  const FarResult corners =
      globally_nearest(A.far, B.far, {Mat3<double>::Identity(), {0.8, 0.8, 0.8}});
  ASSERT_EQ(corners.pairs.size(), 1u);
  EXPECT_NEAR(corners.pairs[0].gap, 0.1 * std::sqrt(3.0), 1e-14);
}

TEST(Far, NearestPairsOfPatchesAreThoseOfTheReferenceData) {
  const auto patch = [](const nlohmann::json& net, bool turned) {
    PointRows rows;
    for (const auto& row : net) {
      rows.emplace_back();
      for (const auto& p : row) rows.back().push_back(vec<3>(p));
    }
    if (turned) std::reverse(rows.begin(), rows.end());  // normals point the other way
    return Body(single_patch(rows));
  };
  const nlohmann::json data = read_data("closest_point_tracking.json");
  for (const auto& c : data.at("global")) {  // g lies above f, its normals are to point down
    const Body f = patch(c.at("f"), false), g = patch(c.at("g"), true);
    const FarResult result = globally_nearest(g.far, f.far, {});
    ASSERT_FALSE(result.pairs.empty());
    EXPECT_LE(result.pairs[0].gap, c.at("upper").get<double>() + 1e-12);
    EXPECT_GE(result.pairs[0].gap, c.at("lower").get<double>() - 1e-12);
  }
  const auto& c = data.at("global_interior");
  const FarResult result =
      globally_nearest(patch(c.at("g"), true).far, patch(c.at("f"), false).far, {});
  ASSERT_EQ(result.pairs.size(), 1u);
  EXPECT_NEAR(result.pairs[0].gap, c.at("distance").get<double>(), 1e-12);
  EXPECT_TRUE(result.certified);
}

TEST(Far, SaysWhatItCannotPromise) {
  const Body A(ball(0.3)), B(ball(0.4));
  Pose<double> X_BA{Mat3<double>::Identity(), {NAN, 0, 1}};
  const FarResult none = far_pairs(A.far, B.far, X_BA, 1);
  ASSERT_EQ(none.pairs.size(), 1u);
  EXPECT_EQ(none.pairs[0].status, PairStatus::invalid_pose);
  EXPECT_FALSE(none.certified);
  X_BA.p = {0, 0, 1};
  EXPECT_FALSE(far_pairs(A.far, B.far, X_BA, 0.5, {3}).certified);  // too few cells
  EXPECT_TRUE(far_pairs(A.far, B.far, X_BA, 0.2).pairs.empty());
  EXPECT_TRUE(far_pairs(A.far, B.far, X_BA, 0.2).certified);
  const ImplicitFunction f = ImplicitFunction::differentiate(
      [](auto x, auto y, auto z) { return x * x + y * y + z * z - 0.09; });
  const Body hook(*Implicit::make(f, {{Vec3<double>::Constant(-1), Vec3<double>::Constant(1)}}));
  EXPECT_FALSE(hook.far.certified());
  EXPECT_FALSE(far_pairs(hook.far, B.far, X_BA, 0.5).certified);
}

}  // namespace oloid::test::far_test
