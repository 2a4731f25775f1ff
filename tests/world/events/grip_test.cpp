// Which of slip and roll holds, starts or stops: a ball on slopes and plates, by closed forms.
#include "oloid/world/events/grip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/film.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::grip_test {

constexpr double g = 9.81, r = 0.2;  // r: of ball_on_slope

// Velocity along the slope, and angular velocity × r, of a ball that was let go.
struct Along {
  double v, spin;
};
Along along(const Film& f, double degrees) {
  const double a = degrees * std::numbers::pi / 180;
  const BodyFrame& b = f.summary.bodies[0];
  const Along x{b.velocity.dot(Vec3<double>(std::cos(a), 0, -std::sin(a))),
                r * b.angular_velocity.y()};
  EXPECT_NEAR(b.velocity.norm(), std::abs(x.v), 1e-12);
  EXPECT_NEAR(r * b.angular_velocity.norm(), std::abs(x.spin), 1e-12);
  return x;
}

// With s = ρ/r and all in units of the normal force: at rest while tan α ≤ μ and tan α ≤ s. Rolling
// needs the friction tan α − (tan α − s)/1.4. If that is too much the ball slides, and turns only
// if μ > s.
TEST(Grip, SlipAndRollStartWhereTheLawsSay) {
  const double degrees = 20, duration = 0.3;
  const double alpha = degrees * std::numbers::pi / 180, slope = std::tan(alpha);
  const double weight = g * std::cos(alpha) * duration;
  for (const double mu : {0.05, 0.1, 0.2, 0.36, 0.37, 0.5}) {
    for (const double s : {0.02, 0.15, 0.3, 0.36, 0.37, 0.5}) {
      SCOPED_TRACE(testing::Message() << "mu " << mu << ", rho/r " << s);
      Spec spec = ball_on_slope(degrees, mu, duration);
      spec.pairs[0].law.rolling_resistance = Located<double>(s * r);
      const Along x = along(film(spec), degrees);
      const double rolling = (slope - s) / 1.4;
      if (slope <= std::min(mu, s)) {
        EXPECT_NEAR(x.v, 0, 1e-15);
        EXPECT_NEAR(x.spin, 0, 1e-15);
      } else if (slope > s && slope - rolling <= mu) {
        EXPECT_NEAR(x.v, rolling * weight, 1e-9);
        EXPECT_NEAR(x.spin, x.v, 1e-12);
      } else {
        EXPECT_NEAR(x.v, (slope - mu) * weight, 1e-9);
        EXPECT_NEAR(x.spin, std::max(0.0, mu - s) / 0.4 * weight, 1e-9);
      }
    }
  }
}

// Slip below a threshold is removed at once where friction can hold: a ball on a table. It ends up
// with 5/7 of its velocity all the same, because friction has no moment about its line.
TEST(Grip, AThresholdEndsSlipEarly) {
  const double v = 1, mu = 0.2, deceleration = 3.5 * mu * g;
  for (const double threshold : {0.01, 0.1}) {
    Spec spec = scene_of({named("ball", ball(r), {{0, 0, r}, {v, 0, 0}}), table()},
                         {law("ball", "table", mu)}, 0.3);
    spec.solver.slip_threshold = Located<double>(threshold);
    const Film f = film(spec);
    const auto changes = f.of(EventKind::mode_change);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_NEAR(changes[0].t, (v - threshold) / deceleration, 1e-9);
    EXPECT_EQ(changes[0].after, Mode::rolling);
    EXPECT_NEAR(changes[0].value, threshold * threshold / 7,
                1e-10);  // energy of the slip that is left
    EXPECT_NEAR(f.last("ball").velocity.x(), 5.0 / 7 * v, 1e-10);
    EXPECT_NEAR(f.summary.energy.dissipated, v * v / 7, 1e-10);
    EXPECT_LE(f.drift(), 1e-10);
  }
}

// Where friction cannot hold, a threshold does nothing: a ball thrown up a steep slope slides on
// through the instant without slip.
TEST(Grip, AThresholdDoesNotHoldWhatFrictionCannot) {
  const double degrees = 60, mu = 0.1, v = 3, duration = 0.6;
  const double alpha = degrees * std::numbers::pi / 180;
  const double down = g * std::sin(alpha), friction = mu * g * std::cos(alpha);
  const double turn = v / (down + 3.5 * friction);  // the slip v − ωr vanishes
  ASSERT_LT(turn, duration);
  for (const double threshold : {0.0, 0.01, 0.1}) {
    SCOPED_TRACE(threshold);
    Spec spec = ball_on_slope(degrees, mu, duration);
    spec.bodies[0].velocity = Vec3<double>(-v * std::cos(alpha), 0, v * std::sin(alpha));
    if (threshold > 0) spec.solver.slip_threshold = Located<double>(threshold);
    const Film f = film(spec);
    const Along x = along(f, degrees);
    EXPECT_NEAR(x.v, -v + down * duration + friction * (2 * turn - duration), 1e-7);
    EXPECT_NEAR(x.spin, 2.5 * friction * (duration - 2 * turn), 1e-7);
    EXPECT_LE(f.drift(), 1e-9);
  }
}

