// Contacts that close at one instant: laws of impulses, checked by the velocities of the bodies.
#include "oloid/world/events/closing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "laws/random.h"
#include "oloid/spatial/rotation.h"
#include "oloid/world/events/collide.h"
#include "support/conservation.h"
#include "support/film.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::closing_test {

using Vector = Vec3<double>;

// A heavy ball on a light, leaning ellipsoid on a table, all touching and moving.
struct Falling {
  Vector pebble, pebble_spin, ball, ball_spin;  // [m/s], [rad/s]
};
Spec ball_on_pebble(double friction, const Falling& v) {
  const double r = 0.03, lean = 20 * std::numbers::pi / 180;
  const Vector semi_axes(0.02, 0.01, 0.0125), z(0, 0, 1);
  const Mat3<double> R = axis_angle(Vector(0, 1, 0), lean);
  const Mat3<double> S = R * semi_axes.cwiseAbs2().asDiagonal() * R.transpose();
  const double h = std::sqrt(S(2, 2));
  BodySpec pebble =
      named("pebble", ellipsoid(semi_axes, 0.004), {{0, 0, h}, v.pebble, v.pebble_spin});
  pebble.orientation = quaternion(R);
  const Vector centre = h * z + S.col(2) / h + r * z;
  return scene_of({pebble, named("ball", ball(r, 0.13), {centre, v.ball, v.ball_spin}), table()},
                  {law("pebble", "table", friction), law("ball", "pebble", friction)}, 0.02);
}

// An impulse at a point, found from the velocities of a body before and after.
struct Impulse {
  Vector linear, about_centre;
};
Impulse impulse_on(const Group& x, const std::string& name, const Twist<double>& before) {
  const BodyId id = body_named(x.model, name);
  const BodyMotion& now = x.instant.body(id);
  const BodyInertia<double>& M = x.model.body(id).inertia;
  return {M.mass * (now.X_WB.R * (now.phi.v - before.v)),
          now.X_WB.R * (M.J * (now.phi.w - before.w))};
}

void expect_in_cone(const Vector& P, const Vector& normal, double friction, double scale) {
  const double along = P.dot(normal);
  EXPECT_GE(along, -1e-9 * scale);
  EXPECT_LE((P - along * normal).norm(), friction * along + 1e-9 * scale);
}

// Newton and Euler for both bodies: impulses act at the contacts and lie in their cones, nothing
// approaches any longer, and what is booked is what is lost.
TEST(Closing, ImpulsesObeyTheLawsOfAllContacts) {
  int both = 0, slides = 0;
  for_random_cases(200, [&](Random& random) {
    const double friction = random(0, 3);
    const auto some = [&](double size) -> Vector { return random(0, size) * random.direction(); };
    const Falling v{some(0.1) - Vector(0, 0, 0.1), some(5), some(0.1) - Vector(0, 0, 0.3), some(5)};
    Group x(ball_on_pebble(friction, v));
    const double energy = kinetic_energy(x.index, x.instant);
    const std::vector<Twist<double>> before = twists_of(x.index, x.instant);
    const StartContact& met = x.model.touches.front();
    if (held_by(x.state.discrete, met.pair) != kGround) return;
    std::vector<Touch> touches =
        touching_pairs(x.index, x.state.discrete, x.instant, met.pair, met.near);
    if (touches.size() < 2) return;
    ++both;
    Closing closing = close_all(x.index, x.state, x.instant, touches);
    ASSERT_TRUE(JointDecision(x.index, x.state, x.instant).stop(closing));
    x.evaluate();
    double booked = x.state.booked;
    for (int node = 0; node < x.index.nodes(); ++node) {
      if (x.state.discrete.joint(node).on)
        booked += x.state.y.y.segment<3>(block_at(node) + kBooked).sum();
    }
    EXPECT_NEAR(energy - kinetic_energy(x.index, x.instant), booked, 1e-10 * energy);
    EXPECT_GE(booked, 0);
    const double scale = 0.13 * 0.4;
    const Vector up(0, 0, 1);     // both normals
    std::array<Vector, 2> point;  // of the contacts with the table and with the ball
    for (const StartContact& touch : x.model.touches) {
      const bool on_table = touch.pair == pair_named(x.model, "pebble", "table");
      const Pose<double>& X_WB = x.instant.body(x.model.pair(touch.pair).bodies[1]).X_WB;
      point[on_table ? 0 : 1] = X_WB * touch.near.point_B;
      EXPECT_LE(approach_speed(x.index, x.instant, touch.pair, touch.near), 1e-9);
    }
    const Impulse on_ball = impulse_on(
        x, "ball", before[static_cast<std::size_t>(x.index.node(body_named(x.model, "ball")))]);
    const Impulse on_pebble = impulse_on(
        x, "pebble", before[static_cast<std::size_t>(x.index.node(body_named(x.model, "pebble")))]);
    expect_in_cone(on_ball.linear, up, friction, scale);
    expect_in_cone(on_pebble.linear + on_ball.linear, up, friction, scale);
    const Vector arm = point[1] - x.motion("ball").X_WB.p;
    EXPECT_LE((on_ball.about_centre - arm.cross(on_ball.linear)).norm(), 1e-9 * scale);
    const Vector centre = x.motion("pebble").X_WB.p;
    EXPECT_LE((on_pebble.about_centre + (point[1] - centre).cross(on_ball.linear) -
               (point[0] - centre).cross(on_pebble.linear + on_ball.linear))
                  .norm(),
              1e-9 * scale);
    for (const Contact& hold : x.state.discrete.joints)
      slides += hold.on && hold[Channel::slip].grip == Grip::moving;
  });
  EXPECT_GT(both, 50);
  EXPECT_GT(slides, 10);
}

