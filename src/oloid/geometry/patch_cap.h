// A tiny disc that closes a patchwork around a point where infinitely many patches would meet: the
// graph of a quadratic form over the tangent plane.
//
//   c(u, v) = O + r (u e₁ + v e₂) − ½ r² (u, v) K (u, v)ᵀ n,   u² + v² ≤ 1
#pragma once

#include <vector>

#include "oloid/geometry/jet.h"

namespace oloid {

struct PatchCap {
  Vec3<double> O;                 // [m]
  Mat3<double> R;                 // columns e₁, e₂, n
  double radius;                  // [m]
  Mat2<double> K;                 // [1/m], symmetric
  std::vector<int> neighbours{};  // patches that it overlaps

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    const S r = S(radius), rr = S(radius * radius);
    const Vec3<S> e1 = R.col(0).cast<S>(), e2 = R.col(1).cast<S>(), n = R.col(2).cast<S>();
    const Vec2<S> Kq(S(K(0, 0)) * q.x() + S(K(0, 1)) * q.y(),
                     S(K(1, 0)) * q.x() + S(K(1, 1)) * q.y());
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setConstant(S(0.0));
    c.d(0, 0) = O.cast<S>() + r * (q.x() * e1 + q.y() * e2) - (S(0.5) * rr * q.dot(Kq)) * n;
    if constexpr (Order >= 1) {
      c.d(1, 0) = r * e1 - (rr * Kq.x()) * n;
      c.d(0, 1) = r * e2 - (rr * Kq.y()) * n;
    }
    if constexpr (Order >= 2) {
      c.d(2, 0) = -(rr * S(K(0, 0))) * n;
      c.d(1, 1) = -(rr * S(K(0, 1))) * n;
      c.d(0, 2) = -(rr * S(K(1, 1))) * n;
    }
    return c;
  }
  double margin(const Uv<double>& q) const { return 1 - q.squaredNorm(); }
  // The coordinates of the point below p.
  Uv<double> below(const Vec3<double>& p) const {
    return R.leftCols<2>().transpose() * (p - O) / radius;
  }
};

}  // namespace oloid
