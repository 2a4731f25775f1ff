// Resistance to rolling and spinning: exact stops, true rest, and waking.
#include <cstring>
#include <numbers>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::resistance_test {

constexpr double g = 9.81;

PairSpec resisting(double friction, double roll, double spin) {
  PairSpec pair = law("ball", "table", friction);
  pair.law.rolling_resistance = Located<double>(roll);
  pair.law.spin = Located<double>(spin);
  return pair;
}

Spec on_table(const Start& start, const PairSpec& pair, double duration) {
  return scene_of({named("ball", ball(0.2, 1.5), start), table()}, {pair}, duration);
}

Mode mode_at_end(const Film& f) { return f.pictures.back().contacts[0].mode; }

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// m v̇ = -F and k m r v̇ = F r - ρ m g: v̇ = -ρ g / (r (1 + k)).
TEST(Resistance, RollingBallStopsExactlyAndRests) {
  const double rho = 0.003, r = 0.2, v = 0.7, a = rho * g / (r * 1.4);
  for (const double direction : {0.0, 2.1}) {
    const Vec3<double> way(std::cos(direction), std::sin(direction), 0);
    Spec spec = on_table({{0, 0, r}, v * way, v / r * Vec3<double>::UnitZ().cross(way)},
                         resisting(0.5, rho, 0.001), v / a + 100);
    spec.output_dt = 0.05;
    const Film f = film(spec);
    const auto stops = f.of(EventKind::mode_change);
    ASSERT_FALSE(stops.empty());
    EXPECT_NEAR(stops.back().t, v / a, 1e-9);
    EXPECT_NEAR((f.last("ball").position - Vec3<double>(0, 0, r)).dot(way), 0.5 * v * v / a, 1e-9);
    EXPECT_LE(f.drift(), 1e-9);
    EXPECT_NEAR(f.summary.energy.dissipated, 0.7 * 1.5 * v * v, 1e-9);
    const Film::Picture* first = nullptr;
    Worst rolls, rests;
    for (const Film::Picture& p : f.pictures) {
      const BodyFrame& now = p.bodies[0];
      if (p.t < stops.back().t) {
        rolls(now.velocity.dot(way) - (v - a * p.t));
      } else if (p.side >= 0) {
        if (!first) first = &p;
        rests(now.velocity.norm() + now.angular_velocity.norm());
        rests(same_bits(now.position, first->bodies[0].position) ? 0 : 1);
        rests(same_bits(now.orientation, first->bodies[0].orientation) ? 0 : 1);
      }
    }
    EXPECT_LE(rolls.value, 1e-9);
    EXPECT_EQ(rests.value, 0);
    EXPECT_EQ(mode_at_end(f), Mode::rest);
  }
}

// Without resistance to spinning a ball that lies may still spin: its mode is `spinning` unless
// spin resists as well.
TEST(Resistance, ModesAtTheEnd) {
  const Start rolls{{0, 0, 0.2}, {0.3, 0, 0}, {0, 1.5, 0}};
  EXPECT_EQ(mode_at_end(film(on_table(rolls, resisting(0.5, 0.01, 0), 3))), Mode::spinning);
  EXPECT_EQ(mode_at_end(film(on_table(rolls, resisting(0.5, 0.01, 0.001), 3))), Mode::rest);
  EXPECT_EQ(mode_at_end(film(on_table(rolls, resisting(0.5, 0.01, INFINITY), 3))), Mode::rest);
  EXPECT_EQ(mode_at_end(film(on_table(rolls, resisting(0.5, 0, INFINITY), 3))), Mode::no_spin);
}

// Rest on an incline if and only if tan a ≤ ρ / r.
TEST(Resistance, InclineHoldsUpToTheLimit) {
  const double rho = 0.02, limit = std::atan(rho / 0.2) * 180 / std::numbers::pi;
  const auto end = [&](double degrees) {
    Spec spec = ball_on_slope(degrees, 0.9, 2);
    spec.pairs[0].law.rolling_resistance = Located<double>(rho);
    spec.pairs[0].law.spin = Located<double>(0.01);
    return film(spec);
  };
  for (const double degrees : {0.3 * limit, limit - 1e-6}) {
    const Film f = end(degrees);
    EXPECT_EQ(f.summary.bodies[0].velocity.norm(), 0);
    EXPECT_EQ(mode_at_end(f), Mode::rest);
  }
  for (const double degrees : {limit + 1e-6, 2 * limit}) {
    const Film f = end(degrees);
    const double a = degrees * std::numbers::pi / 180;
    const double acceleration = g * (std::sin(a) - rho / 0.2 * std::cos(a)) / 1.4;
    EXPECT_NEAR(f.summary.bodies[0].velocity.norm(), 2 * acceleration, 1e-9);
    EXPECT_LE(f.drift(), 1e-9);
  }
}

