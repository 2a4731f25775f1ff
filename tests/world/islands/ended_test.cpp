// Islands that cannot be continued: they end at the instant of touch, and the others go on.
#include <gtest/gtest.h>

#include "oloid/world/simulation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::ended_test {

using Vector = Vec3<double>;
constexpr double kG = 9.81;

BodySpec ring() {
  TorusSpec torus;
  torus.major_radius = 0.05;
  torus.minor_radius = 0.01;
  return moving_body(torus, 0.1, 1e-4 * Mat3<double>::Identity());
}
BodySpec cube(double side) {
  BoxSpec box;
  box.size = Vector(side, side, side);
  return moving_body(box, 1, side * side / 6 * Mat3<double>::Identity());
}

Film run_with(Spec spec, int threads) {
  complete_laws(spec);
  const auto model = compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error().front()));
  Film film;
  if (!model) return film;
  State state = initial_state(*model);
  Control control;
  control.threads = threads;
  run(*model, state, film, control);
  return film;
}

// A ring falls flat and ends; a marble beside it bounces on; another marble falls on the ring and
// ends, too.
Spec three_on_a_table() {
  return scene_of(
      {named("ring", ring(), {{0, 0, 0.2}}), named("marble", ball(0.01, 0.01), {{0.3, 0, 0.1}}),
       named("late", ball(0.01, 0.01), {{0.05, 0, 0.6}}), table()},
      {law("marble", "table", 0.3, 0.5)}, 1);
}

TEST(EndedIslands, StayWhereTheyAreWhileOthersGoOn) {
  const Film f = film(three_on_a_table());
  const auto ends = f.of(EventKind::unsupported_contact);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_NEAR(ends[0].t, std::sqrt(2 * 0.19 / kG), 1e-12);
  // From 0.6 m down to the top of the ring, whose tube has its middle at 0.01 m.
  EXPECT_NEAR(ends[1].t, std::sqrt(2 * (0.6 - 0.03) / kG), 1e-12);
  EXPECT_TRUE(f.ended());
  EXPECT_EQ(f.summary.t_end, 1);
  for (const char* name : {"ring", "late"}) {
    EXPECT_TRUE(f.last(name).ended) << name;
    EXPECT_EQ(f.last(name).velocity.norm(), 0) << name;
  }
  EXPECT_FALSE(f.last("marble").ended);
  EXPECT_NEAR(f.last("ring").position.z(), 0.01, 1e-13);
  EXPECT_NEAR(f.last("late").position.z(), 0.03, 1e-12);
  for (const Film::Picture& p : f.pictures) {
    EXPECT_EQ(p.bodies[0].ended, p.t > ends[0].t) << p.t;
    for (const BodyFrame& body : p.bodies) EXPECT_TRUE(body.position.allFinite());
  }
}

// The motion of the others is what it would be without them, bit by bit, for any number of threads.
TEST(EndedIslands, ChangeNothingElse) {
  const Film alone = film(scene_of({named("marble", ball(0.01, 0.01), {{0.3, 0, 0.1}}), table()},
                                   {law("marble", "table", 0.3, 0.5)}, 1));
  for (const int threads : {1, 2, 4}) {
    const Film f = run_with(three_on_a_table(), threads);
    EXPECT_EQ(f.summary.hashes[1], alone.summary.hashes[0]);
  }
}

// Frames count only what moves; the balance of the whole run keeps what the others had when they
// ended.
TEST(EndedIslands, StayInTheBalanceOnly) {
  const Film f = film(three_on_a_table());
  const BodyFrame& marble = f.last("marble");
  const double kinetic = 0.5 * 0.01 * marble.velocity.squaredNorm() +
                         0.5 * 0.4e-6 * marble.angular_velocity.squaredNorm();
  const EnergyFrame& last = f.pictures.back().energy;
  EXPECT_NEAR(last.kinetic + last.potential, kinetic + 0.01 * kG * marble.position.z(), 1e-12);
  const EnergySummary& e = f.summary.energy;
  EXPECT_NEAR(e.initial, e.final + e.dissipated - e.work, 1e-12);
  EXPECT_LE(f.drift(), 1e-12);
}

TEST(EndedIslands, StopEverythingIfAsked) {
  Spec spec = three_on_a_table();
  spec.solver.stop_on_end = true;
  const Film f = film(spec);
  EXPECT_EQ(f.events.back().kind, EventKind::unsupported_contact);
  EXPECT_NEAR(f.summary.t_end, std::sqrt(2 * 0.19 / kG), 1e-12);
}

// What touches along a line or with a face ends at that instant, in any scene. So does what stays
// on a vertex after a plastic impact; from a greater height its spin would lift it off again.
TEST(EndedIslands, EndAtTheInstantOfTouch) {
  struct Case {
    const char* name;
    BodySpec body;
    double lowest;  // [m], below its centre
  };
  const double c = std::cos(0.5), s = std::sin(0.5);
  BodySpec on_face = cube(0.1), on_edge = cube(0.1), on_vertex = cube(0.1);
  on_edge.orientation = Quat<double>{c, s, 0, 0};
  on_vertex.orientation = unit(Quat<double>{0.8, 0.3, -0.4, 0.2});
  const Mat3<double> R = rotation_matrix(on_vertex.orientation.value);
  const Case cases[] = {{"face", on_face, 0.05},
                        {"edge", on_edge, 0.05 * (std::sin(1.0) + std::cos(1.0))},
                        {"vertex", on_vertex, 0.05 * R.row(2).cwiseAbs().sum()},
                        {"ring", ring(), 0.01}};
  for (const Case& one : cases) {
    for (const bool alone : {true, false}) {
      SCOPED_TRACE(one.name);
      const double drop = 0.002;
      std::vector<BodySpec> bodies{named("body", one.body, {{0, 0, one.lowest + drop}}), table()};
      if (!alone) bodies.push_back(named("far", ball(0.02), {{3, 0, 2}}));
      const Film f = film(scene_of(std::move(bodies), {}, 0.5));
      const auto ends = f.of(EventKind::unsupported_contact);
      ASSERT_EQ(ends.size(), 1u);
      EXPECT_NEAR(ends[0].t, std::sqrt(2 * drop / kG), 1e-12);
      EXPECT_NEAR(f.last("body").position.z(), one.lowest, 1e-12);
    }
  }
}

}  // namespace oloid::test::ended_test
