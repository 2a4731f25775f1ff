#include "oloid/proximity/tracker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oloid/geometry/analytic/circle_hull.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/spatial/rotation.h"
#include "support/random_contact.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test::tracker_test {

const Vec3<double> kUp(0, 0, 1);

TouchableBody ellipsoid(const Vec3<double>& axes) {
  return TouchableBody({*Ellipsoid::make(axes), {}});
}
TouchableBody box(const Vec3<double>& size) {
  std::vector<ConvexPolyhedron> parts{*ConvexPolyhedron::cuboid(size)};
  return TouchableBody({*Polyhedron::make(std::move(parts)), {}});
}
Pose<double> at(const Vec3<double>& p, const Mat3<double>& R = Mat3<double>::Identity()) {
  return {R, p};
}

// The nearest pair that any start leads to.
TrackedPair search(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA) {
  TrackedPair best;
  best.gap = INFINITY;
  const Pose<double> X_AB = inverse(X_BA);
  const auto offer = [&](const Spot& a, const Spot& b) {
    const Vec3<double> r = X_BA * A.at(a).p - B.at(b).p;
    const TrackedPair pair =
        nearest_from(A, B, X_BA, a, b, r.norm() > 0 ? r.normalized().eval() : kUp);
    if (pair.status == PairStatus::found && pair.gap < best.gap) best = pair;
  };
  for (const Spot& a : A.seeds()) offer(a, B.near(X_BA * A.at(a).p));
  for (const Spot& b : B.seeds()) offer(A.near(X_AB * B.at(b).p), b);
  return best;
}

// exp(ω t) R₀, c + v t.
struct Motion {
  Vec3<double> c{0, 0, 0}, v{0, 0, 0}, w{0, 0, 0};
  Mat3<double> R = Mat3<double>::Identity();
  Pose<double> pose(double t) const {
    const double speed = w.norm();
    const Mat3<double> turn =
        speed > 0 ? axis_angle<double>(w / speed, speed * t) : Mat3<double>::Identity();
    return {turn * R, c + t * v};
  }
};

TEST(Tracker, ReproducesTheReferenceCounters) {
  const nlohmann::json c = read_data("multi_contact.json")["cache"];
  const auto motion = [&](const nlohmann::json& j) {
    Motion m{vec<3>(j["c"]), j.contains("v") ? vec<3>(j["v"]) : Vec3<double>(0, 0, 0),
             vec<3>(j["w"]), mat<3, 3>(j["R0"])};
    return m;
  };
  const Motion A = motion(c["motionA"]), B = motion(c["motionB"]);
  const TouchableBody a = ellipsoid(vec<3>(c["ellipsoidA"])),
                      b = ellipsoid(vec<3>(c["ellipsoidB"]));
  const double dt = c["dt"].get<double>();
  const int steps = c["steps"].get<int>();
  Tracker tracker(a, b);
  for (int i = 0; i < steps; ++i) {
    const Pose<double> X = inverse(B.pose(i * dt)) * A.pose(i * dt);
    if (i == 0) {
      tracker.start(X, search(a, b, X));
    } else {
      tracker.update(X);
    }
    EXPECT_EQ(tracker.pair().status, PairStatus::found);
  }
  EXPECT_EQ(tracker.counters().hits, c["expected"]["hits"].get<int>());
  EXPECT_EQ(tracker.counters().misses, c["expected"]["misses"].get<int>());
  EXPECT_LE(tracker.counters().iterations, 3 * steps);
}

