// Where bodies of a scene are nearest, against closed forms and independent methods.
#include "oloid/world/tools/distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "laws/random.h"
#include "oloid/base/largest.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::distances_test {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

BodySpec body(const std::string& name, ShapeSpec shape, const Vector& position,
              const Matrix& R = Matrix::Identity()) {
  BodySpec b;
  b.name = name;
  b.shape = Located<ShapeSpec>(std::move(shape));
  b.position = position;
  b.orientation = quaternion(R);
  return b;
}
Spec scene_of(std::vector<BodySpec> bodies) {
  Spec spec;
  spec.name = "test";
  spec.duration = 1.0;
  spec.bodies = std::move(bodies);
  return spec;
}
SphereSpec sphere(double radius, bool cavity = false) { return {radius, cavity}; }
EllipsoidSpec ellipsoid(const Vector& axes) { return {axes, false}; }
BoxSpec box(const Vector& size) { return {size}; }

Matrix random_rotation(Random& random) {
  const Quat<double> q{random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)};
  return rotation_matrix(q);
}

// The only two bodies of a scene, with all that went well.
BodyDistance between(const Spec& spec, const DistanceOptions& options = {}) {
  const auto found = distances(spec, options);
  EXPECT_TRUE(found) << (found ? "" : to_string(found.error().front()));
  if (!found || found->size() != 1) return {};
  return found->front();
}
BodyDistance between(BodySpec a, BodySpec b, const DistanceOptions& options = {}) {
  return between(scene_of({std::move(a), std::move(b)}), options);
}

// What holds for every pair: the points are a gap apart along the normal.
void expect_consistent(const BodyDistance& distance) {
  for (const NearPair& pair : distance.pairs) {
    EXPECT_TRUE(pair.usable);
    EXPECT_NEAR(pair.normal.norm(), 1, 1e-12);
    const Vector r = pair.on[0].point - pair.on[1].point;
    EXPECT_LT((r - pair.gap * pair.normal).norm(), 1e-10 * (distance.length + std::abs(pair.gap)));
    EXPECT_LT(pair.residual, 1e-11);
  }
}

TEST(Distances, SpheresApartOverlappingAndInside) {
  for_random_cases(60, [](Random& random) {
    const double r1 = random(0.05, 2), r2 = random(0.05, 2);
    const Vector p1 = random.vector<3>(-1, 1), p2 = random.vector<3>(-3, 3);
    const double d = (p1 - p2).norm();
    const BodyDistance found = between(body("a", sphere(r1), p1), body("b", sphere(r2), p2));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    const NearPair& pair = found.pairs[0];
    EXPECT_EQ(pair.status, "found");
    EXPECT_NEAR(pair.gap, d - r1 - r2, 1e-13 * (1 + d));
    EXPECT_LT((pair.normal - (p1 - p2) / d).norm(), 1e-10);
    ASSERT_TRUE(pair.relative_curvatures);
    EXPECT_NEAR(pair.relative_curvatures->x(), 1 / r1 + 1 / r2, 1e-10 * (1 / r1 + 1 / r2));
    EXPECT_EQ(found.overlap, d < r1 + r2);
    EXPECT_EQ(pair.on[0].feature, "surface");
  });
}

// Plane through q with normal n: the support function of the ellipsoid is |diag(axes) Rᵀ n|.
TEST(Distances, EllipsoidAbovePlane) {
  for_random_cases(40, [](Random& random) {
    const Vector axes = random.vector<3>(0.1, 1), p = random.vector<3>(-2, 2),
                 q = random.vector<3>(-1, 1);
    const Matrix R = random_rotation(random), R_plane = random_rotation(random);
    const Vector n = R_plane.col(2);
    const double support = (axes.asDiagonal() * (R.transpose() * n)).norm();
    const BodyDistance found =
        between(body("egg", ellipsoid(axes), p, R), body("plane", PlaneSpec{}, q, R_plane));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_NEAR(found.pairs[0].gap, n.dot(p - q) - support, 1e-12);
    EXPECT_LT((found.pairs[0].normal - n).norm(), 1e-12);
  });
}

