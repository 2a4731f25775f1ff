// Simulations that are advanced by pieces, saved, resumed and pushed from outside.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/simulation.h"
#include "support/film.h"
#include "support/group.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::stepping_test {

using Vector = Vec3<double>;

// Everything that a recorder is told, with all bits.
struct Told final : Recorder {
  std::vector<double> numbers;
  std::vector<EventKind> kinds;
  Summary summary;
  void begin(const Header&) override {}
  void frame(const Frame& f) override {
    for (const double x : {f.t, 1.0 * f.event_side, f.energy.kinetic, f.energy.potential,
                           f.energy.dissipated, f.energy.work})
      numbers.push_back(x);
    for (const BodyFrame& b : f.bodies) {
      for (const Vector& v : {b.position, b.velocity, b.angular_velocity})
        numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
      const Quat<double>& q = b.orientation;
      numbers.insert(numbers.end(), {q.w, q.x, q.y, q.z});
    }
    for (const ContactFrame& c : f.contacts)
      numbers.insert(numbers.end(), {1.0 * c.id.index, 1.0 * c.pair, c.gap, c.normal_force});
    numbers.insert(numbers.end(), f.probes.begin(), f.probes.end());
  }
  void event(const Event& e) override {
    kinds.push_back(e.kind);
    numbers.insert(numbers.end(), {e.t, e.value, 1.0 * e.contact.index, 1.0 * e.pair});
  }
  void end(const Summary& s) override { summary = s; }
};

// Not a number is what it is.
void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i;
}

void expect_same(const Told& a, const Told& b) {
  EXPECT_EQ(a.kinds, b.kinds);
  expect_same_bits(a.numbers, b.numbers);
  EXPECT_EQ(a.summary.hash, b.summary.hash);
  EXPECT_EQ(a.summary.hashes, b.summary.hashes);
  EXPECT_EQ(a.summary.energy.max_relative_drift, b.summary.energy.max_relative_drift);
  EXPECT_EQ(a.summary.counters.steps, b.summary.counters.steps);
}

Told whole(const Model& model) {
  Told told;
  State state = initial_state(model);
  run(model, state, told);
  return told;
}

Told in_slices(const Model& model, Random& random) {
  Told told;
  Simulation simulation(model, told);
  while (!simulation.over())
    simulation.advance_to(simulation.t() + model.t_end * std::pow(10, random(-4, -0.5)));
  simulation.finish();
  return told;
}

// Saved at some instants and gone on from there by somebody else.
Told with_saves(const Model& model, Random& random) {
  Told told;
  State saved = initial_state(model);
  for (double t = 0; t < model.t_end;) {
    t = random(0, 1) < 0.2 ? model.t_end : std::min(t + random(0, 0.4) * model.t_end, model.t_end);
    Simulation simulation(model, saved, told);
    simulation.advance_to(t);
    if (simulation.over()) {
      simulation.finish();
      return told;
    }
    saved = simulation.save();
  }
  return told;
}

void expect_pieces_change_nothing(const Model& model, int seed) {
  Random random(seed);
  const Told all = whole(model);
  {
    SCOPED_TRACE("in slices");
    expect_same(in_slices(model, random), all);
  }
  SCOPED_TRACE("with saves");
  expect_same(with_saves(model, random), all);
}

// Balls that bounce, meet each other, come to rest and roll apart, with formulas that are watched.
Spec many_balls() {
  std::vector<BodySpec> bodies{table()};
  for (int i = 0; i < 7; ++i) {
    const double x = 0.21 * i;
    bodies.push_back(named("b" + std::to_string(i), ball(0.1),
                           {{x, 0.02 * std::sin(5.0 * i), 0.15 + 0.07 * (i % 3)},
                            {i % 2 == 0 ? 0.5 : -0.7, 0.1 * i, 0},
                            {0.3 * i, 1, -2}}));
  }
  std::vector<PairSpec> laws;
  for (int i = 0; i < 7; ++i) {
    laws.push_back(law("b" + std::to_string(i), "table", 0.3, 0.5));
    for (int k = 0; k < i; ++k)
      laws.push_back(law("b" + std::to_string(i), "b" + std::to_string(k), 0.2, 0.8));
  }
  Spec spec = scene_of(bodies, laws, 1);
  spec.output_dt = 0.013;
  spec.probes.resize(2);
  spec.probes[0].name = std::string("gap");
  spec.probes[0].formula = std::string("b1.b2.gap - 0.05");
  spec.probes[1].name = std::string("height");
  spec.probes[1].formula = std::string("b3.z - 0.17");
  return spec;
}

TEST(Simulation, PiecesOfTimeChangeNoBit) {
  const Model model = compiled(many_balls());
  EXPECT_GT(whole(model).kinds.size(), 20u);
  for (int seed = 1; seed <= 4; ++seed) expect_pieces_change_nothing(model, seed);
}

TEST(Simulation, PiecesOfTimeChangeNoBitInTheGallery) {
  int seed = 100;
  for (const auto& file : std::filesystem::directory_iterator(OLOID_SCENES)) {
    if (file.path().extension() != ".toml") continue;
    SCOPED_TRACE(file.path().filename().string());
    auto spec = read_scene(file.path().string());
    ASSERT_TRUE(spec);
    spec->duration.value = std::min(spec->duration.value, 0.5);
    const auto model = compile(*spec);
    ASSERT_TRUE(model) << to_string(model.error().front());
    expect_pieces_change_nothing(*model, ++seed);
  }
}

