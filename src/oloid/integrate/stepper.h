// Steps of y' = f(t, y): DOP853 with error control, or classic RK4 with a fixed step.
//
// A step is first tried (Trial), then looked at (dense output, events), then accepted. What the
// stepper remembers between steps is StepperState, plain data, so that stop and resume are exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "oloid/integrate/dop853_coefficients.h"
#include "oloid/integrate/field.h"
#include "oloid/integrate/segment.h"

namespace oloid {

enum class Scheme { dop853, rk4 };

template <int N, int G>
struct StepperState {
  double t = 0;  // [s]
  Vec<double, N> y = Vec<double, N>::Zero();
  Vec<double, N> carry = Vec<double, N>::Zero();   // what rounding has cut off y so far
  Vec<double, N> dy = Vec<double, N>::Zero();      // first slope, valid after `restart`
  Vec<double, G> guards = Vec<double, G>::Zero();  // at t
  double h_next = 0;                               // [s], 0: to be estimated
  double last_error = 1e-4;
};

template <int N>
struct StepOptions {
  Scheme scheme = Scheme::dop853;
  double rtol = 1e-11;
  double max_step = std::numeric_limits<double>::infinity();  // [s]; rk4: the step
  Vec<double, N> scale =
      Vec<double, N>::Ones();  // tolerance of y_i is rtol (|y_i| + scale_i); ∞: not controlled
};

enum class StepStatus { ok, too_small };

template <int N, int G>
struct Trial {
  StepStatus status = StepStatus::ok;
  double h = 0;
  Vec<double, N> y, carry, dy;  // at the end of the step
  Vec<double, G> guards;        // at the end of the step
  Vec<double, G> least_guards;  // over all stages: an indicator, of low order inside the step
  std::array<Vec<double, N>, dop853::kDenseStages> k;
  double h_next = 0;
  double error = 0;
  int rejected = 0;
};

template <Field F>
class Stepper {
 public:
  static constexpr int N = F::kSize;
  static constexpr int G = F::kGuards;
  using State = StepperState<N, G>;
  using TrialStep = Trial<N, G>;

  explicit Stepper(const StepOptions<N>& options) : options_(options) {}

  const StepOptions<N>& options() const { return options_; }
  void set_scale(const Vec<double, N>& scale) { options_.scale = scale; }
  std::int64_t rates_calls() const { return rates_calls_; }

  // To be called when y or the field has changed other than by accepting a step. Keeps h_next.
  bool restart(const F& field, State& state) {
    state.last_error = 1e-4;
    return call(field, state.t, state.y, state.dy, state.guards);
  }

  // One step that keeps the tolerance, is no longer than h_cap and ends at t_end at the latest.
  void attempt(const F& field, State& state, double t_end, TrialStep& trial,
               double h_cap = std::numeric_limits<double>::infinity());

  // One step of exactly the given length, without error control.
  bool attempt_exactly(const F& field, const State& state, double h, TrialStep& trial);

  // The step as a curve. DOP853 calls the field three times more.
  bool interpolate(const F& field, const State& state, TrialStep& trial, Segment<N>& segment);

  void accept(const TrialStep& trial, State& state) const {
    state.t += trial.h;
    state.y = trial.y;
    state.carry = trial.carry;
    state.dy = trial.dy;
    state.guards = trial.guards;
    if (trial.h_next > 0) state.h_next = trial.h_next;
    state.last_error = std::max(trial.error, 1e-4);
  }

  // The field's guards at a point of the curve.
  bool guards_at(const F& field, double t, const Vec<double, N>& y, Vec<double, G>& guards) {
    Vec<double, N> dy;
    return call(field, t, y, dy, guards);
  }

 private:
  bool call(const F& field, double t, const Vec<double, N>& y, Vec<double, N>& dy,
            Vec<double, G>& guards) {
    ++rates_calls_;
    return field.rates(t, y, dy, guards) && dy.allFinite() && !guards.hasNaN();
  }
  bool stage(const F& field, const State& state, double h, int i, TrialStep& trial,
             Vec<double, G>& guards);
  bool dop853_step(const F& field, const State& state, double h, TrialStep& trial);
  bool rk4_step(const F& field, const State& state, double h, TrialStep& trial);
  double error_norm(const State& state, const TrialStep& trial, double h) const;
  double first_step(const State& state, double h_max) const;