TEST(Distances, BoxVertexAndPlane) {
  for_random_cases(40, [](Random& random) {
    const Vector size = random.vector<3>(0.1, 1), p = random.vector<3>(-2, 2);
    const Matrix R = random_rotation(random);
    const double support = 0.5 * size.dot((R.transpose() * Vector::UnitZ()).cwiseAbs());
    const BodyDistance found =
        between(body("box", box(size), p, R), body("plane", PlaneSpec{}, {0, 0, 0}));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_NEAR(found.pairs[0].gap, p.z() - support, 1e-13);
    EXPECT_EQ(found.pairs[0].on[0].feature, "vertex");
    EXPECT_EQ(found.pairs[0].on[1].feature, "surface");
    EXPECT_FALSE(found.pairs[0].relative_curvatures);
  });
}

// An oloid's support function is the larger one of its two circles: c·n + r √(1 − (a·n)²).
TEST(Distances, OloidAndPlane) {
  constexpr double kRadius = 0.3;
  OloidSpec shape;
  shape.radius = kRadius;
  for_random_cases(40, [&](Random& random) {
    const Vector p = random.vector<3>(-1, 1);
    const Matrix R = random_rotation(random);
    const Vector n = R.transpose() * Vector::UnitZ();
    double lowest = 1e9;
    for (const int end : {-1, 1}) {  // circles about y = ±r/2, in the planes z = 0 and x = 0
      const Vector axis = end < 0 ? Vector::UnitZ() : Vector::UnitX();
      const double along = axis.dot(n);
      lowest = std::min(
          lowest, p.z() + 0.5 * end * kRadius * n.y() - kRadius * std::sqrt(1 - along * along));
    }
    const BodyDistance found =
        between(body("oloid", shape, p, R), body("plane", PlaneSpec{}, {0, 0, 0}));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_NEAR(found.pairs[0].gap, lowest, 1e-12);
    EXPECT_EQ(found.pairs[0].on[0].feature, "edge");
  });
}

// A helix, sampled densely, then a parabola through the lowest three.
TEST(Distances, HelixAndSphere) {
  constexpr double kRadius = 0.5, kPitch = 0.3, kTurns = 3;
  WireSpec wire;
  HelixCurveSpec helix;
  helix.radius = kRadius;
  helix.pitch = kPitch;
  helix.turns = kTurns;
  wire.curve = Located<WireCurveSpec>(helix);
  for_random_cases(20, [&](Random& random) {
    const Vector c = random.vector<3>(-1.5, 1.5);
    const double r = random(0.01, 0.05);
    const BodyDistance found = between(body("ball", sphere(r), c), body("helix", wire, {0, 0, 0}));
    expect_consistent(found);
    ASSERT_GE(found.pairs.size(), 1u);
    // The point on the wire lies on the helix, and none of it is nearer.
    const NearPair& pair = found.pairs[0];
    EXPECT_NEAR(std::hypot(pair.on[1].point.x(), pair.on[1].point.y()), kRadius, 1e-9);
    double least = 1e9;
    constexpr int kSamples = 200000;
    for (int k = 0; k <= kSamples; ++k) {
      const double s = kTurns * k / kSamples, a = 2 * std::numbers::pi * s;
      const Vector q(kRadius * std::cos(a), kRadius * std::sin(a), kPitch * s);
      least = std::min(least, (q - c).norm());
    }
    EXPECT_LE(pair.gap, least - r + 1e-12);
    EXPECT_NEAR(pair.gap, least - r, 1e-7);
  });
}

// Two boxes, one on its edge along x, the other above it on its edge along y.
TEST(Distances, EdgeAboveEdge) {
  const double s = std::sqrt(0.5);
  Matrix about_x, about_y;
  about_x << 1, 0, 0, 0, s, -s, 0, s, s;
  about_y << s, 0, s, 0, 1, 0, -s, 0, s;
  for (const double gap : {0.2, 1e-6, -1e-6, -0.05}) {
    SCOPED_TRACE(gap);
    const BodyDistance found =
        between(body("upper", box({1, 1, 1}), {0.1, 0.05, 2 * s + gap}, about_y),
                body("lower", box({1, 1, 1}), {0, 0, 0}, about_x));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_NEAR(found.pairs[0].gap, gap, 1e-13);
    EXPECT_EQ(found.pairs[0].on[0].feature, "edge");
    EXPECT_EQ(found.pairs[0].on[1].feature, "edge");
    EXPECT_LT(
        (found.pairs[0].on[1].point - Vector(0.1, 0.05, s)).cwiseProduct(Vector(1, 0, 1)).norm(),
        1e-12);
  }
}

