// Near misses and touches: whether two bodies meet, and when, is decided by geometry to 1e-9 ℓ.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::encounter_test {

constexpr double g = 9.81;

// Times at which bodies have touched.
std::vector<double> touches(const Film& f) {
  EXPECT_TRUE(f.ended()) << f.events.back().note;
  std::vector<double> times;
  for (const Event& e : f.events) {
    if (e.kind == EventKind::impact || e.kind == EventKind::grazing) times.push_back(e.t);
  }
  return times;
}

// Thrown up below a ball that hangs from nothing: it turns back short of it, or hits it at
// v/g − √(2 off/g). By a spring that is too weak to matter both are in one island.
TEST(Encounter, ABallThrownUpTouchesOrTurnsBack) {
  const double v = 3, r = 0.1, top = 0.5 * v * v / g;
  for (const double off : {1e-3, 1e-6, 1e-9, 1e-10}) {
    for (const double side : {-1.0, 1.0}) {
      for (const bool fixed : {true, false}) {
        SCOPED_TRACE(testing::Message() << side * off << (fixed ? " fixed" : " free"));
        BodySpec above = named("above", ball(r), {{0, 0, top + 2 * r + side * off}});
        above.fixed = fixed;
        Spec spec = scene_of({named("ball", ball(r), {{0, 0, 0}, {0, 0, v}, {1, 2, 3}}), above},
                             {law("ball", "above", 0, 0.5)}, 2 * v / g);
        if (!fixed) {
          spec.gravity = Vec3<double>(0, 0, 0);
          spec.loads = {force("ball", {"0", "0", "-9.81"})};
          spec.springs = {spring("ball", "above", 1e-15)};
        }
        const auto times = touches(film(spec));
        ASSERT_EQ(times.size(), side < 0 ? 1u : 0u);
        if (side < 0) {
          EXPECT_NEAR(times[0], v / g - std::sqrt(2 * off / g), 1e-13 / std::sqrt(off));
        }
      }
    }
  }
}

// Thrown past a ball whose centre is at the distance 2r + off from the nearest point of the
// parabola, on its hollow or on its other side. It falls all the while: the gap is not symmetric
// about its least value.
TEST(Encounter, AThrownBallGrazesOrPasses) {
  const double r = 0.1, nearest = 0.3;
  const Vec3<double> v(2, 0, -1), a(0, 0, -g);
  const auto path = [&](double t) -> Vec3<double> { return t * v + 0.5 * t * t * a; };
  const Vec3<double> way = (v + nearest * a).normalized();
  for (const double off : {1e-3, 1e-6, 1e-9, 1e-10}) {
    for (const double side : {-1.0, 1.0}) {
      for (const double hollow : {-1.0, 1.0}) {
        SCOPED_TRACE(testing::Message() << side * off << ", " << hollow);
        const Vec3<double> normal = hollow * way.cross(Vec3<double>::UnitY());
        const Vec3<double> centre = path(nearest) + (2 * r + side * off) * normal;
        BodySpec other = named("other", ball(r), {centre});
        other.fixed = true;
        Spec spec = scene_of({named("ball", ball(r), {{0, 0, 0}, v, {1, 2, 3}}), other},
                             {law("ball", "other", 0, 0.5)}, 0.5);
        spec.solver.rtol = 1e-13;
        const auto times = touches(film(spec));
        ASSERT_EQ(times.size(), side < 0 ? 1u : 0u);
        if (side > 0) continue;
        double lo = nearest - 0.1, hi = nearest;  // apart, overlapping
        while (hi - lo > 1e-16) {
          const double t = 0.5 * (lo + hi);
          if (t == lo || t == hi) break;
          ((path(t) - centre).norm() > 2 * r ? lo : hi) = t;
        }
        EXPECT_NEAR(times[0], lo, 1e-13 / std::sqrt(off));
      }
    }
  }
}

// A stick, an ellipsoid with semi-axes a, b, b, that turns about its centre at the angle
// ωt − 2 in front of a ball at distance d.
struct Stick {
  double a = 0.5, b = 0.2, r = 0.1, omega = 3, off = 0;

