// Events: the first downward zero of any guard within a step, found on its dense output.
//
// A guard is armed only while it has been positive since the last event; one that starts at zero
// would otherwise fire at once. An unarmed guard that turns clearly negative instead of positive is
// an event at the very start of the step.
#pragma once

#include <array>
#include <optional>

#include "oloid/base/root.h"
#include "oloid/integrate/stepper.h"

namespace oloid {

template <int G>
struct Armed {
  std::array<bool, static_cast<std::size_t>(G)> on{};

  // A guard counts as positive above this; guards are dimensionless.
  static constexpr double kThreshold = 1e-10;

  void update(const Vec<double, G>& guards) {
    for (int i = 0; i < G; ++i) {
      if (guards(i) > kThreshold) on[static_cast<std::size_t>(i)] = true;
    }
  }
};

struct Hit {
  double t;      // [s], in (t0, t1], or t0 for a guard that was never armed
  int guard;     // the first in table order if several coincide
  double slope;  // [1/s] of the guard there
};

// Looks closely only when the step's end or one of its stages says that something may happen.
template <Field F>
bool may_hit(const Armed<F::kGuards>& armed, const StepperState<F::kSize, F::kGuards>& state,
             const Trial<F::kSize, F::kGuards>& trial) {
  for (int i = 0; i < F::kGuards; ++i) {
    const double ends = std::max(state.guards(i), trial.guards(i));
    const bool low = trial.least_guards(i) <= 0.05 * ends || trial.guards(i) <= 0;
    if (armed.on[static_cast<std::size_t>(i)] ? low
                                              : trial.guards(i) < -Armed<F::kGuards>::kThreshold)
      return true;
  }
  return false;
}

template <Field F>
std::optional<Hit> first_hit(Stepper<F>& stepper, const F& field, const Armed<F::kGuards>& armed,
                             const StepperState<F::kSize, F::kGuards>& state,
                             const Trial<F::kSize, F::kGuards>& trial,
                             const Segment<F::kSize>& segment) {
  constexpr int G = F::kGuards;
  constexpr int kPieces = 8;
  Armed<G> now = armed;  // one that rises within the step is armed from there on
  Vec<double, G> scratch;
  const auto value = [&](int i, double t) {
    return stepper.guards_at(field, t, segment(t), scratch) ? scratch(i) : -1.0;
  };
  std::optional<Hit> best;
  Vec<double, G> left = state.guards;
  double t_left = state.t;
  for (int piece = 1; piece <= kPieces && !best; ++piece) {
    const double t_right =
        piece == kPieces ? segment.t1() : segment.t0 + segment.h * piece / kPieces;
    Vec<double, G> right;
    if (piece == kPieces) {
      right = trial.guards;
    } else if (!stepper.guards_at(field, t_right, segment(t_right), right)) {
      right.setConstant(-1);
    }
    for (int i = 0; i < G; ++i) {
      if (right(i) > 0) continue;
      if (!now.on[static_cast<std::size_t>(i)]) {
        if (right(i) < -Armed<G>::kThreshold && (!best || t_left < best->t))
          best = Hit{t_left, i, (right(i) - left(i)) / (t_right - t_left)};
        continue;
      }
      if (left(i) <= 0) continue;  // was handled as a start at zero
      const Root root =
          find_root([&](double t) { return value(i, t); }, t_left, left(i), t_right, right(i));
      if (!best || root.x < best->t) best = Hit{root.x, i, root.slope};
    }
    now.update(right);
    left = right;
    t_left = t_right;
  }
  return best;
}

}  // namespace oloid
