// Collisions: exact times, restitution, momentum, energy, and bodies that do not pass through.
#include "laws/random.h"
#include "oloid/spatial/rotation.h"
#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::impact_test {

constexpr double g = 9.81;

// The pictures just before and just after the first impact.
struct Sides {
  Film::Picture before, after;
};
Sides first_impact(const Film& f) {
  const auto hits = f.of(EventKind::impact);
  Sides sides;
  EXPECT_FALSE(hits.empty());
  if (hits.empty()) return sides;
  bool found = false;
  for (const Film::Picture& p : f.pictures) {
    if (p.t != hits[0].t || p.side == 0) continue;
    if (p.side < 0) sides.before = p;
    if (p.side > 0 && !found) {
      sides.after = p;
      found = true;
    }
  }
  EXPECT_TRUE(found);
  return sides;
}

// Impacts at T (1 + 2 (e + e² + ...)), T = √(2 h / g), until a bounce is too low to follow; then
// contact and rest.
TEST(Impact, BouncingBallFollowsTheGeometricSeries) {
  const double e = 0.8, h = 1, r = 0.1, m = 0.4;
  Spec spec = scene_of({named("ball", ball(r, m), {{0, 0, r + h}}), table()},
                       {law("ball", "table", 0.3, e)}, 5);
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  const auto hits = f.of(EventKind::impact);
  ASSERT_GT(hits.size(), 20u);
  const double T = std::sqrt(2 * h / g);
  double t = T, v = g * T;
  for (const Event& hit : hits) {
    EXPECT_NEAR(hit.t, t, 1e-10);
    EXPECT_NEAR(hit.value, v, 1e-9);
    v *= e;
    t += 2 * v / g;
  }
  EXPECT_LE(0.5 * v * v / g, 1e-9 * r);
  EXPECT_NE(hits.back().after, Mode::separated);
  EXPECT_EQ(hits[hits.size() - 2].after, Mode::separated);
  EXPECT_NEAR(f.last("ball").position.z(), r, 1e-12);
  EXPECT_EQ(f.last("ball").velocity.norm(), 0);
  EXPECT_NEAR(f.summary.energy.dissipated, m * g * h, 1e-9);
  EXPECT_LE(f.drift(), 1e-10);
}

// J_n = m (1 + e) |v_n|, and a tangential impulse min(μ J_n, 2/7 m |u|) against the slip u.
TEST(Impact, ObliqueRoughBounce) {
  const double e = 0.7, r = 0.1, m = 0.4;
  const Vec3<double> v(3, 1, -2), w(5, -20, 7), z = Vec3<double>::UnitZ();
  for (const double mu : {0.0, 0.15, 0.3, 0.9, static_cast<double>(INFINITY)}) {
    Spec spec = scene_of({named("ball", ball(r, m), {{0, 0, 0.3}, v, w}), table()},
                         {law("ball", "table", mu, e)}, 0.3);
    spec.gravity = Vec3<double>(0, 0, 0);
    spec.solver.rtol = 1e-13;
    const Film f = film(spec);
    Vec3<double> slip = v + w.cross(-r * z);
    slip.z() = 0;
    const double J_n = m * (1 + e) * 2, J_t = std::min(mu * J_n, 2.0 / 7 * m * slip.norm());
    const Vec3<double> J = J_n * z - J_t * slip.normalized();
    EXPECT_LE((f.last("ball").velocity - v - J / m).norm(), 1e-12);
    EXPECT_LE((f.last("ball").angular_velocity - w - (-r * z).cross(J) / (0.4 * m * r * r)).norm(),
              1e-11);
    EXPECT_NEAR(f.of(EventKind::impact).at(0).t, 0.1, 1e-12);
    EXPECT_LE(f.drift(), 1e-12);
  }
}

// Velocity of A's point over that of B's along the normal: positive while they approach.
double approach(const Film::Picture& p) {
  const ContactFrame& c = p.contacts[0];
  const auto at = [](const BodyFrame& b, const Vec3<double>& x) -> Vec3<double> {
    return b.velocity + b.angular_velocity.cross(x - b.position);
  };
  return (at(p.bodies[0], c.point_A) - at(p.bodies[1], c.point_B)).dot(c.normal);
}

Spec head_on(Random& random, double friction, double restitution) {
  const Vec3<double> p = random.vector<3>(-0.15, 0.15), v = random.vector<3>(-0.3, 0.3),
                     w = random.vector<3>(-3, 3), u = random.vector<3>(-0.3, 0.3),
                     o = random.vector<3>(-3, 3);
  Spec spec = scene_of(
      {named("a", ellipsoid({0.3, 0.25, 0.2}, 1.3), {Vec3<double>(0, 0, 1.2) + p, v, w}),
       named("b", ellipsoid({0.35, 0.3, 0.4}, 2.1), {{0, 0, 0}, u + Vec3<double>(0, 0, 2), o})},
      {law("a", "b", friction, restitution)}, 1);
  spec.gravity = Vec3<double>(0, 0, 0);
  return spec;
}

