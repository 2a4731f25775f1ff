// Events: the downward zeros of guards within a step, found on its dense output.
//
// A guard is armed only while it has been positive since the last event; one that starts at zero
// would otherwise fire at once. An unarmed guard that turns clearly negative instead of positive is
// an event at the very start of the step.
//
// A step is examined in two passes, a cheap one (may_hit: values at the stages, which are available
// anyway) and a close one (first_hit: the curve at the ends of eight equal pieces, and at the
// bottom of each dip that these show). It finds
//  - every guard that is armed and not positive at the end of the step or of one of the pieces
//    (of three zeros between two such ends one, not always the first);
//  - every dip of an armed guard below zero and back, as far as the guard is a quadratic function
//    of time during the step and the stages lie near the curve: some stage then shows less than an
//    eighth of the larger end (the stages leave no gap of more than h/2, RK4, or 0.27 h, DOP853),
//    and the parabola through three points shows the bottom.
// It may miss a narrower dip: one that is over in a small part of the step, while the guard's
// values before and after it show nothing. Error control keeps steps short compared with
// what y does; a guard should therefore vary no faster than y. It misses a guard that is not armed,
// falls, and comes back within the step. A guard that only touches zero is an event if one of the
// values examined is not positive.
#pragma once

#include <array>
#include <optional>

#include "oloid/integrate/stepper.h"
#include "oloid/numerics/root.h"

namespace oloid::integrate {

template <int G>
struct Armed {
  Vec<bool, G> on = filled<bool, G>(false);

  // A guard counts as positive above this; guards are dimensionless.
  static constexpr double kThreshold = 1e-10;

  // For G = Eigen::Dynamic: none is armed. Otherwise does nothing. Arguments as everywhere; the
  // first is not used.
  void resize(int /*n*/, int g) { refill<bool, G>(on, g, false); }
  void clear() { on.setConstant(false); }

  void update(const Vec<double, G>& guards) { update(guards, on); }
  static void update(const Vec<double, G>& guards, Vec<bool, G>& on) {
    for (int i = 0; i < guards.size(); ++i) {
      if (guards(i) > kThreshold) on(i) = true;
    }
  }
};

struct Hit {
  double t;      // [s], in (t0, t1], or t0 for a guard that was not armed
  int guard;     // the first in table order if several coincide
  double slope;  // [1/s] of the guard there
};

// Looks closely only if the step's end or one of its stages shows that something may happen.
template <Field F>
bool may_hit(const Armed<F::kGuards>& armed, const StepperState<F::kSize, F::kGuards>& state,
             const Trial<F::kSize, F::kGuards>& trial) {
  for (int i = 0; i < trial.guards.size(); ++i) {
    const double ends = std::max(state.guards(i), trial.guards(i));
    const bool low = trial.least_guards(i) <= 0.125 * ends || trial.guards(i) <= 0;
    if (armed.on(i) ? low : trial.guards(i) < -Armed<F::kGuards>::kThreshold) return true;
  }
  return false;
}

// One close look at one step: see first_hit.
template <Field F>
class HitSearch {
 public:
  static constexpr int N = F::kSize;
  static constexpr int G = F::kGuards;

  HitSearch(Stepper<F>& stepper, const F& field, const StepperState<N, G>& state,
            const Trial<N, G>& trial, const Segment<N>& segment)
      : stepper_(stepper),
        field_(field),
        state_(state),
        trial_(trial),
        segment_(segment),
        room_(stepper.scratch()),
        tie_(8 * std::numeric_limits<double>::epsilon() *
             std::max(std::abs(segment.t0), std::abs(segment.t1()))) {}

  std::optional<Hit> find(const Armed<G>& armed) {
    best_.reset();
    room_.on = armed.on;  // one that rises within the step is armed from there on
    room_.middle = state_.guards;
    // A dip in the first piece shows only together with the second.
    for (int piece = 1; piece <= kPieces && !(best_ && piece > 2); ++piece) {
      sample(piece);
      for (int i = 0; i < room_.right.size(); ++i) {
        look_at_end(i, node(piece - 1), node(piece));
        if (piece > 1) look_for_dip(i, node(piece - 2), node(piece - 1), node(piece));
      }
      Armed<G>::update(room_.right, room_.on);
      room_.left = room_.middle;
      room_.middle = room_.right;
    }
    return best_;
  }

