#include "oloid/integrate/guard.h"

#include <gtest/gtest.h>

#include <cmath>

namespace oloid::test {
namespace {

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
  static StepOptions<2> options(Scheme scheme, double max_step) {
    StepOptions<2> o;
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

TEST(Guard, EventsOfOneStepComeInOrderOfTime) {
  // With one step over the whole interval all three guards have a zero in it.
  Watch run(Scheme::dop853, 4.0);
  run.field.low = -0.25;
  run.begin();
  ASSERT_TRUE(run.stepper.attempt_exactly(run.field, run.state, 4.0, run.trial));
  ASSERT_TRUE(run.stepper.interpolate(run.field, run.state, run.trial, run.segment));
  const auto hit = first_hit(run.stepper, run.field, run.armed, run.state, run.trial, run.segment);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->guard, 0);
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

}  // namespace
}  // namespace oloid::test
