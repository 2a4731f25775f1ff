// Contacts that run over the faces of polyhedra.
#include <gtest/gtest.h>

#include <cmath>

#include "oloid/world/simulation.h"
#include "support/rooms.h"
#include "support/simulate.h"
#include "support/specs.h"

namespace oloid::test::polyhedron_test {

using test::Memory;
using test::simulate;

// At a tolerance where frames between steps, too, are good to 1e-10.
// A ball of radius 0.1 that slides off with a spin, on ground whose surface is z = 0 about x = 0.
Spec sliding_ball(ShapeSpec shape, const Vec3<double>& position, double duration) {
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(-0.5, 0.1, 0.1);
  ball.velocity = Vec3<double>(1, -0.2, 0);
  ball.angular_velocity = Vec3<double>(3, -2, 5);
  BodySpec ground = test::ground(std::move(shape));
  ground.position = position;
  return test::scene(ball, ground, 0.2, duration);
}

// z ≤ 0 and |x| ≤ 1, as one block or as two that lie side by side at x = 0.
Cage blocks(bool two) {
  Cage cage;
  const double ends[3] = {-1, two ? 0.0 : 1.0, 1};
  for (int part = 0; part < (two ? 2 : 1); ++part) {
    const int first = static_cast<int>(cage.vertices.size());
    for (int i = 0; i < 8; ++i)
      cage.vertices.emplace_back(ends[part + (i & 1)], i & 2 ? 1 : -1, i & 4 ? 0 : -1);
    for (std::vector<int> face : std::vector<std::vector<int>>{
             {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
      for (int& v : face) v += first;
      cage.faces.push_back(face);
      cage.part_of_face.push_back(part);
    }
    cage.parts.push_back("block");
  }
  return cage;
}
PolyhedronSpec mesh(Cage cage) {
  PolyhedronSpec spec;
  spec.mesh = {std::string("blocks.obj"), std::make_shared<const Cage>(std::move(cage))};
  return spec;
}

void expect_same_motion(const Memory& a, const Memory& b, double until) {
  ASSERT_GT(a.frames.size(), 10U);
  for (std::size_t i = 0, j = 0; i < a.frames.size(); ++i) {
    if (a.frames[i].side != 0 || a.frames[i].t > until) continue;
    while (j < b.frames.size() && (b.frames[j].t < a.frames[i].t || b.frames[j].side != 0)) ++j;
    ASSERT_LT(j, b.frames.size());
    const BodyFrame &x = a.frames[i].body, &y = b.frames[j].body;
    EXPECT_LE((x.position - y.position).norm(), 1e-11);
    EXPECT_LE((x.velocity - y.velocity).norm(), 1e-11);
    EXPECT_LE((x.angular_velocity - y.angular_velocity).norm(), 1e-10);
  }
}

// On the top of a box a ball moves as on a plane, until it comes to the edge.
TEST(PolyhedronContact, ABallOnABoxMovesAsOnAPlane) {
  BoxSpec box;
  box.size = Vec3<double>(2, 2, 0.5);
  const Memory plane = simulate(sliding_ball(PlaneSpec{}, Vec3<double>::Zero(), 3));
  const Memory on_box = simulate(sliding_ball(box, {0, 0, -0.25}, 3));
  ASSERT_EQ(on_box.of(EventKind::open_border).size(), 1U);
  const Event& end = on_box.events.back();
  EXPECT_EQ(end.kind, EventKind::open_border);
  EXPECT_EQ(end.note,
            "the contact has reached a sharp edge: the simulation of its bodies ends here");
  expect_same_motion(on_box, plane, end.t);
  // There it is right above the edge.
  EXPECT_NEAR(on_box.summary.bodies[0].position.x(), 1, 1e-12);
  ASSERT_EQ(plane.of(EventKind::mode_change).size(), 1U);
  EXPECT_NEAR(on_box.of(EventKind::mode_change).at(0).t, plane.of(EventKind::mode_change)[0].t,
              1e-11);
}

// Two blocks side by side are one surface where they are flush: the run goes on from one to the
// other and ends at the same instant.
TEST(PolyhedronContact, ABallCrossesFromBlockToBlock) {
  const Memory one = simulate(sliding_ball(mesh(blocks(false)), Vec3<double>::Zero(), 3));
  const Memory two = simulate(sliding_ball(mesh(blocks(true)), Vec3<double>::Zero(), 3));
  EXPECT_EQ(two.summary.counters.chart_crossings, one.summary.counters.chart_crossings + 1);
  ASSERT_EQ(two.events.back().kind, EventKind::open_border);
  EXPECT_NEAR(two.events.back().t, one.events.back().t, 1e-8);  // flush faces end a little late
  expect_same_motion(two, one, one.events.back().t);
}

// A tilted box: the ball rolls down its top face with 5/7 g sin α.
TEST(PolyhedronContact, ABallRollsDownATiltedBox) {
  const double a = 0.3, g = 9.81, r = 0.1;
  BoxSpec box;
  box.size = Vec3<double>(4, 1, 1);
  BodySpec ground = test::ground(box);
  ground.orientation = Quat<double>{std::cos(a / 2), 0, std::sin(a / 2), 0};
  BodySpec ball = test::ball(r);
  const Vec3<double> normal(std::sin(a), 0, std::cos(a)), down(std::cos(a), 0, -std::sin(a));
  ball.position = Vec3<double>((0.5 + r) * normal);
  const Memory memory = simulate(test::scene(ball, ground, 0.5, 0.8));
  const double t = memory.summary.t_end, s = 5.0 / 14 * g * std::sin(a) * t * t;
  EXPECT_EQ(t, 0.8);
  EXPECT_LE((memory.summary.bodies[0].position - (ball.position.value + s * down)).norm(), 1e-11);
}

// Density: a box of water with the moments of inertia of a box.
TEST(PolyhedronContact, DensityGivesMassAndInertia) {
  BoxSpec box;
  box.size = Vec3<double>(1, 2, 3);
  BodySpec body = test::moving_body(box, 1, Mat3<double>::Identity());
  body.mass.reset();
  body.inertia.reset();
  body.density = Located<double>(1000);
  body.position = Vec3<double>(0, 0, 3);
  SphereSpec sphere;
  sphere.radius = 1.5;
  const auto model = compile(test::scene(body, test::ground(sphere), 0.5, 1));
  ASSERT_TRUE(model) << to_string(model.error().front());
  EXPECT_NEAR(model->bodies[0].inertia.mass, 6000, 1e-11);
  const Vec3<double> J(500 * 13, 500 * 10, 500 * 5);
  EXPECT_LE((model->bodies[0].inertia.J - Mat3<double>(J.asDiagonal())).norm(), 1e-10);
}

}  // namespace oloid::test::polyhedron_test
