// The rows of the transition table, each in a scene that reaches it at a known instant: what must
// not jump does not, and what is told is what has happened.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oloid/world/model/transitions.h"
#include "support/conservation.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::island_events_test {

using Vector = Vec3<double>;
constexpr double g = 9.81, kUnlimited = std::numeric_limits<double>::infinity();

struct Advanced {
  const Model model;
  Islands islands;
  Island& island;

  explicit Advanced(const Spec& spec)
      : model(compiled(spec)), islands(islands_of(model)), island(*islands.begin()) {
    island.advance(model.t_end, 100000, false);
  }
  std::vector<PendingEvent> of(EventKind kind) const {
    std::vector<PendingEvent> found;
    for (int i = 0; i < island.pending_events(); ++i) {
      if (island.pending_event(i).change.kind == kind) found.push_back(island.pending_event(i));
    }
    return found;
  }
  // Neither places nor motions jump at an event.
  void expect_smooth(const PendingEvent& event, double tolerance) {
    ASSERT_TRUE(event.shown);
    EXPECT_EQ(event.before.t, event.t);
    EXPECT_EQ(event.after.t, event.t);
    const std::vector<BodyMotion> before = island.evaluate(event.before).bodies,
                                  after = island.evaluate(event.after).bodies;
    for (std::size_t i = 0; i < static_cast<std::size_t>(island.group().nodes()); ++i) {
      EXPECT_LE((before[i].X_WB.p - after[i].X_WB.p).norm(), tolerance);
      EXPECT_LE((before[i].X_WB.R - after[i].X_WB.R).norm(), tolerance);
      EXPECT_LE((before[i].phi.w - after[i].phi.w).norm(), tolerance);
      EXPECT_LE((before[i].phi.v - after[i].phi.v).norm(), tolerance);
    }
  }
};

// From rest at θ₀ a ball slides down a fixed one until cos θ = 2/3 cos θ₀.
TEST(IslandEvents, ABallLeavesTheBallThatItSlidesOn) {
  const double R = 0.5, r = 0.1, start = 0.3, L = R + r;
  SphereSpec sphere;
  sphere.radius = R;
  Spec spec = scene_of({named("ball", ball(r), {{L * std::sin(start), 0, L * std::cos(start)}}),
                        named("hill", ground(sphere))},
                       {law("ball", "hill", 0)}, 0.6);
  spec.solver.rtol = 1e-13;
  Advanced run(spec);
  const auto offs = run.of(EventKind::take_off);
  ASSERT_EQ(offs.size(), 1u);
  EXPECT_EQ(offs[0].change.before, Mode::frictionless);
  EXPECT_EQ(offs[0].change.after, Mode::separated);
  run.expect_smooth(offs[0], 1e-13);
  const BodyMotion x = run.island.evaluate(offs[0].after).body(BodyId{0});
  const double c = 2.0 / 3 * std::cos(start);
  EXPECT_NEAR(x.X_WB.p.z(), L * c, 1e-11);
  EXPECT_NEAR(x.phi.v.squaredNorm(), g * L * c, 1e-10);
  EXPECT_FALSE(run.island.falls_apart());  // one body is one part
  EXPECT_EQ(run.island.state().changes_at_once, 1);
}

// A body that is lifted from another: at k t = m g they are two islands.
TEST(IslandEvents, BodiesThatPartAreTwoIslands) {
  Spec spec = scene_of({named("top", ball(0.1, 0.5), {{0, 0, 0.5}}),
                        named("low", ball(0.2, 2), {{0, 0, 0.2}}), table()},
                       {law("top", "low", 0.3), law("low", "table", 0.3)}, 1);
  spec.loads = {force("top", {"0", "0", "40 * t"})};
  Advanced run(spec);
  const auto offs = run.of(EventKind::take_off);
  ASSERT_EQ(offs.size(), 1u);
  EXPECT_NEAR(offs[0].t, 0.5 * g / 40, 1e-12);
  EXPECT_EQ(offs[0].change.contact.pair, pair_named(run.model, "top", "low"));
  run.expect_smooth(offs[0], 1e-14);
  EXPECT_TRUE(run.island.falls_apart());
  EXPECT_EQ(run.island.t(), offs[0].t);
}

