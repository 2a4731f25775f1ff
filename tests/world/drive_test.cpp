// Ground that moves, belts, loads, springs and drag: known motions, and work that equals energy.
#include <numbers>

#include "oloid/spatial/rotation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::drive_test {

constexpr double g = 9.81;

BodySpec moved(const MotionSpec& motion, const ShapeSpec& shape = PlaneSpec{}) {
  BodySpec body = named("table", ground(shape));
  body.fixed = false;
  body.motion = Located<MotionSpec>(motion);
  return body;
}
FormulaMotionSpec along(const std::array<std::string, 3>& position) {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(position);
  return motion;
}

// On a table that turns with Ω the centre of a homogeneous ball goes round a circle at 2/7 Ω,
// v̇ = 2/7 Ω ẑ × v.
TEST(Drive, BallOnTurntableGoesRoundACircle) {
  const double rate = 1.2, r = 0.1, part = 2.0 / 7 * rate;
  const Vec3<double> p(0.5, 0, r), v(0.1, 0.4, 0), z = Vec3<double>::UnitZ();
  FormulaMotionSpec turning;
  turning.rotation_axis = z;
  turning.angle = Located<std::string>("1.2*t");
  const Vec3<double> slip = v - rate * z.cross(p);  // v + ω × (-r ẑ) is the table's velocity
  const Vec3<double> w = z.cross(slip) / r + 0.3 * z;
  Spec spec = scene_of({named("ball", ball(r, 0.5), {p, v, w}), moved(turning)},
                       {law("ball", "table", INFINITY)}, 20);
  spec.output_dt = 0.1;
  spec.solver.rtol = 1e-13;
  const Film f = film(spec);
  const Vec3<double> centre = p + z.cross(v) / part;
  Worst off;
  for (const Film::Picture& picture : f.pictures) {
    const double a = part * picture.t;
    const Vec3<double> from = p - centre;
    const Vec3<double> expected = centre + std::cos(a) * (from - from.dot(z) * z) +
                                  std::sin(a) * z.cross(from) + from.dot(z) * z;
    off((picture.bodies[0].position - expected).norm());
  }
  EXPECT_LE(off.value, 1e-9);
  EXPECT_LE(f.drift(), 1e-9);
}

// In a platform that accelerates all is as at rest with gravity g - a.
TEST(Drive, AcceleratingPlatformIsGravity) {
  const Start start{{0, 0, 0.2}, {0.3, 0.2, 0}, {1, -2, 2}};
  const BodySpec body = ellipsoid({0.3, 0.25, 0.2}, 2);
  for (const double friction : {0.0, 0.15, static_cast<double>(INFINITY)}) {
    Spec spec =
        scene_of({named("body", body, start), moved(along({"0.4*t^2", "-0.1*t^2", "0.7*t^2"}))},
                 {law("body", "table", friction)}, 1.5);
    const Film driven = film(spec);
    spec.bodies[1] = table();
    spec.gravity = Vec3<double>(-0.8, 0.2, -g - 1.4);
    const Film still = film(spec);
    Worst off, force_off;
    for (std::size_t i = 0; i < std::min(driven.pictures.size(), still.pictures.size()); ++i) {
      const Film::Picture &a = driven.pictures[i], &b = still.pictures[i];
      if (a.side != 0) continue;
      const Vec3<double> way(0.4 * a.t * a.t, -0.1 * a.t * a.t, 0.7 * a.t * a.t);
      off((a.bodies[0].position - way - b.bodies[0].position).norm());
      force_off(a.contacts[0].normal_force - b.contacts[0].normal_force);
    }
    EXPECT_LE(off.value, 1e-9) << friction;
    EXPECT_LE(force_off.value, 1e-7) << friction;
    EXPECT_LE(driven.drift(), 1e-9);
    EXPECT_EQ(driven.of(EventKind::mode_change).size(), still.of(EventKind::mode_change).size());
  }
}

// The power of the contact's force on the ground that moves it, from what frames show. [W]
double power(const Film::Picture& p) {
  const ContactFrame& c = p.contacts[0];
  const BodyFrame& B = p.bodies[1];
  const Vec3<double> f = -c.normal_force * c.normal + c.friction;
  const Vec3<double> v = B.velocity + B.angular_velocity.cross(c.point_B - B.position);
  return f.dot(v) + c.moment.dot(B.angular_velocity);
}

