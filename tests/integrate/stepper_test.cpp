#include "oloid/integrate/stepper.h"

#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <vector>

#include "oloid/base/largest.h"
#include "support/rooms.h"

namespace oloid::test::stepper_test {

// Kepler's problem on an ellipse: nonlinear, smooth, period 2π, known invariants.
struct Kepler {
  static constexpr int kSize = 4, kGuards = 1;
  bool rates(double, const Vec<double, 4>& y, Vec<double, 4>& dy, Vec<double, 1>& guards) const {
    const double r3 = std::pow(y.head<2>().squaredNorm(), 1.5);
    dy << y(2), y(3), -y(0) / r3, -y(1) / r3;
    guards << 1;
    return true;
  }
};
constexpr double kEccentricity = 0.3;
const Vec<double, 4> kPericentre(1 - kEccentricity, 0, 0,
                                 std::sqrt((1 + kEccentricity) / (1 - kEccentricity)));

// By Kepler's equation.
Vec<double, 4> kepler_at(double t) {
  double E = t;
  for (int i = 0; i < 50; ++i)
    E -= (E - kEccentricity * std::sin(E) - t) / (1 - kEccentricity * std::cos(E));
  const double b = std::sqrt(1 - kEccentricity * kEccentricity),
               rate = 1 / (1 - kEccentricity * std::cos(E));
  return {std::cos(E) - kEccentricity, b * std::sin(E), -std::sin(E) * rate,
          b * std::cos(E) * rate};
}

using KeplerState = StepperState<4, 1>;

StepOptions with(Scheme scheme, double rtol, double max_step = INFINITY) {
  StepOptions options;
  options.scheme = scheme;
  options.rtol = rtol;
  options.max_step = max_step;
  return options;
}

KeplerState start(Stepper<Kepler>& stepper) {
  KeplerState state;
  state.y = kPericentre;
  EXPECT_TRUE(stepper.restart(Kepler{}, state));
  return state;
}

// Largest error of n equal steps to t_end, at the steps' ends and in the middle of each.
struct Errors2 {
  double end, dense;
};
Errors2 errors_of(Scheme scheme, int n, double t_end) {
  Stepper<Kepler> stepper(with(scheme, 1e-11));
  KeplerState state = start(stepper);
  Trial<4, 1> trial;
  Segment<4> segment;
  Errors2 e{0, 0};
  for (int i = 0; i < n; ++i) {
    EXPECT_TRUE(stepper.attempt_exactly(Kepler{}, state, t_end / n, trial));
    EXPECT_TRUE(stepper.interpolate(Kepler{}, state, trial, segment));
    for (double s : {0.2, 0.5, 0.7}) {
      const double t = segment.t0 + s * segment.h;
      e.dense = nan_or_max(e.dense, (segment(t) - kepler_at(t)).norm());
    }
    stepper.accept(trial, state);
    e.end = nan_or_max(e.end, (state.y - kepler_at(state.t)).norm());
  }
  return e;
}

TEST(Stepper, Dop853HasOrderEight) {
  const Errors2 coarse = errors_of(Scheme::dop853, 16, 2.0),
                fine = errors_of(Scheme::dop853, 32, 2.0);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 8, 0.7) << coarse.end << " " << fine.end;
  // Over many steps the curve is as good as the order of its ends and its own, 8 locally.
  EXPECT_GT(std::log2(coarse.dense / fine.dense), 7 - 0.4) << coarse.dense << " " << fine.dense;
}

TEST(Stepper, Rk4HasOrderFour) {
  const Errors2 coarse = errors_of(Scheme::rk4, 100, 2.0), fine = errors_of(Scheme::rk4, 200, 2.0);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 4, 0.3);
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 4, 0.4);
}