// Boxes that overlap: the least depth over all normals of faces and products of edges.
double depth_of_boxes(const Vector& h1, const Vector& p1, const Matrix& R1, const Vector& h2,
                      const Vector& p2, const Matrix& R2) {
  std::vector<Vector> axes;
  for (int i = 0; i < 3; ++i) {
    axes.push_back(R1.col(i));
    axes.push_back(R2.col(i));
    for (int j = 0; j < 3; ++j)
      axes.push_back(Vector(R1.col(i)).cross(Vector(R2.col(j))).normalized());
  }
  double largest = -1e9;
  for (const Vector& n : axes) {
    const double reach =
        h1.dot((R1.transpose() * n).cwiseAbs()) + h2.dot((R2.transpose() * n).cwiseAbs());
    largest = nan_or_max(largest, std::abs(n.dot(p1 - p2)) - reach);
  }
  return largest;
}

TEST(Distances, OverlappingBoxesAreDeepAsSeparatingAxesSay) {
  int overlapping = 0;
  for_random_cases(60, [&](Random& random) {
    const Vector h1 = random.vector<3>(0.2, 1), h2 = random.vector<3>(0.2, 1);
    const Vector p1 = random.vector<3>(-0.7, 0.7), p2 = random.vector<3>(-0.3, 0.3);
    const Matrix R1 = random_rotation(random), R2 = random_rotation(random);
    const double depth = depth_of_boxes(h1, p1, R1, h2, p2, R2);
    const BodyDistance found =
        between(body("a", box(2 * h1), p1, R1), body("b", box(2 * h2), p2, R2));
    expect_consistent(found);
    ASSERT_EQ(found.pairs.size(), 1u);
    if (depth > 0) {
      EXPECT_GT(found.pairs[0].gap, depth - 1e-12);
      return;
    }
    ++overlapping;
    EXPECT_NEAR(found.pairs[0].gap, depth, 1e-12);
  });
  EXPECT_GT(overlapping, 20);
}

TEST(Distances, SwappingAndMovingEverythingChangesNothing) {
  OloidSpec oloid;
  oloid.radius = 0.3;
  for_random_cases(30, [&](Random& random) {
    const Vector size = random.vector<3>(0.2, 0.8), p = 1.2 * random.direction(),
                 shift = random.vector<3>(-1, 1);
    const Matrix R1 = random_rotation(random), R2 = random_rotation(random),
                 R = random_rotation(random);
    const BodyDistance one = between(body("a", oloid, p, R1), body("b", box(size), {0, 0, 0}, R2));
    const BodyDistance swapped =
        between(body("b", box(size), {0, 0, 0}, R2), body("a", oloid, p, R1));
    const BodyDistance moved =
        between(body("a", oloid, R * p + shift, R * R1), body("b", box(size), shift, R * R2));
    expect_consistent(one);
    ASSERT_FALSE(one.pairs.empty());
    ASSERT_FALSE(swapped.pairs.empty());
    ASSERT_FALSE(moved.pairs.empty());
    EXPECT_NEAR(one.pairs[0].gap, swapped.pairs[0].gap, 1e-12);
    EXPECT_NEAR(one.pairs[0].gap, moved.pairs[0].gap, 1e-12);
    EXPECT_LT((one.pairs[0].normal + swapped.pairs[0].normal).norm(), 1e-8);
    EXPECT_LT((R * one.pairs[0].normal - moved.pairs[0].normal).norm(), 1e-8);
    EXPECT_EQ(one.pairs[0].on[0].feature, swapped.pairs[0].on[1].feature);
  });
}

