// What must never be told as a good answer: each check, and islands that were sabotaged.
#include "oloid/world/islands/watchdog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::watchdog_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr StepLimits kAllowed{
    .energy_scale = 2, .balance = 1e-6, .dissipated = 0.5, .driven = false};
constexpr StepAccount kGood{.energy_error = 1e-6,
                            .energy_grown = -0.5,
                            .dissipated = 0.5,
                            .least_booked = -1e-9,
                            .least_gap = -1e-10};

TEST(Watchdog, GoodStepsRaiseNoAlarm) {
  EXPECT_FALSE(alarm_at(kGood, kAllowed));
  EXPECT_FALSE(alarm_at({}, {}));
}

TEST(Watchdog, EachLawByItself) {
  const auto note = [](auto change, StepLimits allowed = kAllowed) {
    StepAccount now = kGood;
    change(now);
    return alarm_at(now, allowed).note;
  };
  const std::string_view not_finite = "energy or gap is not a finite number";
  EXPECT_EQ(note([](StepAccount& now) { now.energy_error = kNaN; }), not_finite);
  EXPECT_EQ(note([](StepAccount& now) { now.energy_grown = kNaN; }), not_finite);
  EXPECT_EQ(note([](StepAccount& now) { now.dissipated = INFINITY; }), not_finite);
  EXPECT_EQ(note([](StepAccount& now) { now.least_booked = kNaN; }), not_finite);
  EXPECT_EQ(note([](StepAccount& now) { now.least_gap = kNaN; }), not_finite);
  EXPECT_EQ(note([](StepAccount& now) { now.least_gap = -1.1e-9; }),
            "the bodies overlap where they touch");
  const std::string_view back = "contacts gave back energy that they had dissipated";
  EXPECT_EQ(note([](StepAccount& now) { now.dissipated -= 3e-9; }), back);
  EXPECT_EQ(note([](StepAccount& now) { now.least_booked = -3e-9; }), back);
  EXPECT_EQ(note([](StepAccount& now) { now.energy_grown = 3e-6; }),
            "energy has grown although nothing drives the bodies");
  EXPECT_EQ(note([](StepAccount& now) { now.energy_error = -3e-6; }),
            "the energy balance does not hold");
  StepLimits driven = kAllowed;
  driven.driven = true;
  EXPECT_EQ(note([](StepAccount& now) { now.energy_grown = 3e-6; }, driven), "");
  EXPECT_EQ(note([](StepAccount& now) { now.energy_error = 3e-6; }, driven),
            "the energy balance does not hold");
}

TEST(Watchdog, TheBalanceIsHeldAsTightlyAsTheSolverCan) {
  EXPECT_EQ(allowed_balance(true, 1e-12), 1e-6);
  EXPECT_NEAR(allowed_balance(true, 1e-6), 1e-2, 1e-15);
  EXPECT_EQ(allowed_balance(true, 1e-2), 1);
  EXPECT_EQ(allowed_balance(false, 1e-12), 1);
}

// A ball that slides over the table for a second.
Spec sliding() {
  return scene_of({named("ball", ball(0.1, 0.7), {{0, 0, 0.1}, {5, 0, 0}, {0, 0, 3}}), table()},
                  {law("ball", "table", 0.1)}, 1);
}

// Advances for a while, does something to the state, advances again. Returns why it ended.
template <class Sabotage>
std::string_view ended_after(const Spec& spec, const Sabotage& sabotage) {
  const Model model = compiled(spec);
  Islands islands = islands_of(model);
  Island& island = *islands.begin();
  island.advance(0.2, 1000, false);
  EXPECT_FALSE(island.finished());
  EXPECT_EQ(mode_of(island.state().discrete.joint(0)), Mode::sliding);
  sabotage(island);
  island.advance(0.5, 1000, false);
  if (!island.finished()) return "";
  const PendingEvent& last = island.pending_event(island.pending_events() - 1);
  EXPECT_EQ(last.change.kind, EventKind::solver_trouble);
  EXPECT_TRUE(last.last);
  return last.change.note;
}

TEST(Watchdog, SabotagedIslandsEnd) {
  EXPECT_EQ(ended_after(sliding(), [](Island&) {}), "");
  EXPECT_EQ(ended_after(sliding(), [](Island& island) { island.state().y.y.tail<1>()(0) = kNaN; }),
            "energy or gap is not a finite number");
  EXPECT_EQ(ended_after(sliding(), [](Island& island) { island.state().booked -= 1; }),
            "contacts gave back energy that they had dissipated");
  EXPECT_EQ(ended_after(sliding(), [](Island& island) { island.state().y.y(kBooked + 2) = -1; }),
            "contacts gave back energy that they had dissipated");
  EXPECT_EQ(ended_after(sliding(), [](Island& island) { island.state().booked += 1; }),
            "the energy balance does not hold");
  const auto faster = [](Island& island) {
    island.state().y.y.segment<2>(kRates + kSlipRow) *= 1.5;
    island.begin();
  };
  EXPECT_EQ(ended_after(sliding(), faster), "energy has grown although nothing drives the bodies");
  Spec pushed = sliding();
  pushed.loads.emplace_back();
  pushed.loads[0].body = Located<std::string>("ball");
  pushed.loads[0].force = FormulasSpec({"0", "0.1", "0"});
  EXPECT_EQ(ended_after(pushed, faster), "the energy balance does not hold");
}

// Beyond the time for which a motion was found to be finite it has a pole.
TEST(Watchdog, StepsThatBecomeEverShorterComeToAnEnd) {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec({"0.01*t/(0.5-t)", "0", "0"});
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  plate.motion = Located<MotionSpec>(motion);
  Model model = compiled(scene_of({named("ball", ball(0.1, 0.7), {{0, 0, 0.1}}), plate},
                                  {law("ball", "plate", 0.3)}, 0.4));
  model.t_end = 1;
  Islands islands = islands_of(model);
  Island& island = *islands.begin();
  for (int i = 0; i < 1'000'000 && !island.finished(); ++i) {
    island.advance(1, 16, false);
    island.forget(island.t());
    if (island.pending_events() > 0 && island.finished()) break;
  }
  ASSERT_TRUE(island.finished());
  EXPECT_LT(island.t(), 0.5);
  EXPECT_GT(island.t(), 0.499);
}

// Whatever the search for touches does, what a frame shows is looked at.
TEST(Watchdog, FramesThatShowAnOverlapAreNoticed) {
  const Model model = compiled(scene_of({named("inside", ball(0.1, 0.7), {{0, 0, 0.5}}),
                                         named("other", ball(0.1, 0.7), {{1, 0, 0.5}}), table()},
                                        {}, 1));
  State state = initial_state(model);
  Islands islands = islands_of(model);
  Film film;
  Logbook log(model, state, film);
  log.begin(islands);
  (*islands.begin()).state().y.y(kPosition + 2) = 0.1 - 0.9e-10;
  log.frames(islands, 0);
  EXPECT_FALSE(log.take_overlap());
  (*islands.begin()).state().y.y(kPosition + 2) = 0.1 - 1.1e-10;
  log.frames(islands, log.next_frame());
  const auto found = log.take_overlap();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pair, pair_named(model, "inside", "table"));
  EXPECT_NEAR(found->gap, -1.1e-10, 1e-15);
  EXPECT_FALSE(log.take_overlap());
}

}  // namespace oloid::test::watchdog_test
