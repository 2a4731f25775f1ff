#include "oloid/world/simulation.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <numbers>

#include "support/count_allocations.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::simulation_test {

constexpr double g = 9.81;

Memory simulate(const Spec& spec, const Control& control = {}) {
  const auto model = compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error().front()));
  Memory memory;
  if (!model) return memory;
  State state = initial_state(*model);
  run(*model, state, memory, control);
  EXPECT_EQ(memory.ends, 1);
  return memory;
}

TEST(Simulation, BallRollsDownTheSlope) {
  const double a = 25 * std::numbers::pi / 180;
  const Memory m = simulate(ball_on_slope(25, 0.3, 1));
  const Vec3<double> moved = m.summary.bodies[0].position - m.frames.front().body.position;
  EXPECT_NEAR(moved.norm(), 5.0 / 14 * g * std::sin(a), 1e-11);
  EXPECT_EQ(m.frames.front().contact.mode, Mode::rolling);
  EXPECT_NEAR(m.frames.front().contact.normal_force, g * std::cos(a), 1e-13 * g);
  EXPECT_NEAR(m.frames.front().contact.friction.norm(), 2.0 / 7 * g * std::sin(a), 1e-13 * g);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
}

TEST(Simulation, BallSlipsWhereTheConeIsTooNarrow) {
  // Limit of rolling: tan a = 7/2 μ.
  const double mu = 0.1, limit = std::atan(3.5 * mu) * 180 / std::numbers::pi;
  EXPECT_EQ(simulate(ball_on_slope(limit - 1e-6, mu, 0.1)).frames.back().contact.mode,
            Mode::rolling);
  const Memory slips = simulate(ball_on_slope(limit + 1e-6, mu, 0.1));
  EXPECT_EQ(slips.frames.back().contact.mode, Mode::sliding);
  const Memory fast = simulate(ball_on_slope(40, mu, 1));
  const double a = 40 * std::numbers::pi / 180;
  EXPECT_NEAR(fast.summary.bodies[0].angular_velocity.y(), 2.5 * mu * g * std::cos(a) / 0.2, 1e-9);
}

TEST(Simulation, SlidingBallGripsAtTheExactTime) {
  for (const double mu : {0.05, 0.2, 0.9}) {
    BodySpec moving = ball(0.1);
    moving.position = Vec3<double>(0, 0, 0.1);
    moving.velocity = Vec3<double>(1.3, -0.4, 0);
    const Memory m = simulate(scene(moving, ground(), mu, 5));
    const auto grips = m.of(EventKind::mode_change);
    ASSERT_EQ(grips.size(), 1u);
    const double v0 = std::hypot(1.3, 0.4);
    EXPECT_NEAR(grips[0].t, 2 * v0 / (7 * mu * g), 1e-10);
    EXPECT_EQ(grips[0].before, Mode::sliding);
    EXPECT_EQ(grips[0].after, Mode::rolling);
    EXPECT_NEAR(m.summary.bodies[0].velocity.norm(), 5.0 / 7 * v0, 1e-10);
    EXPECT_NEAR(m.summary.energy.dissipated, 0.5 * v0 * v0 * 2 / 7, 1e-10);
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-10);
  }
}

// A general body slides with its slip direction turning, and grips or not: the energy book must
// close.
TEST(Simulation, EnergyBookClosesForATumblingSlidingBody) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.25, 0.2);
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.05, 0.06, 0.075).asDiagonal());
  body.position = Vec3<double>(0, 0, 0.2);
  body.velocity = Vec3<double>(1, 0.5, 0);
  body.angular_velocity = Vec3<double>(1, -2, 5);
  for (const double mu : {0.1, 0.3, 0.6}) {
    const Memory m = simulate(scene(body, ground(), mu, 3));
    EXPECT_EQ(m.events.back().kind, EventKind::end);
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-9) << mu;
    EXPECT_GT(m.summary.energy.dissipated, 0);
    for (const auto& f : m.frames) {
      const double f_t = f.contact.friction.norm(), f_n = f.contact.normal_force;
      EXPECT_LE(f_t, mu * f_n * (1 + 1e-9) + 1e-9);
      EXPECT_GE(f_n, -1e-9);
      if (f.contact.mode == Mode::rolling) {
        EXPECT_EQ(f.contact.slip.norm(), 0);
      }
    }
  }
}