// As the recorder sees it at that instant.
TEST(Simulation, ShowsWhatIsThere) {
  const Model model = compiled(many_balls());
  Told told;
  Simulation simulation(model, told);
  const double t = 0.2931;
  simulation.advance_to(t);
  EXPECT_EQ(simulation.t(), t);
  EXPECT_FALSE(simulation.over());
  const Frame frame = simulation.frame();
  EXPECT_EQ(frame.t, t);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyFrame body = simulation.body(BodyId{static_cast<std::int32_t>(i)});
    EXPECT_EQ(body.position, simulation.frame().bodies[i].position);
    EXPECT_EQ(body.velocity, simulation.frame().bodies[i].velocity);
  }
  // A new start from there is near the old way.
  Told rest, old;
  State now = simulation.state();
  EXPECT_EQ(now.t, t);
  simulation.advance_to(t + 0.01);
  Simulation other(model, now, rest);
  other.advance_to(t + 0.01);
  for (const BodyId id : model.moving)
    EXPECT_LE(distance(simulation.body(id), other.body(id)), 1e-9);
}

// v = F t / m from when it acts; its work is the kinetic energy.
TEST(Simulation, AppliedForcesActFromWhenTheyAreSet) {
  Spec spec = scene_of({named("ball", ball(0.1), {{0, 0, 0}}),
                        named("other", ball(0.1), {{0, 9, 0}, {1, 0, 0}, {0, 0, 0}})},
                       {}, 2);
  spec.gravity = Vector(0, 0, 0);
  const Model model = compiled(spec);
  const BodyId ball = body_named(model, "ball");
  const double mass = model.body(ball).inertia.mass;
  Told told;
  Simulation simulation(model, told);
  simulation.advance_to(0.5);
  simulation.set_load(ball, {mass, 0, 0}, {0, 0, 0});
  simulation.advance_to(1.25);
  EXPECT_LE((simulation.body(ball).velocity - Vector(0.75, 0, 0)).norm(), 1e-13);
  simulation.set_load(ball, {0, 2 * mass, 0}, {0, 0, 0.001});
  simulation.advance_to(1.5);
  simulation.set_load(ball, {0, 0, 0}, {0, 0, 0});
  simulation.advance_to(2);
  const BodyFrame end = simulation.body(ball);
  EXPECT_LE((end.velocity - Vector(0.75, 0.5, 0)).norm(), 1e-13);
  const double J = model.body(ball).inertia.J(2, 2);
  EXPECT_NEAR(end.angular_velocity.z(), 0.00025 / J, 1e-12 * 0.001 / J);
  EXPECT_LE((end.position - Vector(0.5 * 0.75 * 0.75 + 0.75 * 0.75, 0.25 * 0.25 + 0.25, 0)).norm(),
            1e-12);
  EXPECT_TRUE(simulation.over());
  const Summary& summary = simulation.finish();
  EXPECT_NEAR(summary.energy.work, summary.energy.final - summary.energy.initial, 1e-13);
  EXPECT_LE(summary.energy.max_relative_drift, 1e-13);
}

// Setting the load that acts already cuts steps, but is no other motion.
TEST(Simulation, ARepeatedLoadIsTheSameMotion) {
  const Model model = compiled(many_balls());
  const BodyId id = body_named(model, "b2");
  const auto moved = [&](int times) {
    Told told;
    Simulation simulation(model, told);
    for (int i = 0; i < times; ++i) {
      simulation.advance_to(0.3 * i / times);
      simulation.set_load(id, {0.01, 0.02, 0}, {0, 0, 0});
    }
    simulation.advance_to(0.3);
    return simulation.body(id);
  };
  EXPECT_LE(distance(moved(1), moved(100)), 1e-8);
}

// A push too weak for friction leaves a ball of resistance where it lies; a stronger one does not.
TEST(Simulation, AppliedForcesWakeBodies) {
  Spec spec =
      scene_of({named("ball", ball(0.1), {{0, 0, 0.1}}), table()}, {law("ball", "table", 0.5)}, 2);
  spec.pairs[0].law.rolling_resistance = Located<double>(0.01);
  const Model model = compiled(spec);
  const BodyId id = body_named(model, "ball");
  const double limit = model.body(id).inertia.mass * 9.81 * 0.01 / 0.1;
  Told told;
  Simulation simulation(model, told);
  simulation.advance_to(0.5);
  simulation.set_load(id, {0.99 * limit, 0, 0}, {0, 0, 0});
  simulation.advance_to(1);
  EXPECT_EQ(simulation.body(id).velocity.norm(), 0);
  simulation.set_load(id, {1.01 * limit, 0, 0}, {0, 0, 0});
  simulation.advance_to(2);
  // (7/5) m a = F − F_limit.
  const double a = 0.01 * limit / (1.4 * model.body(id).inertia.mass);
  EXPECT_NEAR(simulation.body(id).velocity.x(), a, 1e-9 * a);
}

}  // namespace oloid::test::stepping_test
