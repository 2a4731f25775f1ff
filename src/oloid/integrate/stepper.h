// Steps of y' = f(t, y): DOP853 with error control, or classic RK4 with a fixed or a halved step.
//
// A step is first tried (Trial), then examined (dense output, events), then accepted. What the
// stepper remembers between steps is StepperState, plain data, so that stop and resume are exact.
// N and G, the lengths of y and of the guards, are numbers or Eigen::Dynamic. In the second case
// everything is given its length once, by resize(n, g); after that a step allocates nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "oloid/integrate/dop853_coefficients.h"
#include "oloid/integrate/field.h"
#include "oloid/integrate/segment.h"

namespace oloid::integrate {

enum class Scheme { dop853, rk4 };

template <int N, int G>
struct StepperState {
  double t = 0;                                  // [s]
  Vec<double, N> y = filled<double, N>(0);       // may be set, then restart
  Vec<double, N> carry = filled<double, N>(0);   // what rounding has cut off y so far
  Vec<double, N> dy = filled<double, N>(0);      // first slope, valid after `restart`
  Vec<double, G> guards = filled<double, G>(0);  // at t
  Vec<double, N> scale = filled<double, N>(1);   // tolerance of y_i is rtol (|y_i| + scale_i);
                                                 // ∞: not controlled
  double h_next = 0;                             // [s], 0: to be estimated
  double last_error = 1e-4;
  std::int64_t rates_calls = 0;  // so far, including those of trials and searches for events

  // For lengths that are Eigen::Dynamic: y = 0, scale = 1. Others are left alone.
  void resize(int n, int g) {
    for (Vec<double, N>* v : {&y, &carry, &dy}) refill<double, N>(*v, n, 0);
    refill<double, N>(scale, n, 1);
    refill<double, G>(guards, g, 0);
  }
};

struct StepOptions {
  Scheme scheme = Scheme::dop853;
  double rtol = 1e-11;                                        // dop853
  double max_step = std::numeric_limits<double>::infinity();  // [s]; rk4: the step
  // rk4 [s]: a step on which the rates are not defined is halved, below this only where even this
  // fails, and later ones are doubled up to max_step. 0: the step is always max_step, halved where
  // necessary.
  double min_step = 0;
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

  void resize(int n, int g) {
    for (Vec<double, N>* v : {&y, &carry, &dy}) refill<double, N>(*v, n, 0);
    for (Vec<double, N>& v : k) refill<double, N>(v, n, 0);
    refill<double, G>(guards, g, 0);
    refill<double, G>(least_guards, g, 0);
  }
};

// Scratch memory.
template <int N, int G>
struct StepScratch {
  Vec<double, N> y, dy, sum, sum2;
  Vec<double, G> guards, left, middle, right;
  Vec<bool, G> on;

  void resize(int n, int g) {
    for (Vec<double, N>* v : {&y, &dy, &sum, &sum2}) refill<double, N>(*v, n, 0);
    for (Vec<double, G>* v : {&guards, &left, &middle, &right}) refill<double, G>(*v, g, 0);
    refill<bool, G>(on, g, false);
  }
};

template <Field F>
class Stepper {
 public:
  static constexpr int N = F::kSize;
  static constexpr int G = F::kGuards;
  using State = StepperState<N, G>;
  using TrialStep = Trial<N, G>;

  explicit Stepper(const StepOptions& options) : options_(options) {}
  Stepper(const StepOptions& options, const F& field) : options_(options) {
    resize(size_of(field), guard_count_of(field));
  }
  void resize(int n, int g) { scratch_.resize(n, g); }

  const StepOptions& options() const { return options_; }
  std::int64_t rates_calls() const { return rates_calls_; }  // of this stepper, for any state

  // To be called when y or the field has changed other than by accepting a step. Keeps h_next.
  bool restart(const F& field, State& state) {
    state.last_error = 1e-4;
    const bool good = call(field, state.t, state.y, state.dy, state.guards);
    count(state);
    return good;
  }

  // One step that keeps the tolerance, is no longer than h_cap and ends at t_end at the latest.
  void attempt(const F& field, State& state, double t_end, TrialStep& trial,
               double h_cap = std::numeric_limits<double>::infinity());

  // One step of exactly the given length, without error control.
  bool attempt_exactly(const F& field, const State& state, double h, TrialStep& trial);

  // The step as a curve. DOP853 calls the field three times more.
  bool interpolate(const F& field, const State& state, TrialStep& trial, Segment<N>& segment);

  void accept(const TrialStep& trial, State& state) {
    state.t += trial.h;
    state.y = trial.y;
    state.carry = trial.carry;
    state.dy = trial.dy;
    state.guards = trial.guards;
    if (trial.h_next > 0) state.h_next = trial.h_next;
    state.last_error = std::max(trial.error, 1e-4);
    count(state);
  }