TEST(Simulation, BallLeavesTheSphereWhereTheForceVanishes) {
  SphereSpec big;
  big.radius = 1;
  const double start = 0.2;
  BodySpec moving = ball(0.25);
  moving.position = Vec3<double>(1.25 * std::sin(start), 0, 1.25 * std::cos(start));
  const auto leaves_at = [&](double friction) {
    const Memory m = simulate(scene(moving, ground(big), friction, 1.0));
    const auto off = m.of(EventKind::take_off);
    EXPECT_EQ(off.size(), 1u);
    for (const auto& f : m.frames) {
      if (f.side == -1 && f.t == off.at(0).t) {
        EXPECT_NEAR(f.contact.normal_force, 0, 1e-10);
        return f.body.position.z() / 1.25;
      }
    }
    return 0.0;
  };
  EXPECT_NEAR(leaves_at(INFINITY), 10.0 / 17 * std::cos(start), 1e-11);
  EXPECT_NEAR(leaves_at(0), 2.0 / 3 * std::cos(start), 1e-11);
}

// Thrown up from the ground, a ball comes back after 2 v / g, at the speed it left with, and stays.
TEST(Simulation, FlightEndsOnTheBody) {
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.1);
  moving.velocity = Vec3<double>(0.3, 0, 2);
  moving.angular_velocity = Vec3<double>(1, 2, 3);
  const Memory m = simulate(scene(moving, ground(), 0.5, 3));
  EXPECT_EQ(m.frames.front().contact.mode, Mode::separated);
  const auto impacts = m.of(EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].t, 2 * 2 / g, 1e-12);
  EXPECT_NEAR(impacts[0].value, 2, 1e-11);
  EXPECT_EQ(impacts[0].before, Mode::separated);
  EXPECT_NE(impacts[0].after, Mode::separated);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
  EXPECT_NEAR(m.summary.bodies[0].position.z(), 0.1, 1e-16);
  for (const auto& f : m.frames) {
    if (f.side != -1 || f.t != impacts[0].t) continue;
    EXPECT_NEAR(f.body.position.x(), 0.3 * 4 / g, 1e-12);
    EXPECT_NEAR(f.body.velocity.z(), -2, 1e-11);
  }
  EXPECT_LE(m.summary.energy.max_relative_drift, 1e-11);
}

// A ball that leaves a small dome flies on past its border: no surface faces it there.
TEST(Simulation, FlightPastABorderIsNoCollision) {
  const PatchesSpec dome = one_patch({{{-1, -1, -0.6}, {-1, 0, 0}, {-1, 1, -0.6}},
                                      {{0, -1, 0}, {0, 0, 0.6}, {0, 1, 0}},
                                      {{1, -1, -0.6}, {1, 0, 0}, {1, 1, -0.6}}});
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.25);
  moving.velocity = Vec3<double>(6, 0.1, 0);
  const Memory m = simulate(touching(scene(moving, ground(dome), 0.3, 2)));
  EXPECT_EQ(m.of(EventKind::take_off).size(), 1u);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
  EXPECT_LE(m.summary.energy.max_relative_drift, 1e-10);
}

// A ball too large for its trough touches both walls when it is in the middle: one contact cannot
// describe that.
TEST(Simulation, SecondContactEndsTheRun) {
  QuadricSpec trough;  // z = 2 x²
  trough.Q = Mat3<double>(Vec3<double>(-2, 0, 0).asDiagonal());
  trough.b = Vec3<double>(0, 0, 0.5);
  trough.c = 0.0;
  BodySpec moving = ball(0.5);
  const double x = 1.0, slope = 4 * x, n = std::hypot(1, slope);
  moving.position = Vec3<double>(x - 0.5 * slope / n, 0, 2 * x * x + 0.5 / n);
  const Memory memory = simulate(scene(moving, ground(trough), INFINITY, 3));
  EXPECT_EQ(memory.events.back().kind, EventKind::unsupported_island);
  EXPECT_FALSE(memory.of(EventKind::impact).empty());
  EXPECT_NEAR(memory.frames.back().body.position.x(), 0, 1e-9);
}

