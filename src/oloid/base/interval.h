// All numbers between two bounds: arithmetic that never loses a value, for rigorous bounds.
//
// Results of operations are rounded outwards to the next double; functions of the C library are
// trusted to kLibraryUlps. An interval bounds the values of a formula wherever it is defined; where
// nothing can be said, or a function jumps or is undefined in between, it is everything.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "oloid/base/constants.h"

namespace oloid::base {

namespace detail {

inline constexpr double kLeast = std::numeric_limits<double>::denorm_min();
inline constexpr int kLibraryUlps = 4;  // glibc states at most 2 for the functions used here

// The next double above x, or below. Zero stays: sums are zero only exactly, and product() and
// quotient() return no zero that was not.
inline double round_up(double x) {
  if (x == 0 || x == kInfinity) return x;
  const auto bits = std::bit_cast<std::int64_t>(x);
  return std::bit_cast<double>(bits + (x > 0 ? 1 : -1));
}
inline double round_down(double x) { return -round_up(-x); }
inline double round_up(double x, int ulps) {
  for (int i = 0; i < ulps; ++i) x = round_up(x);
  return x;
}
inline double round_down(double x, int ulps) { return -round_up(-x, ulps); }

// An infinite bound stands for all numbers, however large: zero times one of them is zero.
inline double product(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double p = a * b;
  return p == 0 ? std::copysign(kLeast, p) : p;
}
inline double quotient(double a, double b) {  // b ≠ 0
  if (a == 0) return 0;
  if (std::isinf(a) && std::isinf(b)) return std::copysign(1.0, a) * std::copysign(1.0, b);
  const double q = a / b;
  return q == 0 ? std::copysign(kLeast, q) : q;
}

}  // namespace detail

struct Interval {
  double low = 0, high = 0;

  Interval() = default;
  Interval(double x) : low(x), high(x) {}
  Interval(double lowest, double highest) : low(lowest), high(highest) {}
  static Interval everything() { return {-kInfinity, kInfinity}; }

  bool contains(double x) const { return low <= x && x <= high; }
  bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
  double width() const { return high - low; }
  double middle() const { return 0.5 * low + 0.5 * high; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }  // |x|
  double smallest() const { return low > 0 ? low : high < 0 ? -high : 0.0; }  // |x|
};

inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
// What two bounds of one number leave.
inline Interval both(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  return {detail::round_down(a.low + b.low), detail::round_up(a.high + b.high)};
}
inline Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }
inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = detail::product(a.low, b.low), q = detail::product(a.low, b.high);
  const double r = detail::product(a.high, b.low), s = detail::product(a.high, b.high);
  return {detail::round_down(std::min(std::min(p, q), std::min(r, s))),
          detail::round_up(std::max(std::max(p, q), std::max(r, s)))};
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.low == 0 && b.high > 0) {
    return a * Interval(detail::round_down(detail::quotient(1, b.high)), kInfinity);
  }
  if (b.high == 0 && b.low < 0) {
    return a * Interval(-kInfinity, detail::round_up(detail::quotient(1, b.low)));
  }
  if (!(b.low > 0 || b.high < 0)) return Interval::everything();
  const double p = detail::quotient(a.low, b.low), q = detail::quotient(a.low, b.high);
  const double r = detail::quotient(a.high, b.low), s = detail::quotient(a.high, b.high);
  return {detail::round_down(std::min(std::min(p, q), std::min(r, s))),
          detail::round_up(std::max(std::max(p, q), std::max(r, s)))};
}

// Comparisons may be undecided; select then takes both.
struct IntervalMask {
  bool may_be, may_not_be;
};
inline IntervalMask operator<(const Interval& a, const Interval& b) {
  return {a.low < b.high, a.high >= b.low};
}
inline IntervalMask operator>(const Interval& a, const Interval& b) { return b < a; }
inline Interval select(const IntervalMask& mask, const Interval& a, const Interval& b) {
  if (!mask.may_not_be) return a;
  if (!mask.may_be) return b;
  return hull(a, b);
}

namespace detail {

// The image under a function of the C library that rises, or falls, from one bound to the other.
template <class F>
Interval rising(F f, const Interval& a) {
  return {round_down(f(a.low), kLibraryUlps), round_up(f(a.high), kLibraryUlps)};
}
template <class F>
Interval falling(F f, const Interval& a) {
  return {round_down(f(a.high), kLibraryUlps), round_up(f(a.low), kLibraryUlps)};
}

// Whether a might contain first + k period for a whole k.
inline bool meets(const Interval& a, double first, double period) {
  const double slack = 1e-14 * (1 + a.largest());
  return std::floor((a.high + slack - first) / period) !=
         std::floor((a.low - slack - first) / period);
}
inline constexpr double kLargestAngle = 1e8;  // beyond, nothing is said about its sine

}  // namespace detail

