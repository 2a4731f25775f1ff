// Zeros of formulas along a run: when they are found, and what ends with them.
#include "oloid/world/events/probe_watch.h"

#include <gtest/gtest.h>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::probe_watch_test {

constexpr double g = 9.81;

Spec drop(double height, double restitution, double duration) {
  return scene_of({named("ball", ball(0.1), {{0, 0, 0.1 + height}, {0.3, 0, 0}}), table()},
                  {law("ball", "table", 0.2, restitution)}, duration);
}
Spec stopping(Spec spec, const std::string& formula) {
  spec.stop_when = Located<std::vector<std::string>>({formula});
  return spec;
}
Spec probing(Spec spec, const std::string& formula) {
  ProbeSpec probe;
  probe.name = std::string("p");
  probe.formula = formula;
  spec.probes.push_back(probe);
  return spec;
}

TEST(ProbeWatch, StopsAtTheFirstTouch) {
  for (int i = 0; i < 14; ++i) {
    const double height = 0.05 * (i + 1);
    const Film f = film(stopping(drop(height, 0.7, 5), "ball.table.gap"));
    ASSERT_EQ(f.events.back().kind, EventKind::stopped);
    EXPECT_NEAR(f.summary.t_end, std::sqrt(2 * height / g), 1e-11) << height;
    EXPECT_EQ(f.events.back().value, -1);
    EXPECT_EQ(f.events.back().probe, 0);
  }
}

// What has touched from the start counts when it has parted, and then at the next touch.
TEST(ProbeWatch, ContactThatHoldsIsNoZero) {
  Spec spec = drop(0, 0, 2);
  const Film f = film(stopping(spec, "ball.table.gap"));
  EXPECT_TRUE(f.ended());
  EXPECT_EQ(f.summary.t_end, 2);
}

TEST(ProbeWatch, JumpsPassZeroWhereTheyHappen) {
  const double height = 0.4, t1 = std::sqrt(2 * height / g);
  for (const double restitution : {0.0, 0.6}) {
    const Film f = film(stopping(drop(height, restitution, 2), "ball.vz"));
    EXPECT_NEAR(f.summary.t_end, t1, 1e-10) << restitution;
    EXPECT_EQ(f.events.back().value, 1);
  }
}

// Impacts and tops of bounces take turns.
TEST(ProbeWatch, FindsEveryTurnOfABouncingBall) {
  const double height = 0.4, e = 0.8;
  const Film f = film(probing(drop(height, e, 2), "ball.vz"));
  const auto zeros = f.of(EventKind::probe);
  ASSERT_GT(zeros.size(), 6u);
  double t = std::sqrt(2 * height / g), v = g * t;
  for (std::size_t i = 0; i + 1 < 6; i += 2) {
    v *= e;
    EXPECT_NEAR(zeros[i].t, t, 1e-10);
    EXPECT_EQ(zeros[i].value, 1);
    EXPECT_NEAR(zeros[i + 1].t, t + v / g, 1e-10);
    EXPECT_EQ(zeros[i + 1].value, -1);
    t += 2 * v / g;
  }
}

TEST(ProbeWatch, TheEarliestOfSeveralStops) {
  Spec spec = drop(1, 0.5, 3);
  spec.stop_when = Located<std::vector<std::string>>({"t - 0.3", "ball.z - 0.9", "t - 0.1234"});
  const Film f = film(spec);
  EXPECT_EQ(f.events.back().kind, EventKind::stopped);
  EXPECT_EQ(f.events.back().probe, 2);
  EXPECT_NEAR(f.summary.t_end, 0.1234, 1e-15);
  EXPECT_EQ(f.pictures.back().t, f.summary.t_end);
}

// A run that ends at the instant of an impact ends after it: frames and summary agree.
TEST(ProbeWatch, SummaryIsTheLastFrame) {
  const Film f = film(stopping(drop(0.4, 0.5, 2), "ball.table.gap"));
  EXPECT_EQ(f.pictures.back().energy.dissipated, f.summary.energy.dissipated);
  EXPECT_EQ(f.pictures.back().bodies[0].velocity, f.last("ball").velocity);
  EXPECT_GT(f.last("ball").velocity.z(), 0);
}

// Probes change nothing of what they look at.
TEST(ProbeWatch, MotionIsTheSameWithProbes) {
  const Film with = film(probing(drop(0.4, 0.5, 2), "ball.vz")), without = film(drop(0.4, 0.5, 2));
  EXPECT_EQ(with.summary.hash, without.summary.hash);
}

}  // namespace oloid::test::probe_watch_test
