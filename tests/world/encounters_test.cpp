// Bodies that meet after a long flight, and what meeting a driven body costs its drive.
#include <gtest/gtest.h>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::encounters_test {

// However far apart two balls start, they meet when their distance says so.
TEST(Encounters, BallsMeetFromAnyDistance) {
  for (int i = 0; i < 40; ++i) {
    const double d = 0.25 + 0.055 * i;
    SCOPED_TRACE(d);
    Spec spec = scene_of({named("a", ball(0.1), {{-d / 2, 0, 0}, {1, 0, 0}, {1, 2, 3}}),
                          named("b", ball(0.1), {{d / 2, 0, 0}, {-1, 0, 0}, {0, 0, 0}})},
                         {law("a", "b", 0, 1)}, d);
    spec.gravity = Vec3<double>(0, 0, 0);
    const Film f = film(spec);
    ASSERT_TRUE(f.ended());
    const auto hits = f.of(EventKind::impact);
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_NEAR(hits[0].t, (d - 0.2) / 2, 1e-12);
    EXPECT_NEAR(f.last("a").velocity.x(), -1, 1e-12);
  }
}

// A ball dropped on a ball that rests on the table meets it before the table.
TEST(Encounters, ABallDroppedFromAnyHeightMeetsTheLowerOne) {
  for (const double height : {0.5, 1.0, 3.0, 10.0}) {
    SCOPED_TRACE(height);
    const Film f = film(scene_of(
        {named("upper", ball(0.1), {{0, 0, 0.3 + height}}),
         named("lower", ball(0.1), {{0, 0, 0.1}}), table()},
        {law("upper", "lower", 0.3, 0.5), law("lower", "table", 0.3), law("upper", "table", 0.3)},
        std::sqrt(2 * height / 9.81) + 0.05));
    const auto hits = f.of(EventKind::impact);
    ASSERT_FALSE(hits.empty());
    EXPECT_NEAR(hits[0].t, std::sqrt(2 * height / 9.81), 1e-10);
    EXPECT_LE(f.drift(), 1e-9);
  }
}

// An elastic plate at 1 m/s throws a ball at 2 m/s: the drive works 2 J, and nothing is lost.
TEST(Encounters, ADriveWorksInAnImpact) {
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"0", "0", "t"});
  plate.motion = Located<MotionSpec>(motion);
  for (const double restitution : {1.0, 0.5, 0.0}) {
    Spec spec = scene_of({named("ball", ball(0.1), {{0, 0, 0.4}}), plate},
                         {law("ball", "plate", 0.3, restitution)}, 1);
    spec.gravity = Vec3<double>(0, 0, 0);
    const Film f = film(spec);
    ASSERT_TRUE(f.ended());
    const double v = 1 + restitution;
    EXPECT_NEAR(f.last("ball").velocity.z(), v, 1e-11);
    EXPECT_NEAR(f.summary.energy.work, v, 1e-11);  // impulse m v at 1 m/s
    EXPECT_NEAR(f.summary.energy.dissipated, v - 0.5 * v * v, 1e-11);
    EXPECT_LE(f.drift(), 1e-11);
  }
}

// A ball that is pushed harder and harder through its centre starts to roll when the moment about
// the contact exceeds what resists: c t r = ρ m g.
TEST(Encounters, AGrowingPushWakesABallAtTheExactTime) {
  constexpr double r = 0.1, rho = 0.01, g = 9.81;
  for (int i = 1; i <= 30; ++i) {
    const double c = 0.37 * i;
    SCOPED_TRACE(c);
    PairSpec pair = law("ball", "table", 0.3);
    pair.law.rolling_resistance = Located<double>(rho);
    const double wakes = rho * g / (c * r);
    Spec spec = scene_of({named("ball", ball(r), {{0, 0, r}}), table()}, {pair}, 1.2 * wakes);
    spec.loads = {force("ball", {std::to_string(c) + "*t", "0", "0"})};
    const Film f = film(spec);
    ASSERT_TRUE(f.ended()) << f.events.back().note;
    const auto changes = f.of(EventKind::mode_change);
    ASSERT_FALSE(changes.empty());
    EXPECT_NEAR(changes[0].t, wakes, 1e-9 * wakes);
    EXPECT_EQ(changes[0].after, Mode::rolling);
  }
}

}  // namespace oloid::test::encounters_test