inline Interval sqrt(const Interval& a) {
  if (!(a.high >= 0)) return Interval::everything();
  return {detail::round_down(std::sqrt(std::max(a.low, 0.0))), detail::round_up(std::sqrt(a.high))};
}
inline Interval exp(const Interval& a) {
  const Interval e = detail::rising([](double x) { return std::exp(x); }, a);
  return {std::max(e.low, 0.0), std::max(e.high, detail::kLeast)};
}
inline Interval log(const Interval& a) {
  if (!(a.high > 0)) return Interval::everything();
  return detail::rising([](double x) { return std::log(x); },
                        Interval(std::max(a.low, 0.0), a.high));
}
inline Interval sin(const Interval& a) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (!(a.largest() < detail::kLargestAngle) || a.width() >= kTurn) return {-1, 1};
  const Interval ends = hull(std::sin(a.low), std::sin(a.high));
  const bool top = detail::meets(a, kTurn / 4, kTurn), bottom = detail::meets(a, -kTurn / 4, kTurn);
  return {bottom ? -1 : std::max(-1.0, detail::round_down(ends.low, detail::kLibraryUlps)),
          top ? 1 : std::min(1.0, detail::round_up(ends.high, detail::kLibraryUlps))};
}
inline Interval cos(const Interval& a) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (!(a.largest() < detail::kLargestAngle) || a.width() >= kTurn) return {-1, 1};
  const Interval ends = hull(std::cos(a.low), std::cos(a.high));
  const bool top = detail::meets(a, 0, kTurn), bottom = detail::meets(a, kTurn / 2, kTurn);
  return {bottom ? -1 : std::max(-1.0, detail::round_down(ends.low, detail::kLibraryUlps)),
          top ? 1 : std::min(1.0, detail::round_up(ends.high, detail::kLibraryUlps))};
}
inline Interval tan(const Interval& a) {
  if (!(a.largest() < detail::kLargestAngle) || a.width() >= std::numbers::pi ||
      detail::meets(a, std::numbers::pi / 2, std::numbers::pi)) {
    return Interval::everything();
  }
  return detail::rising([](double x) { return std::tan(x); }, a);
}
inline Interval asin(const Interval& a) {
  if (!(a.low <= 1 && a.high >= -1)) return Interval::everything();
  return detail::rising([](double x) { return std::asin(x); }, both(a, {-1, 1}));
}
inline Interval acos(const Interval& a) {
  if (!(a.low <= 1 && a.high >= -1)) return Interval::everything();
  return detail::falling([](double x) { return std::acos(x); }, both(a, {-1, 1}));
}
inline Interval atan(const Interval& a) {
  return detail::rising([](double x) { return std::atan(x); }, a);
}
inline Interval sinh(const Interval& a) {
  return detail::rising([](double x) { return std::sinh(x); }, a);
}
inline Interval abs(const Interval& a) { return {a.smallest(), a.largest()}; }
inline Interval cosh(const Interval& a) {
  const Interval c = detail::rising([](double x) { return std::cosh(x); }, abs(a));
  return {std::max(c.low, 1.0), c.high};
}
inline Interval tanh(const Interval& a) {
  const Interval t = detail::rising([](double x) { return std::tanh(x); }, a);
  return {std::max(t.low, -1.0), std::min(t.high, 1.0)};
}
inline Interval min(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
inline Interval max(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}
inline Interval hypot(const Interval& a, const Interval& b) {
  const double low = std::hypot(a.smallest(), b.smallest());
  return {std::max(0.0, detail::round_down(low, detail::kLibraryUlps)),
          detail::round_up(std::hypot(a.largest(), b.largest()), detail::kLibraryUlps)};
}

namespace detail {

// The half line y = 0, x ≤ 0, across which the angle jumps by a whole turn.
inline bool meets_cut(const Interval& y, const Interval& x) { return y.contains(0) && x.low <= 0; }

}  // namespace detail

inline Interval atan2(const Interval& y, const Interval& x) {
  const double pi = detail::round_up(std::numbers::pi);
  if (detail::meets_cut(y, x)) return {-pi, pi};
  // The angle is least and greatest at corners of the box, which does not reach round the origin.
  const double p = std::atan2(y.low, x.low), q = std::atan2(y.low, x.high);
  const double r = std::atan2(y.high, x.low), s = std::atan2(y.high, x.high);
  return {std::max(-pi, detail::round_down(std::min({p, q, r, s}), detail::kLibraryUlps)),
          std::min(pi, detail::round_up(std::max({p, q, r, s}), detail::kLibraryUlps))};
}
// See dual.h. No slope bounds a jump.
inline Interval angle_slope(const Interval& y, const Interval& x) {
  if (detail::meets_cut(y, x)) return Interval::everything();
  const Interval ax = abs(x), ay = abs(y);
  return Interval(1) / (ax * ax + ay * ay);
}

inline Interval whole_power(const Interval& a, int n) {
  if (n < 0) return Interval(1) / whole_power(a, -n);
  const auto power = [n](double x) {
    Interval result(1), square(x);
    for (int k = n; k > 0; k /= 2) {
      if (k % 2 == 1) result = result * square;
      if (k > 1) square = square * square;
    }
    return result;
  };
  if (n == 0) return 1;
  if (n % 2 == 1) return {power(a.low).low, power(a.high).high};
  return {power(a.smallest()).low, power(a.largest()).high};
}
inline Interval pow(const Interval& a, double e) {
  constexpr double kMostMultiplications = 1024;
  if (std::floor(e) == e && std::abs(e) <= kMostMultiplications) {
    return whole_power(a, static_cast<int>(e));
  }
  if (a.low < 0) return Interval::everything();
  const auto f = [e](double x) { return std::pow(x, e); };
  const Interval p = e > 0 ? detail::rising(f, a) : detail::falling(f, a);
  return {std::max(p.low, 0.0), std::max(p.high, detail::kLeast)};
}
inline Interval pow(const Interval& a, const Interval& b) {
  if (b.low == b.high) return pow(a, b.low);
  if (a.low < 0) return Interval::everything();
  return exp(b * log(a));
}

}  // namespace oloid::base
