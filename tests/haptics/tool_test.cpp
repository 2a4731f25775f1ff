#include "oloid/haptics/tool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/bezier/trimming.h"
#include "oloid/spatial/rotation.h"
#include "support/count_allocations.h"
#include "support/haptic_bodies.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::tool_test {

constexpr double kStep = 1e-3;  // [s]
constexpr ForceLaw kLaw{1000, 0, 1000, 500, 0.2};

TEST(HapticTool, PushesAsDeepAsItIsStiff) {
  constexpr double r = 0.1;
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    Bench bench(ball(r), half_space(), kLaw);
    const double depth = random(1e-9, 0.02);
    Pose<double> X{random.rotation(), {random(-1, 1), random(-1, 1), r + 0.01}};
    bench.settle(X);
    X.p.z() = r - depth;
    const HapticOutput& out = bench.tool.update(X, kStep);
    ASSERT_EQ(out.status, HapticStatus::touching);
    EXPECT_EQ(out.phase, Phase::penetrating);
    EXPECT_LE((out.wrench.f - Vec3<double>(0, 0, 1000 * depth)).norm(), 1e-12);
    EXPECT_LE(out.wrench.t.norm(), 1e-13);  // through the centre
    EXPECT_LE((out.contacts[0].point - Vec3<double>(X.p.x(), X.p.y(), -depth)).norm(), 1e-14);
    EXPECT_FALSE(out.limited);
  }
}

// Seen from an origin elsewhere in the tool, the force has a moment: m = (p − o) × f.
TEST(HapticTool, HasAMomentAboutItsOrigin) {
  const Vec3<double> centre(0.3, -0.2, 0.1);
  const TouchableBody A(
      PlacedShape{*Ellipsoid::make({0.1, 0.1, 0.1}), {Mat3<double>::Identity(), centre}});
  Bench bench(A, half_space(), kLaw);
  bench.settle(at(0, 0, 0.01));
  const HapticOutput& out = bench.tool.update(at(0, 0, -0.005), kStep);
  const Vec3<double> f(0, 0, 5);
  EXPECT_LE((out.wrench.f - f).norm(), 1e-12);
  EXPECT_LE((out.wrench.t - centre.cross(f)).norm(), 1e-12);
}

TEST(HapticTool, DampsByTheApproachSpeed) {
  ForceLaw law = kLaw;
  law.damping = 20;
  Bench bench(ball(0.1), half_space(), law);
  bench.settle(at(0, 0, 0.11));
  bench.tool.update(at(0, 0, 0.0951), kStep);
  // Sideways motion and turning about the vertical do not count.
  const Twist<double> down{{0, 0, 3}, {0.7, 0, -0.1}};
  EXPECT_NEAR(bench.tool.update(at(0, 0, 0.095), down, kStep).wrench.f.z(), 7, 1e-12);
  bench.tool.update(at(0, 0, 0.0951), kStep);
  EXPECT_NEAR(bench.tool.update(at(0, 0, 0.095), kStep).wrench.f.z(), 7, 1e-9);  // by differences
  const Twist<double> up{{0, 0, 0}, {0, 0, 9}};
  EXPECT_EQ(bench.tool.update(at(0, 0, 0.095), up, kStep).wrench.f.z(), 0);
}

// A box that lies flat pushes as one contact, also if it is tilted by next to nothing.
TEST(HapticTool, FlatContactsAreOne) {
  std::vector<ConvexPolyhedron> cube{*ConvexPolyhedron::cuboid({0.1, 0.1, 0.1})};
  const TouchableBody box(PlacedShape{*Polyhedron::make(cube), {}});
  const TouchableBody pipe(PlacedShape{*Frustum::cylinder(0.05, 0.2), {}});
  const Mat3<double> lying = axis_angle<double>(Vec3<double>::UnitX(), std::numbers::pi / 2);
  for (const double tilt : {0.0, 1e-10, 1e-9, 1e-8, 1e-5}) {
    SCOPED_TRACE(tilt);
    const Mat3<double> R = axis_angle<double>(Vec3<double>(0.6, 0.8, 0), tilt);
    Bench on_face(box, half_space(), kLaw), on_side(pipe, half_space(), kLaw);
    for (int i = 0; i < 10; ++i) {
      on_face.settle({R, {0, 0, 0.06}});
      on_side.settle({R * lying, {0, 0, 0.06}});
    }
    for (int i = 0; i < 10; ++i) {
      EXPECT_NEAR(on_face.settle({R, {0, 0, 0.04}}).wrench.f.z(), 10, 0.002);
      EXPECT_NEAR(on_side.settle({R * lying, {0, 0, 0.04}}).wrench.f.z(), 10, 0.002);
    }
  }
}