// A body that tumbles as prescribed, with a ball on it: the work is the integral of the power.
TEST(Drive, TumblingGroundDoesItsWork) {
  FormulaMotionSpec tumbling = along({"0.1*sin(3*t)", "0.05*t", "0.05*sin(5*t)"});
  tumbling.rotation_vector = FormulasSpec({"0.2*sin(2*t)", "0.15*t", "0.5*t - 0.3*t^2"});
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(1, 0.9, 0.8);
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    Spec spec = scene_of(
        {named("ball", ball(0.1, 0.6), {{0, 0, 0.9}, {0, 0, 0.5}}), moved(tumbling, shape)},
        {law("ball", "table", friction)}, 0.5);
    spec.pairs[0].law.spin = Located<double>(friction == 0.2 ? 0.002 : 0.0);
    spec.output_dt = 1e-3;
    spec.solver.rtol = 1e-13;
    const Film f = film(spec);
    EXPECT_LE(f.drift(), 1e-10);
    EXPECT_GT(std::abs(f.summary.energy.work), 1e-3);
    // Simpson's rule over frames, piece by piece between events.
    double work = 0;
    bool smooth = true;
    std::vector<const Film::Picture*> run;
    for (const Film::Picture& p : f.pictures) {
      if (p.side != 0) smooth = false;
      if (smooth) run.push_back(&p);
    }
    if (run.size() % 2 == 0) run.pop_back();
    ASSERT_GE(run.size(), 51u) << friction;
    for (std::size_t i = 0; i + 2 < run.size(); i += 2)
      work += (power(*run[i]) + 4 * power(*run[i + 1]) + power(*run[i + 2])) * 1e-3 / 3;
    EXPECT_NEAR(run.back()->energy.work, work, 1e-9) << friction;
  }
}

// A belt is a plane that moves along itself.
TEST(Drive, BeltEqualsMovingPlane) {
  const Start start{{0.1, 0.2, 0.2}, {0.3, 0, 0}, {1, -2, 2}};
  const BodySpec body = ellipsoid({0.3, 0.25, 0.2}, 2);
  for (const double friction : {0.1, 0.6, static_cast<double>(INFINITY)}) {
    BeltMotionSpec belt;
    belt.velocity = FormulasSpec({"0.9 + 0.4*t", "0.3*sin(4*t)", "0"});
    Spec spec =
        scene_of({named("body", body, start), moved(belt)}, {law("body", "table", friction)}, 1.5);
    spec.solver.rtol = 1e-13;
    const Film on_belt = film(spec);
    spec.bodies[1] = moved(along({"0.9*t + 0.2*t^2", "0.075*(1-cos(4*t))", "0"}));
    const Film on_plane = film(spec);
    ASSERT_TRUE(on_belt.ended());
    EXPECT_LE(distance(on_belt.last("body"), on_plane.last("body")), 1e-9) << friction;
    EXPECT_NEAR(on_belt.summary.energy.work, on_plane.summary.energy.work, 1e-9);
    EXPECT_EQ(on_belt.events.size(), on_plane.events.size());
    EXPECT_LE(on_belt.drift(), 1e-9);
  }
}

// A ball of radius r rolls over a dome of radius R whose surface runs with the tangential part
// u = V − n n·V of a velocity V. With c the centre of the ball, n = c / (R + r), F the friction and
// I = 2/5 m r²:
//   ċ = r ω × n + u,   I ω̇ = −r n × F,   F (1/m + r²/I) = [r ω × ṅ − ṅ n·V + u(V̇) − g]_t
struct DomeBelt {
  double R = 0.4, r = 0.03;
  static Vec3<double> V(double t) { return {-1 + 2 * t, 0.3 * std::sin(4 * t), 0.5 * t}; }
  static Vec3<double> V_rate(double t) { return {2, 1.2 * std::cos(4 * t), 0.5}; }
  using State = Vec6<double>;  // c − centre of the dome, ω

  static Vec3<double> tangential(const Vec3<double>& n, const Vec3<double>& v) {
    return v - n * n.dot(v);
  }
  State rate(double t, const State& x) const {
    const Vec3<double> n = x.head<3>() / (R + r), w = x.tail<3>();
    const Vec3<double> v = r * w.cross(n) + tangential(n, V(t)), n_rate = v / (R + r);
    const Vec3<double> needed =
        r * w.cross(n_rate) - n_rate * n.dot(V(t)) + V_rate(t) + Vec3<double>(0, 0, g);
    const Vec3<double> F_m = tangential(n, needed) / 3.5;  // per mass: 1 + r² m / I = 7/2
    return (State() << v, -2.5 / r * n.cross(F_m)).finished();
  }
  State after(double t_end, State x) const {
    constexpr int kSteps = 20000;
    const double h = t_end / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const double t = i * h;
      const State a = rate(t, x), b = rate(t + h / 2, x + h / 2 * a),
                  c = rate(t + h / 2, x + h / 2 * b), d = rate(t + h, x + h * c);
      x += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return x;
  }
};

