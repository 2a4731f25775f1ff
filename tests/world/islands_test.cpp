// Islands: nothing depends on threads or on bodies elsewhere, and nothing passes through anything.
#include <gtest/gtest.h>

#include <numbers>

#include "support/film.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::islands_test {

// Balls and ellipsoids that fall on a table, hit each other, bounce and roll.
Spec hail(int bodies, double duration) {
  Random random(7);
  Spec spec = scene_of({table()}, {}, duration);
  for (int i = 0; i < bodies; ++i) {
    const double r = random(0.05, 0.12), flat = random(0.7, 1.0), thin = random(0.7, 1.0);
    const Vec3<double> off = random.vector<3>(-0.02, 0.02), v = random.vector<3>(-0.8, 0.8),
                       w = random.vector<3>(-4, 4);
    const Vec3<double> p =
        Vec3<double>(0.3 * (i % 3), 0.3 * (i / 3 % 3), 0.25 + 0.3 * (i / 9)) + off;
    const Vec3<double> axes(r, flat * r, thin * r);
    spec.bodies.push_back(named("b" + std::to_string(i), ellipsoid(axes, 1), {p, v, w}));
  }
  for (std::size_t i = 1; i < spec.bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      spec.pairs.push_back(
          law(spec.bodies[i].name.value, spec.bodies[j].name.value, 0.3, j == 0 ? 0.6 : 0.8));
    }
  }
  return spec;
}

void expect_same_bits(const Film& one, const Film& other, std::size_t bodies) {
  ASSERT_EQ(one.pictures.size(), other.pictures.size());
  for (std::size_t i = 0; i < one.pictures.size(); ++i) {
    ASSERT_EQ(one.pictures[i].t, other.pictures[i].t);
    for (std::size_t b = 0; b < bodies; ++b) {
      ASSERT_EQ(one.pictures[i].bodies[b].position, other.pictures[i].bodies[b].position);
      ASSERT_EQ(one.pictures[i].bodies[b].velocity, other.pictures[i].bodies[b].velocity);
      ASSERT_EQ(one.pictures[i].bodies[b].angular_velocity,
                other.pictures[i].bodies[b].angular_velocity);
    }
  }
}

TEST(Islands, ThreadsDoNotMatter) {
  const Spec spec = hail(10, 0.6);
  const Film one = film(spec, 1);
  EXPECT_GT(one.of(EventKind::impact).size(), 20u);
  EXPECT_LE(one.drift(), 1e-9);
  for (const int threads : {2, 5}) {
    const Film more = film(spec, threads);
    EXPECT_EQ(one.summary.hash, more.summary.hash);
    EXPECT_EQ(one.summary.hashes, more.summary.hashes);
    ASSERT_EQ(one.events.size(), more.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
      EXPECT_EQ(one.events[i].t, more.events[i].t);
      EXPECT_EQ(one.events[i].kind, more.events[i].kind);
    }
    expect_same_bits(one, more, spec.bodies.size());
  }
}

TEST(Islands, OutputRateDoesNotMatter) {
  Spec spec = hail(6, 0.5);
  const Film one = film(spec, 1);
  spec.output_dt = 0.0007;
  const Film fine = film(spec, 1);
  EXPECT_EQ(one.summary.hashes, fine.summary.hashes);
  EXPECT_EQ(one.events.size(), fine.events.size());
}

// Small or large, at rest or bouncing: what is elsewhere changes no bit.
TEST(Islands, ABodyFarAwayChangesNoBit) {
  Spec spec = hail(5, 0.5);
  const Film alone = film(spec, 2);
  for (const double radius : {0.001, 0.3}) {
    Spec with = spec;
    with.bodies.push_back(
        named("far", ball(radius, 1), {{100, 0, radius + 0.3}, {1, 2, 0}, {3, 4, 5}}));
    with.pairs.push_back(law("far", "table", 0.2, 0.7));
    const Film both = film(with, 2);
    for (std::size_t i = 0; i < alone.summary.hashes.size(); ++i)
      EXPECT_EQ(alone.summary.hashes[i], both.summary.hashes[i]) << i;
    const auto hits = alone.of(EventKind::impact);
    std::vector<Event> same;
    for (const Event& e : both.of(EventKind::impact)) {
      if (static_cast<std::size_t>(e.bodies[0].index) < spec.bodies.size()) same.push_back(e);
    }
    ASSERT_EQ(hits.size(), same.size());
    for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_EQ(hits[i].t, same[i].t);
  }
}