TEST(Impact, FreeBodiesKeepMomentumAndReturnTheNormalVelocity) {
  Random random(7);
  for (int i = 0; i < 12; ++i) {
    const double friction = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 0.3 : INFINITY;
    const double e = i % 2 == 0 ? 1.0 : 0.6;
    const Spec spec = head_on(random, friction, e);
    const Film f = film(spec);
    const auto [before, after] = first_impact(f);
    const Momenta a = momenta(spec, before.bodies), b = momenta(spec, after.bodies);
    EXPECT_LE((a.linear - b.linear).norm(), 1e-13 * a.linear.norm());
    EXPECT_LE((a.angular - b.angular).norm(), 1e-12 * (1 + a.angular.norm()));
    EXPECT_NEAR(approach(after), -e * approach(before), 1e-10);
    EXPECT_LE(mechanical(after), mechanical(before) + 1e-12);
    if (e == 1 && friction == 0) {
      EXPECT_NEAR(mechanical(after), mechanical(before), 1e-12);
    }
    EXPECT_LE(f.drift(), 1e-10);
  }
}

TEST(Impact, ChainsOfElasticBallsHitPairByPair) {
  const auto velocities = [](const std::vector<double>& masses, const std::vector<double>& start) {
    std::vector<BodySpec> bodies;
    std::vector<PairSpec> laws;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const double x = 0.11 * static_cast<double>(i);
      bodies.push_back(named(std::string(1, static_cast<char>('a' + i)), ball(0.05, masses[i]),
                             {{x, 0, 0}, {start[i], 0, 0}}));
      if (i > 0) laws.push_back(law(bodies[i - 1].name.value, bodies[i].name.value, 0, 1));
    }
    Spec spec = scene_of(bodies, laws, 3);
    spec.gravity = Vec3<double>(0, 0, 0);
    const Film f = film(spec);
    EXPECT_TRUE(f.ended());
    EXPECT_LE(f.drift(), 1e-12);
    std::vector<double> result;
    for (const BodyFrame& b : f.summary.bodies) result.push_back(b.velocity.x());
    return result;
  };
  const auto cradle = velocities({1, 1, 1, 1, 1}, {2, 2, 0, 0, 0});
  const std::vector<double> passed{0, 0, 0, 2, 2};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(cradle[i], passed[i], 1e-10);
  const auto chain = velocities({4, 1, 2, 1}, {1, 0, 0, 0});
  const std::vector<double> exact{361.0 / 3375, 232.0 / 1125, 656.0 / 675, 64.0 / 45};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(chain[i], exact[i], 1e-10);
}

// A ball dropped on a ball that lies on a table: whatever the contacts do, energy never grows.
TEST(Impact, BallDroppedOnARestingBall) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double mu : {0.0, 0.3, static_cast<double>(INFINITY)}) {
      for (const double aside : {0.0, 0.1}) {
        SCOPED_TRACE(testing::Message() << "e " << e << ", mu " << mu << ", aside " << aside);
        Spec spec = scene_of({named("upper", ball(0.2, 1.1), {{aside, 0.02, 1.5}, {0.1, 0, 0}}),
                              named("lower", ball(0.5, 3), {{0, 0, 0.5}}), table()},
                             {law("upper", "lower", mu, e), law("lower", "table", mu, e),
                              law("upper", "table", mu, e)},
                             0.8);
        const Film f = film(spec);
        EXPECT_GE(f.of(EventKind::impact).size(), 1u);
        EXPECT_LE(f.drift(), 1e-9);
        expect_energy_falls(f);
      }
    }
  }
}

// A ball that slides and spins over the table is struck from above and from the side.
TEST(Impact, StruckWhileSlidingEnergyNeverGrows) {
  Random random(11);
  for (int i = 0; i < 8; ++i) {
    const double x = random(-0.3, 0.3), y = random(-0.3, 0.3);
    const double v = random(-3, 3), u = random(-3, 3), w = random(-20, 20);
    Spec spec = scene_of(
        {named("upper", ball(0.2, 1.1), {{x, y, 1.2}, {0, 0, -3}, {w, 0, 0}}),
         named("lower", ball(0.5, 3), {{-0.1 * v, -0.1 * u, 0.5}, {v, u, 0}, {0, 0, w}}), table()},
        {law("upper", "lower", 0.6, 0.7), law("lower", "table", 0.5, 0.3),
         law("upper", "table", 0.4, 0.6)},
        0.4);
    spec.solver.rtol = 1e-13;  // frames between steps are good to 1e-10
    const Film f = film(spec);
    EXPECT_LE(f.drift(), 1e-9);
    const auto hits = f.of(EventKind::impact);
    EXPECT_FALSE(hits.empty());
    SCOPED_TRACE(i);
    expect_energy_falls(f);
  }
}

// Small and fast, without gravity: nothing but its encounter shortens the steps.
TEST(Impact, FastSmallBallDoesNotTunnel) {
  for (const double speed : {1.0, 30.0, 1000.0}) {
    Spec spec = scene_of({named("bullet", ball(0.01, 0.01), {{-5, 0.03, 0}, {speed, 0, 0}}),
                          named("target", ball(0.1, 1), {{0, 0, 0}})},
                         {law("bullet", "target", 0, 1)}, 10 / speed);
    spec.gravity = Vec3<double>(0, 0, 0);
    spec.output_dt = 10 / speed;
    const Film f = film(spec);
    const auto hits = f.of(EventKind::impact);
    ASSERT_EQ(hits.size(), 1u) << speed;
    EXPECT_NEAR(hits[0].t * speed, 5 - std::sqrt(0.11 * 0.11 - 0.03 * 0.03), 1e-9);
  }
}

}  // namespace oloid::test::impact_test