// One step from an exact start: a curve of order p has a local error like h^(p + 1), its slope like
// h^p. DOP853: 7. Cubic Hermite through the ends of RK4: 3.
TEST(Stepper, DenseOutputHasItsOrder) {
  struct Order {
    Scheme scheme;
    double h;
    int order;
  };
  for (const Order& expected : {Order{Scheme::dop853, 0.12, 7}, Order{Scheme::rk4, 0.02, 3}}) {
    const auto local = [&](double h) {
      Stepper<Kepler> stepper(with(expected.scheme, 1e-11));
      KeplerState state;
      state.t = 1;  // not at the pericentre, whose symmetry makes errors of odd order vanish
      state.y = kepler_at(1);
      EXPECT_TRUE(stepper.restart(Kepler{}, state));
      Trial<4, 1> trial;
      Segment<4> segment;
      EXPECT_TRUE(stepper.attempt_exactly(Kepler{}, state, h, trial));
      EXPECT_TRUE(stepper.interpolate(Kepler{}, state, trial, segment));
      double largest = 0;
      for (double s = 0.05; s < 1; s += 0.05)
        largest = nan_or_max(largest, (segment(1 + s * h) - kepler_at(1 + s * h)).norm());
      return largest;
    };
    const double e1 = local(2 * expected.h), e2 = local(expected.h);
    EXPECT_NEAR(std::log2(e1 / e2), expected.order + 1, 0.4) << e1 << " " << e2;
  }
}

TEST(Stepper, InterpolantPassesThroughBothEndsWithTheirSlopes) {
  Stepper<Kepler> stepper(with(Scheme::dop853, 1e-9));
  KeplerState state = start(stepper);
  Trial<4, 1> trial;
  Segment<4> segment;
  stepper.attempt(Kepler{}, state, 10, trial);
  ASSERT_TRUE(stepper.interpolate(Kepler{}, state, trial, segment));
  EXPECT_LE((segment(segment.t0) - state.y).norm(), 1e-15);
  EXPECT_LE((segment(segment.t1()) - trial.y).norm(), 1e-15 * 4);
  const double e = 1e-6 * segment.h;
  EXPECT_LE(((segment(segment.t0 + e) - segment(segment.t0)) / e - state.dy).norm(), 1e-5);
}

TEST(Stepper, ErrorFollowsTheTolerance) {
  double last = 1;
  for (double rtol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    Stepper<Kepler> stepper(with(Scheme::dop853, rtol));
    KeplerState state = start(stepper);
    Trial<4, 1> trial;
    while (state.t < 20) {
      stepper.attempt(Kepler{}, state, 20, trial);
      ASSERT_EQ(trial.status, StepStatus::ok);
      stepper.accept(trial, state);
    }
    EXPECT_EQ(state.t, 20);
    const double error = (state.y - kepler_at(20)).norm();
    EXPECT_LE(error, 200 * rtol + 1e-13);
    EXPECT_LT(error, last);
    last = error;
  }
}

// An independent integrator of another library reaches the same state.
TEST(Stepper, AgreesWithOdeint) {
  using State = std::vector<double>;
  State y{kPericentre(0), kPericentre(1), kPericentre(2), kPericentre(3)};
  const auto f = [](const State& x, State& dx, double) {
    const double r3 = std::pow(x[0] * x[0] + x[1] * x[1], 1.5);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[0] / r3;
    dx[3] = -x[1] / r3;
  };
  namespace odeint = boost::numeric::odeint;
  odeint::integrate_adaptive(
      odeint::make_controlled(1e-14, 1e-14, odeint::runge_kutta_fehlberg78<State>()), f, y, 0.0,
      9.0, 0.01);
  Stepper<Kepler> stepper(with(Scheme::dop853, 1e-13));
  KeplerState state = start(stepper);
  Trial<4, 1> trial;
  while (state.t < 9) {
    stepper.attempt(Kepler{}, state, 9, trial);
    stepper.accept(trial, state);
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(state.y(i), y[static_cast<std::size_t>(i)], 2e-12);
}

// Stopping, copying the state and going on with another stepper gives the same bits and counts.
TEST(Stepper, StateIsAllThereIs) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    StepOptions options = with(scheme, 1e-10, 0.25);
    options.min_step = 1e-3;
    Stepper<Kepler> one(options), other(options);
    KeplerState state = start(one);
    state.scale << 1, 1, INFINITY, 0.1;
    Trial<4, 1> trial, again;
    const auto step = [](Stepper<Kepler>& stepper, KeplerState& from, Trial<4, 1>& room) {
      stepper.attempt(Kepler{}, from, 100, room);
      stepper.accept(room, from);
    };
    for (int i = 0; i < 5; ++i) step(one, state, trial);
    KeplerState copy = state;
    for (int i = 0; i < 5; ++i) {
      step(one, state, trial);
      step(other, copy, again);
    }
    EXPECT_EQ(state.t, copy.t);
    EXPECT_EQ(state.y, copy.y);
    EXPECT_EQ(state.rates_calls, copy.rates_calls);
    EXPECT_EQ(state.rates_calls, one.rates_calls());
    EXPECT_LT(other.rates_calls(), one.rates_calls());
  }
}