TEST(HapticTool, KeepsToTheLargestForce) {
  ForceLaw law = kLaw;
  law.largest_force = 3;
  Bench bench(ball(0.1), half_space(), law);
  bench.settle(at(0, 0, 0.11));
  const HapticOutput& out = bench.tool.update(at(0, 0, 0.09), kStep);
  EXPECT_TRUE(out.limited);
  EXPECT_NEAR(out.wrench.f.norm(), 3, 1e-14);
}

// Without damping the force is the gradient of k d² / 2: over a closed way no work is done.
double work_ratio(Bench& bench, const std::function<Pose<double>(double)>& pose, int steps) {
  double work = 0, traffic = 0;
  const auto twist = [&](double s) {  // by differences of fourth order, in B's frame
    const double h = 1e-3;
    const auto w_of = [&](double by) {
      return rotation_vector(Mat3<double>(pose(s + by).R * pose(s - by).R.transpose()));
    };
    const auto v_of = [&](double by) -> Vec3<double> { return pose(s + by).p - pose(s - by).p; };
    const Vec3<double> w = (8 * w_of(h) - w_of(2 * h)) / (12 * h);
    const Vec3<double> v = (8 * v_of(h) - v_of(2 * h)) / (12 * h);
    return Twist<double>{w, v - w.cross(pose(s).p)};
  };
  for (int i = 0; i < steps; ++i) {
    const double s = 2 * std::numbers::pi * i / steps;
    const HapticOutput& out = bench.tool.update(pose(s), twist(s), kStep);
    EXPECT_EQ(out.touching, 1);
    const Twist<double> V = twist(s);
    const Vec3<double> v_origin = V.v + V.w.cross(pose(s).p);
    const double power = out.wrench.f.dot(v_origin) + out.wrench.t.dot(V.w);
    work += power / steps;
    traffic += std::abs(power) / steps;
  }
  EXPECT_EQ(bench.tool.output().counters.jumped, 0);
  return std::abs(work) / traffic;
}

Pose<double> tumbling(double s, const Vec3<double>& centre, double size) {
  const Vec3<double> p =
      centre + size * Vec3<double>(std::cos(s), std::sin(s), 0.2 * std::sin(2 * s));
  const Mat3<double> R = axis_angle(Vec3<double>(0.6, 0, 0.8), 0.4 * std::sin(s)) *
                         axis_angle(Vec3<double>(0, 1, 0), 0.3 * std::cos(s));
  return {R, p};
}

TEST(HapticTool, DoesNoWorkAroundAClosedPath) {
  const auto egg = [] {
    return TouchableBody(PlacedShape{*Ellipsoid::make({0.2, 0.12, 0.1}), {}});
  };
  Bench round(egg(), TouchableBody(PlacedShape{*Ellipsoid::make({0.8, 0.9, 0.5}), {}}), kLaw);
  round.settle(at(0.1, 0, 0.65));
  round.settle(tumbling(0, {0, 0, 0.57}, 0.1));
  EXPECT_LT(work_ratio(
                round,
                [](double s) {
                  return tumbling(s, {0, 0, 0.57}, 0.1);
                },
                400),
            1e-9);

  Bench bumpy(egg(), sheet(sheet_net(uniform_knots(3, 9), bumps)), kLaw);
  bumpy.settle(at(0.6, 0.5, 0.2));
  bumpy.settle(tumbling(0, {0.5, 0.5, 0.07}, 0.1));
  EXPECT_LT(work_ratio(
                bumpy,
                [](double s) {
                  return tumbling(s, {0.5, 0.5, 0.07}, 0.1);
                },
                20000),
            1e-9);
}

