// Functions of functions of (u, v), with derivatives: powers, and f(g(u, v)).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "oloid/geometry/bezier/rational.h"

namespace oloid::geometry {

// f, f′, f″, f‴ up to the order, at one point.
template <class S, int Order>
using Derivatives = std::array<S, static_cast<std::size_t>(Order) + 1>;

// Chain rule of Faà di Bruno for f(g(u, v)), given f's derivatives at g's value.
template <int Order, class S>
ScalarJet<S, Order> compose(const Derivatives<S, Order>& f, const ScalarJet<S, Order>& g) {
  static_assert(Order <= kMaxJetOrder);
  ScalarJet<S, Order> h;
  const auto at = [](int i, int j) { return static_cast<std::size_t>(jet_index(i, j)); };
  h[0] = f[0];
  if constexpr (Order >= 1) {
    const S g_u = g[at(1, 0)], g_v = g[at(0, 1)];
    h[at(1, 0)] = f[1] * g_u;
    h[at(0, 1)] = f[1] * g_v;
    if constexpr (Order >= 2) {
      const S g_uu = g[at(2, 0)], g_uv = g[at(1, 1)], g_vv = g[at(0, 2)];
      h[at(2, 0)] = f[2] * g_u * g_u + f[1] * g_uu;
      h[at(1, 1)] = f[2] * g_u * g_v + f[1] * g_uv;
      h[at(0, 2)] = f[2] * g_v * g_v + f[1] * g_vv;
      if constexpr (Order >= 3) {
        const S two(2.0), three(3.0);
        h[at(3, 0)] = f[3] * g_u * g_u * g_u + three * f[2] * g_u * g_uu + f[1] * g[at(3, 0)];
        h[at(2, 1)] =
            f[3] * g_u * g_u * g_v + f[2] * (two * g_u * g_uv + g_uu * g_v) + f[1] * g[at(2, 1)];
        h[at(1, 2)] =
            f[3] * g_u * g_v * g_v + f[2] * (two * g_v * g_uv + g_vv * g_u) + f[1] * g[at(1, 2)];
        h[at(0, 3)] = f[3] * g_v * g_v * g_v + three * f[2] * g_v * g_vv + f[1] * g[at(0, 3)];
      }
    }
  }
  return h;
}

// Where derivatives at 0 are set by convention, bases below this count as 0. It is large enough for
// third derivatives, differentiated twice more by dual numbers, to be finite everywhere.
inline constexpr double kTinyBase = 1e-100;

namespace detail {

// x^e and its derivatives e (e − 1) … x^(e−k) for x ≥ 0. At 0 all are 0, unless x^e is known to be
// smooth there: then the ones of the polynomial x^e.
template <int Order, class S>
Derivatives<S, Order> power(const S& x, double e, bool smooth_at_0) {
  using std::pow;
  // The lowest power that occurs with a factor other than 0, then upwards by multiplication.
  const int top = smooth_at_0 && e < Order ? static_cast<int>(e) : Order;
  const S base = smooth_at_0 ? x : select(x < S(kTinyBase), S(1.0), x);
  S x_to = pow(base, e - top);
  Derivatives<S, Order> f;
  f.fill(S(0.0));
  for (int k = top; k >= 0; --k) {
    double factor = 1;
    for (int i = 0; i < k; ++i) factor *= e - i;
    const S term = S(factor) * x_to;
    f[static_cast<std::size_t>(k)] = smooth_at_0 ? term : select(x < S(kTinyBase), S(0.0), term);
    if (k > 0) x_to = x_to * base;
  }
  return f;
}

}  // namespace detail

// x^e with derivatives, x ≥ 0. At x = 0: of the polynomial where e = 0, 1, 2, …, elsewhere all 0.
template <int Order, class S>
Derivatives<S, Order> power(const S& x, double e) {
  return detail::power<Order>(x, e, e >= 0 && std::floor(e) == e);
}

// |t|^e with derivatives. At t = 0 those that are infinite or jump (the third for 2 < e ≤ 3) are 0,
// as symmetry wants: half way between t < 0 and t > 0.
template <int Order, class S>
Derivatives<S, Order> even_power(const S& t, double e) {
  const S sign = select(t < S(0.0), S(-1.0), S(1.0));
  Derivatives<S, Order> f =
      detail::power<Order>(S(sign * t), e, e >= 0 && std::floor(0.5 * e) == 0.5 * e);
  for (std::size_t k = 1; k <= Order; k += 2) f[k] = sign * f[k];
  return f;
}

}  // namespace oloid::geometry