// The same in a run: all impacts at the start are one event, and no others follow at that instant.
TEST(Closing, BodiesThatTouchAtTheStartStopTogether) {
  const Film f =
      film(ball_on_pebble(2, {{0.02, 0, -0.1}, {0.5, 1, 0}, {-0.05, 0.02, -0.3}, {0.3, -0.2, 2}}));
  EXPECT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-9);
  expect_energy_falls(f);
  const std::vector<Event> impacts = f.of(EventKind::impact);
  EXPECT_EQ(std::count_if(impacts.begin(), impacts.end(), [](const Event& e) { return e.t == 0; }),
            2);
}

// A light ball between the table and a heavy body that comes down beside its top: impacts become
// weaker and weaker, and all happen at one instant.
TEST(Closing, ImpactsWithoutEndCloseTheContacts) {
  const double r = 0.2907;
  BodySpec heavy = named("heavy", ellipsoid({0.422, 0.2125, 0.1919}, 191.9),
                         {{-0.0053, 0.0028, 3}, {0, 0, 0}, {0.046, 0.00035, -0.003}});
  heavy.orientation = quaternion(axis_angle(Vector(0.913, -0.0923, -0.3505).normalized(), 2.765));
  heavy.placement = Located<PlacementSpec>(PlacementSpec{DropSpec{Located<std::string>("ball")}});
  Spec spec = scene_of(
      {named("ball", ball(r, 2.7176), {{-0.0037, -0.0044, r}, {0, 0, 0}, {0.743, -1.19, 1.42}}),
       heavy, table()},
      {law("ball", "table", 5.089, 0.9931), law("ball", "heavy", 5.089, 0.9931)}, 0.05);
  for (PairSpec& pair : spec.pairs) {
    pair.law.kinetic_friction = Located<double>(1.6493);
    pair.law.tangential_restitution = Located<double>(-0.4229);
  }
  const Film f = film(spec);
  EXPECT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-11);
  EXPECT_GT(f.summary.energy.dissipated, 0);
  const std::vector<Event> impacts = f.of(EventKind::impact);
  std::ptrdiff_t many = 0;  // at one instant
  for (const Event& last : impacts) {
    many = std::max(many, std::count_if(impacts.begin(), impacts.end(),
                                        [&](const Event& e) { return e.t == last.t; }));
  }
  EXPECT_GT(many, 64);
  EXPECT_NE(impacts.back().after, Mode::separated);
}

// A body elsewhere, tied by a spring without strength, makes one island of two: its contact has
// nothing to do with an impact.
TEST(Closing, ContactsElsewhereDoNotMatter) {
  const auto after = [](bool tied) {
    Spec spec = scene_of(
        {named("ball", ball(0.1, 0.4), {{0, 0, 0.3}, {1, 0, 0}, {3, -9, 2}}),
         named("other", ball(0.1, 0.4), {{2, 0, 0.1}, {0.1, 0, 0}}), table()},
        {law("ball", "table", 0.2), law("other", "table", 0.3), law("ball", "other", 0.3)}, 0.3);
    if (tied) spec.springs = {spring("ball", "other", 1e-13)};
    return film(spec).last("ball");
  };
  const BodyFrame alone = after(false), tied = after(true);
  EXPECT_LE((alone.velocity - tied.velocity).norm(), 1e-10);
  EXPECT_LE((alone.angular_velocity - tied.angular_velocity).norm(), 1e-9);
}

// Without friction in impacts (tangential restitution -1), whatever else is held.
TEST(Closing, TangentialRestitutionKeepsItsLaw) {
  PairSpec slippery = law("upper", "lower", 0.5);
  slippery.law.tangential_restitution = -1.0;
  const Film f =
      film(scene_of({named("upper", ball(0.1, 0.4), {{0.02, 0, 0.5}, {0, 0, -1}, {0, 7, 0}}),
                     named("lower", ball(0.1, 5), {{0, 0, 0.1}}), table()},
                    {slippery, law("lower", "table", 0.5), law("upper", "table", 0.5)}, 0.2));
  const auto impacts = f.of(EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  for (const Film::Picture& p : f.pictures) {
    if (p.t == impacts[0].t && p.side == 1) {
      EXPECT_NEAR(p.bodies[0].angular_velocity.y(), 7, 1e-12);
    }
  }
}

}  // namespace oloid::test::closing_test
