// Gauss-Legendre quadrature over [0, 1].
#pragma once

#include <cmath>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::numerics {

// n points integrate polynomials of degree 2 n − 1 exactly.
struct GaussRule {
  std::vector<double> points, weights;
};
GaussRule gauss_legendre(int n);

namespace detail {

template <class F>
auto gauss_sum(const F& f, const GaussRule& rule, double from, double to) {
  auto sum = (rule.weights[0] * f(from + (to - from) * rule.points[0])).eval();
  for (std::size_t i = 1; i < rule.points.size(); ++i)
    sum += rule.weights[i] * f(from + (to - from) * rule.points[i]);
  return ((to - from) * sum).eval();
}

template <class F, class Sum>
Sum halved(const F& f, const GaussRule& rule, double from, double to, const Sum& whole,
           double tolerance, int depth) {
  const double middle = 0.5 * (from + to);
  const Sum a = gauss_sum(f, rule, from, middle), b = gauss_sum(f, rule, middle, to);
  if ((a + b - whole).norm() <= tolerance || depth == 0) return a + b;
  return halved(f, rule, from, middle, a, tolerance, depth - 1) +
         halved(f, rule, middle, to, b, tolerance, depth - 1);
}

}  // namespace detail

// ∫ f over [from, to] of a vector whose components are of comparable size: the interval is halved
// until that changes nothing but the last digits.
template <class F>
auto converged_integral(const F& f, double from, double to) {
  static const GaussRule rule = gauss_legendre(16);
  const auto whole = detail::gauss_sum(f, rule, from, to);
  const auto size =
      detail::gauss_sum([&](double t) { return Vec<double, 1>(f(t).norm()); }, rule, from, to);
  constexpr int kDeepest = 20;
  return detail::halved(f, rule, from, to, whole, 4e-15 * std::abs(size(0)), kDeepest);
}

}  // namespace oloid::numerics
