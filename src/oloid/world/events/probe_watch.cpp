#include "oloid/world/events/probe_watch.h"

#include <algorithm>
#include <cmath>

#include "oloid/numerics/root.h"

namespace oloid::world {
namespace {

// A step is divided into this many pieces; values are evaluated at their ends.
constexpr int kPieces = 8;

}  // namespace

int ProbeWatch::Formula::sign_of(double x) const {
  const double round_off = 1e-13 * known.largest;
  return x > round_off ? 1 : x < -round_off ? -1 : 0;
}

ProbeWatch::ProbeWatch(const Model& model) {
  for (std::size_t i = 0; i < model.probes.size(); ++i) {
    if (model.probes[i].event) formulas_.push_back({i, static_cast<int>(i), false});
  }
  for (std::size_t i = 0; i < model.stops.size(); ++i)
    formulas_.push_back({model.probes.size() + i, static_cast<int>(i), true});
}

std::vector<FormulaState> ProbeWatch::state() const {
  std::vector<FormulaState> all;
  if (t_ < 0) return all;
  for (const Formula& f : formulas_) all.push_back(f.known);
  return all;
}

void ProbeWatch::resume(double t, const std::vector<FormulaState>& state) {
  start_ = t;
  t_ = -1;
  if (state.size() != formulas_.size()) return;
  t_ = t;
  for (std::size_t i = 0; i < state.size(); ++i) formulas_[i].known = state[i];
}

const std::vector<ProbeZero>& ProbeWatch::zeros(double end, const Values& values) {
  zeros_.clear();
  if (idle()) return zeros_;
  if (t_ < 0) {
    t_ = start_;
    const std::vector<double>& first = values(start_);
    for (Formula& f : formulas_) {
      f.known.largest = std::isnan(first[f.value]) ? 0 : std::abs(first[f.value]);
      f.known.sign = f.sign_of(first[f.value]);
    }
  }
  const double start = t_;
  for (int i = 1; i <= kPieces && t_ < end; ++i)
    look(t_, i == kPieces ? end : start + (end - start) * i / kPieces, values);
  std::stable_sort(zeros_.begin(), zeros_.end(),
                   [](const ProbeZero& a, const ProbeZero& b) { return a.t < b.t; });
  const auto last =
      std::find_if(zeros_.begin(), zeros_.end(), [](const ProbeZero& zero) { return zero.stops; });
  if (last != zeros_.end()) zeros_.erase(last + 1, zeros_.end());
  return zeros_;
}

void ProbeWatch::look(double t0, double t1, const Values& values) {
  at_end_ = values(t1);
  for (Formula& f : formulas_) {
    const double right = at_end_[f.value];
    if (std::isnan(right)) continue;
    f.known.largest = std::max(f.known.largest, std::abs(right));
    const int sign = f.known.sign;
    f.known.sign = f.sign_of(right);
    if (sign == 0 || f.known.sign == sign) continue;
    // If the value at the end is zero up to round-off, whatever its sign: where it falls below
    // round-off.
    const bool crosses = f.known.sign == -sign;
    const auto falling = [&](double t) {
      const double value = values(t)[f.value];
      const bool gone = std::isnan(value) || (!crosses && f.sign_of(value) != sign);
      return gone ? -1.0 : sign * value;
    };
    // A value that jumps past zero at t0 is zero just after t0. One that is zero at the end is zero
    // there.
    const double left = falling(t0);
    double t = t0;
    if (left > 0) t = find_root(falling, t0, left, t1, crosses ? sign * right : -1.0).x;
    if (f.known.sign == 0 && t1 - t < 1e-6 * (t1 - t0)) t = t1;
    zeros_.push_back({t, f.number, f.stops, static_cast<double>(-sign)});
  }
  t_ = t1;
}

}  // namespace oloid::world