// The largest change of the force from one update to the next on a way along x.
struct Ride {
  double largest_change = 0, largest_force = 0;
  int least_touching = 99;
  bool faded = false;
  HapticOutput last;
};
Ride ride(const NurbsNet& net, int steps, const std::shared_ptr<const Trimming>& trimming = nullptr,
          double from = 0.2, double to = 0.8, double height = 0.09) {
  Bench bench(ball(0.1), sheet(net, trimming), kLaw);
  bench.settle(at(from, 0.52, height + 0.05));
  for (int i = 0; i <= 100; ++i)
    bench.tool.update(at(from, 0.52, height + 5e-4 * (100 - i)), kStep);
  Ride result;
  Vec3<double> before = bench.tool.output().wrench.f;
  for (int i = 0; i <= steps; ++i) {
    const HapticOutput& out =
        bench.tool.update(at(from + (to - from) * i / steps, 0.52, height), kStep);
    result.largest_change = std::max(result.largest_change, (out.wrench.f - before).norm());
    result.largest_force = std::max(result.largest_force, out.wrench.f.norm());
    result.least_touching = std::min(result.least_touching, out.touching);
    result.faded |= out.status == HapticStatus::fading;
    before = out.wrench.f;
    if (i % 50 == 0) bench.finder.step();
  }
  result.last = bench.tool.output();
  return result;
}
// Changes shrink with the steps: the force is continuous.
void expect_continuous(const NurbsNet& net, double from = 0.2, double to = 0.8) {
  const Ride coarse = ride(net, 500, nullptr, from, to), fine = ride(net, 1000, nullptr, from, to),
             finest = ride(net, 2000, nullptr, from, to);
  EXPECT_GT(coarse.largest_force, 3);
  EXPECT_LT(fine.largest_change, 0.52 * coarse.largest_change);
  EXPECT_LT(finest.largest_change, 0.52 * fine.largest_change);
  EXPECT_EQ(coarse.last.counters.lost + fine.last.counters.lost + finest.last.counters.lost, 0);
  EXPECT_EQ(coarse.last.counters.jumped + fine.last.counters.jumped, 0);
}

TEST(HapticTool, SlidesOverSeamsOfASpline) {
  expect_continuous(sheet_net(uniform_knots(3, 9), bumps));
}
TEST(HapticTool, SlidesOverASeamWhereOnlyTangentsAgree) {
  const KnotVector twice{3, {0, 0, 0, 0, 0.25, 0.5, 0.5, 0.75, 1, 1, 1, 1}};
  expect_continuous(sheet_net(twice, bumps));
}
TEST(HapticTool, SlidesOverASharpRidge) {
  const KnotVector thrice{3, {0, 0, 0, 0, 0.25, 0.5, 0.5, 0.5, 0.75, 1, 1, 1, 1}};
  expect_continuous(
      sheet_net(thrice, [](double x, double) { return 0.03 - 0.1 * std::abs(x - 0.5); }));
}
// Extremal pairs of negative gap that are no contacts: none is taken beside a border.
TEST(HapticTool, TakesNoOverlapThatIsNone) {
  const NurbsNet flat = sheet_net(uniform_knots(3, 9), [](double, double) { return 0.0; });
  for (int i = -10; i <= 10; ++i) {  // from below the border to above it, never touching
    Bench bench(ball(0.1), sheet(flat), kLaw);
    const double angle = 0.15 * i;
    const HapticOutput& out =
        bench.settle(at(1 + 0.13 * std::cos(angle), 0.5, 0.13 * std::sin(angle)));
    EXPECT_EQ(out.touching, 0) << i;
    EXPECT_GE(out.pairs, 1) << i;
    EXPECT_NEAR(out.contacts[0].gap, 0.03, 1e-12) << i;
  }
}
TEST(HapticTool, SlidesOverAFreeBorder) {
  const NurbsNet net = sheet_net(uniform_knots(3, 9), [](double, double) { return 0.0; });
  expect_continuous(net, 0.7, 1.2);
  const Ride off = ride(net, 1000, nullptr, 0.7, 1.2);
  EXPECT_EQ(off.last.wrench.f.norm(), 0);
  EXPECT_NEAR(off.largest_force, 10, 1e-9);
}

// A trimmed border is an edge: the pair slides over it, and its force ends without a jump.
TEST(HapticTool, SlidesOverATrimmedBorder) {
  const auto straight = [](const Vec2<double>& a, const Vec2<double>& b) {
    return BezierCurve<2>{{weighted<2>(a, 1), weighted<2>(b, 1)}};
  };
  const TrimmingLoop kept{straight({0, 0}, {0.6, 0}), straight({0.6, 0}, {0.6, 1}),
                          straight({0.6, 1}, {0, 1}), straight({0, 1}, {0, 0})};
  const auto trimming = std::make_shared<Trimming>(*Trimming::make({0, 1, 0, 1}, {kept}));
  const NurbsNet net = sheet_net(uniform_knots(3, 9), [](double, double) { return 0.0; });
  const Ride off = ride(net, 1000, trimming, 0.4, 0.9);
  EXPECT_FALSE(off.faded);
  EXPECT_EQ(off.last.counters.lost, 0);
  EXPECT_NEAR(off.largest_force, 10, 1e-9);
  EXPECT_EQ(off.last.wrench.f.norm(), 0);
  EXPECT_LE(off.largest_change, kLaw.force_ramp * kStep + 1e-9);
}