// I ω̇ = -s m g.
TEST(Resistance, SpinStopsExactly) {
  const double s = 0.004, w = 9, t = 0.4 * 0.04 * w / (s * g);
  for (const double sign : {1.0, -1.0}) {
    const Start spins{{0, 0, 0.2}, {0, 0, 0}, {0, 0, sign * w}};
    const Film still = film(on_table(spins, resisting(0.5, 0.01, s), t + 1));
    EXPECT_NEAR(still.of(EventKind::mode_change).back().t, t, 1e-9);
    EXPECT_EQ(mode_at_end(still), Mode::rest);
    EXPECT_EQ(still.last("ball").angular_velocity.norm(), 0);
    const Film rolls = film(on_table(spins, resisting(0.5, 0, s), t + 1));
    EXPECT_NEAR(rolls.of(EventKind::mode_change).back().t, t, 1e-9);
    EXPECT_EQ(mode_at_end(rolls), Mode::no_spin);
    EXPECT_LE(rolls.drift(), 1e-9);
  }
}

TEST(Resistance, StuckSpinIsTakenAwayAtOnceAndForEver) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.3, 0.25, 0.2);
  BodySpec body = moving_body(shape, 2, Vec3<double>(0.05, 0.06, 0.075).asDiagonal());
  const Start start{{0, 0, 0.2}, {0.5, 0.2, 0}, {1, -2, 5}};
  const Film f =
      film(scene_of({named("ball", body, start), table()}, {resisting(INFINITY, 0, INFINITY)}, 3));
  Worst spin;
  for (const Film::Picture& p : f.pictures) {
    spin(p.contacts[0].mode == Mode::no_spin ? p.contacts[0].spin : 1);
    spin(p.bodies[0].angular_velocity.z());
  }
  EXPECT_LE(spin.value, 1e-12);
  EXPECT_LE(f.drift(), 1e-9);
  EXPECT_EQ(f.summary.energy.dissipated, 0);
}

// Slip, spin and roll, all against resistance: slip stops first, and in the end all rests. While
// the ball slides along x, v̇ = -μ g and ω̇ r = (μ g - ρ g / r) / k; then as above.
TEST(Resistance, SlidingBallWithEverything) {
  const double mu = 0.2, rho = 0.002, s = 0.003, v = 2, r = 0.2;
  const Film f = film(on_table({{0, 0, r}, {v, 0, 0}, {0, 0, 6}}, resisting(mu, rho, s), 60));
  EXPECT_EQ(mode_at_end(f), Mode::rest);
  EXPECT_LE(f.drift(), 1e-9);
  EXPECT_NEAR(f.summary.energy.dissipated, f.summary.energy.initial - f.summary.energy.final, 1e-8);
  const double grip = v / (mu * g + (mu * g - rho * g / r) / 0.4), rolls = v - mu * g * grip;
  const double stop = grip + rolls * r * 1.4 / (rho * g), spin = 0.4 * r * r * 6 / (s * g);
  std::vector<double> times;
  for (const Event& e : f.of(EventKind::mode_change)) times.push_back(e.t);
  for (const double t : {grip, stop}) {
    double nearest = INFINITY;
    for (const double x : times) nearest = std::min(nearest, std::abs(x - t));
    EXPECT_LE(nearest, 1e-9) << t;
  }
  Worst spins;
  for (const Film::Picture& p : f.pictures)
    spins(p.contacts[0].spin - (p.t < spin ? -6 * (1 - p.t / spin) : 0));
  EXPECT_LE(spins.value, 1e-8);
}

