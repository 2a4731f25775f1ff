// Trees of bodies in contact: conserved quantities, and what may not make a difference.
#include <algorithm>

#include "oloid/spatial/rotation.h"
#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::trees_test {

constexpr double g = 9.81;

// A small ball of radius r on a large one of radius R, on a table, in the plane y = 0. θ: angle of
// the line of centres from the vertical.
struct TwoBalls {
  double R = 0.5, r = 0.2, M = 3, m = 1.1, k_R = 0.4, k_r = 0.5, start = 0.3;

  Spec spec(double on_table, double on_ball, double duration) const {
    const Vec3<double> up(std::sin(start), 0, std::cos(start));
    const Vec3<double> below(0, 0, R);
    Spec made =
        scene_of({named("upper", ball(r, m, k_r), {below + (R + r) * up}),
                  named("lower", ball(R, M, k_R), {below}), table()},
                 {law("lower", "table", on_table), law("upper", "lower", on_ball)}, duration);
    made.solver.rtol = 1e-13;
    return made;
  }
  // What both balls have at a picture.
  struct Motion {
    double c, s, v, turning;  // cos θ, sin θ, velocity of the lower ball, θ̇ (R + r)
    double spin_R, spin_r;    // angular velocity × radius
  };
  Motion at(const Film::Picture& p) const {
    const BodyFrame &a = p.bodies[0], &b = p.bodies[1];
    const Vec3<double> n = (a.position - b.position) / (R + r), dv = a.velocity - b.velocity;
    return {n.z(),
            n.x(),
            b.velocity.x(),
            dv.x() * n.z() - dv.z() * n.x(),
            b.angular_velocity.y() * R,
            a.angular_velocity.y() * r};
  }
  double momentum(const Motion& x) const { return (M + m) * x.v + m * x.c * x.turning; }
};

bool together(const Film& f, const Film::Picture& p) {
  return p.contacts[f.contact("upper", "lower")].mode != Mode::separated;
}

// Without friction the horizontal momentum is constant, and with m/(M + m) = ν the ball leaves
// where ν cos³θ - 3 cos θ + 2 cos θ₀ = 0.
TEST(Trees, FrictionlessBallOnBallLeavesAtTheKnownAngle) {
  const TwoBalls two;
  const Film f = film(two.spec(0, 0, 0.6));
  ASSERT_EQ(f.of(EventKind::take_off).size(), 1u);
  EXPECT_LE(f.drift(), 1e-9);
  const double nu = two.m / (two.M + two.m);
  Worst momentum, spin;
  for (const Film::Picture& p : f.pictures) {
    if (together(f, p)) {
      momentum(two.momentum(two.at(p)));
      spin(p.bodies[0].angular_velocity.norm());
    }
    if (p.side != -1) continue;
    const double c = two.at(p).c;
    EXPECT_NEAR(nu * c * c * c - 3 * c + 2 * std::cos(two.start), 0, 1e-9);
    break;
  }
  EXPECT_LE(momentum.value, 1e-11);
  EXPECT_LE(spin.value, 1e-12);
}

// Rolling on both: the Lagrangian does not depend on where the lower ball is, so that
// (1 + k_R) M v + m (v + c L θ̇) - k_r m (L θ̇ - v) is constant.
TEST(Trees, RollingBallOnRollingBallKeepsItsMomentum) {
  const TwoBalls two;
  const Film f = film(two.spec(INFINITY, INFINITY, 0.4));
  ASSERT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-9);
  Worst rolls, momentum;
  for (const Film::Picture& p : f.pictures) {
    if (!together(f, p)) break;
    const TwoBalls::Motion x = two.at(p);
    rolls(x.spin_R - x.v);
    rolls(x.spin_r - (x.turning - x.v));
    momentum(two.momentum(x) + two.k_R * two.M * x.v - two.k_r * two.m * (x.turning - x.v));
  }
  EXPECT_LE(rolls.value, 1e-13);
  EXPECT_LE(momentum.value, 1e-11);
  EXPECT_LT(two.at(f.pictures.back()).v, -0.05);
}

// Rolling above, sliding without friction below: besides the momentum I ω / r is the same for both.
TEST(Trees, RollingBallOnSlidingBall) {
  const TwoBalls two;
  const Film f = film(two.spec(0, INFINITY, 0.4));
  EXPECT_LE(f.drift(), 1e-9);
  Worst momentum, spin;
  for (const Film::Picture& p : f.pictures) {
    if (!together(f, p)) break;
    const TwoBalls::Motion x = two.at(p);
    momentum(two.momentum(x));
    spin(two.k_R * two.M * x.spin_R - two.k_r * two.m * x.spin_r);
  }
  EXPECT_LE(momentum.value, 1e-11);
  EXPECT_LE(spin.value, 1e-11);
  EXPECT_GT(two.at(f.pictures.back()).spin_r, 0.1);
}

