#include "oloid/dynamics/loads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/count_allocations.h"
#include "support/rooms.h"
#include "support/time_derivative.h"

namespace oloid::test::loads_test {

constexpr std::array<std::string_view, 1> kTime{"t"};

Expression load_formula(const char* text) { return *Expression::parse(text, kLoadVariables); }
std::array<Expression, 3> load_formulas(const char* x, const char* y, const char* z) {
  return {load_formula(x), load_formula(y), load_formula(z)};
}

// A body on some smooth way: as good as any for laws that hold on all of them.
Motion random_motion(Random& random) {
  const auto wave = [&](double size) {
    const double a = random(-size, size), b = random(-2, 2), c = random(-3, 3),
                 d = random(-size, size);
    return *Expression::parse(fmt::format("{}*sin({}*t + {}) + {}", a, b, c, d), kTime);
  };
  FormulaMotion motion{{}};
  const Expression x = wave(1), y = wave(1), z = wave(1), u = wave(2), v = wave(2), w = wave(2);
  motion.position = std::array<Expression, 3>{x, y, z};
  motion.rotation_vector = std::array<Expression, 3>{u, v, w};
  return Motion(motion);
}

using Bodies = std::vector<BodyMotion>;
Bodies bodies_at(const std::vector<Motion>& motions, double t) {
  Bodies bodies;
  bodies.reserve(motions.size());
  for (const Motion& motion : motions) bodies.push_back(motion.at(t));
  return bodies;
}

struct Sum {
  std::vector<Wrench<double>> loads;
  double power = 0;
};
Sum sum_of(const Loads& loads, double t, const Bodies& bodies) {
  Sum sum;
  sum.loads.resize(bodies.size());
  loads.add(t, bodies, sum.loads, sum.power);
  return sum;
}

Spring random_spring(Random& random) {
  Spring spring;
  spring.bodies = {BodyId{0}, BodyId{1}};
  spring.points[0] = random.vector<3>(-1, 1);
  spring.points[1] = random.vector<3>(-1, 1);
  spring.stiffness = random(1, 20);
  spring.damping = random(0, 3);
  spring.length = random(0, 1);
  return spring;
}

FormulaLoad random_load(Random& random, int body) {
  FormulaLoad load{BodyId{body}, load_formulas("sin(t) - x", "vx*y", "3 - wz"),
                   load_formulas("-wx", "z*vy", "t*wy"), random.vector<3>(-1, 1), false};
  load.body_axes = random(0, 1) < 0.5;
  return load;
}

// d(K + U)/dt = power, where dK/dt is the power of the wrenches on free bodies, with U's rate from
// differences along the motion. Bodies 0 and 1 are free or driven, 2 is free.
void expect_energy_law(const Loads& loads, const std::vector<Motion>& motions,
                       const std::vector<bool>& driven, double t) {
  const Bodies bodies = bodies_at(motions, t);
  const Sum sum = sum_of(loads, t, bodies);
  double kinetic_rate = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!driven[i]) kinetic_rate += power(sum.loads[i], bodies[i].phi);
  }
  const double elastic_rate = test::time_derivative(
      [&](double s) { return loads.potential(bodies_at(motions, s)); }, t, 2e-3);
  EXPECT_NEAR(kinetic_rate + elastic_rate, sum.power, 1e-8);
}

TEST(Loads, KeepTheEnergyLawOnAnyMotion) {
  for_random_cases(100, [](Random& random) {
    for (const int who : {-1, 0, 1}) {  // is driven
      std::vector<Motion> motions;
      motions.reserve(3);
      for (int i = 0; i < 3; ++i) motions.push_back(random_motion(random));
      Loads loads;
      Spring spring = random_spring(random);
      std::vector<bool> driven(3, false);
      if (who >= 0) {
        spring.driven[static_cast<std::size_t>(who)] = true;
        driven[static_cast<std::size_t>(who)] = true;
      }
      loads.add_spring(spring);
      loads.add_load(random_load(random, 2));
      loads.add_drag({BodyId{2}, random(0, 2), random(0, 2)});
      loads.add_callback(BodyId{2}, [](double t, const BodyMotion& body) {
        return Wrench<double>{t * body.phi.v, Vec3<double>(1, body.X_WB.p.x(), 0)};
      });
      expect_energy_law(loads, motions, driven, random(-1, 1));
    }
  });
}