// A sliding ball grips at 2 v / 7 μ g; it has no slip left that would have to be removed.
TEST(IslandEvents, ASlidingBallGrips) {
  const double v = 2, mu = 0.3, r = 0.2;
  Advanced run(scene_of({named("ball", ball(r), {{0, 0, r}, {v, 0, 0}}), table()},
                        {law("ball", "table", mu)}, 0.5));
  const auto grips = run.of(EventKind::mode_change);
  ASSERT_EQ(grips.size(), 1u);
  EXPECT_NEAR(grips[0].t, 2 * v / (7 * mu * g), 1e-10);
  EXPECT_EQ(grips[0].change.before, Mode::sliding);
  EXPECT_EQ(grips[0].change.after, Mode::rolling);
  EXPECT_NEAR(grips[0].change.value, 0, 1e-15);
  run.expect_smooth(grips[0], 1e-9);
  const double dissipated = run.island.state().y.y.segment<3>(kBooked).sum();
  EXPECT_NEAR(dissipated + run.island.state().booked, v * v / 7, 1e-10);
}

// The last step to rest does not go beyond the end of the run, which comes just before.
TEST(IslandEvents, TheStepToRestEndsWithTheRun) {
  const double v = 100, mu = 0.2, r = 0.2, stop = v / (3.5 * mu * g);
  const double closing = 1e-8 * v / (3.5 * mu * g);  // [s], from the least speed to rest
  for (const double before : {0.3, 0.6}) {
    const double end = stop - before * closing;
    Spec spec = scene_of({named("ball", ball(r), {{0, 0, r}, {v, 0, 0}}), table()},
                         {law("ball", "table", mu)}, end);
    spec.solver.rtol = 1e-13;
    Advanced run(spec);
    EXPECT_EQ(run.of(EventKind::mode_change).size(), 1u);
    EXPECT_LE(run.island.t(), end);
  }
}

// Pulled at its centre by k t a ball rolls until 2/7 k t = μ m g.
TEST(IslandEvents, ARollingBallIsLetGo) {
  const double mu = 0.2, m = 1.5, k = 30;
  Spec spec = scene_of({named("ball", ball(0.2, m), {{0, 0, 0.2}, {1, 0, 0}, {0, 5, 0}}), table()},
                       {law("ball", "table", mu)}, 0.5);
  spec.loads = {force("ball", {"30 * t", "0", "0"})};
  Advanced run(spec);
  const auto slips = run.of(EventKind::mode_change);
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_NEAR(slips[0].t, 3.5 * mu * m * g / k, 1e-11);
  EXPECT_EQ(slips[0].change.before, Mode::rolling);
  EXPECT_EQ(slips[0].change.after, Mode::sliding);
  run.expect_smooth(slips[0], 1e-13);
  // From there on friction is constant and the rest of the force moves the ball.
  const double T = 0.5 - slips[0].t, v0 = 1 + k * slips[0].t * slips[0].t / (2 * 1.4 * m);
  const BodyMotion x = run.island.evaluate(run.island.snapshot(0.5)).body(BodyId{0});
  EXPECT_NEAR((x.X_WB.R * x.phi.v).x(),
              v0 + k * (0.25 - slips[0].t * slips[0].t) / (2 * m) - mu * g * T, 1e-9);
}

// A plate that starts with a jerk lets go of the ball on it, which is told, too.
TEST(IslandEvents, WhatAJerkLetsGoIsTold) {
  KeyFrameMotionSpec motion;
  motion.times = std::vector<double>{0.1, 0.3, 0.5};
  motion.positions = std::vector<Vector>{{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}};
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  plate.motion = Located<MotionSpec>(motion);
  Advanced run(scene_of({named("ball", ball(0.2), {{0, 0, 0.2}}), plate},
                        {law("ball", "plate", 0.1)}, 0.15));
  const auto slips = run.of(EventKind::mode_change);
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_NEAR(slips[0].t, 0.1, 1e-16);
  EXPECT_EQ(slips[0].change.before, Mode::rolling);
  EXPECT_EQ(slips[0].change.after, Mode::sliding);
}