TEST(Distances, WhatLiesFlatIsAContinuum) {
  const BodyDistance flat =
      between(body("box", box({1, 2, 1}), {0, 0, 0.75}), body("plane", PlaneSpec{}, {0, 0, 0}));
  ASSERT_EQ(flat.pairs.size(), 1u);
  EXPECT_EQ(flat.pairs[0].status, "continuum");
  EXPECT_NEAR(flat.pairs[0].gap, 0.25, 1e-14);
  const BodyDistance same =
      between(body("a", sphere(0.5), {1, 2, 3}), body("b", sphere(0.5), {1, 2, 3}));
  ASSERT_EQ(same.pairs.size(), 1u);
  EXPECT_EQ(same.pairs[0].status, "continuum");
  EXPECT_NEAR(same.pairs[0].gap, -1, 1e-13);
  EXPECT_TRUE(same.overlap);
  PlaneSpec plane;
  const Matrix down = Vector(1, -1, -1).asDiagonal();
  const BodyDistance planes =
      between(body("roof", plane, {0, 0, 2}, down), body("floor", plane, {0, 0, 0}));
  ASSERT_EQ(planes.pairs.size(), 1u);
  EXPECT_NEAR(planes.pairs[0].gap, 2, 1e-14);
  EXPECT_EQ(planes.pairs[0].status, "continuum");
}

TEST(Distances, IdenticalBodiesPartAlongTheirLeastWidth) {
  const BodyDistance eggs = between(body("a", ellipsoid({0.5, 0.4, 0.2}), {0, 0, 0}),
                                    body("b", ellipsoid({0.5, 0.4, 0.2}), {0, 0, 0}));
  ASSERT_EQ(eggs.pairs.size(), 1u);
  EXPECT_NEAR(eggs.pairs[0].gap, -0.4, 1e-13);
  const BodyDistance boxes =
      between(body("a", box({1, 0.6, 2}), {0, 0, 0}), body("b", box({1, 0.6, 2}), {0, 0, 0}));
  ASSERT_EQ(boxes.pairs.size(), 1u);
  EXPECT_NEAR(boxes.pairs[0].gap, -0.6, 1e-13);
}

TEST(Distances, NothingIsFoundWherePlanesCross) {
  const BodyDistance found =
      between(body("a", PlaneSpec{}, {0, 0, 0}),
              body("b", PlaneSpec{}, {0, 0, 0}, rotation_matrix(Quat<double>{1, 0.3, 0, 0})));
  EXPECT_TRUE(found.pairs.empty());
  ASSERT_TRUE(found.tried);
  EXPECT_FALSE(found.tried->usable);
}

// A ball in a bowl is inside of what is outside of a sphere; a torus has a hole.
TEST(Distances, BodiesThatAreNotConvex) {
  const BodyDistance bowl =
      between(body("ball", sphere(0.2), {0.1, 0, 0}), body("bowl", sphere(1, true), {0, 0, 0}));
  ASSERT_EQ(bowl.pairs.size(), 1u);
  EXPECT_NEAR(bowl.pairs[0].gap, 0.7, 1e-13);
  TorusSpec torus;
  torus.major_radius = 1.0;
  torus.minor_radius = 0.25;
  const BodyDistance hole =
      between(body("ball", sphere(0.2), {0.1, 0, 0}), body("ring", torus, {0, 0, 0}));
  expect_consistent(hole);
  ASSERT_EQ(hole.pairs.size(), 1u);
  EXPECT_NEAR(hole.pairs[0].gap, 0.45, 1e-13);
  EXPECT_FALSE(hole.overlap);
  const BodyDistance inside =
      between(body("ball", sphere(0.1), {1.05, 0, 0}), body("ring", torus, {0, 0, 0}));
  expect_consistent(inside);
  ASSERT_EQ(inside.pairs.size(), 1u);
  EXPECT_NEAR(inside.pairs[0].gap, -0.3, 1e-13);  // out of the tube, the shortest way
  EXPECT_TRUE(inside.overlap);
}

// A ring whose tube runs through a box, and leaves it along z.
TEST(Distances, BodiesThatRunThroughEachOther) {
  TorusSpec torus;
  torus.major_radius = 1.0;
  torus.minor_radius = 0.1;
  const BodyDistance found =
      between(body("ring", torus, {0, 0, 0}), body("box", box({1, 1, 1}), {1, 0, 0}));
  expect_consistent(found);
  EXPECT_TRUE(found.overlap);
  ASSERT_FALSE(found.pairs.empty());
  EXPECT_NEAR(found.pairs[0].gap, -0.6, 1e-12);
}

