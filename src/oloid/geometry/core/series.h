// Truncated power series f(t + ε) = Σ f_k ε^k about a given t.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "oloid/geometry/bezier/bernstein.h"

namespace oloid::geometry::series {

template <class S, int Order>
using Series = std::array<S, static_cast<std::size_t>(Order) + 1>;

template <std::size_t N, class S>
std::array<S, N> product(const std::array<S, N>& a, const std::array<S, N>& b) {
  std::array<S, N> c;
  for (std::size_t k = 0; k < N; ++k) {
    c[k] = a[0] * b[k];
    for (std::size_t i = 1; i <= k; ++i) c[k] = c[k] + a[i] * b[k - i];
  }
  return c;
}
template <std::size_t N, class S>
std::array<S, N> quotient(const std::array<S, N>& a, const std::array<S, N>& b) {
  const S inverse = S(1.0) / b[0];
  std::array<S, N> c;
  for (std::size_t k = 0; k < N; ++k) {
    c[k] = a[k];
    for (std::size_t i = 1; i <= k; ++i) c[k] = c[k] - b[i] * c[k - i];
    c[k] = inverse * c[k];
  }
  return c;
}
// a[0] > 0.
template <std::size_t N, class S>
std::array<S, N> root(const std::array<S, N>& a) {
  using std::sqrt;
  std::array<S, N> c;
  c[0] = sqrt(a[0]);
  const S half_inverse = S(0.5) / c[0];
  for (std::size_t k = 1; k < N; ++k) {
    c[k] = a[k];
    for (std::size_t i = 1; i < k; ++i) c[k] = c[k] - c[i] * c[k - i];
    c[k] = half_inverse * c[k];
  }
  return c;
}
// The derivative; one term less is known of it.
template <std::size_t N, class S>
std::array<S, N - 1> derivative(const std::array<S, N>& a) {
  std::array<S, N - 1> c;
  for (std::size_t k = 0; k + 1 < N; ++k) c[k] = S(static_cast<double>(k + 1)) * a[k + 1];
  return c;
}
// The first M terms.
template <std::size_t M, std::size_t N, class S>
std::array<S, M> head(const std::array<S, N>& a) {
  static_assert(M <= N);
  std::array<S, M> c;
  for (std::size_t k = 0; k < M; ++k) c[k] = a[k];
  return c;
}
// Of a polynomial given by its Bernstein coefficients; the table is that of its degree at t.
template <int Order, class S>
Series<S, Order> of_polynomial(const std::vector<double>& b, const BernsteinTable<Order, S>& B) {
  constexpr double kInverseFactorial[] = {1, 1, 1.0 / 2, 1.0 / 6};
  static_assert(Order <= 3);
  Series<S, Order> f;
  for (std::size_t k = 0; k <= Order; ++k) {
    S sum = S(b[0]) * B[k][0];
    for (std::size_t i = 1; i < b.size(); ++i) sum = sum + S(b[i]) * B[k][i];
    f[k] = S(kInverseFactorial[k]) * sum;
  }
  return f;
}

}  // namespace oloid::geometry::series
