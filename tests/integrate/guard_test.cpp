#include "oloid/integrate/guard.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "support/rooms.h"

namespace oloid::test::guard_test {

// y'' = −y from (0, 1): y = sin t. Guards: a threshold on y from above, one from below, one on
// time.
struct Oscillator {
  static constexpr int kSize = 2, kGuards = 3;
  double high = 0.5, low = -0.25;
  bool rates(double t, const Vec<double, 2>& y, Vec<double, 2>& dy, Vec<double, 3>& guards) const {
    dy << y(1), -y(0);
    guards << high - y(0), y(0) - low, 3.6 - t;
    return true;
  }
};

struct Watch {
  Stepper<Oscillator> stepper;
  Oscillator field;
  StepperState<2, 3> state;
  Armed<3> armed;
  Trial<2, 3> trial;
  Segment<2> segment;

  explicit Watch(Scheme scheme = Scheme::dop853, double max_step = INFINITY)
      : stepper(options(scheme, max_step)) {
    state.y << 0, 1;
  }
  static StepOptions options(Scheme scheme, double max_step) {
    StepOptions o;
    o.scheme = scheme;
    o.max_step = max_step;
    o.rtol = 1e-13;
    return o;
  }
  void begin() {
    ASSERT_TRUE(stepper.restart(field, state));
    armed.update(state.guards);
  }
  // To the first hit or to t_end.
  std::optional<Hit> until(double t_end) {
    while (state.t < t_end) {
      stepper.attempt(field, state, t_end, trial);
      if (may_hit<Oscillator>(armed, state, trial)) {
        EXPECT_TRUE(stepper.interpolate(field, state, trial, segment));
        if (const auto hit = first_hit(stepper, field, armed, state, trial, segment)) return hit;
      }
      stepper.accept(trial, state);
      armed.update(state.guards);
    }
    return std::nullopt;
  }
};

TEST(Guard, EventIsLocatedToTheTolerance) {
  Watch run;
  run.begin();
  const auto hit = run.until(10);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->guard, 0);
  EXPECT_NEAR(hit->t, std::asin(0.5), 1e-12);
  EXPECT_NEAR(hit->slope, -std::cos(std::asin(0.5)), 1e-6);
}

// One step over an interval in which all three guards have zeros; those that were first are lowered
// out of reach, one after the other.
TEST(Guard, EventsOfOneStepComeInOrderOfTime) {
  for (int first = 0; first < 3; ++first) {
    Watch run;
    if (first > 0) run.field.high = 2;
    if (first > 1) run.field.low = -2;
    run.begin();
    ASSERT_TRUE(run.stepper.attempt_exactly(run.field, run.state, 4.0, run.trial));
    ASSERT_TRUE(run.stepper.interpolate(run.field, run.state, run.trial, run.segment));
    EXPECT_TRUE(may_hit<Oscillator>(run.armed, run.state, run.trial));
    const auto hit =
        first_hit(run.stepper, run.field, run.armed, run.state, run.trial, run.segment);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->guard, first);
    // A zero on the curve; a step of 4 is not a good sine.
    const Vec3<double> zeros{run.field.high, run.field.low, 3.6};
    EXPECT_NEAR(first == 2 ? hit->t : run.segment(hit->t)(0), zeros(first), 1e-14);
  }
}

// A dip below zero and back within one step is seen.
TEST(Guard, DipWithinAStepIsFound) {
  Watch run;
  run.field.high = 0.999;  // crossed for |t − π/2| < 0.0447
  run.begin();
  const auto hit = run.until(10);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->t, std::asin(0.999), 1e-11);
}

TEST(Guard, GuardThatStartsAtZeroIsUnarmedUntilItHasLeft) {
  Watch run;
  run.field.low = 0;  // starts at exactly 0, rises, comes back at π
  run.field.high = 2;
  run.begin();
  EXPECT_FALSE(run.armed.on[1]);
  const auto hit = run.until(10);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->guard, 1);
  EXPECT_NEAR(hit->t, std::acos(-1.0), 1e-12);
}

TEST(Guard, GuardThatStartsAtZeroAndFallsIsAnEventAtOnce) {
  Watch run;
  run.field.high = 0;  // y rises through it from the start
  run.begin();
  const auto hit = run.until(10);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->guard, 0);
  EXPECT_EQ(hit->t, 0);
}