// A component whose scale is ∞ does not control the step.
TEST(Stepper, ScaleBelongsToTheState) {
  Stepper<Kepler> stepper(with(Scheme::dop853, 1e-10));
  double last = 0;
  for (const double scale : {1.0, 1e3, static_cast<double>(INFINITY)}) {
    KeplerState state = start(stepper);
    state.scale.setConstant(scale);
    Trial<4, 1> trial;
    stepper.attempt(Kepler{}, state, 1, trial);
    EXPECT_GT(trial.h, last);
    last = trial.h;
  }
  EXPECT_EQ(last, 1);
}

// Compensated sums: a million additions of 0.1 lose nothing but the last bit.
struct Constant {
  static constexpr int kSize = 1, kGuards = 1;
  bool rates(double, const Vec<double, 1>&, Vec<double, 1>& dy, Vec<double, 1>& guards) const {
    dy << 0.1;
    guards << 1;
    return true;
  }
};
TEST(Stepper, SumsAreCompensated) {
  StepOptions options;
  options.scheme = Scheme::rk4;
  Stepper<Constant> stepper(options);
  StepperState<1, 1> state;
  ASSERT_TRUE(stepper.restart(Constant{}, state));
  Trial<1, 1> trial;
  for (int i = 0; i < 1000000; ++i) {
    stepper.attempt_exactly(Constant{}, state, 1.0, trial);
    stepper.accept(trial, state);
  }
  EXPECT_NEAR(state.y(0), 1e5, 2e-11);
}

// Steps until the stepper gives up; the state is where it got to.
template <class F>
StepperState<1, 1> run_until_stuck(Scheme scheme) {
  StepOptions options;
  options.scheme = scheme;
  options.max_step = 0.3;
  Stepper<F> stepper(options);
  StepperState<1, 1> state;
  EXPECT_TRUE(stepper.restart(F{}, state));
  Trial<1, 1> trial;
  int steps = 0;
  do {
    stepper.attempt(F{}, state, 10, trial);
    if (trial.status == StepStatus::ok) stepper.accept(trial, state);
  } while (trial.status == StepStatus::ok && ++steps < 1000);
  EXPECT_EQ(trial.status, StepStatus::too_small);
  return state;
}

// Not defined beyond y = 1: steps are halved up to the border, then reported as too small.
struct Bordered {
  static constexpr int kSize = 1, kGuards = 1;
  bool rates(double, const Vec<double, 1>& y, Vec<double, 1>& dy, Vec<double, 1>& guards) const {
    dy << 1;
    guards << 1;
    return y(0) < 1;
  }
};
TEST(Stepper, ReportsWhenItCannotGoOn) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    EXPECT_NEAR(run_until_stuck<Bordered>(scheme).y(0), 1, 1e-12);
  }
}

// Rates that are not numbers are an undefined point, never an endless loop.
struct Sick {
  static constexpr int kSize = 1, kGuards = 1;
  bool rates(double t, const Vec<double, 1>&, Vec<double, 1>& dy, Vec<double, 1>& guards) const {
    dy << (t > 0.5 ? std::nan("") : 1.0);
    guards << 1;
    return true;
  }
};
TEST(Stepper, SurvivesRatesThatAreNotNumbers) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    EXPECT_NEAR(run_until_stuck<Sick>(scheme).t, 0.5, 1e-12);
  }
}