// Two squares of a groove, 45° steep, facing each other; the ball touches both at the height z.
Spec ball_in_groove(double radius) {
  PatchesSpec groove;
  groove.patches.emplace_back().net =
      std::vector<std::vector<Vector>>{{{-2, -2, 2}, {-2, 2, 2}}, {{0, -2, 0}, {0, 2, 0}}};
  groove.patches.emplace_back().net =
      std::vector<std::vector<Vector>>{{{0, -2, 0}, {0, 2, 0}}, {{2, -2, 2}, {2, 2, 2}}};
  BodySpec moving = test::ball(radius);
  moving.position = Vector(0, 0, radius * std::sqrt(2.0));
  return test::scene(moving, test::ground(groove), 0.3, 1);
}

TEST(Distances, AllPairsBelowAThreshold) {
  Spec spec = ball_in_groove(0.5);
  spec.bodies[0].position.value.x() = 0.05;
  const double right = -0.05 * std::sqrt(0.5), left = -right;
  const BodyDistance found = between(spec, {0.2});
  expect_consistent(found);
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_NEAR(found.pairs[0].gap, right, 1e-13);
  EXPECT_NEAR(found.pairs[1].gap, left, 1e-13);
  EXPECT_TRUE(found.overlap);
  EXPECT_EQ(between(spec, {0.01}).pairs.size(), 1u);
  EXPECT_EQ(between(spec).pairs.size(), 2u);  // 0.1 of the radius is more than either
  spec.bodies[0].position.value.z() += 1;
  const BodyDistance none = between(spec, {0.2});
  EXPECT_TRUE(none.pairs.empty());
  ASSERT_TRUE(none.farther);
  EXPECT_NEAR(*none.farther, right + std::sqrt(0.5), 1e-12);
}

TEST(Distances, OtherContactsAtTheStart) {
  const auto groove = compile(ball_in_groove(0.5));
  ASSERT_TRUE(groove);
  const std::vector<Vector> others = other_contacts(*groove);
  ASSERT_EQ(others.size(), 1u);
  EXPECT_NEAR(std::abs(others[0].x()), 0.5 * std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(others[0].z(), 0.5 * std::sqrt(0.5), 1e-9);
  const auto slope = compile(test::ball_on_slope(20, 0.5, 1));
  ASSERT_TRUE(slope);
  EXPECT_TRUE(other_contacts(*slope).empty());
}

TEST(Distances, RefusesWhatIsNotThere) {
  const Spec spec =
      scene_of({body("ball", sphere(1), {0, 0, 0}), body("box", box({1, 1, 1}), {3, 0, 0}),
                body("egg", ellipsoid({1, 1, 2}), {0, 3, 0})});
  const auto all = distances(spec);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[2].bodies, (std::array<std::string, 2>{"box", "egg"}));
  DistanceOptions options;
  options.bodies = {"egg", "ball"};
  const auto two = distances(spec, options);
  ASSERT_TRUE(two);
  ASSERT_EQ(two->size(), 1u);
  EXPECT_EQ((*two)[0].bodies[0], "egg");
  const auto refusal = [&](const Spec& of, const DistanceOptions& with) {
    const auto result = distances(of, with);
    return result ? std::string() : to_string(result.error().front());
  };
  options.bodies = {"egg", "bal"};
  EXPECT_EQ(refusal(spec, options), "unknown body \"bal\" (did you mean \"ball\"?)");
  options.bodies = {"egg", "mountain"};
  EXPECT_NE(refusal(spec, options).find("available: \"ball\", \"box\", \"egg\""),
            std::string::npos);
  options.bodies = {"egg", "egg"};
  EXPECT_NE(refusal(spec, options).find("named twice"), std::string::npos);
  EXPECT_NE(refusal(spec, {INFINITY}).find("the threshold is inf"), std::string::npos);
  EXPECT_NE(refusal(scene_of({spec.bodies[0]}), {}).find("one body"), std::string::npos);
  EXPECT_NE(refusal(scene_of({spec.bodies[0], spec.bodies[0]}), {}).find("two bodies are named"),
            std::string::npos);
}

}  // namespace oloid::test::distances_test