// A ball that drops on a plate in sideways motion and stays: the tangential impulse J is 2/7 m V,
// or as much as friction gives. The drive works J V.
TEST(Grip, ABallDroppedOnAMovingPlateIsTakenAlong) {
  const double V = 0.8, h = 0.1, m = 1.5;
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"0.8 * t", "0", "0"});
  plate.motion = Located<MotionSpec>(motion);
  for (const double mu : {0.0, 0.05, 1.0, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    const double falls = std::sqrt(2 * h / g);
    const Spec spec = scene_of({named("ball", ball(r, m), {{0, 0, r + h}}), plate},
                               {law("ball", "plate", mu)}, falls + 1e-6);
    const Film f = film(spec);
    ASSERT_TRUE(f.ended()) << f.events.back().note;
    const double J = std::min(mu * m * g * falls, 2.0 / 7 * m * V);
    EXPECT_NEAR(f.last("ball").velocity.x(), J / m, 2e-6);
    EXPECT_NEAR(r * f.last("ball").angular_velocity.y(), -2.5 * J / m, 1e-5);
    EXPECT_NEAR(f.summary.energy.work, J * V, 1e-5);
    EXPECT_NEAR(f.summary.energy.dissipated, m * g * h + J * V - 3.5 * J * J / (2 * m), 1e-5);
    EXPECT_LE(f.drift(), 1e-10);
  }
}

// Friction turns the slip of a ball at μ f_n (1/m + r²/I) along each of two axes: 7 μ g / |v|.
TEST(Grip, DirectionsRelaxAtTheRateOfFriction) {
  for (const double v : {0.5, 3.0}) {
    const Group group(scene_of({named("ball", ball(r, 1.5), {{0, 0, r}, {v, 0, 0}}), table()},
                               {law("ball", "table", 0.3)}, 1));
    const Contact& hold = group.state.discrete.joint(0);
    EXPECT_NEAR(relaxation_rate(hold, group.instant, 0, Channel::slip), 7 * 0.3 * g / v, 1e-12);
  }
}

// Unlimited friction holds whatever the normal force is, even none.
TEST(Grip, UnlimitedFrictionHoldsWithoutForce) {
  Spec spec =
      scene_of({named("ball", ball(r), {{0, 0, r}}), table()}, {law("ball", "table", INFINITY)}, 1);
  spec.gravity = Vec3<double>(0, 0, 0);
  const Group group(spec);
  const Contact& hold = group.state.discrete.joint(0);
  ASSERT_EQ(group.instant.forest[0].f(kNormalRow), 0);
  EXPECT_EQ(grip_guard(group.index, hold, group.instant, 0, Channel::slip), 1);
}

// An impulse at another contact gives slip that is just starting a velocity: it moves with that.
TEST(Grip, WhatStartsFollowsItsVelocity) {
  Group x(ball_on_slope(20, 0.05, 1));
  ModeSelector gripper(x.index, x.state.discrete, x.instant, 0, x.state.y.y);
  gripper.start_along(0, Channel::slip, {1, 0});
  const ChannelSetting& slip = x.state.discrete.joint(0)[Channel::slip];
  x.state.y.y.segment<2>(block_at(0) + kRates + kSlipRow) = Vec2<double>(0, 0.5 * slip.start_speed);
  x.evaluate();
  gripper.follow_velocities();
  EXPECT_EQ(slip.grip, Grip::starting);
  x.state.y.y.segment<2>(block_at(0) + kRates + kSlipRow) = Vec2<double>(-0.03, 0.04);
  x.evaluate();
  gripper.follow_velocities();
  ASSERT_EQ(slip.grip, Grip::moving);
  const Vec2<double> friction = part(x.instant.forest[0].f, Channel::slip);
  EXPECT_NEAR(friction.normalized().dot(Vec2<double>(0.6, -0.8)), 1, 1e-12);
}

}  // namespace oloid::test::grip_test