// A perfectly elastic ball falls into a right angle of two planes and hits both at once: it comes
// back the way it came. Two changes at one instant, each time.
TEST(IslandEvents, ABallInAGrooveHitsBothSidesAtOnce) {
  const double h = 0.3, s = std::sqrt(0.5), c8 = std::cos(std::acos(-1.0) / 8),
               s8 = std::sin(std::acos(-1.0) / 8);
  BodySpec left = named("left", ground()), right = named("right", ground());
  left.orientation = Quat<double>{c8, 0, s8, 0};
  right.orientation = Quat<double>{c8, 0, -s8, 0};
  const double r = 0.1, fall = std::sqrt(2 * h / g);
  Advanced run(scene_of({named("ball", ball(r), {{0, 0, r / s + h}}), left, right},
                        {law("ball", "left", 0, 1), law("ball", "right", 0, 1)}, 2.5 * fall));
  const auto hits = run.of(EventKind::impact);
  ASSERT_EQ(hits.size(), 2u);
  for (const PendingEvent& hit : hits) EXPECT_NEAR(hit.t, fall, 1e-12);
  EXPECT_EQ(hits[0].t, hits[1].t);
  EXPECT_NE(hits[0].change.contact.pair, hits[1].change.contact.pair);
  EXPECT_EQ(run.island.state().changes_at_once, 2);
  EXPECT_EQ(run.island.state().last_change_t, hits[1].t);
  const BodyMotion x = run.island.evaluate(hits[1].after).body(BodyId{0});
  EXPECT_LE((x.X_WB.R * x.phi.v - Vector(0, 0, g * fall)).norm(), 1e-11);
  EXPECT_NEAR(run.island.state().booked, 0, 1e-13);
}

// Two balls on a table that meet with almost no restitution close a loop: the value is the speed of
// approach that is left, negative because they part.
TEST(IslandEvents, ALoopTellsTheSpeedThatIsLeft) {
  const double r = 0.1, v = 2e-3, e = 1e-7;
  Spec spec = scene_of({named("a", ball(r), {{-r - 1e-4, 0, r}, {v, 0, 0}}),
                        named("b", ball(r), {{r + 1e-4, 0, r}}), table()},
                       {law("a", "b", 0, e)}, 0.3);
  spec.springs = {spring("a", "b", 1e-15)};
  Advanced run(spec);
  const auto ends = run.of(EventKind::unsupported_island);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_TRUE(ends[0].last);
  EXPECT_NEAR(ends[0].t, 2e-4 / v, 1e-9);
  EXPECT_NEAR(ends[0].change.value, -e * v, 1e-3 * e * v);
}

// Down the inside of a cone, along one of its lines, until its curvature is that of the ball:
// 1 − r cos α / ρ = 1e-6 at the distance ρ from the axis.
TEST(IslandEvents, ConformingSurfacesEndTheRun) {
  const double alpha = 0.5, r = 0.1, v = 1.3, s0 = 0.6;
  const Vector up(std::sin(alpha), 0, std::cos(alpha)), in(-std::cos(alpha), 0, std::sin(alpha));
  ConeSpec cone;
  cone.half_angle = alpha;
  cone.from = 0.01;
  cone.to = 2.0;
  cone.cavity = true;
  Spec spec =
      scene_of({named("ball", ball(r), {s0 * up + r * in, -v * up}), named("funnel", ground(cone))},
               {law("ball", "funnel", 0)}, 1);
  spec.gravity = Vector(-g * in);
  Advanced run(spec);
  const auto ends = run.of(EventKind::conforming);
  ASSERT_EQ(ends.size(), 2u);  // a warning comes before
  const auto time = [&](double measure) {
    return (s0 - r * std::cos(alpha) / (1 - measure) / std::sin(alpha)) / v;
  };
  EXPECT_FALSE(ends[0].last);
  EXPECT_LE(ends[0].change.value, kConformityWarn);
  EXPECT_GE(ends[0].t, time(kConformityWarn) - 1e-12);
  EXPECT_TRUE(ends[1].last);
  EXPECT_NEAR(ends[1].t, time(kConformityRefuse), 1e-10);
  EXPECT_NEAR(ends[1].change.value, kConformityRefuse, 1e-10);
  EXPECT_TRUE(run.island.finished());
}

