// Contacts on implicit surfaces: the same motion as on the surfaces they describe.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/rooms.h"
#include "support/simulate.h"
#include "support/specs.h"

namespace oloid::test::implicit_test {

using test::Memory;
using test::simulate;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

ImplicitSpec implicit(const std::vector<std::string>& formulas, double half) {
  ImplicitSpec spec;
  spec.formulas = formulas;
  spec.box =
      std::array<Vec3<double>, 2>{Vec3<double>::Constant(-half), Vec3<double>::Constant(half)};
  return spec;
}

void expect_same_motion(const Memory& a, const Memory& b, double tolerance) {
  ASSERT_EQ(a.frames.size(), b.frames.size());
  ASSERT_GT(a.frames.size(), 20U);
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    EXPECT_LT((a.frames[i].body.position - b.frames[i].body.position).norm(), tolerance);
    EXPECT_LT((a.frames[i].body.velocity - b.frames[i].body.velocity).norm(), tolerance);
    EXPECT_LT((a.frames[i].contact.point_B - b.frames[i].contact.point_B).norm(), tolerance);
    EXPECT_NEAR(a.frames[i].contact.normal_force, b.frames[i].contact.normal_force,
                10 * tolerance * a.frames[i].contact.normal_force);
  }
}

// A ball set moving on top of a fixed body.
Spec ball_on(const ShapeSpec& ground, double friction) {
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0, 0, 0.5);
  ball.velocity = Vec3<double>(0.3, 0.1, 0);
  return test::touching(test::scene(ball, test::ground(ground), friction, 0.25));
}

TEST(ImplicitContact, AFormulaMovesBodiesAsTheEllipsoidItMeans) {
  EllipsoidSpec ellipsoid;
  ellipsoid.semi_axes = Vec3<double>(0.7, 0.5, 0.4);
  const ImplicitSpec formula = implicit({"x^2/0.49 + y^2/0.25 + z^2/0.16 - 1"}, 1);
  for (const double friction : {0.0, kUnlimited}) {
    const Memory a = simulate(ball_on(ellipsoid, friction));
    const Memory b = simulate(ball_on(formula, friction));
    EXPECT_LT(b.summary.energy.max_relative_drift, 1e-11);
    expect_same_motion(a, b, 1e-9);
  }
}

// One metaball alone is a ball: (1 − s)⁴ = threshold at its surface.
TEST(ImplicitContact, AMetaballMovesBodiesAsTheSphereItIs) {
  MetaballsSpec metaball;
  metaball.balls.emplace_back().radius = 1;
  metaball.threshold = 0.5;
  SphereSpec sphere;
  sphere.radius = std::sqrt(1 - std::pow(0.5, 0.25));
  expect_same_motion(simulate(ball_on(sphere, kUnlimited)), simulate(ball_on(metaball, kUnlimited)),
                     1e-9);
}

// A ball of radius 1 cut off at z = 0.4: its flat face is a disc of radius √0.84.
TEST(ImplicitContact, TheEdgeOfAnIntersectionEndsTheRun) {
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0, 0, 0.5);
  ball.velocity = Vec3<double>(1, 0.5, 0);
  const ImplicitSpec cut = implicit({"x^2 + y^2 + z^2 - 1", "z - 0.4"}, 1.1);
  const Memory m = simulate(test::scene(ball, test::ground(cut), 0, 5));
  ASSERT_FALSE(m.events.empty());
  EXPECT_EQ(m.events.back().kind, EventKind::open_border);
  EXPECT_EQ(m.events.back().note,
            "the contact has reached a sharp edge: the simulation of its bodies ends here");
  EXPECT_NEAR(m.frames.back().t, std::sqrt(0.84 / 1.25), 1e-9);
  EXPECT_NEAR(m.frames.back().contact.point_B.head<2>().norm(), std::sqrt(0.84), 1e-9);
}

}  // namespace oloid::test::implicit_test
