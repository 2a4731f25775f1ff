// Whole runs converge: at the order of their integrator in contact, and through events.
#include <gtest/gtest.h>

#include <cmath>

#include "oloid/world/simulation.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::order_test {

BodyFrame end_of(const Spec& spec) {
  const auto model = compile(spec);
  EXPECT_TRUE(model);
  State state = initial_state(*model);
  Memory memory;
  run(*model, state, memory);
  EXPECT_EQ(memory.events.back().kind, EventKind::end);
  return memory.summary.bodies[0];
}

double distance(const BodyFrame& a, const BodyFrame& b) {
  return (a.position - b.position).norm() + (a.velocity - b.velocity).norm() +
         0.1 * (a.angular_velocity - b.angular_velocity).norm();
}

Spec with_rk4(Spec spec, double step) {
  spec.solver.method = Method::rk4;
  spec.solver.max_step = Located<double>(step);
  return spec;
}

BodySpec egg() {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.25, 0.2);
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.05, 0.06, 0.075).asDiagonal());
  body.position = Vec3<double>(0, 0, 0.2);
  body.velocity = Vec3<double>(0.3, 0.5, 0);
  body.angular_velocity = Vec3<double>(1, -2, 3);
  return body;
}

void expect_order(const Spec& spec, double coarse, double order) {
  Spec exact = spec;
  exact.solver.rtol = 1e-14;
  const BodyFrame reference = end_of(exact);
  const double e1 = distance(end_of(with_rk4(spec, coarse)), reference);
  const double e2 = distance(end_of(with_rk4(spec, coarse / 2)), reference);
  const double e3 = distance(end_of(with_rk4(spec, coarse / 4)), reference);
  EXPECT_GT(std::log2(e1 / e3) / 2, order - 0.3) << e1 << " " << e2 << " " << e3;
  EXPECT_LT(std::log2(e1 / e3) / 2, order + 1.2) << e1 << " " << e2 << " " << e3;
}

TEST(Convergence, Rk4RollsAndSlidesAtOrderFour) {
  expect_order(scene(egg(), ground(), INFINITY, 0.5), 4e-3, 4);  // rolling
  expect_order(scene(egg(), ground(), 0, 0.5), 4e-3, 4);         // frictionless
  expect_order(scene(egg(), ground(), 0.02, 0.5), 4e-3, 4);      // sliding throughout
}

// Through the end of a slip and its onset the order is that of locating the events, still above 2.
TEST(Convergence, Rk4ConvergesThroughEvents) {
  BodySpec fast = egg();
  fast.velocity = Vec3<double>(1, 0.5, 0);
  fast.angular_velocity = Vec3<double>(1, -2, 5);
  const Spec slides_then_rolls = scene(fast, ground(), 0.3, 0.6);
  const Spec sticks_and_slips = scene(fast, ground(), 0.1, 3);  // five changes, two onsets of slip
  for (const Spec& spec : {slides_then_rolls, sticks_and_slips}) {
    Spec exact = spec;
    exact.solver.rtol = 1e-14;
    const BodyFrame reference = end_of(exact);
    const double coarse = distance(end_of(with_rk4(spec, 4e-3)), reference);
    const double fine = distance(end_of(with_rk4(spec, 1e-3)), reference);
    EXPECT_GT(std::log2(coarse / fine) / 2, 2) << coarse << " " << fine;
    EXPECT_LT(fine, 1e-7);
  }
}

TEST(Convergence, AdaptiveErrorFollowsTheTolerance) {
  for (const double friction : {0.0, 0.3, static_cast<double>(INFINITY)}) {
    Spec spec = scene(egg(), ground(), friction, 1.5);
    spec.solver.rtol = 1e-14;
    const BodyFrame reference = end_of(spec);
    double last = INFINITY;
    for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) {
      spec.solver.rtol = rtol;
      const double error = distance(end_of(spec), reference);
      EXPECT_LE(error, 300 * rtol) << "friction " << friction << " rtol " << rtol;
      EXPECT_LT(error, last);
      last = error;
    }
  }
}

}  // namespace oloid::test::order_test