  double d() const { return a + r + off; }
  double gap(double angle) const {
    const double x = d() * std::cos(angle), y = -d() * std::sin(angle);
    double lo = -1.5, hi = 1.5;  // of the ellipse's parameter
    const auto away = [&](double s) {
      return std::hypot(x - a * std::cos(s), y - b * std::sin(s));
    };
    while (hi - lo > 1e-9) {
      const double one = lo + 0.4 * (hi - lo), two = lo + 0.6 * (hi - lo);
      (away(one) < away(two) ? hi : lo) = away(one) < away(two) ? two : one;
    }
    return away(0.5 * (lo + hi)) - r;
  }
  double touches_at() const {
    double lo = -0.7, hi = 0;  // angles before which it is apart, at which it overlaps
    while (hi - lo > 1e-14) (gap(0.5 * (lo + hi)) > 0 ? lo : hi) = 0.5 * (lo + hi);
    return (lo + 2) / omega;
  }
  Spec spec(bool free, bool first) const {
    BodySpec stick = named("stick", ellipsoid({a, b, b}, 2), {{0, 0, 0}, {0, 0, 0}, {0, 0, omega}});
    stick.orientation = Quat<double>{std::cos(1), 0, 0, -std::sin(1)};
    if (!free) {
      FormulaMotionSpec motion;
      motion.angle = Located<std::string>(std::to_string(omega) + " * t");
      stick.mass.reset();
      stick.inertia.reset();
      stick.angular_velocity = Vec3<double>(0, 0, 0);
      stick.motion = Located<MotionSpec>(motion);
    }
    const BodySpec at_rest = named("ball", ball(r), {{d(), 0, 0}});
    Spec made = scene_of({first ? stick : at_rest, first ? at_rest : stick},
                         {law("stick", "ball", 0, 1)}, off > 0 ? 12 / omega : 2.5 / omega);
    made.gravity = Vec3<double>(0, 0, 0);
    made.solver.rtol = 1e-13;
    return made;
  }
};

TEST(Encounter, ATurningStickTouchesOrPasses) {
  for (const double omega : {3.0, 1000.0}) {
    for (const double off : {-1e-2, -1e-5, -1e-9, 1e-9, 1e-5, 1e-2}) {
      for (const bool free : {true, false}) {
        for (const bool first : {true, false}) {
          const Stick stick{.omega = omega, .off = off};
          SCOPED_TRACE(testing::Message() << omega << " rad/s, " << off
                                          << (free ? ", free" : ", driven") << ", " << first);
          const auto times = touches(film(stick.spec(free, first)));
          ASSERT_EQ(times.size(), off < 0 ? 1u : 0u);
          if (off < 0) {
            EXPECT_NEAR(times[0] * omega, stick.touches_at() * omega, 1e-12 / std::sqrt(-off));
          }
        }
      }
    }
  }
}

// Side by side, as near as it may be: nothing happens, and it costs nothing.
TEST(Encounter, BodiesThatFlySideBySideDoNotMeet) {
  for (const double gap : {1e-3, 1e-6, 1e-8}) {
    for (const double gravity : {0.0, 9.81}) {
      SCOPED_TRACE(testing::Message() << gap << " m, " << gravity);
      Spec spec = scene_of({named("a", ball(0.1), {{0, 0, 0}, {1, 2, 3}}),
                            named("b", ball(0.1), {{0.2 + gap, 0, 0}, {1, 2, 3}})},
                           {law("a", "b", 0.3, 0.5)}, 3);
      spec.gravity = Vec3<double>(0, 0, -gravity);
      const Film f = film(spec);
      EXPECT_TRUE(touches(f).empty());
      EXPECT_LT(f.summary.counters.steps, 100);
    }
  }
}

// Without restitution and without anything that presses, bodies fly on with a common velocity: one
// event.
TEST(Encounter, APlasticHitInSpaceIsOneEvent) {
  Spec spec = scene_of({named("a", ball(0.1, 1), {{-1, 0, 0}, {2, 0, 0}}),
                        named("b", ball(0.1, 3), {{1, 0, 0}, {-1, 0, 0}})},
                       {law("a", "b", 0.3, 0)}, 3);
  spec.gravity = Vec3<double>(0, 0, 0);
  const Film f = film(spec);
  const auto times = touches(f);
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.6, 1e-12);
  EXPECT_NEAR(f.last("a").velocity.x(), -0.25, 1e-12);
  EXPECT_NEAR(f.last("b").velocity.x(), -0.25, 1e-12);
  EXPECT_NEAR(f.summary.energy.dissipated, 0.5 * 0.75 * 3 * 3, 1e-11);
}

