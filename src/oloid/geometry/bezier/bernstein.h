// Bernstein polynomials of any degree with their derivatives, and what Bezier curves are made of.
#pragma once

#include <array>
#include <cstddef>

#include "oloid/base/contract.h"
#include "oloid/base/linalg.h"

namespace oloid::geometry {

// Higher degrees are refused where nets are made; bounds the work space of an evaluation.
inline constexpr int kMaxDegree = 15;

// So are weights that differ by more than this factor: curves and surfaces lose digits by as much.
inline constexpr double kMostWeightRatio = 1e6;

// Row k, column i: derivative of order k of B_i(u).
template <int Order, class S>
using BernsteinTable = std::array<std::array<S, kMaxDegree + 1>, Order + 1>;

// From degree n − Order upwards by B_i^m = (1 − u) B_i^(m−1) + u B_(i−1)^(m−1). The derivative of
// order k is n! / (n − k)! times the k-th backward difference of the polynomials of degree n − k.
template <int Order, class S>
BernsteinTable<Order, S> bernstein(int degree, const S& u) {
  const S s = S(1.0) - u;
  BernsteinTable<Order, S> B;
  const auto fill = [&B](int k, int from, int to) {
    for (int i = from; i <= to; ++i)
      B[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = S(0.0);
  };
  std::array<S, kMaxDegree + 1> b;  // of the degree reached so far
  b[0] = S(1.0);
  for (int m = 0; m <= degree; ++m) {
    if (m > 0) {
      const auto top = static_cast<std::size_t>(m);
      b[top] = u * b[top - 1];
      for (std::size_t i = top - 1; i > 0; --i) b[i] = s * b[i] + u * b[i - 1];
      b[0] = s * b[0];
    }
    const int k = degree - m;
    if (k > Order) continue;
    auto& row = B[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i <= static_cast<std::size_t>(m); ++i) row[i] = b[i];
    for (int j = 1; j <= k; ++j) {  // each difference raises the degree by one
      const std::size_t top = static_cast<std::size_t>(m) + static_cast<std::size_t>(j);
      const S factor = S(static_cast<double>(top));
      row[top] = factor * row[top - 1];
      for (std::size_t i = top - 1; i > 0; --i) row[i] = factor * (row[i - 1] - row[i]);
      row[0] = -(factor * row[0]);
    }
  }
  for (int k = degree + 1; k <= Order; ++k) fill(k, 0, degree);
  return B;
}

// De Casteljau's algorithm: `after` comes with n control points and keeps those of the part after
// t, `before` receives those of the part before it.
template <class Points>
void split_at(double t, std::size_t n, Points& before, Points& after) {
  for (std::size_t k = 0; k < n; ++k) {
    before[k] = after[0];
    for (std::size_t i = 0; i + 1 + k < n; ++i) after[i] = (1 - t) * after[i] + t * after[i + 1];
  }
}

}  // namespace oloid::geometry
