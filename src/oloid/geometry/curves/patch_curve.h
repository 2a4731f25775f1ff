// Derivatives of a curve on a patch, by the chain rule.
#pragma once

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/curves/curve.h"

namespace oloid::geometry {

// With q = (u, v) and its derivatives u1, u2, u3, ... by t:
//   x' = c_u u1 + c_v v1,   x'' = c_u u2 + c_v v2 + c_uu u1² + 2 c_uv u1 v1 + c_vv v1², ...
template <int Order, class S>
CurveJet<S, Order> jet(const PatchCurve& piece, const S& t) {
  const auto q = curve_jet<Order>(piece.path, t);
  const Jet<S, Order> c = piece.surface->jet<Order>(piece.chart, q[0]);
  const auto u = [&](std::size_t k) -> const S& { return q[k](0); };
  const auto v = [&](std::size_t k) -> const S& { return q[k](1); };
  CurveJet<S, Order> x;
  x[0] = c.d(0, 0);
  if constexpr (Order >= 1) x[1] = u(1) * c.d(1, 0) + v(1) * c.d(0, 1);
  if constexpr (Order >= 2) {
    x[2] = u(2) * c.d(1, 0) + v(2) * c.d(0, 1) + (u(1) * u(1)) * c.d(2, 0) +
           (S(2.0) * u(1) * v(1)) * c.d(1, 1) + (v(1) * v(1)) * c.d(0, 2);
  }
  if constexpr (Order >= 3) {
    x[3] = u(3) * c.d(1, 0) + v(3) * c.d(0, 1) + (S(3.0) * u(1) * u(2)) * c.d(2, 0) +
           (S(3.0) * (u(1) * v(2) + u(2) * v(1))) * c.d(1, 1) + (S(3.0) * v(1) * v(2)) * c.d(0, 2) +
           (u(1) * u(1) * u(1)) * c.d(3, 0) + (S(3.0) * u(1) * u(1) * v(1)) * c.d(2, 1) +
           (S(3.0) * u(1) * v(1) * v(1)) * c.d(1, 2) + (v(1) * v(1) * v(1)) * c.d(0, 3);
  }
  return x;
}

}  // namespace oloid::geometry