// Random contacts, apart, touching and overlapping: Newton's method returns to the pair that the
// pose was made from, and its answer does not depend on which body comes first.
TEST(Nearest, FindsThePairThatThePoseWasMadeFrom) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    const TouchableBody A(c.A), B(c.B);
    Random random(3);
    for (const double gap : {0.02, 0.0, -0.01}) {
      SCOPED_TRACE(seed + " gap " + std::to_string(gap));
      const auto pair = c.pair();
      const Pose<double> X = pose_of_A_in_B(pair, c.state.psi, gap);
      const Spot a{Spot::Kind::surface, 0, {c.anchor_A.chart, c.state.location_A}};
      const Spot b{Spot::Kind::surface, 0, {c.anchor_B.chart, c.state.location_B}};
      const auto off_a = A.moved(a, A.at(a), random.vector<2>(-0.01, 0.01));
      const auto off_b = B.moved(b, B.at(b), random.vector<2>(-0.01, 0.01));
      ASSERT_TRUE(off_a && off_b);
      const TrackedPair found = nearest_from(A, B, X, *off_a, *off_b, kUp);
      ASSERT_EQ(found.status, PairStatus::found) << name(found.status);
      EXPECT_NEAR(found.gap, gap, 1e-12);
      EXPECT_LE((found.point_B - pair.B.p).norm(), 1e-8);
      EXPECT_LE((found.normal - pair.B.R.col(2)).norm(), 1e-8);
      const TrackedPair swapped = nearest_from(B, A, inverse(X), *off_b, *off_a, kUp);
      EXPECT_EQ(swapped.status, PairStatus::found);
      EXPECT_NEAR(swapped.gap, gap, 1e-12);
      EXPECT_NEAR(swapped.conformity, found.conformity, 1e-6);
      EXPECT_LE((X * swapped.point_B - found.point_A).norm(), 1e-8);
    }
  });
}

