// Contacts that cannot be decided one by one: chains with much friction.
#include "oloid/world/events/joint_decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "laws/random.h"
#include "oloid/spatial/rotation.h"
#include "support/conservation.h"
#include "support/film.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::joint_decision_test {

constexpr double g = 9.81;

// A heavy ball on a light, leaning ellipsoid on a table. S: support in the direction n is S n /
// |..|.
Spec ball_on_pebble(double friction, const Vec3<double>& spin, double resistance, double duration,
                    double turn = 0) {
  const double r = 0.03, lean = 20 * std::numbers::pi / 180;
  const Vec3<double> semi_axes(0.02, 0.01, 0.0125), z(0, 0, 1);
  const Mat3<double> R = axis_angle(z, turn) * axis_angle(Vec3<double>(0, 1, 0), lean);
  const Mat3<double> S = R * semi_axes.cwiseAbs2().asDiagonal() * R.transpose();
  const double h = std::sqrt(S(2, 2));
  BodySpec pebble = named("pebble", ellipsoid(semi_axes, 0.004), {{0, 0, h}});
  pebble.orientation = quaternion(R);
  const Vec3<double> top = h * z + S.col(2) / h;
  Spec spec =
      scene_of({pebble, named("ball", ball(r, 0.13), {top + r * z, {0, 0, 0}, spin}), table()},
               {law("pebble", "table", friction), law("ball", "pebble", friction)}, duration);
  for (PairSpec& pair : spec.pairs) pair.law.rolling_resistance = Located<double>(resistance);
  return spec;
}

// Independent of how it was decided: Newton and Euler in world axes for the two bodies, forces in
// their cones, friction against what moves, nothing approaches.
void expect_laws(const Group& x) {
  for (int node = 0; node < x.index.nodes(); ++node) {
    const Contact& hold = x.state.discrete.joint(node);
    const Node& joint = x.instant.forest[node];
    const BodyInertia<double>& body = joint.body;
    Wrench<double> sum = as_wrench<double>(-stacked(joint.p));
    if (hold.on) sum = sum + transform(joint.X_AC, as_wrench<double>(joint.f));
    for (int child = 0; child < x.index.nodes(); ++child) {
      const Node& other = x.instant.forest[child];
      if (other.held && other.parent == node)
        sum = sum + transform(other.X_BC, as_wrench<double>(-other.f));
    }
    const double scale = body.mass * g;
    EXPECT_LE((sum.f - body.mass * joint.a.v).norm(), 1e-9 * scale);
    EXPECT_LE((sum.t - body.J * joint.a.w).norm(), 1e-9 * scale);
    if (!hold.on) continue;
    const double f_n = -joint.f(kNormalRow);
    EXPECT_GE(f_n, -1e-9 * scale);
    const PairLaw& law = x.index.pair(hold.key.pair).law;
    for (const Channel channel : kChannels) {
      const Vec2<double> f = part(joint.f, channel), a = part(joint.w_rate, channel);
      const Vec2<double> v = part(x.instant.contact(node).state.w, channel);
      const double holding = holding_limit(law, channel), kinetic = kinetic_limit(law, channel);
      const double small = 1e-9 * scale;
      switch (hold[channel].grip) {
        case Grip::free:
          EXPECT_EQ(f.norm(), 0);
          break;
        case Grip::stuck:
          EXPECT_LE(f.norm(), holding * f_n + small);
          EXPECT_EQ(a.norm(), 0);
          EXPECT_EQ(v.norm(), 0);
          break;
        case Grip::starting:
          EXPECT_NEAR(f.norm(), kinetic * f_n, small);
          EXPECT_LE((f * a.norm() + kinetic * f_n * a).norm(), 1e-7 * (1 + a.norm()) * scale);
          break;
        case Grip::moving:
          EXPECT_NEAR(f.norm(), kinetic * f_n, small);
          EXPECT_LE(f.dot(v), 0);
          break;
      }
    }
  }
}

