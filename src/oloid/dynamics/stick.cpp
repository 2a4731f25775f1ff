#include "oloid/dynamics/stick.h"

#include <cmath>
#include <numbers>
#include <optional>

#include "oloid/numerics/root.h"

namespace oloid::dynamics {

StickImpulse stick_impulse(Law law, const Mat6<double>& W, const Vec6<double>& v) {
  const Vec6<double> P = law_force(law, W, v, Vec6<double>::Zero()).f;
  return {P, -0.5 * v.dot(P)};
}

namespace {

Vec2<double> unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

// A channel's acceleration when its friction acts against a direction.
class Starting {
 public:
  Starting(const ContactResponse& sight, Law law, const Vec6<double>& given, Channel channel,
           double kinetic, OnsetFrom from)
      : sight_(sight),
        law_(law),
        given_(given),
        channel_(channel),
        kinetic_(kinetic),
        from_(from) {}

  Vec6<double> force(const Vec2<double>& direction) const {
    Vec6<double> c = given_;
    set_part(c, channel_, -kinetic_ * direction);
    return law_force(law_, sight_.W, sight_.b, c).f;
  }
  Vec2<double> acceleration(const Vec2<double>& direction) const {
    return part(Vec6<double>(sight_.b + sight_.W * force(direction)), channel_);
  }
  // Motion along v̂ turns at the rate (v̂ × v̇) / |v|: a stable direction is a downward zero of this.
  double turning(double angle) const {
    const Vec2<double> v = unit(angle), a = acceleration(v);
    return v.x() * a.y() - v.y() * a.x();
  }
  // On the cone itself, with equal static and kinetic friction, nothing accelerates yet.
  bool speeds_up(const Vec2<double>& direction) const {
    // Measured by what cancels there.
    const Vec6<double> f = force(direction);
    const Vec6<double> terms = sight_.b.cwiseAbs() + sight_.W.cwiseAbs() * f.cwiseAbs();
    const double negligible = 1e-9 * terms.segment(row_of(channel_), width_of(channel_)).norm();
    return acceleration(direction).dot(direction) >= -negligible;
  }
  std::optional<Vec2<double>> stable_between(double lo, double hi) const {
    const double at_lo = turning(lo), at_hi = turning(hi);
    if (!(at_lo > 0 && at_hi <= 0)) return std::nullopt;
    const auto rate = [this](double angle) { return turning(angle); };
    const Vec2<double> v = unit(find_root(rate, lo, at_lo, hi, at_hi).x);
    if (from_ == OnsetFrom::rest && !speeds_up(v)) return std::nullopt;
    return v;
  }

 private:
  const ContactResponse& sight_;
  Law law_;
  const Vec6<double>& given_;
  Channel channel_;
  double kinetic_;
  OnsetFrom from_;
};

}  // namespace

Onset onset(const ContactResponse& sight, Law law, const Vec6<double>& given, Channel channel,
            double kinetic, const Vec2<double>& guess, OnsetFrom from) {
  const Starting starting(sight, law, given, channel, kinetic, from);
  if (channel == Channel::spin) {
    const Vec2<double> first(guess.x() < 0 ? -1 : 1, 0);
    if (from == OnsetFrom::under_way) return {first, true};
    for (const Vec2<double>& way : {first, Vec2<double>(-first)}) {
      if (starting.speeds_up(way)) return {way, true};
    }
    return {first, false};
  }
  const double start = std::atan2(guess.y(), guess.x());
  // Close to the guess first, then all around, near pieces before far ones.
  for (const double reach : {1e-3, 0.03, 0.3}) {
    if (const auto way = starting.stable_between(start - reach, start + reach)) return {*way, true};
  }
  if (from == OnsetFrom::under_way) return {unit(start), true};
  constexpr int kPieces = 64;
  constexpr double kPiece = 2 * std::numbers::pi / kPieces;
  for (int i = 0; i < kPieces; ++i) {
    const double lo = start + (i % 2 == 0 ? i / 2 : -(i + 1) / 2) * kPiece;
    if (const auto way = starting.stable_between(lo, lo + kPiece)) return {*way, true};
  }
  return {unit(start), false};
}

}  // namespace oloid::dynamics