// Sliding without friction above, rolling below.
TEST(Trees, SlidingBallOnRollingBall) {
  const TwoBalls two;
  const Film f = film(two.spec(INFINITY, 0, 0.4));
  EXPECT_LE(f.drift(), 1e-9);
  Worst momentum, spin;
  for (const Film::Picture& p : f.pictures) {
    if (!together(f, p)) break;
    const TwoBalls::Motion x = two.at(p);
    momentum(two.momentum(x) + two.k_R * two.M * x.v);
    spin(x.spin_r);
  }
  EXPECT_LE(momentum.value, 1e-11);
  EXPECT_LE(spin.value, 1e-12);
}

// Friction that gives way somewhere in the tree: the book closes and all cones are kept.
TEST(Trees, FiniteFrictionKeepsItsCones) {
  TwoBalls two;
  Spec spec = two.spec(0.05, 0.3, 0.5);
  spec.bodies[0].velocity = Vec3<double>(0, 0.7, 0);
  spec.bodies[1].angular_velocity = Vec3<double>(2, 1, 3);
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-9);
  EXPECT_GT(f.summary.energy.dissipated, 1e-3);
  const std::size_t low = f.contact("lower", "table"), high = f.contact("upper", "lower");
  Worst outside;
  for (const Film::Picture& p : f.pictures) {
    const ContactFrame &a = p.contacts[low], &b = p.contacts[high];
    outside(std::max(0.0, a.friction.norm() - 0.05 * a.normal_force));
    outside(std::max(0.0, b.friction.norm() - 0.3 * b.normal_force));
  }
  EXPECT_LE(outside.value, 1e-8);
}

// Three balls that roll, one on the other, in a plane: ω₁r₁ = v, ω₂r₂ = Lθ̇ - v, ω₃r₃ = L'θ̇' - ω₂r₂,
// and the momentum of the cyclic coordinate is Σ m v_x + Σ ± k m ω r.
Spec chain_on_table(double friction, double duration) {
  const Vec3<double> first(0, 0, 0.5),
      second = first + 0.8 * Vec3<double>(0.1, 0, std::sqrt(0.99)),
      third = second + 0.5 * Vec3<double>(-0.2, 0, std::sqrt(0.96));
  Spec spec =
      scene_of({named("first", ball(0.5, 3), {first}), named("second", ball(0.3, 2), {second}),
                named("third", ball(0.2, 0.7), {third}), table()},
               {law("first", "table", friction), law("second", "first", friction),
                law("third", "second", friction)},
               duration);
  spec.solver.rtol = 1e-13;
  return spec;
}

TEST(Trees, ChainOfThreeRollingBalls) {
  const Film f = film(chain_on_table(INFINITY, 0.4));
  EXPECT_LE(f.drift(), 1e-9);
  Worst momentum;
  const std::array<double, 3> m{3, 2, 0.7}, r{0.5, 0.3, 0.2}, sign{1, -1, 1};
  for (const Film::Picture& p : f.pictures) {
    if (p.contacts[f.contact("third", "second")].mode == Mode::separated) break;
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      sum += m[i] * p.bodies[i].velocity.x() +
             sign[i] * 0.4 * m[i] * r[i] * p.bodies[i].angular_velocity.y();
    }
    momentum(sum);
  }
  EXPECT_LE(momentum.value, 1e-11);
  EXPECT_GT(std::abs(f.pictures.back().bodies[2].velocity.x()), 0.3);
}

// Two ellipsoids in space, held together by a spring between their centres.
Spec floating_pair(double friction, double duration) {
  const Vec3<double> a(0.3, 0.25, 0.2), b(0.35, 0.3, 0.4);
  Spec spec =
      scene_of({named("a", ellipsoid(a, 1.3), {{0, 0, 0.6}, {0.2, 0.1, 0.03}, {0.7, -0.4, 0.5}}),
                named("b", ellipsoid(b, 2.1), {{0, 0, 0}, {-0.1, 0.05, 0.03}, {0.3, 0.2, -0.6}})},
               {law("a", "b", friction)}, duration);
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.springs = {spring("a", "b", 30)};
  return spec;
}

Spec floating_chain(double friction, double duration) {
  Spec spec = floating_pair(friction, duration);
  spec.bodies.push_back(
      named("c", ball(0.25, 0.9), {{0, 0, -0.65}, {-0.2, 0.1, 0.03}, {0.1, 0.5, 0.4}}));
  for (BodySpec& body : spec.bodies) {  // gently, so that the outer bodies do not meet
    body.velocity.value.head<2>() *= 0.2;
    body.angular_velocity.value *= 0.2;
  }
  spec.pairs.push_back(law("b", "c", friction));
  spec.springs.push_back(spring("b", "c", 40));
  return spec;
}

void expect_conserved(Spec spec) {
  spec.solver.rtol = 1e-13;
  const Film f = film(spec);
  ASSERT_TRUE(f.ended()) << name(f.events.back().kind) << " at " << f.events.back().t;
  EXPECT_TRUE(f.of(EventKind::take_off).empty());
  const Momenta first = momenta(spec, f.pictures.front().bodies),
                last = momenta(spec, f.summary.bodies);
  EXPECT_LE((last.linear - first.linear).norm(), 1e-11 * first.linear.norm());
  EXPECT_LE((last.angular - first.angular).norm(), 1e-11 * first.angular.norm());
  EXPECT_LE(f.drift(), 1e-9);
}