  // y + increment with what rounding cuts off kept for the next time (Kahan).
  static void add(const State& state, const Vec<double, N>& increment, TrialStep& trial) {
    const Vec<double, N> whole = increment + state.carry;
    trial.y = state.y + whole;
    trial.carry = whole - (trial.y - state.y);
  }

  StepOptions<N> options_;
  std::int64_t rates_calls_ = 0;
};

template <Field F>
bool Stepper<F>::stage(const F& field, const State& state, double h, int i, TrialStep& trial,
                       Vec<double, G>& guards) {
  const auto row = static_cast<std::size_t>(i);
  Vec<double, N> sum = Vec<double, N>::Zero();
  for (int a = dop853::kRowStart[row]; a < dop853::kRowStart[row + 1]; ++a) {
    const dop853::Term& term = dop853::kA[static_cast<std::size_t>(a)];
    sum += term.factor * trial.k[static_cast<std::size_t>(term.stage)];
  }
  const Vec<double, N> y = state.y + h * sum;
  return call(field, state.t + dop853::kC[row] * h, y, trial.k[row], guards);
}

template <Field F>
bool Stepper<F>::dop853_step(const F& field, const State& state, double h, TrialStep& trial) {
  Vec<double, G> guards;
  trial.k[0] = state.dy;
  trial.least_guards = state.guards;
  for (int i = 1; i < dop853::kStages; ++i) {
    if (!stage(field, state, h, i, trial, guards)) return false;
    trial.least_guards = trial.least_guards.cwiseMin(guards);
  }
  Vec<double, N> sum = Vec<double, N>::Zero();
  for (const auto& term : dop853::kB) {
    sum += term.factor * trial.k[static_cast<std::size_t>(term.stage)];
  }
  add(state, h * sum, trial);
  trial.h = h;
  if (!call(field, state.t + h, trial.y, trial.dy, trial.guards)) return false;
  trial.k[dop853::kStages] = trial.dy;
  trial.least_guards = trial.least_guards.cwiseMin(trial.guards);
  return true;
}

template <Field F>
bool Stepper<F>::rk4_step(const F& field, const State& state, double h, TrialStep& trial) {
  Vec<double, G> guards;
  auto& k = trial.k;
  k[0] = state.dy;
  trial.least_guards = state.guards;
  for (std::size_t i = 1; i < 4; ++i) {
    const double c = i == 3 ? h : 0.5 * h;
    if (!call(field, state.t + c, Vec<double, N>(state.y + c * k[i - 1]), k[i], guards))
      return false;
    trial.least_guards = trial.least_guards.cwiseMin(guards);
  }
  add(state, h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]), trial);
  trial.h = h;
  if (!call(field, state.t + h, trial.y, trial.dy, trial.guards)) return false;
  trial.least_guards = trial.least_guards.cwiseMin(trial.guards);
  return true;
}

template <Field F>
bool Stepper<F>::attempt_exactly(const F& field, const State& state, double h, TrialStep& trial) {
  trial.error = state.last_error;
  trial.h_next = 0;
  return options_.scheme == Scheme::dop853 ? dop853_step(field, state, h, trial)
                                           : rk4_step(field, state, h, trial);
}

// Combination of the estimates of order 5 and 3 after [HairerNorsettWanner93], section II.10:
// behaves like one of order 7.
template <Field F>
double Stepper<F>::error_norm(const State& state, const TrialStep& trial, double h) const {
  Vec<double, N> e5 = Vec<double, N>::Zero(), e3 = Vec<double, N>::Zero();
  for (const auto& term : dop853::kE5)
    e5 += term.factor * trial.k[static_cast<std::size_t>(term.stage)];
  for (const auto& term : dop853::kE3)
    e3 += term.factor * trial.k[static_cast<std::size_t>(term.stage)];
  double sum5 = 0, sum3 = 0;
  int counted = 0;
  for (int i = 0; i < N; ++i) {
    if (!std::isfinite(options_.scale(i))) continue;
    const double largest = std::max(std::abs(state.y(i)), std::abs(trial.y(i)));
    const double weight = 1 / (options_.rtol * (largest + options_.scale(i)));
    sum5 += weight * weight * e5(i) * e5(i);
    sum3 += weight * weight * e3(i) * e3(i);
    ++counted;
  }
  if (sum5 == 0) return 0;
  return std::abs(h) * sum5 / std::sqrt((sum5 + 0.01 * sum3) * counted);
}