TEST(Guard, TiesAreResolvedInTableOrder) {
  Watch run;
  run.field.high = 2;
  run.field.low = std::sin(3.6);
  run.begin();
  const auto hit = run.until(10);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->guard, 1);
}

TEST(Guard, NoEventWhereThereIsNone) {
  Watch run;
  run.field.high = 1.001;
  run.field.low = -1.001;
  run.begin();
  EXPECT_FALSE(run.until(3.5));
}

TEST(Guard, Rk4LocatesEventsWithItsOwnOrder) {
  double last = 0;
  for (double h : {0.02, 0.01}) {
    Watch run(Scheme::rk4, h);
    run.begin();
    const double error = std::abs(run.until(10)->t - std::asin(0.5));
    if (last > 0) {
      EXPECT_GT(std::log2(last / error), 3.0);
    }
    last = error;
  }
}

// Guards that are given functions of time, looked at over one step from t0 to t0 + h.
constexpr int kClocks = 3;
struct Clock {
  static constexpr int kSize = 1, kGuards = kClocks;
  std::array<std::function<double(double)>, kClocks> guard;
  bool rates(double t, const Vec<double, 1>&, Vec<double, 1>& dy,
             Vec<double, kClocks>& guards) const {
    dy << 1;
    for (int i = 0; i < kClocks; ++i)
      guards(i) = guard[static_cast<std::size_t>(i)] ? guard[static_cast<std::size_t>(i)](t) : 1;
    return true;
  }
};

struct Look {
  bool wanted = false;  // by may_hit
  std::optional<Hit> hit;
};
Look look_at(const Clock& field, double t0, double h, Scheme scheme = Scheme::dop853) {
  StepOptions options;
  options.scheme = scheme;
  Stepper<Clock> stepper(options);
  StepperState<1, kClocks> state;
  Trial<1, kClocks> trial;
  Segment<1> segment;
  Armed<kClocks> armed;
  state.t = t0;
  EXPECT_TRUE(stepper.restart(field, state));
  armed.update(state.guards);
  EXPECT_TRUE(stepper.attempt_exactly(field, state, h, trial));
  EXPECT_TRUE(stepper.interpolate(field, state, trial, segment));
  return {may_hit<Clock>(armed, state, trial),
          first_hit(stepper, field, armed, state, trial, segment)};
}

// (t_lo, t_hi]: a zero at the very end of a step belongs to it; at its start to the step before.
TEST(Guard, WindowIsOpenBelowAndClosedAbove) {
  const Clock field{{[](double t) { return 2 - t; }}};
  const Look whole = look_at(field, 1, 1);
  ASSERT_TRUE(whole.hit);
  EXPECT_TRUE(whole.wanted);
  EXPECT_EQ(whole.hit->t, 2);
  EXPECT_FALSE(look_at(field, 1, 1 - 1e-9).hit);
  // From its zero on it falls: the step before has reported it, but the armed flags of this one do
  // not know. An unarmed guard that falls is an event at the start.
  const Look after = look_at(field, 2, 1);
  ASSERT_TRUE(after.hit);
  EXPECT_EQ(after.hit->t, 2);
}

// Two zeros in the same eighth of a step, in either order of the table.
TEST(Guard, NearEventsAreInOrderToo) {
  for (const bool swapped : {false, true}) {
    const auto early = [](double t) { return 1.52 - t; };
    const auto late = [](double t) { return 3 * (1.52 + 1e-13 - t); };
    Clock field{{early, late}};
    if (swapped) std::swap(field.guard[0], field.guard[1]);
    const Look look = look_at(field, 1, 1);
    ASSERT_TRUE(look.hit);
    EXPECT_EQ(look.hit->guard, swapped ? 1 : 0);
    EXPECT_NEAR(look.hit->t, 1.52, 1e-15);
    const Look alone = look_at(Clock{{late}}, 1, 1);
    ASSERT_TRUE(alone.hit);
    EXPECT_NEAR(alone.hit->t - look.hit->t, 1e-13, 2e-15);
  }
}