  // The field's guards at a point.
  bool guards_at(const F& field, double t, const Vec<double, N>& y, Vec<double, G>& guards) {
    return call(field, t, y, scratch_.dy, guards);
  }
  // The same at a point of the curve.
  bool guards_at(const F& field, double t, const Segment<N>& segment, Vec<double, G>& guards) {
    segment.at(t, scratch_.y);
    return guards_at(field, t, scratch_.y, guards);
  }

  // For code that examines a step with this stepper.
  StepScratch<N, G>& scratch() { return scratch_; }

 private:
  bool call(const F& field, double t, const Vec<double, N>& y, Vec<double, N>& dy,
            Vec<double, G>& guards) {
    ++rates_calls_;
    // 0 times a number is 0 exactly where the number is finite: no branch for each of them.
    return field.rates(t, y, dy, guards) && (0.0 * dy).sum() == 0 && !guards.hasNaN();
  }
  void count(State& state) {
    state.rates_calls += rates_calls_ - counted_;
    counted_ = rates_calls_;
  }
  bool step(const F& field, const State& state, double h, TrialStep& trial) {
    return options_.scheme == Scheme::dop853 ? dop853_step(field, state, h, trial)
                                             : rk4_step(field, state, h, trial);
  }
  bool stage(const F& field, const State& state, double h, int i, TrialStep& trial);
  bool dop853_step(const F& field, const State& state, double h, TrialStep& trial);
  bool rk4_step(const F& field, const State& state, double h, TrialStep& trial);
  double error_norm(const State& state, const TrialStep& trial, double h);
  double first_step(const State& state, double h_max) const;
  double next_rk4_step(const State& state, double h, bool rejected) const;

  // Calls use(part, Σ b k) for blocks of components, whose sums stay in registers; part(v) is the
  // block of a vector v. A fixed length is one block.
  template <class Terms, class Use>
  static void combine(const Terms& terms, const TrialStep& trial, const Use& use) {
    if constexpr (N == Eigen::Dynamic) {
      const Eigen::Index n = trial.y.size();
      Eigen::Index i = 0;
      const auto block = [&](auto width) {
        constexpr int kWidth = decltype(width)::value;
        const auto part = [i](auto& v) { return v.template segment<kWidth>(i); };
        combine_block<kWidth>(terms, trial, part, use);
        i += kWidth;
      };
      if (n == 17) return block(std::integral_constant<int, 17>{});  // a single body
      while (i + 16 <= n) block(std::integral_constant<int, 16>{});
      while (i + 8 <= n) block(std::integral_constant<int, 8>{});
      while (i + 2 <= n) block(std::integral_constant<int, 2>{});
      while (i < n) block(std::integral_constant<int, 1>{});
    } else {
      combine_block<N>(
          terms, trial, [](auto& v) -> auto& { return v; }, use);
    }
  }
  template <int Width, class Terms, class Part, class Use>
  static void combine_block(const Terms& terms, const TrialStep& trial, const Part& part,
                            const Use& use) {
    Vec<double, Width> sum = Vec<double, Width>::Zero();
    for (const dop853::Term& term : terms)
      sum += term.factor * part(trial.k[static_cast<std::size_t>(term.stage)]);
    use(part, sum);
  }

  // y + increment, with what rounding cuts off kept for the next time (Kahan). The increment is
  // overwritten.
  static void add(const State& state, Vec<double, N>& increment, TrialStep& trial) {
    increment += state.carry;
    trial.y = state.y + increment;
    trial.carry = increment - (trial.y - state.y);
  }