// Exact signed distance of a point from a box about the origin.
double box_distance(const Vec3<double>& p, const Vec3<double>& half) {
  const Vec3<double> q = p.cwiseAbs() - half;
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

// A ball carried around a box passes over its faces, edges and vertices, in and out.
TEST(Tracker, BallAroundABoxChangesFeatures) {
  const Vec3<double> half(0.3, 0.2, 0.25);
  const double radius = 0.1;
  const TouchableBody ball = ellipsoid(Vec3<double>::Constant(radius)), block = box(2 * half);
  Tracker tracker(ball, block);
  for (int i = 0; i < 4000; ++i) {
    const double t = 2e-3 * i;
    Vec3<double> p(std::sin(3 * t + 0.3), std::sin(2.3 * t + 1), std::sin(1.7 * t + 0.5));
    // On a box around the box, its distance varying: never deeper than the ball.
    const double out = 0.1 + 0.06 * std::sin(5 * t);
    p *= 1 / p.cwiseQuotient(half).cwiseAbs().maxCoeff();
    p += out * p.normalized();
    const Pose<double> X = at(p, axis_angle<double>(kUp, t));
    const TrackedPair& pair = i == 0 ? tracker.start(X, search(ball, block, X)) : tracker.update(X);
    ASSERT_EQ(pair.status, PairStatus::found) << i << " " << name(pair.status);
    ASSERT_NEAR(pair.gap, box_distance(p, half) - radius, 1e-12) << i;
  }
  EXPECT_GT(tracker.counters().feature_changes, 15);
}

// A box that rocks over a plane: from vertex to edge to vertex, gap that of its lowest point.
TEST(Tracker, RockingBoxStandsOnItsLowestVertex) {
  const Vec3<double> half(0.2, 0.15, 0.1);
  const TouchableBody block = box(2 * half), ground({Plane{}, {}});
  Tracker tracker(block, ground);
  for (int i = 0; i < 3000; ++i) {
    const double t = 1e-3 * i;
    const Mat3<double> R =
        axis_angle<double>(Vec3<double>(1, 0.2, 0).normalized(), 0.7 * std::sin(3 * t) + 0.01) *
        axis_angle<double>(Vec3<double>(0, 1, 0.1).normalized(), 0.9 * std::sin(2.1 * t) - 0.02);
    const Pose<double> X = at({0.1 * t, 0, 0.25 + 0.1 * std::sin(7 * t)}, R);
    const TrackedPair& pair =
        i == 0 ? tracker.start(X, search(block, ground, X)) : tracker.update(X);
    ASSERT_TRUE(pair.usable()) << i << " " << name(pair.status);
    const double lowest = X.p.z() - (R.row(2).cwiseAbs() * half).value();
    ASSERT_NEAR(pair.gap, lowest, 1e-12) << i;
  }
}

// The oloid turning over a plane rests on edges and rulings; its height is half its support.
TEST(Tracker, TurningOloidKeepsItsSupport) {
  const TouchableBody body({*CircleHull::oloid(0.1), {}}), ground({Plane{}, {}});
  Tracker tracker(body, ground);
  int usable = 0;
  for (int i = 0; i < 2000; ++i) {
    const double t = 1e-3 * i;
    const Mat3<double> R = axis_angle<double>(Vec3<double>(1, 0.3, 0.2).normalized(), 2 * t + 0.1) *
                           axis_angle<double>(Vec3<double>(0.2, 1, 0).normalized(), 1.3 * t);
    const Pose<double> X = at({0, 0, 0.15 + 0.03 * std::sin(9 * t)}, R);
    const TrackedPair& pair =
        i == 0 ? tracker.start(X, search(body, ground, X)) : tracker.update(X);
    // The lowest of both circles, closed form: radius |n without its part along the axis|.
    const Vec3<double> down = -R.row(2).transpose();
    const double first = down.dot(Vec3<double>(0, -0.05, 0)) + 0.1 * std::hypot(down.x(), down.y());
    const double second = down.dot(Vec3<double>(0, 0.05, 0)) + 0.1 * std::hypot(down.y(), down.z());
    if (!pair.usable()) continue;
    ++usable;
    ASSERT_NEAR(pair.gap, X.p.z() - std::max(first, second), 1e-11) << i;
  }
  EXPECT_EQ(usable, 2000);
}

// Flat against flat: reported, with the direction along which nothing bends.
TEST(Nearest, ConformingPairsAreReported) {
  const TouchableBody pipe({*Frustum::cylinder(0.1, 0.4), {}}), ground({Plane{}, {}});
  const Mat3<double> lying = axis_angle<double>(Vec3<double>::UnitX(), std::acos(-1.0) / 2);
  const Pose<double> X = at({0, 0, 0.11}, lying);
  const Spot a = pipe.near({0, -0.1, 0.01}), b = ground.near({0.02, 0, 0});
  const TrackedPair pair = nearest_from(pipe, ground, X, a, b, kUp);
  EXPECT_EQ(pair.status, PairStatus::conforming) << name(pair.status);
  EXPECT_NEAR(pair.gap, 0.01, 1e-13);
  EXPECT_NEAR(std::abs(pair.soft.y()), 1, 1e-9);  // along the axis
}

TEST(Tracker, BadPosesAreReportedAndSurvived) {
  const TouchableBody a = ellipsoid({0.1, 0.1, 0.1}), b = ellipsoid({0.2, 0.2, 0.2});
  Tracker tracker(a, b);
  const Pose<double> X = at({0, 0, 0.31});
  tracker.start(X, search(a, b, X));
  Pose<double> broken = X;
  broken.p.x() = NAN;
  EXPECT_EQ(tracker.update(broken).status, PairStatus::invalid_pose);
  broken = X;
  broken.R *= 2;
  EXPECT_EQ(tracker.update(broken).status, PairStatus::invalid_pose);
  EXPECT_TRUE(tracker.tracking());
  EXPECT_EQ(tracker.update(at({0, 0, 0.32})).status, PairStatus::found);
  EXPECT_NEAR(tracker.pair().gap, 0.02, 1e-14);
  EXPECT_EQ(Tracker(a, b).update(X).status, PairStatus::no_convergence);  // not started
}

// Two balls: N = 1/a + 1/b + χ/(ab), everything in closed form, also deep inside.
TEST(Nearest, BallsAreAsTheFormulaSays) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const double a = random(0.05, 0.2), b = random(0.05, 0.2), gap = random(-0.04, 0.1);
    const TouchableBody A = ellipsoid(Vec3<double>::Constant(a)),
                        B = ellipsoid(Vec3<double>::Constant(b));
    const Vec3<double> n = random.vector<3>(-1, 1).normalized();
    const Pose<double> X = at((a + b + gap) * n, random.rotation());
    const TrackedPair pair =
        nearest_from(A, B, X, A.near(X.R.transpose() * -n + random.vector<3>(-0.3, 0.3)),
                     B.near(n + random.vector<3>(-0.3, 0.3)), n);
    ASSERT_EQ(pair.status, PairStatus::found);
    EXPECT_NEAR(pair.gap, gap, 1e-14);
    const double N = 1 / a + 1 / b + gap / (a * b);
    EXPECT_NEAR(pair.conformity, N * std::min(a, b), 1e-9);
    EXPECT_NEAR(pair.condition, 1, 1e-9);
    EXPECT_NEAR(pair.K_A(0, 0), 1 / a, 1e-9 / a);
  }
}

}  // namespace oloid::test::tracker_test