TEST(Simulation, NoForceIsInsideTheCone) {
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.1);
  Spec still = scene(moving, ground(), 0.2, 2);
  still.gravity = Vec3<double>(0, 0, 0);
  const Memory rests = simulate(still);
  EXPECT_EQ(rests.events.back().kind, EventKind::end);
  EXPECT_EQ(rests.summary.bodies[0].position, moving.position.value);
  moving.velocity = Vec3<double>(1, 0, 0);
  moving.angular_velocity = Vec3<double>(0, 10, 5);
  Spec rolls = scene(moving, ground(), 0.2, 2);
  rolls.gravity = Vec3<double>(0, 0, 0);
  const Memory m = simulate(rolls);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
  EXPECT_NEAR(m.summary.bodies[0].position.x(), 2, 1e-11);
}

// A block of stick and slip: with less kinetic than static friction the onset is abrupt.
TEST(Simulation, KineticFrictionBelowStatic) {
  for (const double kinetic : {0.05, 0.0}) {
    Spec spec = ball_on_slope(30, 0.1, 1);
    spec.pairs[0].law.kinetic_friction = Located<double>(kinetic);
    const Memory m = simulate(spec);  // needs 2/7 tan 30° = 0.165 to roll
    EXPECT_EQ(m.events.back().kind, EventKind::end);
    const double a = std::numbers::pi / 6;
    const Vec3<double> moved = m.summary.bodies[0].position - m.frames.front().body.position;
    EXPECT_NEAR(moved.norm(), 0.5 * g * (std::sin(a) - kinetic * std::cos(a)), 1e-9);
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-11);
  }
}

// Rolling with unlimited friction may come to need a pull while the bodies would not part without
// friction: neither rolling nor flight goes on from there.
TEST(Simulation, RollingThatNeedsAPullIsReported) {
  SphereSpec sphere;
  sphere.radius = 0.1;
  BodySpec loaded = moving_body(sphere, 1, Vec3<double>(0.004, 0.004, 0.004).asDiagonal());
  loaded.shape_position = Vec3<double>(0, 0, 0.06);
  loaded.position = Vec3<double>(0, 0, 0.04);
  int reported = 0;
  for (const double spin : {20.0, 30.0, 40.0}) {
    loaded.angular_velocity = Vec3<double>(0, spin, 0);
    loaded.velocity = Vec3<double>(0.04 * spin, 0, 0);
    const Memory m = simulate(scene(loaded, ground(), INFINITY, 2));
    for (const auto& e : m.of(EventKind::impact))
      EXPECT_GT(e.t, m.of(EventKind::take_off).at(0).t + 1e-3);
    reported += static_cast<int>(m.of(EventKind::inconsistent).size());
  }
  EXPECT_GT(reported, 0);
}

TEST(Simulation, BodyAtRestStaysWhereItIs) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.25, 0.2);
  BodySpec egg = moving_body(shape, 2, Vec3<double>(0.05, 0.06, 0.075).asDiagonal());
  egg.position = Vec3<double>(0, 0, 0.2);
  for (const double friction : {0.0, 0.3, static_cast<double>(INFINITY)}) {
    Spec still = scene(egg, ground(), friction, 100);
    still.solver.max_step = Located<double>(1e-3);  // 1e5 steps
    const Memory m = simulate(still);
    EXPECT_GE(m.summary.counters.steps, 100000);
    EXPECT_LE((m.summary.bodies[0].position - egg.position.value).norm(), 1e-12);
  }
}