// Whatever held together and no longer does: its bodies part.
void expect_parting(const Group& x, const Evaluation& before, const DiscreteState& then) {
  for (int node = 0; node < x.index.nodes(); ++node) {
    if (!then.joint(node).on || x.state.discrete.joint(node).on) continue;
    const Node& old = before.forest[node];
    const auto acceleration = [&](const Pose<double>& X, int i) {
      return i == kGround ? Twist<double>{} : seen_from(X, x.instant.forest[i].a);
    };
    const Vec6<double> rate =
        old.b + stacked(acceleration(old.X_AC, node)) - stacked(acceleration(old.X_BC, old.parent));
    EXPECT_LE(rate(kNormalRow), 1e-9);
  }
}

double kinetic(const Group& x) { return kinetic_energy(x.index, x.instant); }

TEST(JointDecision, WhatIsDecidedObeysAllLaws) {
  int jams = 0, changes = 0;
  for_random_cases(150, [&](Random& random) {
    const double friction = random(0, 3), resistance = random(0, 1) < 0.5 ? 0 : random(0, 2e-3);
    const Vec3<double> spin = random(0, 3) * random.direction();
    Group x(ball_on_pebble(friction, spin, resistance, 1));
    const DiscreteState then = x.state.discrete;
    const Evaluation before = x.instant;
    const double energy = kinetic(x);
    JointDecision decision(x.index, x.state, x.instant);
    const bool held = decision.holds_already();
    ASSERT_EQ(decision.settle(), JointDecision::End::settled);
    x.evaluate();
    expect_laws(x);
    EXPECT_TRUE(decision.holds_already());
    EXPECT_LE(kinetic(x), energy * (1 + 1e-12));
    if (decision.jammed_node() == kGround) {
      EXPECT_NEAR(kinetic(x), energy, 1e-9 * energy);
      expect_parting(x, before, then);
    } else {
      ++jams;
      EXPECT_FALSE(held);
    }
    if (!held) ++changes;
  });
  EXPECT_GT(jams, 3);
  EXPECT_GT(changes, 3);
}

// What holds one by one holds together: nothing changes.
TEST(JointDecision, AgreesWithSingleDecisions) {
  for_random_cases(100, [](Random& random) {
    Group x(ball_on_pebble(random(0.05, 0.3), random(0, 3) * random.direction(), 0, 1));
    JointDecision decision(x.index, x.state, x.instant);
    if (!decision.holds_already()) return;
    const DiscreteState before = x.state.discrete;
    const StateVector y = x.state.y.y;
    ASSERT_EQ(decision.settle(), JointDecision::End::settled);
    for (int node = 0; node < x.index.nodes(); ++node) {
      const Contact &then = before.joint(node), &now = x.state.discrete.joint(node);
      EXPECT_EQ(then.on, now.on);
      if (now.on) {
        EXPECT_EQ(law_of(then), law_of(now));
      }
    }
    EXPECT_LE((x.state.y.y - y).norm(), 1e-12);
  });
}

// It ended at once in solver_trouble, or advised to use a finite friction coefficient.
TEST(JointDecision, AHeavyBallOnALightPebbleRolls) {
  for (const double friction : {0.5, 0.6, 1.0, 3.0}) {
    SCOPED_TRACE(friction);
    const Film f = film(ball_on_pebble(friction, {0, -0.2, 0}, 0, 0.05));
    EXPECT_TRUE(f.ended());
    EXPECT_LE(f.drift(), 1e-9);
    expect_energy_falls(f);
  }
}

// Turned about the vertical, and with bodies in another order, the same happens.
TEST(JointDecision, CopiesAgree) {
  const Vec3<double> spin(0.3, -0.2, 0.4);
  const Film first = film(ball_on_pebble(1.2, spin, 0, 0.02));
  for (const double angle : {0.0, 0.7, 2.1}) {
    const Mat3<double> R = axis_angle(Vec3<double>(0, 0, 1), angle);
    Spec spec = ball_on_pebble(1.2, R * spin, 0, 0.02, angle);
    std::reverse(spec.bodies.begin(), spec.bodies.end());
    const Film other = film(spec);
    ASSERT_EQ(first.events.size(), other.events.size());
    for (const char* name : {"pebble", "ball"})
      EXPECT_LE((R * first.last(name).position - other.last(name).position).norm(), 1e-9) << name;
  }
}

}  // namespace oloid::test::joint_decision_test