  StepOptions options_;
  StepScratch<N, G> scratch_;
  std::int64_t rates_calls_ = 0, counted_ = 0;  // counted: those included in a state
};

template <Field F>
bool Stepper<F>::stage(const F& field, const State& state, double h, int i, TrialStep& trial) {
  const auto row = static_cast<std::size_t>(i);
  const auto first = static_cast<std::size_t>(dop853::kRowStart[row]),
             end = static_cast<std::size_t>(dop853::kRowStart[row + 1]);
  combine(std::span(dop853::kA).subspan(first, end - first), trial,
          [&](auto part, const auto& sum) { part(scratch_.y) = part(state.y) + h * sum; });
  return call(field, state.t + dop853::kC[row] * h, scratch_.y, trial.k[row], scratch_.guards);
}

template <Field F>
bool Stepper<F>::dop853_step(const F& field, const State& state, double h, TrialStep& trial) {
  trial.k[0] = state.dy;
  trial.least_guards = state.guards;
  for (int i = 1; i < dop853::kStages; ++i) {
    if (!stage(field, state, h, i, trial)) return false;
    trial.least_guards = trial.least_guards.cwiseMin(scratch_.guards);
  }
  combine(dop853::kB, trial, [&](auto part, const auto& sum) { part(scratch_.sum) = h * sum; });
  add(state, scratch_.sum, trial);
  trial.h = h;
  if (!call(field, state.t + h, trial.y, trial.dy, trial.guards)) return false;
  trial.k[dop853::kStages] = trial.dy;
  trial.least_guards = trial.least_guards.cwiseMin(trial.guards);
  return true;
}

template <Field F>
bool Stepper<F>::rk4_step(const F& field, const State& state, double h, TrialStep& trial) {
  auto& k = trial.k;
  k[0] = state.dy;
  trial.least_guards = state.guards;
  for (std::size_t i = 1; i < 4; ++i) {
    const double c = i == 3 ? h : 0.5 * h;
    scratch_.y = state.y + c * k[i - 1];
    if (!call(field, state.t + c, scratch_.y, k[i], scratch_.guards)) return false;
    trial.least_guards = trial.least_guards.cwiseMin(scratch_.guards);
  }
  scratch_.sum = h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
  add(state, scratch_.sum, trial);
  trial.h = h;
  if (!call(field, state.t + h, trial.y, trial.dy, trial.guards)) return false;
  trial.least_guards = trial.least_guards.cwiseMin(trial.guards);
  return true;
}

template <Field F>
bool Stepper<F>::attempt_exactly(const F& field, const State& state, double h, TrialStep& trial) {
  trial.error = state.last_error;
  trial.h_next = 0;
  return step(field, state, h, trial);
}

// Combination of the estimates of order 5 and 3 after [HairerNorsettWanner93], section II.10:
// behaves like one of order 7.
template <Field F>
double Stepper<F>::error_norm(const State& state, const TrialStep& trial, double h) {
  Vec<double, N>&e5 = scratch_.sum, &e3 = scratch_.sum2;
  combine(dop853::kE5, trial, [&](auto part, const auto& sum) { part(e5) = sum; });
  combine(dop853::kE3, trial, [&](auto part, const auto& sum) { part(e3) = sum; });
  double sum5 = 0, sum3 = 0;
  int counted = 0;
  for (int i = 0; i < state.y.size(); ++i) {
    if (!std::isfinite(state.scale(i))) continue;
    const double largest = std::max(std::abs(state.y(i)), std::abs(trial.y(i)));
    const double weight = 1 / (options_.rtol * (largest + state.scale(i)));
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
  for (int i = 0; i < state.y.size(); ++i) {
    if (std::isfinite(state.scale(i)))
      rate = std::max(rate, std::abs(state.dy(i)) / (std::abs(state.y(i)) + state.scale(i)));
  }
  const double h = rate > 0 ? 0.01 / rate : h_max;
  return std::min(h, h_max);
}

// After a step of length h: twice as long and not below the least, unless steps are fixed. One cut
// short from outside says nothing about the length of the next.
template <Field F>
double Stepper<F>::next_rk4_step(const State& state, double h, bool rejected) const {
  if (options_.min_step <= 0) return options_.max_step;
  return std::min(std::max({2 * h, options_.min_step, rejected ? 0.0 : state.h_next}),
                  options_.max_step);
}

template <Field F>
void Stepper<F>::attempt(const F& field, State& state, double t_end, TrialStep& trial,
                         double h_cap) {
  trial.rejected = 0;
  const bool is_rk4 = options_.scheme == Scheme::rk4;
  const double h_max = std::min({options_.max_step, h_cap, t_end - state.t});
  const double h_min =
      16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(state.t), 1e-3);
  double h = is_rk4 && (options_.min_step <= 0 || state.h_next <= 0) ? h_max : state.h_next;
  if (h <= 0) h = first_step(state, h_max);
  h = std::max(h, 16 * h_min);  // what was too short before an event says nothing about now
  bool rejected_before = false;
  while (true) {
    h = std::min(h, h_max);
    // Do not leave a remainder that is too short to be a step.
    if (!rejected_before && t_end - (state.t + h) < h_min) h = t_end - state.t;
    const double h_exact = (state.t + h) - state.t;  // so that t + h is exact
    if (!(h >= h_min || h >= h_max) || !(h_exact > 0)) {
      trial.status = StepStatus::too_small;
      return;
    }
    if (!step(field, state, h_exact, trial)) {
      // Halved, but not past the least step without having tried that.
      h = is_rk4 && h > options_.min_step ? std::max(0.5 * h, options_.min_step) : 0.5 * h;
    } else if (is_rk4) {
      trial.status = StepStatus::ok;
      trial.error = 0;
      trial.h_next = next_rk4_step(state, h_exact, rejected_before);
      return;
    } else {
      trial.error = error_norm(state, trial, h_exact);
      // Order 8 with a little memory of the last error against oscillating steps.
      const double factor =
          0.9 * std::exp((-0.125 + 0.2 * 0.02) * std::log(std::max(trial.error, 1e-10)) +
                         0.02 * std::log(state.last_error));
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
  for (int i = dop853::kStages + 1; i < dop853::kDenseStages; ++i) {
    if (!stage(field, state, trial.h, i, trial)) return false;
  }
  const auto set = [&](int column, const auto& terms) {
    auto c = segment.c.col(column);
    combine(terms, trial, [&](auto part, const auto& sum) { part(c) = trial.h * sum; });
  };
  set(4, dop853::kD0);
  set(5, dop853::kD1);
  set(6, dop853::kD2);
  set(7, dop853::kD3);
  return true;
}

}  // namespace oloid::integrate