TEST(Drive, BeltOverADomeCarriesABall) {
  const DomeBelt dome;
  BeltMotionSpec belt;
  belt.velocity = FormulasSpec({"-1 + 2*t", "0.3*sin(4*t)", "0.5*t"});
  const Vec3<double> n = Vec3<double>(0.2, -0.3, 1).normalized(), w(1, 2, -3);
  const Vec3<double> c = (dome.R + dome.r) * n,
                     v = dome.r * w.cross(n) + DomeBelt::tangential(n, DomeBelt::V(0));
  Spec spec = scene_of({named("ball", ball(dome.r, 0.5), {c, v, w}), moved(belt, SphereSpec{0.4})},
                       {law("ball", "table", INFINITY)}, 0.15);
  spec.solver.rtol = 1e-13;
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  ASSERT_EQ(f.pictures.back().contacts.size(), 1u);
  const DomeBelt::State end = dome.after(0.15, (DomeBelt::State() << c, w).finished());
  EXPECT_LE((f.last("ball").position - end.head<3>()).norm(), 1e-11);
  EXPECT_LE((f.last("ball").angular_velocity - end.tail<3>()).norm(), 1e-9);
  EXPECT_LE(f.drift(), 1e-11);
  // The centre goes over a ball of radius R + r.
  const BodyFrame& last = f.last("ball");
  const double turning = last.velocity.squaredNorm() / (dome.R + dome.r);
  EXPECT_NEAR(f.pictures.back().contacts[0].normal_force,
              0.5 * (g * last.position.normalized().z() - turning), 1e-9);
}

// Over every kind of ground, whatever touches it, with and without slip, and when it is hit.
TEST(Drive, BeltsOverCurvedGroundDoTheirWork) {
  BeltMotionSpec belt;
  belt.velocity = FormulasSpec({"-0.5 + t", "0.3*sin(4*t)", "0.2"});
  belt.spin = Located<std::string>("1 + t");
  EllipsoidSpec egg;
  egg.semi_axes = Vec3<double>(1, 0.9, 0.8);
  TorusSpec ring;
  ring.major_radius = 1;
  ring.minor_radius = 0.5;
  const std::pair<ShapeSpec, Vec3<double>> grounds[] = {
      {SphereSpec{0.8}, {0, 0, 0.8}}, {egg, {0, 0, 0.8}}, {ring, {1, 0, 0.5}}};
  for (const auto& [shape, top] : grounds) {
    for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
      for (const double height : {0.0, 0.05}) {
        SCOPED_TRACE(friction);
        Spec spec = scene_of({named("body", ellipsoid({0.1, 0.12, 0.15}, 0.6),
                                    {top + Vec3<double>(0, 0, 0.15 + height)}),
                              moved(belt, shape)},
                             {law("body", "table", friction)}, 0.3);
        if (height == 0) spec = touching(spec);
        spec.pairs[0].law.restitution = Located<double>(0.5);
        spec.solver.rtol = 1e-13;
        const Film f = film(spec);
        ASSERT_TRUE(f.ended());
        EXPECT_LE(f.drift(), 1e-10);
      }
    }
  }
}

// A turning belt is a turntable.
TEST(Drive, SpinningBeltEqualsTurntable) {
  const Start start{{0.4, 0, 0.2}, {0.3, 0, 0}, {1, -2, 2}};
  BeltMotionSpec belt;
  belt.spin = Located<std::string>("1.5");
  Spec spec = scene_of({named("body", ellipsoid({0.3, 0.25, 0.2}, 2), start), moved(belt)},
                       {law("body", "table", 0.3)}, 1);
  spec.pairs[0].law.spin = Located<double>(0.003);
  spec.solver.rtol = 1e-13;
  const Film on_belt = film(spec);
  FormulaMotionSpec turning;
  turning.angle = Located<std::string>("1.5*t");
  spec.bodies[1] = moved(turning);
  const Film on_table = film(spec);
  EXPECT_LE(distance(on_belt.last("body"), on_table.last("body")), 1e-9);
  EXPECT_NEAR(on_belt.summary.energy.work, on_table.summary.energy.work, 1e-9);
}

// A short push finds a body that rests but for a free spin, and one that flies straight on.
TEST(Drive, ShortPushesAreNotMissed) {
  const std::string push = "max(0, 1 - ((t - 5.4837)/0.0165)^2)";  // 33 ms long, 22 ms in sum
  for (const double spin : {0.0, 4.0}) {
    Spec spec =
        scene_of({named("ball", ball(0.1, 0.5), {{0, 0, 0.1}, {0, 0, 0}, {0, 0, spin}}), table()},
                 {law("ball", "table", 0.5)}, 6);
    spec.pairs[0].law.rolling_resistance = Located<double>(1e-4);
    spec.loads = {force("ball", {"0.2*" + push, "0", "0"})};
    spec.output_dt = 6;
    const Film f = film(spec);
    ASSERT_TRUE(f.ended());
    EXPECT_GT(f.last("ball").position.x(), 1e-4) << spin;
  }
  Spec spec = scene_of({named("ball", ball(0.1, 0.5)), table()}, {}, 6);
  spec.bodies[0].position = Vec3<double>(0, 0, 10);
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.loads = {force("ball", {"0.5*" + push, "0", "0"})};
  spec.output_dt = 6;
  EXPECT_NEAR(film(spec).last("ball").velocity.x(), 0.022, 1e-6);
}