TEST(HapticTool, AllocatesNothing) {
  Bench bench(TouchableBody(PlacedShape{*Ellipsoid::make({0.2, 0.12, 0.1}), {}}),
              sheet(sheet_net(uniform_knots(3, 9), bumps)), kLaw);
  bench.settle(at(0.5, 0.5, 0.2));
  bench.finder.step();  // its pairs wait to be taken
  const long before = allocations;
  for (int i = 0; i < 1000; ++i) {
    const double s = 0.01 * i;
    bench.tool.update({axis_angle(Vec3<double>(0, 0, 1), s), {0.5 + 0.7 * std::sin(s), 0.5, 0.08}},
                      kStep);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(bench.tool.output().counters.searches, 1);
}

TEST(HapticTool, AnswersBadInputWithNoForceAndGoesOn) {
  Bench bench(ball(0.1), half_space(), kLaw);
  bench.settle(at(0, 0, 0.11));
  const Pose<double> good = at(0, 0, 0.095);
  ASSERT_NEAR(bench.tool.update(good, kStep).wrench.f.z(), 5, 1e-12);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pose<double> sheared{Mat3<double>::Ones(), {0, 0, 0}};
  const Pose<double> mirrored{-Mat3<double>::Identity(), {0, 0, 0.095}};
  const auto expect_refused = [&](const HapticOutput& out) {
    EXPECT_EQ(out.status, HapticStatus::invalid_pose);
    EXPECT_EQ(out.wrench.f.norm(), 0);
    EXPECT_EQ(out.wrench.t.norm(), 0);
    EXPECT_TRUE(out.proxy.p.allFinite());
  };
  expect_refused(bench.tool.update(at(0, nan, 0), kStep));
  expect_refused(bench.tool.update(sheared, kStep));
  expect_refused(bench.tool.update(mirrored, kStep));
  expect_refused(bench.tool.update(good, 0));
  expect_refused(bench.tool.update(good, nan));
  expect_refused(bench.tool.update(good, {{0, 0, 0}, {nan, 0, 0}}, kStep));
  EXPECT_EQ(bench.tool.output().counters.invalid, 6);
  // Back again: the force grows by the ramp.
  double before = 0;
  for (int i = 0; i < 20; ++i) {
    const double force = bench.tool.update(good, kStep).wrench.f.z();
    EXPECT_LE(force - before, kLaw.force_ramp * kStep + 1e-12);
    before = force;
  }
  EXPECT_NEAR(before, 5, 1e-12);
}

TEST(HapticTool, GrowsFromNothingIfItOverlapsFromTheStart) {
  Bench bench(ball(0.1), half_space(), kLaw);
  const Pose<double> X = at(0, 0, 0.095);
  EXPECT_EQ(bench.tool.update(X, kStep).status, HapticStatus::searching);
  bench.finder.step();
  double before = 0;
  for (int i = 0; i < 20; ++i) {
    const HapticOutput& out = bench.tool.update(X, kStep);
    EXPECT_EQ(out.status, HapticStatus::touching);
    EXPECT_LE(out.wrench.f.z() - before, kLaw.force_ramp * kStep + 1e-12);
    before = out.wrench.f.z();
  }
  EXPECT_NEAR(before, 5, 1e-12);
}

TEST(HapticTool, ForgetsWhatIsFarAndFindsItAgain) {
  Bench bench(ball(0.1), half_space(), kLaw);
  EXPECT_EQ(bench.settle(at(0, 0, 0.11)).status, HapticStatus::apart);
  EXPECT_EQ(bench.settle(at(0, 0, 3)).status, HapticStatus::searching);
  EXPECT_EQ(bench.tool.output().phase, Phase::far);
  EXPECT_EQ(bench.settle(at(0, 0, 0.11)).status, HapticStatus::apart);
  EXPECT_EQ(bench.tool.output().counters.dropped, 1);
}

TEST(HapticTool, RefusesALawWithoutSense) {
  const TouchableBody A = ball(0.1), B = half_space();
  EXPECT_FALSE(HapticTool::make(A, B, {.stiffness = 0}));
  EXPECT_FALSE(HapticTool::make(A, B, {.stiffness = -5}));
  EXPECT_TRUE(HapticTool::make(A, B, {}));
}

}  // namespace oloid::test::tool_test