// The frame of a belt does not move, and neither does the end of a spring on it.
TEST(Loads, SpringsOnABeltAreAttachedToItsFrame) {
  const Pose<double> X{Mat3<double>::Identity(), {1, 0, 0}};
  const auto zero = *Expression::parse("0", kTime), speed = *Expression::parse("2", kTime);
  const Motion belt(BeltMotion{X, {speed, zero, zero}, zero, {0, 0, 1}, {0, 0, 0}});
  const Motion still(Still{{}});
  Loads loads;
  Spring spring;
  spring.bodies = {BodyId{0}, BodyId{1}};
  spring.stiffness = 3;
  spring.damping = 5;
  spring.driven = {false, true};
  loads.add_spring(spring);
  const Sum sum = sum_of(loads, 0, bodies_at({still, belt}, 0));
  EXPECT_LE(difference(sum.loads[0].f, Vec3<double>(3, 0, 0)), 1e-15);
  EXPECT_EQ(sum.power, 0);
}

TEST(Loads, SpringForcesAreOppositeWithoutTorque) {
  for_random_cases(100, [](Random& random) {
    std::vector<Motion> motions;
    motions.reserve(2);
    for (int i = 0; i < 2; ++i) motions.push_back(random_motion(random));
    const Bodies bodies = bodies_at(motions, random(-1, 1));
    Loads loads;
    loads.add_spring(random_spring(random));
    const Sum sum = sum_of(loads, 0, bodies);
    Wrench<double> total;
    for (std::size_t i = 0; i < 2; ++i) {
      total = total + transform(bodies[i].X_WB, sum.loads[i]);
    }
    EXPECT_LE(total.f.norm(), 1e-12);
    EXPECT_LE(total.t.norm(), 1e-12);
  });
}

TEST(Loads, SpringsPullTowardsTheirLength) {
  Spring spring;
  spring.bodies = {BodyId{0}, BodyId{1}};
  spring.stiffness = 10;
  spring.damping = 4;
  spring.length = 0.5;
  Bodies bodies(2);
  bodies[1].X_WB.p = {2, 0, 0};
  bodies[1].phi.v = {0.25, 7, 0};  // only what lengthens it counts
  Loads loads;
  loads.add_spring(spring);
  const Sum sum = sum_of(loads, 0, bodies);
  EXPECT_LE(difference(sum.loads[0].f, Vec3<double>(10 * 1.5 + 4 * 0.25, 0, 0)), 1e-14);
  EXPECT_NEAR(loads.potential(bodies), 0.5 * 10 * 1.5 * 1.5, 1e-14);
}

// Smooth where a spring without length shrinks to a point, finite where one with a length does.
TEST(Loads, SpringsOfNoExtentAreHarmless) {
  for (const double length : {0.0, 0.3}) {
    Spring spring;
    spring.bodies = {BodyId{0}, BodyId{1}};
    spring.stiffness = 10;
    spring.damping = 4;
    spring.length = length;
    Bodies bodies(2);
    bodies[1].phi.v = {0, 2, 0};
    Loads loads;
    loads.add_spring(spring);
    const Sum at = sum_of(loads, 0, bodies);
    EXPECT_LE(difference(at.loads[0].f, Vec3<double>(0, length == 0 ? 8 : 0, 0)), 1e-15);
    bodies[1].X_WB.p = {0, 1e-12, 0};
    const Sum near = sum_of(loads, 0, bodies);
    if (length == 0) {
      EXPECT_LE(difference(at.loads[0].f, near.loads[0].f), 1e-10);
    }
    EXPECT_TRUE(near.loads[0].f.allFinite());
  }
}

TEST(Loads, DragOnlyTakesEnergy) {
  for_random_cases(50, [](Random& random) {
    const std::vector<Motion> motions{random_motion(random)};
    const Bodies bodies = bodies_at(motions, random(-1, 1));
    const double linear = random(0, 2), angular = random(0, 2);
    Loads loads;
    loads.add_drag({BodyId{0}, linear, angular});
    const Sum sum = sum_of(loads, 0, bodies);
    EXPECT_LE(sum.power, 0);
    const Twist<double>& phi = bodies[0].phi;
    EXPECT_NEAR(sum.power, -linear * phi.v.squaredNorm() - angular * phi.w.squaredNorm(), 1e-13);
  });
}