// A thin disc does not let anything through, however fast, whoever of the two stands still.
TEST(Islands, NothingPassesThroughAThinBody) {
  const Vec3<double> axes(0.5, 0.5, 1e-4);
  const double r = 0.02, x = 0.1;
  for (const double speed : {0.1, 1.0, 1e2, 1e4, 1e6}) {
    for (const bool fixed : {false, true}) {
      SCOPED_TRACE(testing::Message() << speed << " m/s, " << (fixed ? "fixed" : "free"));
      BodySpec disc = named("disc", ellipsoid(axes, 1e3));
      disc.fixed = fixed;
      Spec spec = scene_of({named("bullet", ball(r), {{x, 0, 3}, {0, 0, -speed}}), disc},
                           {law("bullet", "disc", 0, 1)}, 6 / speed);
      spec.gravity = Vec3<double>(0, 0, 0);
      spec.output_dt = 1 / speed;
      const Film f = film(spec);
      ASSERT_TRUE(f.ended());
      const auto hits = f.of(EventKind::impact);
      ASSERT_EQ(hits.size(), 1u);
      // Where the disc is touched: its height there, and that of the centre above it.
      const double height = 1e-4 * std::sqrt(1 - x * x / 0.25) + r;
      EXPECT_NEAR(hits[0].t * speed, 3 - height, 1e-7);
      EXPECT_GT(f.last("bullet").velocity.z(), 0);
    }
  }
}

// A ball flies through the hole of a ring, or hits the ring, when geometry says so.
TEST(Islands, ThroughTheHoleOfARing) {
  TorusSpec ring;
  ring.major_radius = 0.3;
  ring.minor_radius = 0.05;
  const double r = 0.04;
  for (const double speed : {1.0, 1e3}) {
    for (const double x : {0.0, 0.15, 0.2099, 0.2101, 0.25, 0.3, 0.38, 0.3901}) {
      SCOPED_TRACE(testing::Message() << speed << " m/s at " << x);
      Spec spec = scene_of({named("bullet", ball(r), {{x, 0, 2}, {0, 0, -speed}, {1, 2, 3}}),
                            named("ring", moving_body(ring, 1e6, 1e5 * Mat3<double>::Identity()))},
                           {law("bullet", "ring", 0, 1)}, 3 / speed);
      spec.gravity = Vec3<double>(0, 0, 0);
      spec.output_dt = 1 / speed;
      const Film f = film(spec);
      const auto hits = f.of(EventKind::impact);
      const double beside = 0.09 * 0.09 - (x - 0.3) * (x - 0.3);
      ASSERT_EQ(hits.size(), beside > 0 ? 1u : 0u);
      if (beside > 0) {
        EXPECT_NEAR(hits[0].t * speed, 2 - std::sqrt(beside), 1e-9);
      }
    }
  }
}

// A miss by a little is a miss; a touch by a little is one, at the exact time.
TEST(Islands, GrazingIsDecidedByGeometry) {
  for (const double off : {1e-3, 1e-6, 1e-9}) {
    for (const double side : {-1.0, 1.0}) {
      SCOPED_TRACE(testing::Message() << side * off);
      const double y = 0.2 + side * off;
      Spec spec = scene_of(
          {named("a", ball(0.1), {{-1, 0, 0}, {1, 0, 0}}), named("b", ball(0.1), {{0, y, 0}})},
          {law("a", "b", 0, 1)}, 2);
      spec.gravity = Vec3<double>(0, 0, 0);
      const Film f = film(spec);
      const auto hits = f.of(EventKind::impact);
      ASSERT_EQ(hits.size(), side < 0 ? 1u : 0u);
      if (side < 0) {
        EXPECT_NEAR(hits[0].t, 1 - std::sqrt(0.04 - y * y), 1e-10 / std::sqrt(off));
      }
    }
  }
}

// What has bounced moves on with its new velocity: two balls side by side, one is turned into the
// way of the other.
TEST(Islands, ABounceIsSeenByOthersAtOnce) {
  BodySpec slope = named("slope", ground());
  slope.orientation =
      Quat<double>{std::cos(std::numbers::pi / 8), 0, std::sin(std::numbers::pi / 8), 0};
  for (const double beside : {0.5, 2.0}) {
    SCOPED_TRACE(beside);
    Spec spec = scene_of({named("a", ball(0.1), {{0, 0, 3}, {0, 0, -100}}),
                          named("b", ball(0.1), {{beside, 0, 3 + beside}, {0, 0, -100}}), slope},
                         {law("a", "slope", 0, 1), law("b", "slope", 0, 1), law("a", "b", 0, 1)},
                         0.05 + 0.02 * beside);
    spec.gravity = Vec3<double>(0, 0, 0);
    const Film f = film(spec);
    const auto hits = f.of(EventKind::impact);
    ASSERT_GE(hits.size(), 2u);
    EXPECT_EQ(hits[1].bodies[0].index + hits[1].bodies[1].index, 1);
    EXPECT_LE(f.drift(), 1e-12);
  }
}