TEST(Simulation, FrictionlessMotionKeepsItsInvariants) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.2, 0.12);
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.02176, 0.04176, 0.052).asDiagonal());
  body.position = Vec3<double>(0, 0, 0.18872879937318077);
  body.orientation = Quat<double>{0.8243771119105122, 0.47882638152094475, 0.023961290146585768,
                                  0.3009211363333468};
  body.velocity = Vec3<double>(0.3, -0.2, 0);
  body.angular_velocity = Vec3<double>(3.6659207937270897, -4.231982756862969, 2.810933417876322);
  const Memory m = simulate(scene(body, ground(), 0, 1.5));
  const auto vertical = [](const Memory::Kept& f) {
    const Mat3<double> R = rotation_matrix(f.body.orientation);
    const Vec3<double> J(0.02176, 0.04176, 0.052);
    const Vec3<double> w = R.transpose() * f.body.angular_velocity;
    return (R * J.cwiseProduct(w)).z();
  };
  for (const auto& f : m.frames) {
    EXPECT_NEAR(vertical(f), vertical(m.frames.front()), 1e-10);
    EXPECT_NEAR(f.body.velocity.x(), 0.3, 1e-10);
    EXPECT_NEAR(f.body.velocity.y(), -0.2, 1e-10);
  }
  EXPECT_LE(m.summary.energy.max_relative_drift, 1e-10);
}

// Run forwards, turn all velocities round, run as long again: back at the start.
TEST(Simulation, ReversingTimeReturns) {
  Spec spec = rattleback(0.7);
  spec.solver.rtol = 1e-13;
  const Memory there = simulate(spec);
  const BodyFrame& end = there.summary.bodies[0];
  BodySpec& body = spec.bodies[0];
  body.position = end.position;
  body.orientation = end.orientation;
  body.velocity = Vec3<double>(-end.velocity);
  body.angular_velocity = Vec3<double>(-end.angular_velocity);
  const Memory back = simulate(spec);
  const BodyFrame& start = there.frames.front().body;
  EXPECT_LE((back.summary.bodies[0].position - start.position).norm(), 1e-10);
  EXPECT_LE((back.summary.bodies[0].velocity + start.velocity).norm(), 1e-8);
  EXPECT_LE((back.summary.bodies[0].angular_velocity + start.angular_velocity).norm(), 1e-7);
}

TEST(Simulation, OutputRateTouchesNothing) {
  Spec spec = rattleback(0.5);
  const Memory one = simulate(spec);
  spec.output_dt = 0.0007;
  const Memory other = simulate(spec);
  EXPECT_EQ(one.summary.hash, other.summary.hash);
  EXPECT_EQ(one.summary.bodies[0].position, other.summary.bodies[0].position);
  EXPECT_EQ(other.frames.size(), 1u + 714u + 1u);  // t = 0, every dt, and the end
  EXPECT_EQ(one.summary.hash, simulate(rattleback(0.5)).summary.hash);
  Spec changed = rattleback(0.5);
  changed.bodies[0].mass = Located<double>(1.0 + 1e-15);
  EXPECT_NE(one.summary.hash, simulate(changed).summary.hash);
}

// Nor through changes of mode, a take-off and flight.
TEST(Simulation, OutputRateTouchesNothingThroughEvents) {
  SphereSpec big;
  big.radius = 1;
  BodySpec moving = ball(0.25);
  moving.position = Vec3<double>(1.25 * std::sin(0.2), 0, 1.25 * std::cos(0.2));
  moving.angular_velocity = Vec3<double>(0.1, 0.2, 5);
  Spec spec = scene(moving, ground(big), 0.3, 1.5);
  const Memory one = simulate(spec);
  ASSERT_EQ(one.of(EventKind::take_off).size(), 1u);
  for (const double dt : {0.0013, 0.5, 100.0}) {
    spec.output_dt = dt;
    const Memory other = simulate(spec);
    EXPECT_EQ(one.summary.hash, other.summary.hash);
    EXPECT_EQ(one.summary.bodies[0].orientation.w, other.summary.bodies[0].orientation.w);
  }
}

