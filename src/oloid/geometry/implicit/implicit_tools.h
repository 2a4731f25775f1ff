// What implicit surfaces are searched and followed with: first derivatives, zeros on lines and near
// points, bounds over boxes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "oloid/base/constants.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry::implicit_tools {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

inline double half_diagonal(const Box& box) { return 0.5 * box.size().norm(); }
// The box and everything up to a distance from it.
Box grown(const Box& box, double by);
// One of the eight parts of a box.
Box octant(const Box& box, int which);

struct FirstOrder {
  double f;
  Vec3<double> gradient;
  bool is_finite() const { return std::isfinite(f) && gradient.allFinite(); }
};
FirstOrder first_order(const ImplicitField& field, const Vec3<double>& p);

// f along a line, and its derivative.
struct OnLine {
  double f, slope;
};
OnLine on_line(const ImplicitField& field, const Vec3<double>& p, const Vec3<double>& direction);

// The zero of f between inside, f ≤ 0, and outside, f > 0: Newton's method, and bisection where it
// leaves the bracket or is too slow. f(t) gives an OnLine.
template <class F>
double bracketed_newton(F f, double inside, double outside) {
  constexpr int kMost = 200;
  double t = 0.5 * (inside + outside), before = std::abs(outside - inside);
  for (int i = 0; i < kMost; ++i) {
    const OnLine at = f(t);
    (at.f > 0 ? outside : inside) = t;
    const double newton = t - at.f / at.slope;
    const double low = std::min(inside, outside), high = std::max(inside, outside);
    const double step = std::abs(newton - t), tiny = 1e-10 * (std::abs(t) + high - low);
    const bool slow = !(step <= 0.5 * before);
    if (slow && before <= tiny && step <= tiny) break;  // nothing left but round-off
    const bool take = newton >= low && newton <= high && !slow;
    const double next = take ? newton : 0.5 * (low + high);  // also where Newton's is no number
    before = std::abs(next - t);
    t = next;
    if (before <= kEps * std::max(std::abs(t), high - low)) break;
    if (high - low <= 2 * kEps * std::max(std::abs(low), std::abs(high))) break;
  }
  return t;
}

// A zero of f near p, by Newton steps along the gradient, none longer than reach. As soon as f
// changes its sign over a step, the zero is kept between two points. Nothing if it is not reached.
std::optional<Vec3<double>> find_zero(const ImplicitField& field, Vec3<double> p, double reach,
                                      double size);

// Bounds of f over a box: as the formula gives them, and from the middle by the gradient.
FieldBounds tight_bounds(const ImplicitField& field, const Box& box);

}  // namespace oloid::geometry::implicit_tools