// The same zero of three guards of different slopes and curvatures, however it is rounded: the
// first of the table that has it.
TEST(Guard, CoincidentEventsAreInTableOrder) {
  for (int i = 1; i < 200; ++i) {
    const double zero = 1 + 0.005 * i;
    const auto line = [zero](double t) { return zero - t; };
    const auto steep = [zero](double t) { return 1e3 * (zero - t) * (1 + 0.3 * t); };
    const auto curved = [zero](double t) { return std::sin(zero - t) / 7; };
    for (const Clock& field : {Clock{{line, steep, curved}}, Clock{{curved, line, steep}},
                               Clock{{steep, curved, line}}}) {
      Clock without = field;
      for (int k = 0; k < 3; ++k) {
        const Look look = look_at(without, 1, 1);
        ASSERT_TRUE(look.hit) << i;
        EXPECT_EQ(look.hit->guard, k) << i;
        without.guard[static_cast<std::size_t>(k)] = nullptr;
      }
    }
  }
}

// Not below zero: no event, as near as it may come.
TEST(Guard, TouchingZeroFromAboveIsNoEvent) {
  for (const double at : {1.1, 1.43, 1.77, 1.9}) {
    for (const double gap : {1e-3, 1e-6, 1e-12}) {
      for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
        const Clock field{{[=](double t) { return (t - at) * (t - at) + gap; }}};
        const Look look = look_at(field, 1, 1, scheme);
        EXPECT_FALSE(look.hit);
        EXPECT_TRUE(look.wanted);  // but it was worth a look
      }
    }
  }
}

// Below zero and back, between any two stages and however shallow: a quadratic guard is seen.
TEST(Guard, EveryQuadraticDipIsFound) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    for (int i = 1; i < 100; ++i) {
      for (const double depth : {1e-2, 1e-4, 1e-8}) {
        const double at = 1 + 0.01 * i, half = std::sqrt(depth);
        if (at - half < 1 + 1e-6) continue;  // would start at zero
        const double factor = i % 3 == 0 ? 1 : i % 3 == 1 ? 50 : 0.02;
        const Clock field{{[=](double t) { return factor * ((t - at) * (t - at) - depth); }}};
        const Look look = look_at(field, 1, 1, scheme);
        EXPECT_TRUE(look.wanted) << at << " " << depth;
        ASSERT_TRUE(look.hit) << at << " " << depth;
        EXPECT_NEAR(look.hit->t, at - half, 1e-14) << at << " " << depth;
        EXPECT_LT(look.hit->slope, 0);
      }
    }
  }
}

// Where a dip is no parabola, its bottom is found by trying again on the side where it lies.
TEST(Guard, DipsThatAreNoParabolasAreFound) {
  for (const double at : {1.24, 1.36, 1.49, 1.61, 1.74, 1.86}) {
    const Clock field{
        {[=](double t) { return (t - at) * (t - at) * (1 + 0.5 * (t - at)) - 1e-5; }}};
    const Look look = look_at(field, 1, 1);
    ASSERT_TRUE(look.hit) << at;
    EXPECT_NEAR(look.hit->t, at - std::sqrt(1e-5), 1e-5) << at;
  }
}

// A dip that is over in a hundredth of the step leaves no trace in its stages: this is what can be
// missed, and why guards should not vary faster than y.
TEST(Guard, NarrowDipOfASteepGuardCanBeMissed) {
  const auto dip = [](double t) { return 1 - 1.5 * std::exp(-std::pow((t - 1.45) / 0.01, 2)); };
  const Clock field{{dip}};
  EXPECT_FALSE(look_at(field, 1, 1).wanted);
  EXPECT_TRUE(look_at(field, 1.43, 0.03).wanted);  // with steps of its own size it is found
  EXPECT_TRUE(look_at(field, 1.43, 0.03).hit);
}

// Down, up and down again in one step: the first time it goes down.
TEST(Guard, TwoCrossingsOfOneGuardInOneStep) {
  const double pi = std::acos(-1.0);
  const Look look = look_at(Clock{{[pi](double t) { return std::cos(3 * pi * (t - 1)); }}}, 1, 1);
  ASSERT_TRUE(look.hit);
  EXPECT_NEAR(look.hit->t, 1 + 1.0 / 6, 1e-14);
}