// z = a x² + c y² over a rectangle, as a net of degree 2; turned by quarter turns.
PatchSpec bowl_over(double x0, double x1, double y0, double y1, int turns) {
  const double a = 0.4, c = 0.3;
  const Vector x(x0, 0.5 * (x0 + x1), x1), xx(x0 * x0, x0 * x1, x1 * x1);
  const Vector y(y0, 0.5 * (y0 + y1), y1), yy(y0 * y0, y0 * y1, y1 * y1);
  std::vector<std::vector<Vector>> net(3, std::vector<Vector>(3));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = {x(i), y(j),
                                                                       a * xx(i) + c * yy(j)};
  }
  for (int k = 0; k < turns; ++k) {
    auto turned = net;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) turned[j][2 - i] = net[i][j];
    net = turned;
  }
  PatchSpec patch;
  patch.net = net;
  return patch;
}

// Over the seam of two patches whose parameter lines run differently: nothing but coordinates
// changes, in either form of the equations.
TEST(IslandEvents, CrossingASeamChangesCoordinatesOnly) {
  for (const Formulation form : {Formulation::contact_twist, Formulation::parameter_rates}) {
    for (const double mu : {0.0, 0.2, kUnlimited}) {
      for (int turns = 0; turns < 4; ++turns) {
        SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(form) << ", mu " << mu
                                        << ", " << turns << " quarter turns");
        PatchesSpec bowl;
        bowl.patches = {bowl_over(-1, 0.1, -1, 1, 0), bowl_over(0.1, 1, -1, 1, turns)};
        Spec spec = touching(
            scene_of({named("ball", ball(0.2), {{-0.05, 0.02, 0.2}, {1, 0.3, 0}, {0.5, 2, 3}}),
                      named("bowl", ground(bowl))},
                     {law("ball", "bowl", mu)}, 0.4));
        spec.solver.formulation = Located<Formulation>(form);
        spec.solver.rtol = 1e-13;
        Advanced run(spec);
        int crossings = 0;
        for (const PendingEvent& event : run.of(EventKind::chart_crossing)) {
          run.expect_smooth(event, 1e-12);
          EXPECT_EQ(event.change.before, event.change.after);
          EXPECT_EQ(event.before.booked, event.after.booked);
          crossings += event.change.value == 1 ? 1 : 0;
          const Vec6<double> f = run.island.evaluate(event.before).forest[0].f;
          EXPECT_NEAR(run.island.evaluate(event.after).forest[0].f.norm(), f.norm(), 1e-9);
        }
        EXPECT_GE(crossings, 1);
        EXPECT_FALSE(run.island.finished());
      }
    }
  }
}

BodySpec cube(double side, const Quat<double>& q) {
  BoxSpec shape;
  shape.size = Vector(side, side, side);
  BodySpec body = moving_body(shape, 1, side * side / 6 * Mat3<double>::Identity());
  body.orientation = unit(q);
  return body;
}

// A cube falls on a corner, without friction and loss: it bounces by the law of a single point.
// With the corner at r from the centre and J = m s² / 6, the vertical impulse (1 + e) v / (1/m +
// ρ²/J), ρ the horizontal distance, gives it speed and spin. It goes on to bounce on other corners.
TEST(IslandEvents, ACubeBouncesOnItsCorners) {
  const double side = 0.1, height = 0.4, e = 1;
  const BodySpec falling = cube(side, {0.8, 0.3, -0.4, 0.2});
  const Mat3<double> R = rotation_matrix(falling.orientation.value);
  Vector r = Vector::Zero();
  for (int i = 0; i < 3; ++i) r += (R(2, i) > 0 ? -0.5 : 0.5) * side * R.col(i);
  Spec spec = scene_of({named("cube", falling, {{0, 0, height}}), table()},
                       {law("cube", "table", 0, e)}, 1);
  spec.solver.rtol = 1e-12;
  const Film f = film(spec);
  const auto hits = f.of(EventKind::impact);
  ASSERT_GT(hits.size(), 3u);
  EXPECT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-11);
  EXPECT_EQ(hits[0].features[0].kind, FeatureKind::vertex);
  EXPECT_EQ(hits[0].features[1].kind, FeatureKind::surface);
  const double v = std::sqrt(2 * g * (height + r.z())), J = side * side / 6;
  EXPECT_NEAR(hits[0].t, v / g, 1e-12);
  const double P = (1 + e) * v / (1 + (r.x() * r.x() + r.y() * r.y()) / J);
  const auto after = std::find_if(f.pictures.begin(), f.pictures.end(),
                                  [&](const auto& p) { return p.t == hits[0].t && p.side == 1; });
  ASSERT_NE(after, f.pictures.end());
  EXPECT_LE((after->bodies[0].velocity - Vector(0, 0, P - v)).norm(), 1e-12);
  EXPECT_LE((after->bodies[0].angular_velocity - r.cross(Vector(0, 0, P)) / J).norm(), 1e-10);
}