// A first guess: the length over which an Euler step would change y by a hundredth of its scale.
template <Field F>
double Stepper<F>::first_step(const State& state, double h_max) const {
  double rate = 0;
  for (int i = 0; i < N; ++i) {
    if (std::isfinite(options_.scale(i)))
      rate = std::max(rate, std::abs(state.dy(i)) / (std::abs(state.y(i)) + options_.scale(i)));
  }
  const double h = rate > 0 ? 0.01 / rate : h_max;
  return std::min(h, h_max);
}

template <Field F>
void Stepper<F>::attempt(const F& field, State& state, double t_end, TrialStep& trial,
                         double h_cap) {
  trial.rejected = 0;
  const double h_max = std::min({options_.max_step, h_cap, t_end - state.t});
  const double h_min =
      16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state.t), 1e-3);
  double h = options_.scheme == Scheme::rk4 ? h_max : state.h_next;
  if (h <= 0) h = first_step(state, h_max);
  bool rejected_before = false;
  while (true) {
    h = std::min(h, h_max);
    // Do not leave a remainder that is too short to be a step.
    if (t_end - (state.t + h) < h_min) h = t_end - state.t;
    const double h_exact = (state.t + h) - state.t;  // so that t + h is exact
    if (!(h >= h_min || h >= h_max)) {
      trial.status = StepStatus::too_small;
      return;
    }
    bool good = options_.scheme == Scheme::dop853 ? dop853_step(field, state, h_exact, trial)
                                                  : rk4_step(field, state, h_exact, trial);
    if (!good) {
      h *= 0.5;
    } else if (options_.scheme == Scheme::rk4) {
      trial.status = StepStatus::ok;
      trial.error = 0;
      trial.h_next = options_.max_step;
      return;
    } else {
      trial.error = error_norm(state, trial, h_exact);
      // Order 8 with a little memory of the last error against oscillating steps.
      const double factor = 0.9 * std::pow(std::max(trial.error, 1e-10), -0.125 + 0.2 * 0.02) *
                            std::pow(state.last_error, 0.02);
      if (trial.error <= 1) {
        trial.status = StepStatus::ok;
        trial.h_next = h_exact * std::clamp(factor, 0.333, rejected_before ? 1.0 : 6.0);
        // A step cut short from outside says nothing about the length of the next.
        if (h_exact < 0.5 * state.h_next && !rejected_before)
          trial.h_next = std::max(trial.h_next, state.h_next);
        return;
      }
      h = h_exact * (std::isfinite(trial.error)
                         ? std::clamp(0.9 * std::pow(trial.error, -0.125), 0.1, 0.9)
                         : 0.1);
    }
    ++trial.rejected;
    rejected_before = true;
  }
}

template <Field F>
bool Stepper<F>::interpolate(const F& field, const State& state, TrialStep& trial,
                             Segment<N>& segment) {
  segment.t0 = state.t;
  segment.h = trial.h;
  segment.set_hermite(state.y, state.dy, trial.y, trial.dy);
  if (options_.scheme == Scheme::rk4) return true;
  Vec<double, G> guards;
  for (int i = dop853::kStages + 1; i < dop853::kDenseStages; ++i) {
    if (!stage(field, state, trial.h, i, trial, guards)) return false;
  }
  const auto combine = [&](const auto& terms) {
    Vec<double, N> sum = Vec<double, N>::Zero();
    for (const auto& term : terms)
      sum += term.factor * trial.k[static_cast<std::size_t>(term.stage)];
    return Vec<double, N>(trial.h * sum);
  };
  segment.c.col(4) = combine(dop853::kD0);
  segment.c.col(5) = combine(dop853::kD1);
  segment.c.col(6) = combine(dop853::kD2);
  segment.c.col(7) = combine(dop853::kD3);
  return true;
}

}  // namespace oloid
