#include "oloid/integrate/stepper.h"

#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <vector>

namespace oloid::test {
namespace {

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

StepOptions<4> with(Scheme scheme, double rtol, double max_step = INFINITY) {
  StepOptions<4> options;
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
      e.dense = std::max(e.dense, (segment(t) - kepler_at(t)).norm());
    }
    stepper.accept(trial, state);
    e.end = std::max(e.end, (state.y - kepler_at(state.t)).norm());
  }
  return e;
}

TEST(Stepper, Dop853HasOrderEightAndDenseOrderSeven) {
  const Errors2 coarse = errors_of(Scheme::dop853, 16, 2.0),
                fine = errors_of(Scheme::dop853, 32, 2.0);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 8, 0.7) << coarse.end << " " << fine.end;
  // Local error of the interpolant falls like h^8.
  EXPECT_GT(std::log2(coarse.dense / fine.dense), 7 - 0.4) << coarse.dense << " " << fine.dense;
}

TEST(Stepper, Rk4HasOrderFour) {
  const Errors2 coarse = errors_of(Scheme::rk4, 100, 2.0), fine = errors_of(Scheme::rk4, 200, 2.0);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 4, 0.3);
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 4, 0.4);
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

// Stopping, copying the state and going on gives the same bits.
TEST(Stepper, StateIsAllThereIs) {
  Stepper<Kepler> one(with(Scheme::dop853, 1e-10)), other(with(Scheme::dop853, 1e-10));
  KeplerState state = start(one);
  Trial<4, 1> trial, again;
  for (int i = 0; i < 5; ++i) {
    one.attempt(Kepler{}, state, 100, trial);
    one.accept(trial, state);
  }
  KeplerState copy = state;
  for (int i = 0; i < 5; ++i) {
    one.attempt(Kepler{}, state, 100, trial);
    one.accept(trial, state);
    other.attempt(Kepler{}, copy, 100, again);
    other.accept(again, copy);
  }
  EXPECT_EQ(state.t, copy.t);
  EXPECT_EQ(state.y, copy.y);
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
  StepOptions<1> options;
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
  StepOptions<1> options;
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

}  // namespace
}  // namespace oloid::test