// Two balls that are pressed together; a third one hits one of them head-on, at 80° to the line of
// the two, and drives it away from the other, which feels nothing. Masses are equal, so that the
// third ball stops.
TEST(Encounter, ACollisionPullsBodiesApart) {
  const double r = 0.1, v = 2, angle = 80 * std::acos(-1.0) / 180;
  const Vec3<double> way(std::cos(angle), -std::sin(angle), 0);
  Spec spec = scene_of({named("a", ball(r), {{-2 * r, 0, 0}}), named("b", ball(r), {{0, 0, 0}}),
                        named("c", ball(r), {-(2 * r + 0.1) * way, v * way})},
                       {law("a", "b", 0, 0), law("b", "c", 0, 1)}, 0.06);
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.loads = {force("a", {"1", "0", "0"}), force("b", {"-1", "0", "0"})};
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  const auto off = f.of(EventKind::take_off);
  ASSERT_EQ(off.size(), 1u);
  EXPECT_NEAR(off[0].t, 0.1 / v, 1e-10);
  EXPECT_NE(off[0].before, Mode::separated);
  EXPECT_EQ(off[0].after, Mode::separated);
  const double after = f.summary.t_end - off[0].t;
  const Vec3<double> push(after, 0, 0);
  EXPECT_LE((f.last("a").velocity - push).norm(), 1e-10);
  EXPECT_LE((f.last("b").velocity - v * way + push).norm(), 1e-10);
  EXPECT_LE(f.last("c").velocity.norm(), 1e-10);
  EXPECT_LE(f.drift(), 1e-10);
}

// A ring and a nearly flat face: the certificate is not certain, and what touches is found by
// searches. The touch is the same however short the steps are.
TEST(Encounter, IsNotMissedWhereTheCertificateIsNotCertain) {
  TorusSpec torus;
  torus.major_radius = 2.312433;
  torus.minor_radius = 0.362508;
  SuperellipsoidSpec cushion;
  cushion.semi_axes = Vec3<double>(0.152113, 0.249767, 0.148335);
  cushion.exponents = std::vector<double>{3.545225, 4.119042};
  const Mat3<double> J = Mat3<double>::Identity();
  BodySpec ring = named("ring", moving_body(torus, 1, J), {{0, 0, 0}});
  ring.orientation = unit(Quat<double>{0.438352, 0.237555, -0.434024, -0.750359});
  ring.angular_velocity = Vec3<double>(0.168993, -0.433553, -0.154018);
  BodySpec other =
      named("cushion", moving_body(cushion, 1, J),
            {{-2.118758891, -2.129489028, -0.846181601}, {1.908890642, 1.852815037, 0.863402230}});
  other.orientation = unit(Quat<double>{-0.655138, 0.189591, -0.728032, 0.069416});
  std::vector<double> times;
  for (const double longest : {1.0, 1e-3, 2.5e-4, 2e-4}) {
    Spec spec = scene_of({ring, other}, {law("ring", "cushion", 0, 0)}, 0.12);
    spec.gravity = Vec3<double>(0, 0, 0);
    spec.solver.max_step = Located<double>(longest);
    const Film f = film(spec);
    ASSERT_FALSE(f.of(EventKind::impact).empty()) << longest;
    times.push_back(f.of(EventKind::impact).front().t);
    EXPECT_NEAR(times.back(), times.front(), 1e-9) << longest;
  }
}

// A body of two balls in a bore: where one holds it, the other is what may touch next, never the
// point that is held. After it has hit with both it rolls on one.
TEST(Encounter, TheContactThatIsHeldIsNoOther) {
  ImplicitSpec balls;
  balls.formulas = std::vector<std::string>{
      "((x-0.0135972)^2 + y^2 + z^2 - 0.00455264^2) * ((x+0.0135972)^2 + y^2 + z^2 - "
      "0.00455264^2)"};
  balls.box =
      std::array<Vec3<double>, 2>{Vec3<double>(-0.02, -0.007, -0.007), {0.02, 0.007, 0.007}};
  BodySpec body =
      named("balls",
            moving_body(balls, 0.00147656,
                        Vec3<double>(1.255e-8, 2.925e-7, 2.925e-7).asDiagonal().toDenseMatrix()),
            {{0, 0, 0}, {1.43872, 0.41827, -0.633911}, {-41.2829, -50.3216, -86.1003}});
  body.orientation = unit(Quat<double>{0.563811, -0.111282, 0.63956, -0.510584});
  CylinderSpec cylinder;
  cylinder.radius = 0.173363;
  cylinder.cavity = true;
  BodySpec bore = named("bore", ground(cylinder));
  bore.orientation = unit(Quat<double>{0.565458, -0.810863, -0.033489, -0.147096});
  const Film f = film(scene_of({body, bore}, {law("balls", "bore", 2.099)}, 0.2));
  EXPECT_GT(f.of(EventKind::impact).size(), 1u);
  for (const Event& e : f.of(EventKind::witness_change)) EXPECT_GT(e.value, 1e-9);
  EXPECT_TRUE(f.ended()) << f.events.back().note;
}