// The step policy of [KryPai02]: full steps of max_step; where the rates are not defined the step
// is halved down to min_step, further only where even that fails; afterwards it is doubled again.
struct Bounded {
  static constexpr int kSize = 1, kGuards = 1;
  double border = 1;
  bool rates(double, const Vec<double, 1>& y, Vec<double, 1>& dy, Vec<double, 1>& guards) const {
    dy << 1;
    guards << 1;
    return y(0) < border;
  }
};
StepOptions halved(double min_step, double max_step) {
  StepOptions options;
  options.scheme = Scheme::rk4;
  options.min_step = min_step;
  options.max_step = max_step;
  return options;
}
TEST(Stepper, Rk4StepsAreHalvedToTheLeastAndDoubledAgain) {
  Stepper<Bounded> stepper(halved(1.0 / 64, 0.25));
  Bounded field;
  StepperState<1, 1> state;
  ASSERT_TRUE(stepper.restart(field, state));
  Trial<1, 1> trial;
  std::vector<double> steps;
  steps.reserve(7);
  while (steps.size() < 7) {
    stepper.attempt(field, state, 10, trial);
    ASSERT_EQ(trial.status, StepStatus::ok);
    stepper.accept(trial, state);
    steps.push_back(trial.h);
  }
  // Up to the border: a fourth step of 1/4 would reach it. The last of 1/64 would touch it.
  const std::vector<double> expected{1.0 / 4,  1.0 / 4,  1.0 / 4, 1.0 / 8,
                                     1.0 / 16, 1.0 / 32, 1.0 / 64};
  EXPECT_EQ(steps, expected);
  EXPECT_EQ(state.y(0), 1 - 1.0 / 64);
  // The border recedes: 1/32 (twice the last step that was accepted), then twice as long each time.
  field.border = 100;
  for (double h : {1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 4}) {
    stepper.attempt(field, state, 10, trial);
    ASSERT_EQ(trial.status, StepStatus::ok);
    EXPECT_EQ(trial.h, h);
    stepper.accept(trial, state);
  }
}

// The least step does not end a run: close to the border steps are shorter, and at least min_step
// is tried again after each.
TEST(Stepper, Rk4StepsGoBelowTheLeastWhereItFails) {
  Stepper<Bounded> stepper(halved(1.0 / 64, 0.25));
  Bounded field;
  StepperState<1, 1> state;
  ASSERT_TRUE(stepper.restart(field, state));
  Trial<1, 1> trial;
  while (true) {
    stepper.attempt(field, state, 10, trial);
    if (trial.status != StepStatus::ok) break;
    EXPECT_GE(trial.h_next, 1.0 / 64);
    stepper.accept(trial, state);
  }
  EXPECT_NEAR(state.y(0), 1, 1e-13);
  field.border = 100;
  stepper.attempt(field, state, 10, trial);
  EXPECT_EQ(trial.status, StepStatus::ok);
  EXPECT_GE(trial.h, 1.0 / 64 - 1e-12);
}

// A step may be shorter than the least one where something from outside ends it, and that says
// nothing about the next.
TEST(Stepper, Rk4StepsCutFromOutsideMayBeShorterThanTheLeast) {
  Stepper<Bounded> stepper(halved(1.0 / 64, 0.25));
  const Bounded field{100};
  StepperState<1, 1> state;
  ASSERT_TRUE(stepper.restart(field, state));
  Trial<1, 1> trial;
  stepper.attempt(field, state, 10, trial);
  EXPECT_EQ(trial.h, 0.25);
  stepper.accept(trial, state);
  stepper.attempt(field, state, 10, trial, 1e-3);  // capped
  ASSERT_EQ(trial.status, StepStatus::ok);
  EXPECT_NEAR(trial.h, 1e-3, 1e-15);
  stepper.accept(trial, state);
  ASSERT_TRUE(stepper.attempt_exactly(field, state, 1e-5, trial));  // lands on an event
  stepper.accept(trial, state);
  stepper.attempt(field, state, 10, trial);
  EXPECT_DOUBLE_EQ(trial.h, 0.25);
  stepper.accept(trial, state);
  stepper.attempt(field, state, state.t + 1e-4, trial);  // the end
  ASSERT_EQ(trial.status, StepStatus::ok);
  stepper.accept(trial, state);
}

// A last step shorter than anything, on which the rates are not defined, is not tried for ever.
TEST(Stepper, GivesUpOnTheShortestOfSteps) {
  for (const double remaining : {1e-19, 3e-18, 5e-18, 1e-17}) {
    for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
      StepOptions options;
      options.scheme = scheme;
      Stepper<Bounded> stepper(options);
      Bounded field{1e-300};
      StepperState<1, 1> state;
      ASSERT_TRUE(stepper.restart(field, state));
      Trial<1, 1> trial;
      stepper.attempt(field, state, remaining, trial);
      EXPECT_EQ(trial.status, StepStatus::too_small) << remaining;
    }
  }
}

