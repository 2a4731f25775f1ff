// Bounds of the motion over a step: they hold, and not by much.
#include "oloid/world/islands/motion_bound.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "laws/random.h"
#include "oloid/base/largest.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::motion_bound_test {

using Vector = Vec3<double>;

constexpr int kSamples = 400;

void expect_bound(double largest, double bound, double slack) {
  EXPECT_GE(bound, largest * (1 - 1e-12));
  EXPECT_LE(bound, slack * largest + 1e-12);
}

// What a step's curve gives, for any coefficients.
struct Made {
  Group group;
  Step step;

  explicit Made(const Spec& spec) : group(spec) {
    step.start = group.state;
    step.curve.resize(static_cast<int>(group.state.y.y.size()));
    step.curve.t0 = 0;
    step.curve.h = 0.7;
    step.t1 = 0.7;
    step.bounds.resize(static_cast<std::size_t>(group.index.nodes()));
    step.origins.resize(step.bounds.size());
  }
  const MotionBound& bound() {
    bound_motion(group.index, group.state.discrete, group.instant, step);
    return step.bounds[0];
  }
  // The largest length of three rows and of their rate.
  struct Largest {
    double value = 0, rate = 0;
  };
  Largest sampled(Eigen::Index at) const {
    Largest out;
    const double d = 1e-5;
    for (int k = 0; k <= kSamples; ++k) {
      const double t = d + (step.curve.h - 2 * d) * k / kSamples;
      const StateVector left = step.curve(t - d), right = step.curve(t + d);
      out.value = std::max({out.value, left.segment<3>(at).norm(), right.segment<3>(at).norm()});
      out.rate = nan_or_max(out.rate, (right - left).segment<3>(at).norm() / (2 * d));
    }
    return out;
  }
};

Spec flying() {
  return scene_of({named("body", ellipsoid({0.3, 0.2, 0.1}, 1.3), {{1, 2, 3}})}, {}, 1);
}

// Each polynomial of a curve alone: its largest value and slope are bounded to within a few
// percent.
TEST(MotionBound, EachPolynomialHasItsBound) {
  Made made(flying());
  Random random(1);
  for (int column = 0; column < 8; ++column) {
    SCOPED_TRACE(column);
    made.step.curve.c.setZero();
    made.step.curve.c.col(column).segment<3>(kVelocity) = random.vector<3>(-1, 1);
    made.step.curve.c.col(column).segment<3>(kSpinning) = random.vector<3>(-1, 1);
    const MotionBound b = made.bound();
    const Made::Largest v = made.sampled(kVelocity), w = made.sampled(kSpinning);
    expect_bound(v.value, b.v, 1.015);
    expect_bound(w.value, b.w, 1.015);
    expect_bound(v.rate * (1 - 1e-3), b.a, 1.04);
    expect_bound(w.rate * (1 - 1e-3), b.alpha, 1.04);
  }
}

TEST(MotionBound, AnyCurveIsBounded) {
  Made made(flying());
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    for (int column = 0; column < 8; ++column)
      made.step.curve.c.col(column) = random(0.0, 1.0) * random.vector<kBlock + kWorkSize>(-1, 1);
    const MotionBound b = made.bound();
    const Made::Largest v = made.sampled(kVelocity), w = made.sampled(kSpinning);
    expect_bound(v.value, b.v, 4);
    expect_bound(w.value, b.w, 4);
    expect_bound(v.rate * (1 - 1e-6), b.a, 10);
    expect_bound(w.rate * (1 - 1e-6), b.alpha, 10);
  }
}