 private:
  static constexpr int kPieces = 8;

  double node(int i) const {
    if (i == 0) return state_.t;
    return i == kPieces ? segment_.t1() : segment_.t0 + segment_.h * i / kPieces;
  }

  // Guards at the end of a piece; where they are not defined, all count as passed.
  void sample(int piece) {
    if (piece == kPieces) {
      room_.right = trial_.guards;
    } else if (!stepper_.guards_at(field_, node(piece), segment_, room_.right)) {
      room_.right.setConstant(-1);
    }
  }

  double value(int i, double t) {
    return stepper_.guards_at(field_, t, segment_, room_.guards) ? room_.guards(i) : -1.0;
  }

  // Hits are in order of time; those within a few ulp of each other in order of the table.
  bool before(const Hit& a, const Hit& b) const {
    return std::abs(a.t - b.t) <= tie_ ? a.guard < b.guard : a.t < b.t;
  }
  void offer(const Hit& hit) {
    if (!best_ || before(hit, *best_)) best_ = hit;
  }
  void offer_zero(int i, double lo, double at_lo, double hi, double at_hi) {
    const Root root = find_root([&](double t) { return value(i, t); }, lo, at_lo, hi, at_hi);
    offer({root.x, i, root.slope});
  }

  void look_at_end(int i, double t_left, double t_right) {
    const double left = room_.middle(i), right = room_.right(i);
    if (right > 0 || (best_ && best_->t + tie_ < t_left)) return;
    if (room_.on(i)) {
      // One that is below zero already was handled before, or as a start at zero.
      if (left > 0) offer_zero(i, t_left, left, t_right, right);
    } else if (right < -kClearly && (left >= -kClearly || t_left == state_.t)) {
      offer({t_left, i, (right - left) / (t_right - t_left)});
    }
  }

  // All three values are positive: check the bottom of the parabola through them. Repeated a few
  // times, with that as a new point.
  void look_for_dip(int i, double t_left, double t_middle, double t_right) {
    if (!room_.on(i)) return;
    std::array<double, 3> t{t_left, t_middle, t_right};
    std::array<double, 3> g{room_.left(i), room_.middle(i), room_.right(i)};
    for (int tries = 0; tries < 3; ++tries) {
      const double least = std::min({g[0], g[1], g[2]});
      // g = g0 + (t − t0) (d + (t − t1) c)
      const double d = (g[1] - g[0]) / (t[1] - t[0]);
      const double c = ((g[2] - g[1]) / (t[2] - t[1]) - d) / (t[2] - t[0]);
      const double bottom = 0.5 * (t[0] + t[1] - d / c);
      if (!(least > 0 && c > 0 && bottom > t[0] && bottom < t[2])) return;
      if (bottom == t[1] || g[0] + (bottom - t[0]) * (d + (bottom - t[1]) * c) > 0.25 * least)
        return;
      const double at_bottom = value(i, bottom);
      const std::size_t k = bottom < t[1] ? 0 : 1;  // it lies between points k and k + 1
      if (at_bottom <= 0) {
        offer_zero(i, t[k], g[k], bottom, at_bottom);
        return;
      }
      if (k == 0) {
        t = {t[0], bottom, t[1]};
        g = {g[0], at_bottom, g[1]};
      } else {
        t = {t[1], bottom, t[2]};
        g = {g[1], at_bottom, g[2]};
      }
    }
  }

  static constexpr double kClearly = Armed<G>::kThreshold;

  Stepper<F>& stepper_;
  const F& field_;
  const StepperState<N, G>& state_;
  const Trial<N, G>& trial_;
  const Segment<N>& segment_;
  StepScratch<N, G>& room_;
  double tie_;  // [s]
  std::optional<Hit> best_;
};

// The first event of a step.
template <Field F>
std::optional<Hit> first_hit(Stepper<F>& stepper, const F& field, const Armed<F::kGuards>& armed,
                             const StepperState<F::kSize, F::kGuards>& state,
                             const Trial<F::kSize, F::kGuards>& trial,
                             const Segment<F::kSize>& segment) {
  return HitSearch<F>(stepper, field, state, trial, segment).find(armed);
}

}  // namespace oloid::integrate