// With loss it ends: a corner that stays, or an edge or a face, cannot be held. Until then energy
// falls, and the last frame is that of the end, although something else happens there.
TEST(IslandEvents, ACornerThatStaysEndsTheIsland) {
  for (const double e : {0.0, 0.6}) {
    SCOPED_TRACE(e);
    Spec spec = scene_of({named("cube", cube(0.1, {0.8, 0.3, -0.4, 0.2}), {{0, 0, 0.4}}), table()},
                         {law("cube", "table", 0.3, e)}, 3);
    const Film f = film(spec);
    const auto hits = f.of(EventKind::impact), ends = f.of(EventKind::unsupported_contact);
    ASSERT_EQ(ends.size(), 1u);
    ASSERT_GE(hits.size(), e > 0 ? 10u : 1u);
    EXPECT_EQ(hits.back().t, ends[0].t);
    EXPECT_LE(f.drift(), 1e-11);
    EXPECT_EQ(f.pictures.back().t, ends[0].t);
    EXPECT_EQ(f.pictures.back().side, -1);
    for (std::size_t i = 1; i < f.pictures.size(); ++i)
      EXPECT_GE(f.pictures[i].energy.dissipated, f.pictures[i - 1].energy.dissipated - 1e-14);
    EXPECT_NEAR(f.pictures.back().contacts[0].gap, 0, 1e-12);
  }
}

// Two bars that cross push each other apart along the common perpendicular of the edges that meet.
TEST(IslandEvents, CrossingEdgesBounce) {
  const double c = std::cos(0.125 * M_PI), s = std::sin(0.125 * M_PI);
  BoxSpec bar;
  bar.size = Vector(1, 0.1, 0.1);
  const Mat3<double> J = Vector(0.02, 1.01, 1.01).asDiagonal().toDenseMatrix() / 12;
  // Each is turned about its own axis until an edge faces the other; one lies along y.
  BodySpec lower = moving_body(bar, 1, J), upper = lower;
  lower.orientation = Quat<double>{c, s, 0, 0};
  const double h = std::sqrt(0.5);
  upper.orientation = Quat<double>{h * c, h * s, h * s, h * c};
  Spec spec = scene_of({named("upper", upper, {{0.1, 0.2, 0.3}, {0.3, 0.1, -1}}),
                        named("lower", lower, {{0, 0, 0}})},
                       {law("upper", "lower", 0, 0.5)}, 0.5);
  spec.gravity = Vector(0, 0, 0);
  const Film f = film(spec);
  const auto hits = f.of(EventKind::impact);
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].features[0].kind, FeatureKind::edge);
  EXPECT_EQ(hits[0].features[1].kind, FeatureKind::edge);
  EXPECT_NEAR(hits[0].t, 0.3 - 2 * 0.05 * std::sqrt(2.0), 1e-12);
  const Momenta before = momenta(spec, f.pictures.front().bodies);
  const auto after = std::find_if(f.pictures.begin(), f.pictures.end(),
                                  [&](const auto& p) { return p.t == hits[0].t && p.side == 1; });
  ASSERT_NE(after, f.pictures.end());
  const Momenta later = momenta(spec, after->bodies);
  EXPECT_LE((later.linear - before.linear).norm(), 1e-13);
  EXPECT_LE((later.angular - before.angular).norm(), 1e-13);
  // The impulse is vertical, and half of the approach returns, at the points that touch.
  const BodyFrame &a = after->bodies[0], &b = after->bodies[1];
  EXPECT_LE((a.velocity - Vector(0.3, 0.1, a.velocity.z())).norm(), 1e-13);
  const Vector x(0.1 + 0.3 * hits[0].t, 0, 0.05 * std::sqrt(2.0));
  const auto at = [&](const BodyFrame& body) -> Vector {
    return body.velocity + body.angular_velocity.cross(x - body.position);
  };
  EXPECT_NEAR((at(a) - at(b)).z(), 0.5, 1e-12);
}

}  // namespace oloid::test::island_events_test