TEST(Trees, FloatingPairKeepsMomentumAndEnergy) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(friction);
    expect_conserved(floating_pair(friction, 5));
  }
}

TEST(Trees, FloatingChainKeepsMomentumAndEnergy) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(friction);
    // The outer bodies run around the inner one and meet after 1.8 s or later.
    expect_conserved(floating_chain(friction, 1.5));
  }
}

// Three bodies that touch each other are no tree: after some impacts the run ends and says so.
TEST(Trees, ALoopOfBodiesEndsTheRun) {
  Spec spec = floating_chain(0, 5);
  spec.solver.max_steps = 1e4;
  const Film f = film(spec);
  EXPECT_EQ(f.events.back().kind, EventKind::unsupported_island);
  EXPECT_FALSE(f.of(EventKind::impact).empty());
  EXPECT_LT(f.summary.counters.steps, 1000);
}

// The same bodies in any order: other names of A and B, other roots of floating trees.
void expect_order_is_nothing(Spec spec) {
  spec.solver.rtol = 1e-13;
  const Film first = film(spec);
  std::sort(spec.bodies.begin(), spec.bodies.end(),
            [](const BodySpec& a, const BodySpec& b) { return a.name.value < b.name.value; });
  do {
    const Film other = film(spec);
    for (const std::string& name : first.header.bodies)
      EXPECT_LE(distance(first.last(name), other.last(name)), 1e-9) << name;
  } while (std::next_permutation(
      spec.bodies.begin(), spec.bodies.end(),
      [](const BodySpec& a, const BodySpec& b) { return a.name.value < b.name.value; }));
}

TEST(Trees, OrderOfBodiesDoesNotMatter) {
  expect_order_is_nothing(floating_chain(INFINITY, 0.5));
  expect_order_is_nothing(floating_chain(0.2, 0.5));
  expect_order_is_nothing(TwoBalls{}.spec(0.05, 0.3, 0.3));
}

TEST(Trees, VeryHeavyBodyIsLikeGround) {
  Spec spec = floating_pair(0.3, 1);
  spec.springs.clear();
  for (BodySpec& body : spec.bodies) body.velocity = body.angular_velocity = Vec3<double>(0, 0, 0);
  spec.bodies[0].angular_velocity = Vec3<double>(0.5, 0.3, 1);
  spec.bodies[0].velocity = Vec3<double>(0.2, 0.1, 0);
  spec.loads = {force("a", {"0", "0", "-13"})};
  spec.bodies[1].mass = Located<double>(1e9);
  spec.bodies[1].inertia = Located<Mat3<double>>(1e12 * Mat3<double>::Identity());
  const Film heavy = film(spec);
  spec.bodies[1] = named("b", ground(spec.bodies[1].shape.value));
  const Film fixed = film(spec);
  EXPECT_EQ(heavy.events.size(), fixed.events.size());
  EXPECT_LE(distance(heavy.last("a"), fixed.last("a")), 3e-8);
}

// The upper ball leaves; the lower one rolls on with the velocity it has then.
TEST(Trees, TakeOffLeavesTheRestIntact) {
  const TwoBalls two;
  const Film f = film(two.spec(INFINITY, 0, 0.5));
  const auto off = f.of(EventKind::take_off);
  ASSERT_EQ(off.size(), 1u);
  const std::size_t low = f.contact("lower", "table");
  double v = 0;
  Worst change;
  for (const Film::Picture& p : f.pictures) {
    if (p.t <= off[0].t) {
      v = p.bodies[1].velocity.x();
      continue;
    }
    if (!f.of(EventKind::impact).empty() && p.t >= f.of(EventKind::impact)[0].t) break;
    change(p.contacts[low].mode == Mode::rolling ? 0 : 1);
    change(p.bodies[1].velocity.x() - v);
    change(p.contacts[low].normal_force - two.M * g);
  }
  EXPECT_LE(change.value, 1e-11);
  EXPECT_LT(v, -0.1);
  EXPECT_LE(f.drift(), 1e-9);
}

TEST(Trees, BodiesFarAwayDoNotMatter) {
  Spec spec = TwoBalls{}.spec(0.05, 0.3, 0.3);
  spec.solver.rtol = 1e-13;
  const Film alone = film(spec);
  spec.bodies.push_back(named("far", ball(0.3, 5), {{40, 0, 0.3}, {1, 2, 0}, {3, 4, 5}}));
  spec.pairs.push_back(law("far", "table", 0.2));
  const Film both = film(spec);
  for (const char* name : {"upper", "lower"})
    EXPECT_LE(distance(alone.last(name), both.last(name)), 1e-9);
}

}  // namespace oloid::test::trees_test
