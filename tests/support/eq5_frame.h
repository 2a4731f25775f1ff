// The tangent frame along c_s of [KryPai02] Eq. 5: the reference data are written in it.
#pragma once

#include "oloid/geometry/core/local_surface.h"
#include "support/rooms.h"

namespace oloid::test {

// K, T, A of a parametric surface in the frame with x along c_s. L = A⁻¹.
template <class S>
LocalSurface<S> eq5_surface(const Jet<S, 2>& c) {
  using std::sqrt;
  const Vec3<S>&c_s = c.d(1, 0), &c_t = c.d(0, 1);
  LocalSurface<S> at;
  at.p = c.d(0, 0);
  const S length = sqrt(c_s.squaredNorm());
  const Vec3<S> x = c_s / length;
  const Vec3<S> normal = c_s.cross(c_t);
  const Vec3<S> z = normal / sqrt(normal.squaredNorm());
  const Vec3<S> y = z.cross(x);
  at.R << x, y, z;
  Mat2<S> A, B;
  A << length, x.dot(c_t), S(0.0), y.dot(c_t);
  B << z.dot(c.d(2, 0)), z.dot(c.d(1, 1)), z.dot(c.d(1, 1)), z.dot(c.d(0, 2));
  const Mat2<S> A_inv = inverse(A);
  at.K = -(A_inv.transpose() * B * A_inv);
  const Vec2<S> Gamma(y.dot(c.d(2, 0)) / length, y.dot(c.d(1, 1)) / length);
  at.T = A_inv.transpose() * Gamma;
  at.L.template topRows<2>() = A_inv;
  at.L.row(2).setZero();
  return at;
}

}  // namespace oloid::test
