// What is told where runs start, islands end and several things happen at one instant.
#include <array>
#include <cmath>
#include <vector>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::starts_and_ends_test {

// What an island has when it ends stays in the balance of the whole run.
TEST(StartsAndEnds, EnergyBalanceHoldsWhereIslandsHaveEnded) {
  const PatchesSpec flat =
      one_patch({{{-0.5, -0.5, 0}, {-0.5, 0.5, 0}}, {{0.5, -0.5, 0}, {0.5, 0.5, 0}}});
  Spec spec = scene_of({named("slow", ball(0.1, 0.4), {{0, 0, 0.1}, {0.5, 0, 0}, {0, 2, 0}}),
                        named("high", ball(0.1, 0.7), {{-0.2, 0.3, 0.4}, {0, 0, 0}, {1, 2, 3}}),
                        named("table", ground(flat))},
                       {law("slow", "table", 0.2), law("high", "table", 0.1, 0.6)}, 2);
  spec.loads = {force("slow", {"0.1", "0", "0"})};
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  ASSERT_EQ(f.of(EventKind::unsupported_contact).size(), 1u);
  const EnergySummary& e = f.summary.energy;
  EXPECT_GT(e.dissipated, 0.1);
  EXPECT_GT(e.work, 0.01);
  EXPECT_NEAR(e.initial, e.final + e.dissipated - e.work, 1e-9);
}

// A capsule that tilts on one of its caps comes to lie on a line: the cap's curvature ends there at
// once, without growing small before.
TEST(StartsAndEnds, ACapsuleThatComesToLieConforms) {
  BodySpec pill = named("pill", ground(CapsuleSpec{0.05, 0.2}));
  pill.fixed = false;
  pill.mass = 1.0;
  pill.orientation = unit(Quat<double>{std::cos(0.6), std::sin(0.6), 0, 0});
  const double lean = kPi / 2 - 1.2;  // of the axis from the table
  pill.position.value.z() = 0.05 + 0.05 * std::sin(lean);
  const Film f = film(scene_of({pill, table()}, {law("pill", "table", 0.0)}, 2));
  const auto ends = f.of(EventKind::conforming);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_TRUE(f.of(EventKind::solver_trouble).empty());
  EXPECT_NEAR(f.last("pill").position.z(), 0.05, 1e-9);
}

// Separate bodies that meet the ground at one instant do so one after another.
TEST(StartsAndEnds, SimultaneousEventsAreShownOneAfterAnother) {
  const auto ball_at = [](const char* name, double x) {
    return named(name, ball(0.1, 0.4), {{x, 0, 0.5}});
  };
  const Film f = film(scene_of({ball_at("a", 0), ball_at("b", 1), table()},
                               {law("a", "table", 0.2, 0.5), law("b", "table", 0.2, 0.5)}, 0.4));
  const auto impacts = f.of(EventKind::impact);
  ASSERT_EQ(impacts.size(), 2u);
  ASSERT_EQ(impacts[0].t, impacts[1].t);
  std::vector<std::array<bool, 2>> up;  // of each ball, in each frame of that instant
  for (const Film::Picture& p : f.pictures) {
    if (p.t == impacts[0].t && p.side != 0)
      up.push_back({p.bodies[0].velocity.z() > 0, p.bodies[1].velocity.z() > 0});
  }
  const std::vector<std::array<bool, 2>> expected{
      {false, false}, {true, false}, {true, false}, {true, true}};
  EXPECT_EQ(up, expected);
}

// A body that touches at the start while it approaches bounces like any other.
TEST(StartsAndEnds, ApproachAtTheStartIsAnImpact) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    const Film f = film(scene_of({named("ball", ball(0.1, 0.4), {{0, 0, 0.1}, {0.3, 0, -2}}),
                                  named("other", ball(0.1, 0.4), {{1, 0, 0.1}}), table()},
                                 {law("ball", "table", 0, restitution)}, 0.1));
    const auto impacts = f.of(EventKind::impact);
    ASSERT_EQ(impacts.size(), 1u) << restitution;
    EXPECT_EQ(impacts[0].t, 0);
    EXPECT_NEAR(impacts[0].value, 2, 1e-13);
    const double v = 2 * restitution;
    EXPECT_NEAR(f.last("ball").position.z(),
                0.1 + (restitution > 0 ? v * 0.1 - 0.5 * 9.81 * 0.01 : 0), 1e-11);
    EXPECT_NEAR(f.summary.energy.initial - f.summary.energy.final, 0.5 * 0.4 * (4 - v * v), 1e-12);
    EXPECT_NEAR(f.summary.energy.dissipated, 0.5 * 0.4 * (4 - v * v), 1e-12);
  }
}

// Each contact tells what was removed of its own slip.
TEST(StartsAndEnds, ContactStartTellsItsOwnRemovedVelocity) {
  const Film f = film(scene_of(
      {named("a", ball(0.1, 0.4), {{0, 0, 0.1}, {0.3, 0, 0}}),
       named("b", ball(0.1, 0.4), {{1, 0, 0.1}, {0, 0.7, 0}}),
       named("c", ball(0.1, 0.4), {{2, 0, 0.1}, {0.9, 0, 0}}), table()},
      {law("a", "table", INFINITY), law("b", "table", INFINITY), law("c", "table", 0.1)}, 0.1));
  const auto starts = f.of(EventKind::contact_start);
  ASSERT_EQ(starts.size(), 3u);
  const double expected[] = {0.3, 0.7, 0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(starts[i].value, expected[i], 1e-14);
}

}  // namespace oloid::test::starts_and_ends_test