// Bodies in a hollow ball of radius 1, by what they enclose.
struct InHollow {
  ShapeSpec shape;
  double (*inside)(const Vec3<double>& p);  // < 1

  // How far the surface is from the middle of the ball, in a direction of the body.
  double far(const BodyFrame& at, const Vec3<double>& direction) const {
    double low = 0, high = 2;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (inside(middle * direction) < 1 ? low : high) = middle;
    }
    return (at.position + rotation_matrix(at.orientation) * (low * direction)).norm();
  }
  // The farthest place that climbing from a direction leads to.
  Vec3<double> farthest(const BodyFrame& at, Vec3<double> direction) const {
    double best = far(at, direction);
    for (double step = 0.2; step > 1e-9; step *= 0.5) {
      for (bool better = true; better;) {
        better = false;
        for (int k = 0; k < 6; ++k) {
          const Vec3<double> next =
              (direction + (k < 3 ? step : -step) * Vec3<double>::Unit(k % 3)).normalized();
          const double there = far(at, next);
          if (!(there > best)) continue;
          best = there;
          direction = next;
          better = true;
        }
      }
    }
    return direction;
  }
  // Places that touch, each once.
  int touching(const BodyFrame& at) const {
    std::vector<Vec3<double>> places;
    for (int k = 0; k < 8; ++k) {
      const Vec3<double> place =
          farthest(at, Vec3<double>(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).normalized());
      EXPECT_LE(far(at, place), 1 + 1e-9);
      const auto same = [&](const Vec3<double>& other) { return (other - place).norm() < 1e-3; };
      if (far(at, place) > 1 - 1e-9 && std::none_of(places.begin(), places.end(), same))
        places.push_back(place);
    }
    return static_cast<int>(places.size());
  }
  Film run(double height, const Quat<double>& q, double friction, double restitution) const {
    BodySpec body = moving_body(shape, 1, Mat3<double>::Identity());
    body.mass.reset();
    body.inertia.reset();
    body.density = Located<double>(1000);
    body = named("body", body, {{0, 0, height}});
    body.orientation = unit(q);
    SphereSpec hollow;
    hollow.radius = 1.0;
    hollow.cavity = true;
    return film(scene_of({body, named("hollow", ground(hollow))},
                         {law("body", "hollow", friction, restitution)}, 0.6));
  }
};

// A disc that comes to lie flat touches all around its rim at almost the same time: the nearest
// place runs around the rim, and nothing is certain. Every touch is an impact, until it lies.
TEST(Encounter, ADiscInAHollowBallTouchesNowhereUnnoticed) {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.5, 0.5, 0.05);
  const InHollow disc{shape, [](const Vec3<double>& p) {
                        return p.cwiseQuotient(Vec3<double>(0.5, 0.5, 0.05)).norm();
                      }};
  for (const Film& f :
       {disc.run(-0.8,
                 {0.9993833718887133, 0.0180026381762556, 0.0301411050190166, -0.0005429542087181},
                 0.3, 0.5),
        disc.run(-0.8,
                 {0.9994157065484426, 0.0322634828461323, 0.0112774393209137, -0.0003640621892317},
                 0, 0.5)}) {
    EXPECT_TRUE(f.of(EventKind::solver_trouble).empty()) << f.events.back().note;
    EXPECT_GT(f.of(EventKind::impact).size(), 8u);
    for (const Film::Picture& picture : f.pictures) disc.touching(picture.bodies[0]);
  }
}

// A cushion with four corners below: while it stands on one, each of the others may touch next.
// When it ends, because two touch and stay, two do touch, and none is outside.
TEST(Encounter, ACushionInAHollowBallTouchesWithAnyCorner) {
  SuperellipsoidSpec shape;
  shape.semi_axes = Vec3<double>(0.16, 0.1, 0.08);
  shape.exponents = std::vector<double>{4, 4};
  const InHollow cushion{
      shape, [](const Vec3<double>& p) {
        return p.cwiseQuotient(Vec3<double>(0.16, 0.1, 0.08)).array().pow(4).sum();
      }};
  const Film f = cushion.run(
      -0.9, {0.9995841470751419, 0.0168719173656052, 0.0233819494915778, -0.0003946624411992}, 0,
      0.3);
  ASSERT_EQ(f.events.back().kind, EventKind::unsupported_island) << f.events.back().note;
  for (const Film::Picture& picture : f.pictures) cushion.touching(picture.bodies[0]);
  EXPECT_GE(cushion.touching(f.last("body")), 2);
}

}  // namespace oloid::test::encounter_test