// A pull that grows with time wakes the ball when its moment about the contact reaches ρ m g.
TEST(Resistance, LoadWakesAtTheExactTime) {
  const double rho = 0.01, r = 0.2, m = 1.5, rate = 0.37, t = rho * m * g / (rate * r);
  Spec spec = on_table({{0, 0, r}}, resisting(0.5, rho, 0.01), 2 * t);
  spec.loads = {force("ball", {"0.37*t", "0", "0"})};
  const Film f = film(spec);
  const auto changes = f.of(EventKind::mode_change);
  ASSERT_FALSE(changes.empty());
  EXPECT_NEAR(changes[0].t, t, 1e-9);
  EXPECT_EQ(changes[0].before, Mode::rest);
  // From then on m (1 + k) v̇ = rate t - ρ m g / r.
  EXPECT_NEAR(f.last("ball").velocity.x(), 0.5 * rate * t * t / (m * 1.4), 1e-9);
  EXPECT_LE(f.drift(), 1e-9);
}

// The same by friction: a body that cannot roll begins to slide at μ m g.
TEST(Resistance, LoadThatExceedsFrictionMakesItSlide) {
  const double mu = 0.1, m = 1.5, t = mu * m * g / 0.37;
  Spec spec = on_table({{0, 0, 0.2}}, resisting(mu, 0.5, 0.01), 1.5 * t);
  spec.loads = {force("ball", {"0", "0.37*t", "0"})};
  const Film f = film(spec);
  ASSERT_FALSE(f.of(EventKind::mode_change).empty());
  EXPECT_NEAR(f.of(EventKind::mode_change)[0].t, t, 1e-9);
  EXPECT_NEAR(f.last("ball").velocity.y(), 0.5 * 0.37 * 0.25 * t * t / m, 1e-9);
  EXPECT_EQ(mode_at_end(f), Mode::sliding);
}

// The plate's acceleration 6 c t wakes the ball when m a r = ρ m g.
TEST(Resistance, ShakenPlateWakesAtTheExactTime) {
  const double rho = 0.01, r = 0.2, t = rho * g / (6 * 0.05 * r);
  Spec spec = on_table({{0, 0, r}}, resisting(0.9, rho, 0.01), 1.3 * t);
  spec.bodies[1] = named("table", ground());
  spec.bodies[1].fixed = false;
  FormulaMotionSpec motion;
  motion.position = FormulasSpec({"0.05*t^3", "0", "0"});
  spec.bodies[1].motion = Located<MotionSpec>(motion);
  const Film f = film(spec);
  ASSERT_FALSE(f.of(EventKind::mode_change).empty());
  EXPECT_NEAR(f.of(EventKind::mode_change)[0].t, t, 1e-9);
  EXPECT_LE(f.drift(), 1e-9);
  EXPECT_LT(f.last("ball").velocity.x(), 3 * 0.05 * 1.69 * t * t - 0.01);
}

// A ball that rests is struck by an equal one. The table gives no horizontal impulse, because its
// normal impulse is 0: the first ball's velocity goes over to the second one.
TEST(Resistance, ImpactWakes) {
  PairSpec first = resisting(0.5, 0.001, 0.001), second = first;
  first.bodies = std::array<std::string, 2>{"striker", "table"};
  Spec spec = scene_of({named("striker", ball(0.2, 1.5), {{-1, 0, 0.2}, {1, 0, 0}, {0, 5, 0}}),
                        named("ball", ball(0.2, 1.5), {{0, 0, 0.2}}), table()},
                       {first, second, law("striker", "ball", 0, 1)}, 2);
  const Film f = film(spec);
  const auto hits = f.of(EventKind::impact);
  ASSERT_EQ(hits.size(), 1u);
  for (const Film::Picture& p : f.pictures) {
    if (p.t != hits[0].t) continue;
    const Vec3<double> a = p.bodies[0].velocity, b = p.bodies[1].velocity;
    EXPECT_NEAR(p.side < 0 ? b.x() : a.x(), 0, 1e-12);
    EXPECT_NEAR(p.side < 0 ? a.x() : b.x(), hits[0].value, 1e-12);
    if (p.side > 0) {
      EXPECT_EQ(p.contacts[f.contact("ball", "table")].mode, Mode::sliding);
    }
  }
  EXPECT_GT(f.last("ball").velocity.x(), 0.1);
  EXPECT_LE(f.drift(), 1e-9);
}

}  // namespace oloid::test::resistance_test