// A dip before the zero of another guard in the same step, even in its first eighth.
TEST(Guard, DipBeforeAnotherEventComesFirst) {
  for (const double dip : {1.06, 1.3, 1.49}) {
    const double zero = dip < 1.125 ? 1.11 : 1.5;
    const Clock field{{[=](double t) { return zero - t; },
                       [=](double t) { return (t - dip) * (t - dip) - 1e-6; }}};
    const Look look = look_at(field, 1, 1);
    ASSERT_TRUE(look.hit) << dip;
    EXPECT_EQ(look.hit->guard, 1) << dip;
    EXPECT_NEAR(look.hit->t, dip - 1e-3, 1e-13);
  }
}

// Starts at zero, rises and comes down again in the same step: armed where it has risen.
TEST(Guard, GuardIsArmedWithinAStep) {
  const Clock field{{[](double t) { return (t - 1) * (1.6 - t); }}};
  const Look look = look_at(field, 1, 1);
  EXPECT_TRUE(look.wanted);
  ASSERT_TRUE(look.hit);
  EXPECT_NEAR(look.hit->t, 1.6, 1e-14);
}

// Not armed and below zero from the start on: one event, there.
TEST(Guard, GuardBelowZeroFromTheStartIsOneEvent) {
  const Look look = look_at(Clock{{[](double t) { return -t; }}}, 1, 1);
  EXPECT_TRUE(look.wanted);
  ASSERT_TRUE(look.hit);
  EXPECT_EQ(look.hit->t, 1);
  EXPECT_NEAR(look.hit->slope, -1, 1e-14);
}

// At zero for a while, then it falls: an event not later than that, and by an eighth of the step
// earlier at most.
TEST(Guard, GuardThatFallsLaterIsAnEventThen) {
  for (const double falls : {1.3, 1.5, 1.8}) {
    const Look look = look_at(Clock{{[=](double t) { return -std::max(0.0, t - falls); }}}, 1, 1);
    EXPECT_TRUE(look.wanted);
    ASSERT_TRUE(look.hit) << falls;
    EXPECT_LE(look.hit->t, falls);
    EXPECT_GE(look.hit->t, falls - 0.125);
    EXPECT_LT(look.hit->slope, 0);
  }
}

// Within 1e-10 of zero a guard is neither positive nor below zero.
TEST(Guard, NoiseAroundZeroIsNoEvent) {
  for (const double noise : {9e-11, 1e-13}) {
    const Clock field{{[=](double t) { return noise * std::cos(25 * t); },
                       [=](double t) { return 3 * noise * (std::pow(t - 1.4375, 2) - 0.0025); },
                       [=](double) { return -noise; }}};
    const Look look = look_at(field, 1, 1);
    EXPECT_FALSE(look.wanted);
    EXPECT_FALSE(look.hit) << look.hit->guard << " at " << look.hit->t;
  }
}

// y = t up to a border that the curve is found to cross only when it is examined.
struct LateBorder {
  static constexpr int kSize = 1, kGuards = 2;
  double border = INFINITY;
  bool rates(double, const Vec<double, 1>& y, Vec<double, 1>& dy, Vec<double, 2>& guards) const {
    dy << 1;
    guards << 1, 2;
    return y(0) < border;
  }
};
TEST(Guard, WhereTheFieldIsNotDefinedAllGuardsHavePassed) {
  for (const double border : {0.05, 0.3, 0.96}) {
    Stepper<LateBorder> stepper({});
    LateBorder field;
    StepperState<1, 2> state;
    Trial<1, 2> trial;
    Segment<1> segment;
    Armed<2> armed;
    ASSERT_TRUE(stepper.restart(field, state));
    armed.update(state.guards);
    ASSERT_TRUE(stepper.attempt_exactly(field, state, 1, trial));
    ASSERT_TRUE(stepper.interpolate(field, state, trial, segment));
    field.border = border;
    const auto hit = first_hit(stepper, field, armed, state, trial, segment);
    if (border > 0.875) {  // the end of the step is known, and between the last two nobody looks
      EXPECT_FALSE(hit);
      continue;
    }
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->guard, 0);
    EXPECT_NEAR(hit->t, border, 1e-12);
  }
}

}  // namespace oloid::test::guard_test