// A tumbling body with a force that changes: v̇ = g + F/m, ω̇ = −J⁻¹ (ω × J ω).
TEST(MotionBound, OfAFreeBodyAlongARun) {
  Spec spec = scene_of({named("body", ellipsoid({0.3, 0.2, 0.1}, 1.3),
                              {{1, 2, 3}, {0.7, -0.4, 0.2}, {0.05, 6, -0.1}})},
                       {}, 2);
  spec.loads = {force("body", {"5 * sin(9 * t)", "3", "2 * cos(4 * t)"})};
  const Model model = compiled(spec);
  const Islands islands = islands_of(model);
  Island& island = *islands.begin();
  island.advance(2, 1000, true);
  ASSERT_GT(island.steps(), 10);
  const Mat3<double>& J = model.bodies[0].inertia.J;
  for (int i = 0; i < island.steps(); ++i) {
    const Step& step = island.step(i);
    double v = 0, w = 0, a = 0, alpha = 0;
    for (int k = 0; k <= 50; ++k) {
      const double t = step.start.t() + (step.t1 - step.start.t()) * k / 50;
      const BodyMotion x = island.place(step, t).body(BodyId{0});
      if (k == 0) {
        EXPECT_EQ(step.origins[0], x.X_WB.p);
      }
      const Vector F(5 * std::sin(9 * t), 3, 2 * std::cos(4 * t));
      v = nan_or_max(v, x.phi.v.norm());
      w = nan_or_max(w, x.phi.w.norm());
      a = nan_or_max(a, (Vector(0, 0, -9.81) + F / 1.3).norm());
      const Vector turning = J.inverse() * x.phi.w.cross(J * x.phi.w);
      alpha = nan_or_max(alpha, turning.norm());
    }
    const MotionBound b = bound_of(island.group(), step, BodyId{0}, step.t1);
    expect_bound(v, b.v, 1.5);
    expect_bound(w, b.w, 1.5);
    expect_bound(a * (1 - 1e-7), b.a, 3);
    expect_bound(alpha * (1 - 1e-7), b.alpha, 5);
  }
}

// Of bodies that are held, along a run.
void expect_held_bounds(const Spec& spec, double slack) {
  const Model model = compiled(spec);
  const Islands islands = islands_of(model);
  for (Island& island : islands) {
    island.advance(model.t_end, 100, true);
    ASSERT_GT(island.steps(), 5);
    for (int i = 0; i < island.steps(); ++i) {
      const Step& step = island.step(i);
      for (int node = 0; node < island.group().nodes(); ++node) {
        const BodyId id = island.group().id(node);
        const Contact& hold = step.start.discrete.joint(node);
        double v = 0, w = 0, w_parent = 0;
        for (int k = 0; k <= 50; ++k) {
          const double t = step.start.t() + (step.t1 - step.start.t()) * k / 50;
          const Evaluation& now = island.place(step, t);
          v = nan_or_max(v, now.body(id).phi.v.norm());
          w = nan_or_max(w, now.body(id).phi.w.norm());
          if (hold.on) w_parent = nan_or_max(w_parent, now.body(hold.parent).phi.w.norm());
        }
        const MotionBound b = bound_of(island.group(), step, id, step.t1);
        // Of the turning only its rate is known, not how near the contact is to its axis; nor
        // whether it goes against that of what holds the body.
        EXPECT_GE(b.v, v * (1 - 1e-12));
        EXPECT_GE(b.w, w * (1 - 1e-12));
        EXPECT_LE(b.v, slack * (v + w * model.body(id).length) + 1e-12);
        EXPECT_LE(b.w, slack * (w + w_parent) + 1e-12);
        if (hold.on) {
          EXPECT_TRUE(std::isinf(b.a) && std::isinf(b.alpha));
        }
      }
    }
  }
}

TEST(MotionBound, OfBodiesOnStillGround) {
  expect_held_bounds(rattleback(1), 5);
  Spec sliding = scene_of(
      {named("body", ellipsoid({0.3, 0.25, 0.2}, 1.3), {{0, 0, 0.2}, {3, 1, 0}, {1, -2, 8}}),
       table()},
      {law("body", "table", 0.2)}, 0.5);
  expect_held_bounds(sliding, 5);
}

// A turntable that also moves: far from its axis its turning counts most.
TEST(MotionBound, OfABodyOnMovingGround) {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"0.3 * sin(3 * t)", "0", "0"});
  motion.angle = Located<std::string>("4 * t");
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  plate.motion = Located<MotionSpec>(motion);
  for (const double mu : {0.0, 0.3, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    const Vector at(1.5, 0, 0.2), v = Vector(0.9, 0, 0) + Vector(0, 0, 4).cross(at);
    expect_held_bounds(scene_of({named("body", ball(0.2), {at, v, {0, 0, 4}}), plate},
                                {law("body", "plate", mu)}, 0.5),
                       10);
  }
}

// One on another: what holds a body carries it along.
TEST(MotionBound, OfABodyOnABody) {
  for (const double mu : {0.0, 0.3, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    Spec spec = scene_of(
        {named("a", ball(0.1, 0.4), {{0, 0, 0.7}, {2, 0, 0}}),
         named("b", ellipsoid({0.4, 0.35, 0.3}, 2.1), {{0, 0, 0.3}, {1, 0.2, 0}, {0, 3, 1}}),
         table()},
        {law("a", "b", mu), law("b", "table", 0.3)}, 0.1);
    spec.springs = {spring("a", "b", 200)};
    expect_held_bounds(spec, 10);
  }
}

}  // namespace oloid::test::motion_bound_test
