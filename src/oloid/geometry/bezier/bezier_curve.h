// Rational Bezier curves of any degree in 2 or 3 dimensions: profiles, borders and trimming loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "oloid/base/constants.h"
#include "oloid/geometry/bezier/bernstein.h"

namespace oloid::geometry {

// Homogeneous control points (w p, w) with w > 0: t = 0 at the first, 1 at the last.
template <int Dim>
struct BezierCurve {
  using Point = Vec<double, Dim>;
  using Weighted = Vec<double, Dim + 1>;
  std::vector<Weighted> points;

  int degree() const { return static_cast<int>(points.size()) - 1; }
  Point control_point(std::size_t i) const {
    return points[i].template head<Dim>() / points[i](Dim);
  }
  Point start() const { return control_point(0); }
  Point end() const { return control_point(points.size() - 1); }
};

template <int Dim>
Vec<double, Dim + 1> weighted(const Vec<double, Dim>& p, double weight) {
  Vec<double, Dim + 1> h;
  h << weight * p, weight;
  return h;
}

// Derivatives 0 to Order of the homogeneous curve.
template <int Order, int Dim, class S>
std::array<Vec<S, Dim + 1>, Order + 1> homogeneous_jet(const BezierCurve<Dim>& curve, const S& t) {
  const auto B = bernstein<Order>(curve.degree(), t);
  std::array<Vec<S, Dim + 1>, Order + 1> c;
  for (std::size_t k = 0; k <= Order; ++k) {
    for (int x = 0; x <= Dim; ++x) {
      S sum = S(0.0);
      for (std::size_t i = 0; i < curve.points.size(); ++i)
        sum = sum + S(curve.points[i](x)) * B[k][i];
      c[k](x) = sum;
    }
  }
  return c;
}

// Derivatives 0 to Order of the curve itself: w c_k = h_k − Σ_(j≥1) C(k, j) w_j c_(k−j).
template <int Order, int Dim, class S>
std::array<Vec<S, Dim>, Order + 1> curve_jet(const BezierCurve<Dim>& curve, const S& t) {
  static_assert(Order <= 3);
  constexpr double kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  const auto h = homogeneous_jet<Order>(curve, t);
  const S inverse_w = S(1.0) / h[0](Dim);
  std::array<Vec<S, Dim>, Order + 1> c;
  for (std::size_t k = 0; k <= Order; ++k) {
    Vec<S, Dim> sum = h[k].template head<Dim>();
    for (std::size_t j = 1; j <= k; ++j) sum -= (S(kBinomial[k][j]) * h[j](Dim)) * c[k - j];
    c[k] = inverse_w * sum;
  }
  return c;
}

template <int Dim>
Vec<double, Dim> point_on(const BezierCurve<Dim>& curve, double t) {
  return curve_jet<0>(curve, t)[0];
}

// The same curve one degree higher (Farin, Eq. 6.1).
template <int Dim>
BezierCurve<Dim> elevated(const BezierCurve<Dim>& curve) {
  const std::size_t n = curve.points.size();
  BezierCurve<Dim> result;
  result.points.resize(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    const double a = static_cast<double>(i) / static_cast<double>(n);
    result.points[i].setZero();
    if (i > 0) result.points[i] += a * curve.points[i - 1];
    if (i < n) result.points[i] += (1 - a) * curve.points[i];
  }
  return result;
}

template <int Dim>
BezierCurve<Dim> reversed(const BezierCurve<Dim>& curve) {
  return {{curve.points.rbegin(), curve.points.rend()}};
}

// The parts before and after t, by de Casteljau's algorithm.
template <int Dim>
struct CurveHalves {
  BezierCurve<Dim> before, after;
};
template <int Dim>
CurveHalves<Dim> split(const BezierCurve<Dim>& curve, double t) {
  CurveHalves<Dim> halves{curve, curve};
  split_at(t, curve.points.size(), halves.before.points, halves.after.points);
  return halves;
}

// An upper bound of f over curves, too large by `slack` at most, for any f that is bounded on the
// convex hull of points by its values at them.
template <int Dim, class F>
double upper_bound(const std::vector<BezierCurve<Dim>>& curves, const F& f, double slack) {
  constexpr int kDeepest = 30;
  std::vector<std::pair<BezierCurve<Dim>, int>> open;
  double reached = -kInfinity, bound = -kInfinity;
  for (const auto& curve : curves) {
    open.emplace_back(curve, 0);
    reached = std::max({reached, f(curve.start()), f(curve.end())});
  }
  while (!open.empty()) {
    const auto [curve, depth] = std::move(open.back());
    open.pop_back();
    reached = std::max(reached, f(curve.end()));
    double here = -kInfinity;
    for (std::size_t j = 0; j < curve.points.size(); ++j)
      here = std::max(here, f(curve.control_point(j)));
    if (here <= reached + slack || depth == kDeepest) {
      bound = std::max(bound, here);
      continue;
    }
    const CurveHalves<Dim> halves = split(curve, 0.5);
    open.emplace_back(halves.after, depth + 1);
    open.emplace_back(halves.before, depth + 1);
  }
  return bound;
}

}  // namespace oloid::geometry