// Counts its calls; not defined at one of them, and with a guard that is low at another.
struct Counted {
  static constexpr int kSize = 1, kGuards = 1;
  int undefined = -1, low = -1;
  mutable int calls = 0;
  bool rates(double, const Vec<double, 1>&, Vec<double, 1>& dy, Vec<double, 1>& guards) const {
    dy << 1;
    guards << (calls == low ? 0.25 : 1.0);
    return calls++ != undefined;
  }
};
struct CountedStep {
  Stepper<Counted> stepper;
  StepperState<1, 1> state;
  Trial<1, 1> trial;
  Segment<1> segment;

  explicit CountedStep(Scheme scheme) : stepper(with(scheme, 1e-11)) {
    EXPECT_TRUE(stepper.restart(Counted{}, state));
  }
  bool exactly(const Counted& field) { return stepper.attempt_exactly(field, state, 1, trial); }
};

// Whichever stage is not defined: there is no step, and no curve.
TEST(Stepper, EveryStageMustBeDefined) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    const Counted good;
    CountedStep one(scheme);
    ASSERT_TRUE(one.exactly(good));
    const int of_step = good.calls;
    ASSERT_TRUE(one.stepper.interpolate(good, one.state, one.trial, one.segment));
    const int of_curve = good.calls - of_step;
    EXPECT_EQ(of_step, scheme == Scheme::dop853 ? 12 : 4);
    EXPECT_EQ(of_curve, scheme == Scheme::dop853 ? 3 : 0);
    for (int i = 0; i < of_step; ++i) {
      EXPECT_FALSE(CountedStep(scheme).exactly({i})) << i;
      CountedStep half(scheme);
      half.state.h_next = 1;
      half.stepper.attempt({i}, half.state, 1, half.trial);
      EXPECT_EQ(half.trial.h, 0.5) << i;
      EXPECT_EQ(half.trial.rejected, 1) << i;
    }
    for (int i = 0; i < of_curve; ++i) {
      CountedStep curve(scheme);
      ASSERT_TRUE(curve.exactly({}));
      EXPECT_FALSE(curve.stepper.interpolate({i}, curve.state, curve.trial, curve.segment)) << i;
    }
  }
}

TEST(Stepper, TheLeastGuardIsThatOfAllStages) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    const int calls = scheme == Scheme::dop853 ? 12 : 4;
    for (int i = 0; i < calls; ++i) {
      CountedStep step(scheme);
      ASSERT_TRUE(step.exactly({-1, i}));
      EXPECT_EQ(step.trial.least_guards(0), 0.25) << i;
      EXPECT_EQ(step.trial.guards(0), i == calls - 1 ? 0.25 : 1) << i;
    }
    CountedStep step(scheme);
    step.state.guards << 0.25;
    ASSERT_TRUE(step.exactly({}));
    EXPECT_EQ(step.trial.least_guards(0), 0.25);
  }
}

// Whatever is left, it is done in steps that are long enough, and exactly.
TEST(Stepper, StepsEndWhereTheyAreTold) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    for (const double t0 : {-1.0, 1.0, 1e6}) {
      for (const double left : {3e-16, 1e-14, 0.5, 1.0}) {
        for (const double next : {0.0, 0.25, 0.5 - 1e-15, 0.75, 7.0}) {
          SCOPED_TRACE(testing::Message() << t0 << " + " << left << ", next " << next);
          const double t_end = std::max(t0 + left, std::nextafter(t0, INFINITY));
          Stepper<Constant> stepper(with(scheme, 1e-11));
          StepperState<1, 1> state;
          state.t = t0;
          ASSERT_TRUE(stepper.restart(Constant{}, state));
          state.h_next = next;
          Trial<1, 1> trial;
          for (int steps = 0; state.t < t_end; ++steps) {
            ASSERT_LT(steps, 10);
            stepper.attempt(Constant{}, state, t_end, trial);
            ASSERT_EQ(trial.status, StepStatus::ok);
            stepper.accept(trial, state);
            ASSERT_TRUE(state.t == t_end || t_end - state.t > 3e-15 * std::abs(t0));
          }
          EXPECT_EQ(state.t, t_end);
          EXPECT_NEAR(state.y(0), 0.1 * (t_end - t0), 1e-16);
        }
      }
    }
  }
}