TEST(Simulation, FramesLieOnTheirTimesAndEventsHaveTwo) {
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.1);
  moving.velocity = Vec3<double>(1, 0, 0);
  const Memory m = simulate(scene(moving, ground(), 0.3, 1));
  double last = -1;
  std::int64_t k = 0;
  for (const auto& f : m.frames) {
    EXPECT_GE(f.t, last);
    last = f.t;
    if (f.side == 0) {
      EXPECT_EQ(f.t, static_cast<double>(k++) * 0.01);
    }
  }
  const double grip = m.of(EventKind::mode_change).at(0).t;
  int before = 0, after = 0;
  for (const auto& f : m.frames) {
    if (std::abs(f.t - grip) < 1e-7) {
      before += f.side == -1 && f.contact.mode == Mode::sliding;
      after += f.side == 1 && f.contact.mode == Mode::rolling;
    }
  }
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 1);
}

TEST(Simulation, StepsAllocateNothing) {
  struct Deaf final : Recorder {
    void begin(const Header&) override {}
    void frame(const Frame&) override {}
    void event(const Event&) override {}
    void end(const Summary&) override {}
  } deaf;
  const auto model = compile(rattleback(3.5));
  ASSERT_TRUE(model);
  State state = initial_state(*model);
  long at_first = -1, at_last = -1;
  int steps = 0;
  Control control;
  control.progress = [&](double) {
    ++steps;
    if (steps == 10) at_first = allocations;
    if (steps == 1010) at_last = allocations;
  };
  run(*model, state, deaf, control);
  ASSERT_GT(steps, 1010);
  EXPECT_EQ(at_last - at_first, 0);
}

// Nor do margins of faces: a ball slides over a box.
TEST(Simulation, StepsOnFacesAllocateNothing) {
  BoxSpec box;
  box.size = Vec3<double>(2, 1, 1);
  BodySpec sliding = ball(0.1);
  sliding.position = Vec3<double>(-0.5, 0, 0.6);
  sliding.velocity = Vec3<double>(1, 0, 0);
  Spec spec = scene(sliding, ground(box), 0, 1);
  spec.solver.max_step = Located<double>(1e-2);
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  State state = initial_state(*model);
  Memory memory;
  memory.frames.reserve(1000);
  std::array<long, 100> counts{};
  std::size_t steps = 0;
  Control control;
  control.progress = [&](double) {
    if (steps < counts.size()) counts[steps++] = allocations;
  };
  run(*model, state, memory, control);
  ASSERT_GT(steps, 90U);
  EXPECT_EQ(counts[90] - counts[10], 0);
}

TEST(Simulation, BudgetEndsTheRunWithAnEvent) {
  Spec spec = rattleback(3.5);
  spec.solver.max_steps = 50;
  const Memory m = simulate(spec);
  EXPECT_EQ(m.events.back().kind, EventKind::budget);
  EXPECT_EQ(m.summary.counters.steps, 50);
  EXPECT_LT(m.summary.t_end, 3.5);
  EXPECT_EQ(m.frames.back().t, m.summary.t_end);
}

TEST(Simulation, UserCanStopARun) {
  std::atomic<bool> stop{false};
  Control control;
  control.stop = &stop;
  control.progress = [&](double t) { stop = t > 0.2; };
  const Memory m = simulate(rattleback(3.5), control);
  EXPECT_EQ(m.events.back().kind, EventKind::interrupted);
  EXPECT_GT(m.summary.t_end, 0.2);
  EXPECT_LT(m.summary.t_end, 0.3);
}

TEST(Simulation, TroubleOfARecorderStopsTheRun) {
  struct Full final : Recorder {
    int frames = 0;
    EventKind last = EventKind::end;
    bool ended = false;
    void begin(const Header&) override {}
    void frame(const Frame&) override { ++frames; }
    void event(const Event& e) override { last = e.kind; }
    void end(const Summary&) override { ended = true; }
    std::optional<Error> trouble() const override {
      return frames > 20 ? std::optional<Error>(Error{{}, "disk is full", ""}) : std::nullopt;
    }
  } full;
  const auto model = compile(rattleback(3.5));
  ASSERT_TRUE(model);
  State state = initial_state(*model);
  run(*model, state, full);
  EXPECT_EQ(full.last, EventKind::output_failed);
  EXPECT_TRUE(full.ended);
  EXPECT_LE(full.frames, 25);
}