// World and body axes, and a force at a point.
TEST(Loads, FormulasAreInTheAxesNamed) {
  for_random_cases(50, [](Random& random) {
    const std::vector<Motion> motions{random_motion(random)};
    const double t = random(-1, 1);
    const Bodies bodies = bodies_at(motions, t);
    const BodyMotion& body = bodies[0];
    const Vec3<double> v_W = body.X_WB.R * body.phi.v, w_W = body.X_WB.R * body.phi.w;
    const Vec3<double> point = random.vector<3>(-1, 1);
    const Vec3<double> F(t + body.X_WB.p.x(), body.X_WB.p.y() * v_W.x(), v_W.y() - v_W.z());
    const Vec3<double> T(w_W.x(), w_W.y() * w_W.z(), body.X_WB.p.z());
    for (const bool body_axes : {false, true}) {
      Loads loads;
      loads.add_load({BodyId{0}, load_formulas("t + x", "y*vx", "vy - vz"),
                      load_formulas("wx", "wy*wz", "z"), point, body_axes});
      const Sum sum = sum_of(loads, t, bodies);
      const Mat3<double> R = body_axes ? Mat3<double>::Identity() : body.X_WB.R;
      EXPECT_LE(difference(Vec3<double>(R * sum.loads[0].f), F), 1e-13);
      EXPECT_LE(difference(Vec3<double>(R * (sum.loads[0].t - point.cross(sum.loads[0].f))), T),
                1e-13);
      EXPECT_NEAR(sum.power, power(sum.loads[0], body.phi), 1e-13);
    }
  });
}

TEST(Loads, AddToWhatIsThere) {
  Loads loads;
  loads.add_drag({BodyId{0}, 2, 0});
  Bodies bodies(1);
  bodies[0].phi.v = {1, 0, 0};
  std::vector<Wrench<double>> sum(1);
  sum[0].f = {0, 0, 5};
  double power = 10;
  loads.add(0, bodies, sum, power);
  EXPECT_EQ(sum[0].f, Vec3<double>(-2, 0, 5));
  EXPECT_EQ(power, 8);
}

TEST(Loads, DoNotAllocate) {
  Random random(1);
  std::vector<Motion> motions;
  motions.reserve(2);
  for (int i = 0; i < 2; ++i) motions.push_back(random_motion(random));
  Loads loads;
  loads.add_spring(random_spring(random));
  loads.add_load(random_load(random, 1));
  loads.add_drag({BodyId{0}, 1, 1});
  loads.add_callback(BodyId{1}, [](double, const BodyMotion&) { return Wrench<double>{}; });
  Bodies bodies(2);
  std::vector<Wrench<double>> sum(2);
  double power = 0, energy = 0;
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    for (std::size_t k = 0; k < 2; ++k) bodies[k] = motions[k].at(0.01 * i);
    loads.add(0.01 * i, bodies, sum, power);
    energy += loads.potential(bodies);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(std::isfinite(power + energy));
}

TEST(Loads, SayWhetherTheyDependOnTime) {
  Loads none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.depends_on_time());
  Loads steady;
  steady.add_load({BodyId{0}, load_formulas("x", "0", "0"), load_formulas("0", "vx", "0")});
  steady.add_drag({BodyId{0}, 1, 1});
  Spring spring;
  spring.bodies = {BodyId{0}, BodyId{1}};
  steady.add_spring(spring);
  EXPECT_FALSE(steady.empty());
  EXPECT_FALSE(steady.depends_on_time());
  Loads changing = steady;
  changing.add_load({BodyId{0}, load_formulas("0", "0", "0"), load_formulas("0", "0", "sin(t)")});
  EXPECT_TRUE(changing.depends_on_time());
  Loads driven = steady;
  spring.driven[1] = true;
  driven.add_spring(spring);
  EXPECT_TRUE(driven.depends_on_time());
  Loads own;
  own.add_callback(BodyId{0}, [](double, const BodyMotion&) { return Wrench<double>{}; });
  EXPECT_TRUE(own.depends_on_time());
  EXPECT_FALSE(own.empty());
}

}  // namespace oloid::test::loads_test