// y = b sin(t / a) in each of n components, in units a of time and b of y.
struct Waves {
  static constexpr int kSize = Eigen::Dynamic, kGuards = 1;
  int n = 1;
  double a = 1, b = 1;
  int size() const { return n; }
  bool rates(double t, const Vec<double, Eigen::Dynamic>&, Vec<double, Eigen::Dynamic>& dy,
             Vec<double, 1>& guards) const {
    dy.setConstant(b / a * std::cos(t / a));
    guards << 1;
    return true;
  }
};
// The error of a step of half a unit of time, in tolerances; components after `controlled` are not.
double error_of(const Waves& field, double scale, double rtol, int controlled = 9) {
  Stepper<Waves> stepper(with(Scheme::dop853, rtol), field);
  StepperState<Eigen::Dynamic, 1> state;
  Trial<Eigen::Dynamic, 1> trial;
  state.resize(field.n, 1);
  trial.resize(field.n, 1);
  state.scale.setConstant(scale);
  for (int i = controlled; i < field.n; ++i) state.scale(i) = INFINITY;
  EXPECT_TRUE(stepper.restart(field, state));
  state.h_next = 0.5 * field.a;
  stepper.attempt(field, state, field.a, trial);
  EXPECT_EQ(trial.h, 0.5 * field.a);
  return trial.error;
}

// A tolerance is rtol (|y| + scale), of a mean over the components that are controlled; its unit,
// and that of time, do not matter.
TEST(Stepper, ErrorIsMeasuredInTolerances) {
  const double rtol = 1e-4, error = error_of({}, 1, rtol), largest = std::sin(0.5);
  ASSERT_GT(error, 1e-12);
  for (const double scale : {0.01, 0.3, 100.0}) {
    EXPECT_NEAR(error_of({}, scale, rtol) / error, (largest + 1) / (largest + scale), 1e-6);
  }
  EXPECT_NEAR(error_of({}, 1, 0.3 * rtol) / error, 1 / 0.3, 1e-6);
  EXPECT_NEAR(error_of({3}, 1, rtol) / error, 1, 1e-6);
  EXPECT_NEAR(error_of({3}, 1, rtol, 2) / error, 1, 1e-6);
  EXPECT_NEAR(error_of({1, 1024}, 1, rtol) / error, 1, 1e-6);
  EXPECT_NEAR(error_of({1, 1, 1.0 / 1024}, 1.0 / 1024, rtol) / error, 1, 1e-6);
}

// From estimates of order 5 and 3, e₅² / e₃ times the step: 5 + 5 − 3 + 1.
TEST(Stepper, ErrorEstimateHasOrderEight) {
  const auto error = [](double h) {
    Stepper<Kepler> stepper(with(Scheme::dop853, 1e-2));
    KeplerState state;
    state.t = 1;
    state.y = kepler_at(1);
    EXPECT_TRUE(stepper.restart(Kepler{}, state));
    state.h_next = h;
    Trial<4, 1> trial;
    stepper.attempt(Kepler{}, state, 10, trial);
    EXPECT_NEAR(trial.h, h, 1e-15);
    return trial.error;
  };
  EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 8, 0.3);
}

// The first step changes no component by more than a hundredth of |y| + scale; what is not
// controlled asks for nothing.
TEST(Stepper, FirstStepChangesYByAHundredth) {
  Stepper<Kepler> stepper(with(Scheme::dop853, 1));
  KeplerState state = start(stepper);
  state.scale << 2, 3, 0.5, 0.25;
  const auto first = [&] {
    Trial<4, 1> trial;
    stepper.attempt(Kepler{}, state, 1, trial);
    return trial.h;
  };
  const Vec<double, 4> asked = state.dy.cwiseAbs().cwiseQuotient(state.y.cwiseAbs() + state.scale);
  EXPECT_NEAR(first(), 0.01 / asked.maxCoeff(), 1e-15);
  state.scale(2) = INFINITY;
  EXPECT_NEAR(first(), 0.01 / asked(1), 1e-15);
  state.scale.setConstant(INFINITY);
  EXPECT_EQ(first(), 1);
}

}  // namespace oloid::test::stepper_test