// Fast enough, v² > g r, it flies off: from there on it falls freely.
TEST(Simulation, ContactThatReachesABorderLetsTheBodyGo) {
  const PatchesSpec flat =
      one_patch({{{-0.5, -0.5, 0}, {-0.5, 0.5, 0}}, {{0.5, -0.5, 0}, {0.5, 0.5, 0}}});
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.1);
  moving.velocity = Vec3<double>(1, 0.2, 0);
  moving.angular_velocity = Vec3<double>(-2, 10, 0);
  const Memory m = simulate(scene(moving, ground(flat), INFINITY, 3));
  ASSERT_EQ(m.events.size(), 3u);
  const Event& border = m.events[1];
  EXPECT_EQ(border.kind, EventKind::open_border);
  EXPECT_EQ(border.value, 1);
  EXPECT_EQ(border.after, Mode::separated);
  EXPECT_NEAR(border.t, 0.5, 1e-12);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
  EXPECT_NEAR(m.summary.bodies[0].position.x(), 3, 1e-11);
  EXPECT_NEAR(m.summary.bodies[0].position.z(), 0.1 - 0.5 * 9.81 * 2.5 * 2.5, 1e-10);
  EXPECT_LE(m.summary.energy.max_relative_drift, 1e-11);
}

// Slower, it would turn about the edge beyond: that touch is what ends its island.
TEST(Simulation, ContactThatReachesABorderSlowlyTouchesItsEdge) {
  const PatchesSpec flat =
      one_patch({{{-0.5, -0.5, 0}, {-0.5, 0.5, 0}}, {{0.5, -0.5, 0}, {0.5, 0.5, 0}}});
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0, 0, 0.1);
  moving.velocity = Vec3<double>(0.5, 0, 0);
  moving.angular_velocity = Vec3<double>(0, 5, 0);
  const Memory m = simulate(scene(moving, ground(flat), INFINITY, 3));
  ASSERT_EQ(m.events.size(), 3u);
  EXPECT_EQ(m.events[1].kind, EventKind::open_border);
  EXPECT_EQ(m.events[2].kind, EventKind::unsupported_contact);
  EXPECT_EQ(m.events[2].features[1].kind, FeatureKind::edge);
  EXPECT_NEAR(m.summary.t_end, 1, 1e-6);
}

// A rod-like body at a steep angle pushed along with high friction: the sliding equations lose
// their solution, the tip jams within no time, and the run goes on.
TEST(Simulation, PainlevesTroubleIsReported) {
  SphereSpec tip;  // a small sphere as the end of a slender rod
  tip.radius = 0.01;
  const double L = 1.0, tilt = 60 * std::numbers::pi / 180;
  BodySpec rod = moving_body(tip, 1, Vec3<double>(L * L / 12, L * L / 12, 1e-4).asDiagonal());
  rod.shape_position = Vec3<double>(0, 0, -L / 2);
  rod.orientation = Quat<double>{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  rod.position = Vec3<double>(0, 0, 0.01 + 0.5 * L * std::cos(tilt));
  // The lower end is at −x from the centre of mass; it is pushed towards −x, ahead of the rod.
  rod.velocity = Vec3<double>(-5, 0, 0);
  const Memory m = simulate(scene(rod, ground(), 3.0, 0.5));
  const auto trouble = m.of(EventKind::painleve);
  ASSERT_FALSE(trouble.empty());
  EXPECT_LT(trouble[0].value, 0);
  EXPECT_EQ(trouble[0].before, Mode::sliding);
  EXPECT_EQ(m.events.back().kind, EventKind::end);
  EXPECT_LE(m.summary.energy.max_relative_drift, 1e-9);
  // Pulled the other way it slides.
  rod.velocity = Vec3<double>(5, 0, 0);
  const Memory other = simulate(scene(rod, ground(), 3.0, 0.01));
  EXPECT_EQ(other.events.back().kind, EventKind::end);
  EXPECT_EQ(other.frames.front().contact.mode, Mode::sliding);
}

// Drift over a minute in all three modes, at the default tolerance: the promise of the design.
TEST(Simulation, EnergyDriftStaysBelowABillionthOverAMinute) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.25, 0.2);
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.05, 0.06, 0.075).asDiagonal());
  body.orientation = unit(Quat<double>{1, 0.1, 0.05, 0});
  const double height =
      Vec3<double>(0.3, 0.25, 0.2)
          .cwiseProduct(Vec3<double>(rotation_matrix(body.orientation.value).transpose().col(2)))
          .norm();
  body.position = Vec3<double>(0, 0, height);
  body.angular_velocity = Vec3<double>(0.3, -0.2, 1);
  for (const double friction : {0.0, 1e-3, static_cast<double>(INFINITY)}) {
    const Memory m = simulate(scene(body, ground(), friction, 60));
    EXPECT_EQ(m.events.back().kind, EventKind::end);
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-9) << "friction " << friction;
    EXPECT_LE(m.summary.max_gap_error, 1e-15);
  }
  Spec tight = scene(body, ground(), INFINITY, 60);
  tight.solver.rtol = 1e-13;
  EXPECT_LE(simulate(tight).summary.energy.max_relative_drift, 1e-11);
}