// A plate that follows key frames: acceleration jumps at the first and the last one.
TEST(Drive, KeyFramedPlate) {
  KeyFrameMotionSpec keys;
  keys.times = std::vector<double>{0.2, 0.5, 0.9, 1.3};
  keys.positions = Located<std::vector<Vec3<double>>>(
      {{0, 0, 0}, {0.1, 0.05, 0.02}, {-0.05, 0.1, 0}, {0.1, 0, 0.03}});
  for (const double friction : {0.05, 0.5}) {
    Spec spec = scene_of({named("ball", ball(0.2, 1.5), {{0, 0, 0.2}}), moved(keys)},
                         {law("ball", "table", friction)}, 2);
    const Film f = film(spec);
    ASSERT_TRUE(f.ended());
    EXPECT_LE(f.drift(), 1e-9) << friction;
    EXPECT_EQ(f.at(0.2).bodies[0].velocity.norm(), 0);
    // Before and after, the force is the weight.
    EXPECT_NEAR(f.at(0.1).contacts[0].normal_force, 1.5 * g, 1e-11);
    EXPECT_NEAR(f.at(1.9).contacts[0].normal_force, 1.5 * g, 1e-11);
    if (friction == 0.5) {  // it rolls all the time: 2/7 of the plate's way
      EXPECT_NEAR(f.last("ball").position.x(), 2.0 / 7 * 0.1, 1e-9);
      EXPECT_NEAR(f.last("ball").velocity.norm(), 0, 1e-9);
    }
  }
}

TEST(Drive, DragGivesTheTerminalVelocity) {
  Spec spec = scene_of({named("ball", ball(0.1, 0.5), {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}})}, {}, 3);
  DragSpec drag;
  drag.body = std::string("ball");
  drag.linear = 1.7;
  drag.angular = 0.001;
  spec.drags = {drag};
  const Film f = film(spec);
  const double rate = 1.7 / 0.5, faded = std::exp(-rate * 3);
  EXPECT_NEAR(f.last("ball").velocity.x(), 2 * faded, 1e-10);
  EXPECT_NEAR(f.last("ball").velocity.z(), -g / rate * (1 - faded), 1e-10);
  EXPECT_NEAR(f.last("ball").angular_velocity.y(), 3 * std::exp(-0.001 * 3 / (0.4 * 0.5 * 0.01)),
              1e-10);
  EXPECT_LE(f.drift(), 1e-9);
}

// x'' = -2 d x' - w² x about the place of equilibrium.
TEST(Drive, SpringAndDamper) {
  const double m = 0.5, k = 20, c = 0.8, length = 0.3;
  BodySpec anchor = named("anchor", ground(ball(0.01).shape.value), {{0, 0, 1}});
  Spec spec = scene_of({named("ball", ball(0.1, m), {{0, 0, 0.4}}), anchor}, {}, 3);
  spec.springs = {spring("ball", "anchor", k, c, length)};
  const Film f = film(spec);
  const double z0 = 1 - length - m * g / k, d = c / (2 * m), w = std::sqrt(k / m - d * d);
  Worst off;
  for (const Film::Picture& p : f.pictures) {
    const double x = 0.4 - z0;
    const double z = z0 + std::exp(-d * p.t) * x * (std::cos(w * p.t) + d / w * std::sin(w * p.t));
    off(p.bodies[0].position.z() - z);
  }
  EXPECT_LE(off.value, 1e-9);
  EXPECT_LE(f.drift(), 1e-9);
}

// A ball that rolls, drawn to a point by a spring along the table: (1 + k) m x'' = -stiffness x.
TEST(Drive, SpringPullsARollingBall) {
  BodySpec anchor = named("anchor", ground(ball(0.01).shape.value), {{0, 0, 5}});
  const double m = 1.5, k = 40;
  Spec spec = scene_of({named("ball", ball(0.2, m), {{0.5, 0, 0.2}}), anchor, table()},
                       {law("ball", "table", INFINITY)}, 4);
  spec.loads = {force("ball", {"-40*x", "-40*y", "0"})};
  const Film f = film(spec);
  const double w = std::sqrt(k / (1.4 * m));
  EXPECT_NEAR(f.last("ball").position.x(), 0.5 * std::cos(w * 4), 1e-9);
  EXPECT_LE(f.drift(), 1e-9);
}

}  // namespace oloid::test::drive_test
