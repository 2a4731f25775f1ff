// Curves through given points at given times with continuous second derivative.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "oloid/base/contract.h"
#include "oloid/base/linalg.h"

namespace oloid::numerics {

// Value, first and second derivative by t.
template <int D>
struct CurvePoint {
  Vec<double, D> x = Vec<double, D>::Zero(), v = Vec<double, D>::Zero(), a = Vec<double, D>::Zero();
};

// A cubic between each two knots t_i, given by the values x_i and slopes m_i at its ends. The
// slopes follow from continuity of the second derivative at each inner knot, h_i = t_{i+1} - t_i:
//   m_{i-1}/h_{i-1} + 2 (1/h_{i-1} + 1/h_i) m_i + m_{i+1}/h_i
//     = 3 ((x_i - x_{i-1})/h_{i-1}² + (x_{i+1} - x_i)/h_i²)
// and from the ends: at rest there and outside, or again the first knot's equation.
template <int D>
class CubicSpline {
 public:
  using Point = Vec<double, D>;

  // Slope 0 at both ends; before and after the curve stays where it begins and ends. At least two
  // knots, times increasing.
  static CubicSpline at_rest_outside(std::vector<double> times, std::vector<Point> points) {
    CubicSpline s(std::move(times), std::move(points), 0);
    const std::size_t last = s.t_.size() - 1;
    std::vector<Point> rest(last + 1, Point::Zero());
    s.solve(1, last - 1, s.right_sides(), rest);
    s.slope_ = std::move(rest);
    return s;
  }

  // The curve goes on as x(t + T) = sign · x(t), T from the first time to the last, sign = 1 or -1;
  // the last point is sign times the first. At least three knots.
  static CubicSpline periodic(std::vector<double> times, std::vector<Point> points,
                              double sign = 1) {
    CubicSpline s(std::move(times), std::move(points), sign);
    s.slope_ = s.periodic_slopes();
    return s;
  }

  CurvePoint<D> at(double t) const {
    double sign = 1;
    if (sign_ != 0) {
      const double period = t_.back() - t_.front();
      const double turns = std::floor((t - t_.front()) / period);
      t -= turns * period;
      if (sign_ < 0 && std::fmod(turns, 2) != 0) sign = -1;
    } else if (t <= t_.front() || t >= t_.back()) {
      return {t <= t_.front() ? x_.front() : x_.back(), Point::Zero(), Point::Zero()};
    }
    const auto after = std::upper_bound(t_.begin() + 1, t_.end() - 1, t);
    const auto i = static_cast<std::size_t>(after - t_.begin()) - 1;
    CurvePoint<D> p = piece(i, t);
    return {sign * p.x, sign * p.v, sign * p.a};
  }

  const std::vector<double>& knots() const { return t_; }
  bool is_periodic() const { return sign_ != 0; }

 private:
  CubicSpline(std::vector<double> times, std::vector<Point> points, double sign)
      : t_(std::move(times)), x_(std::move(points)), sign_(sign) {
    OLOID_EXPECT(t_.size() == x_.size() && t_.size() >= (sign == 0 ? 2u : 3u));
  }

  double h(std::size_t i) const { return t_[i + 1] - t_[i]; }
  // (x_{i+1} - x_i) / h_i².
  Point chord(std::size_t i) const { return (x_[i + 1] - x_[i]) / (h(i) * h(i)); }

  // Hermite's form in u = (t - t_i) / h_i, and its derivatives.
  CurvePoint<D> piece(std::size_t i, double t) const {
    const double step = h(i), u = (t - t_[i]) / step;
    const Point d = x_[i + 1] - x_[i];
    const Point b = step * slope_[i], e = step * slope_[i + 1];
    const Point c2 = 3 * d - 2 * b - e, c3 = b + e - 2 * d;
    return {x_[i] + u * (b + u * (c2 + u * c3)), (b + u * (2 * c2 + u * (3 * c3))) / step,
            (2 * c2 + u * (6 * c3)) / (step * step)};
  }

  // Of the equations of inner knots; index 0 is that of the first knot if periodic.
  std::vector<Point> right_sides() const {
    const std::size_t last = t_.size() - 1;
    std::vector<Point> r(last + 1, Point::Zero());
    for (std::size_t i = 1; i < last; ++i) r[i] = 3 * (chord(i - 1) + chord(i));
    if (sign_ != 0) r[0] = 3 * (sign_ * chord(last - 1) + chord(0));
    return r;
  }
  // Weight of the slope at knot i in its own equation.
  double diagonal(std::size_t i) const { return 2 / h(i == 0 ? t_.size() - 2 : i - 1) + 2 / h(i); }

  // The equations of knots first..last by elimination, slopes outside of that being 0.
  void solve(std::size_t first, std::size_t last, std::vector<Point> right,
             std::vector<Point>& slopes) const {
    if (last < first) return;
    std::vector<double> pivot(last + 1, 0);
    pivot[first] = diagonal(first);
    for (std::size_t i = first + 1; i <= last; ++i) {
      const double factor = 1 / (h(i - 1) * pivot[i - 1]);
      pivot[i] = diagonal(i) - factor / h(i - 1);
      right[i] -= factor * right[i - 1];
    }
    slopes[last] = right[last] / pivot[last];
    for (std::size_t i = last; i-- > first;) {
      slopes[i] = (right[i] - slopes[i + 1] / h(i)) / pivot[i];
    }
  }

  // The first knot's slope m₀ couples to both neighbours: m_i = y_i - z_i m₀, with y and z from the
  // equations of the others, and z's right sides the weights of m₀ in these.
  std::vector<Point> periodic_slopes() const {
    const std::size_t last = t_.size() - 1;
    const std::vector<Point> right = right_sides();
    std::vector<Point> weights(last + 1, Point::Zero());
    weights[1] += Point::Constant(1 / h(0));
    weights[last - 1] += Point::Constant(sign_ / h(last - 1));
    std::vector<Point> y(last + 1, Point::Zero()), z(last + 1, Point::Zero());
    solve(1, last - 1, right, y);
    solve(1, last - 1, weights, z);
    const double before = sign_ / h(last - 1), after = 1 / h(0);
    const Point numerator = right[0] - before * y[last - 1] - after * y[1];
    const double weight = diagonal(0) - before * z[last - 1](0) - after * z[1](0);
    y[0] = numerator / weight;
    for (std::size_t i = 1; i < last; ++i) y[i] -= z[i].cwiseProduct(y[0]);
    y[last] = sign_ * y[0];
    return y;
  }

  std::vector<double> t_;
  std::vector<Point> x_, slope_;
  double sign_;  // 0: not periodic
};

}  // namespace oloid::numerics