// The same body on the same ground, described by other surfaces, moves the same.
TEST(Simulation, SurfaceOfOtherKindSameMotion) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.2, 0.12);
  QuadricSpec twin;
  twin.Q = Mat3<double>(Vec3<double>(1 / 0.09, 1 / 0.04, 1 / 0.0144).asDiagonal());
  twin.c = -1.0;
  QuadricSpec flat;  // the plane as 2 b·p = 0
  flat.Q = Mat3<double>(Mat3<double>::Zero());
  flat.b = Vec3<double>(0, 0, 0.5);
  flat.c = 0.0;
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.02176, 0.04176, 0.052).asDiagonal());
  body.position = Vec3<double>(0, 0, 0.12);
  body.velocity = Vec3<double>(0.6, 0.3, 0);
  body.angular_velocity = Vec3<double>(2, -1, 3);
  BodySpec other = body;
  other.shape = Located<ShapeSpec>(twin);
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    const Memory one = simulate(scene(body, ground(), friction, 1));
    const Memory two = simulate(scene(other, ground(flat), friction, 1));
    ASSERT_EQ(one.of(EventKind::mode_change).size(), two.of(EventKind::mode_change).size());
    EXPECT_LE((one.summary.bodies[0].position - two.summary.bodies[0].position).norm(), 1e-9);
    EXPECT_LE(
        (one.summary.bodies[0].angular_velocity - two.summary.bodies[0].angular_velocity).norm(),
        1e-8);
  }
}

// Moving the whole scene rigidly moves the result with it.
TEST(Simulation, RigidlyMovedSceneMovesTheSame) {
  const Spec spec = rattleback(0.5);
  Spec moved = spec;
  const Quat<double> q = unit(Quat<double>{0.9, 0.2, -0.3, 0.1});
  const Mat3<double> R = rotation_matrix(q);
  const Vec3<double> p(1, -2, 0.5);
  for (BodySpec& body : moved.bodies) {
    body.position = Vec3<double>(R * body.position.value + p);
    body.orientation = q * body.orientation.value;
    body.velocity = Vec3<double>(R * body.velocity.value);
    body.angular_velocity = Vec3<double>(R * body.angular_velocity.value);
  }
  moved.gravity = Vec3<double>(R * spec.gravity.value);
  const Memory one = simulate(spec), two = simulate(moved);
  EXPECT_LE((R * one.summary.bodies[0].position + p - two.summary.bodies[0].position).norm(), 1e-9);
  EXPECT_LE((R * one.summary.bodies[0].velocity - two.summary.bodies[0].velocity).norm(), 1e-8);
}

}  // namespace oloid::test::simulation_test
