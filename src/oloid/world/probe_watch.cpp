#include "oloid/world/probe_watch.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/root.h"

namespace oloid {
namespace {

// Of a step: values are looked at where these end.
constexpr int kPieces = 8;

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

ProbeWatch::ProbeWatch(const Model& model) {
  for (std::size_t i = 0; i < model.probes.size(); ++i) {
    if (model.probes[i].event) formulas_.push_back({i, static_cast<int>(i), false});
  }
  for (std::size_t i = 0; i < model.stops.size(); ++i)
    formulas_.push_back({model.probes.size() + i, static_cast<int>(i), true});
}

const std::vector<ProbeZero>& ProbeWatch::zeros(std::span<const double> ends,
                                                const Values& values) {
  zeros_.clear();
  if (idle() || ends.empty()) return zeros_;
  if (t_ < 0) {
    t_ = 0;
    const std::vector<double>& first = values(0);
    for (Formula& f : formulas_) f.sign = sign_of(first[f.value]);
  }
  for (const double end : ends) {
    const double start = t_;
    for (int i = 1; i <= kPieces && t_ < end; ++i)
      look(t_, i == kPieces ? end : start + (end - start) * i / kPieces, values);
    const bool stops =
        std::any_of(zeros_.begin(), zeros_.end(), [](const ProbeZero& zero) { return zero.stops; });
    if (stops) break;
  }
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
    const int sign = f.sign;
    if (sign != 0 && sign_of(right) != sign) {
      const auto falling = [&](double t) {
        const double value = sign * values(t)[f.value];
        return std::isnan(value) ? -1.0 : value;
      };
      // A jump at t0 has passed zero just after it.
      const double left = falling(t0);
      const double t = left > 0 ? find_root(falling, t0, left, t1, sign * right).x : t0;
      zeros_.push_back({t, f.number, f.stops, static_cast<double>(-sign)});
    }
    f.sign = sign_of(right);
  }
  t_ = t1;
}

}  // namespace oloid