// A plate that shakes many times while a ball is on its way.
TEST(Islands, AShakenPlateIsMetAtItsFirstTouch) {
  for (const double w : {180.89288444085295, 475.1, 60.0, 1000.0}) {
    BodySpec plate = named("plate", ground());
    plate.fixed = false;
    FormulaMotionSpec motion;
    motion.position = FormulasSpec(
        std::array<std::string, 3>{"0", "0", "0.05 * (1 - cos(" + std::to_string(w) + " * t))"});
    plate.motion = Located<MotionSpec>(motion);
    const double v = 1.2265396949960883, z = 0.6066814743301447, r = 0.02;
    Spec spec = scene_of({named("ball", ball(r), {{0, 0, z}, {0, 0, -v}}), plate},
                         {law("ball", "plate", 0, 0.5)}, 1);
    spec.gravity = Vec3<double>(0, 0, 0);
    const Film f = film(spec);
    const auto hits = f.of(EventKind::impact);
    ASSERT_FALSE(hits.empty());
    const double rate = std::stod(std::to_string(w));
    const auto gap = [&](double t) { return z - v * t - r - 0.05 * (1 - std::cos(rate * t)); };
    double t = 0;  // by small steps
    while (gap(t) > 0) t += 1e-7;
    EXPECT_NEAR(hits[0].t, t, 2e-7) << w;
  }
}

// Prescribed bodies elsewhere change nothing either.
TEST(Islands, DrivesFarAwayChangeNoBit) {
  Spec spec = hail(3, 0.5);
  const Film alone = film(spec, 1);
  SphereSpec sphere;
  sphere.radius = 0.3;
  BodySpec far = named("far", ground(sphere), {{500, 0, 1}});
  far.fixed = false;
  KeyFrameMotionSpec motion;
  motion.times = std::vector<double>{0.1, 0.2, 0.33};
  motion.positions = Located<std::vector<Vec3<double>>>({{500, 0, 1}, {500, 0, 2}, {500, 0, 1}});
  far.motion = Located<MotionSpec>(motion);
  spec.bodies.push_back(far);
  EXPECT_EQ(alone.summary.hashes, film(spec, 1).summary.hashes);
}

// Two pairs far apart from each other, one of which is found late: order is that of time.
TEST(Islands, EventsComeInOrderOfTime) {
  const Film f = film(hail(8, 0.6), 3);
  for (std::size_t i = 1; i < f.events.size(); ++i) EXPECT_LE(f.events[i - 1].t, f.events[i].t);
  for (std::size_t i = 1; i < f.pictures.size(); ++i)
    EXPECT_LE(f.pictures[i - 1].t, f.pictures[i].t);
}

// Bodies on springs belong together however far apart they are.
TEST(Islands, SpringsJoin) {
  Spec spec = scene_of(
      {named("a", ball(0.1), {{-1, 0, 0}, {0, 1, 0}}),
       named("b", ball(0.1), {{1, 0, 0}, {0, -1, 0}}), named("c", ball(0.1), {{0, 50, 0}})},
      {}, 3);
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.springs.push_back(spring("a", "b", 2.0));
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-10);
  // Both masses are 1 kg: each turns about the middle with ω² = 2 k.
  EXPECT_NEAR(f.last("a").position.x(), -std::cos(2.0 * 3), 1e-9);
  EXPECT_NEAR(f.last("a").position.y(), std::sin(2.0 * 3) / 2, 1e-9);
}

// A bounce loses its height geometrically: the last one comes at t₁ (1 + e) / (1 − e), and capture,
// at a height of 1e-9 ℓ, misses that by less than the time of the bounces that are left.
TEST(Islands, CaptureIsNearTheLimitOfBounces) {
  for (const double e : {0.2, 0.5, 0.8}) {
    const double h = 0.7, g = 9.81, t1 = std::sqrt(2 * h / g);
    const Film f = film(scene_of({named("ball", ball(0.1), {{0, 0, 0.1 + h}}), table()},
                                 {law("ball", "table", 0.3, e)}, 6));
    const auto hits = f.of(EventKind::impact);
    ASSERT_FALSE(hits.empty());
    const double limit = t1 * (1 + e) / (1 - e);
    const double left = 2 * std::sqrt(2e-9 * 0.1 / g) / (1 - e);
    EXPECT_LE(hits.back().t, limit + 1e-10);
    EXPECT_GE(hits.back().t, limit - left);
    EXPECT_NE(hits.back().after, Mode::separated);
  }
}

}  // namespace oloid::test::islands_test
