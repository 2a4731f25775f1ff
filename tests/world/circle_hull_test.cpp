// Balls that roll and slide on hulls of circles.
#include "oloid/geometry/analytic/circle_hull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <variant>

#include "oloid/world/simulation.h"
#include "oloid/world/tools/forms.h"
#include "support/rooms.h"
#include "support/simulate.h"
#include "support/specs.h"

namespace oloid::test::circle_hull_test {

using test::Memory;
using test::simulate;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

double energy(const BodyFrame& f, double r) {
  return 0.5 * f.velocity.squaredNorm() + 0.2 * r * r * f.angular_velocity.squaredNorm() +
         9.81 * f.position.z();
}

// A can lying along y, with end faces, as the hull of two circles and as a plain cylinder.
TEST(CircleHullMotion, CanIsACylinder) {
  TwoCirclesSpec can;
  can.centre = {Vec3<double>(0, 0, -1), Vec3<double>(0, 0, 1)};
  can.axis = {Vec3<double>(0, 0, 1), Vec3<double>(0, 0, -3)};
  can.radius = {0.5, 0.5};
  CylinderSpec cylinder;
  cylinder.radius = 0.5;
  cylinder.length = 2.0;
  for (const double friction : {0.0, 0.2, kUnlimited}) {
    const auto on = [&](const ShapeSpec& shape) {
      BodySpec lying = test::ground(shape);
      lying.orientation = unit(Quat<double>{1, 1, 0, 0});
      BodySpec ball = test::ball(0.1);
      ball.position = Vec3<double>(0.6 * std::sin(0.1), 0.2, 0.6 * std::cos(0.1));
      ball.velocity = Vec3<double>(0, -0.4, 0);
      ball.angular_velocity = Vec3<double>(1, 0, 3);
      return simulate(test::scene(ball, lying, friction, 0.4));
    };
    const Memory hull = on(can), plain = on(cylinder);
    std::size_t compared = 0, j = 0;
    for (const auto& frame : plain.frames) {
      if (frame.side != 0) continue;
      while (j < hull.frames.size() &&
             (hull.frames[j].side != 0 || hull.frames[j].t < frame.t - 1e-12))
        ++j;
      ASSERT_LT(j, hull.frames.size());
      EXPECT_LE((hull.frames[j].body.position - frame.body.position).norm(), 1e-10);
      EXPECT_LE((hull.frames[j].body.angular_velocity - frame.body.angular_velocity).norm(), 1e-9);
      ++compared;
    }
    EXPECT_GE(compared, 40U);
  }
}

// Along strips and over seams of the oloid nothing is lost.
TEST(CircleHullMotion, BallKeepsItsEnergyOnAnOloid) {
  OloidSpec oloid;
  oloid.radius = 0.5;
  for (const double friction : {0.0, kUnlimited}) {
    BodySpec fixed = test::ground(oloid);
    fixed.orientation = unit(Quat<double>{std::cos(0.5236), std::sin(0.5236), 0, 0});
    BodySpec ball = test::ball(0.1);
    ball.position = Vec3<double>(0.1, 0, 0.75);
    ball.velocity = Vec3<double>(-0.3, 0.2, 0);
    const Memory m = simulate(gliding(test::touching(test::scene(ball, fixed, friction, 0.4))));
    ASSERT_GT(m.frames.size(), 30U);
    for (const auto& frame : m.frames)
      EXPECT_NEAR(energy(frame.body, 0.1), energy(m.frames.front().body, 0.1), 1e-11);
  }
}

// From cone to cone the curvature jumps, the motion does not.
TEST(CircleHullMotion, BallRollsOverTheSeamOfASphericon) {
  SphericonSpec sphericon;
  sphericon.radius = 0.5;
  BodySpec fixed = test::ground(sphericon);
  // The seam from (0, 0, r) to (0, r, 0) on top: its normal (0, 1, 1) turned up.
  fixed.orientation = unit(Quat<double>{std::cos(0.3927), std::sin(0.3927), 0, 0});
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(-0.05, 0.05, 0.5);
  ball.velocity = Vec3<double>(1, 0, 0);
  ball.angular_velocity = Vec3<double>(0, 10, 0);
  const Memory m = simulate(gliding(test::touching(test::scene(ball, fixed, kUnlimited, 0.2))));
  ASSERT_GT(m.frames.size(), 10U);
  EXPECT_GT(m.frames.back().body.position.x(), 0.05);
  for (const auto& frame : m.frames)
    EXPECT_NEAR(energy(frame.body, 0.1), energy(m.frames.front().body, 0.1), 1e-10);
}

TEST(Forms, NeedNoContact) {
  WireSpec wire;
  wire.curve = WireCurveSpec(CircleCurveSpec{0.2});
  OloidSpec oloid;
  oloid.radius = 0.5;
  BodySpec ring = test::ground(wire), body = test::ball(0.1);
  body.shape = Located<ShapeSpec>(oloid);
  body.mass.reset();
  body.inertia.reset();
  body.density = Located<double>(1000);
  body.position = Vec3<double>(0, 0, 7);
  const Spec spec = test::scene(body, ring, 0, 1);
  EXPECT_TRUE(has_wires(spec));
  const auto forms = compile_forms(spec);
  ASSERT_TRUE(forms);
  ASSERT_EQ(forms->size(), 2U);
  EXPECT_TRUE(std::holds_alternative<Shape>((*forms)[0].form));
  EXPECT_LE(((*forms)[0].X_WS.p - Vec3<double>(0, 0, 7)).norm(), 1e-14);
  EXPECT_NEAR(std::get<Curve>((*forms)[1].form).length(), 0.4 * std::acos(-1), 1e-14);
  const auto model = compile(spec);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().front().message.find("contacts of curves"), std::string::npos);
}

}  // namespace oloid::test::circle_hull_test
