// Normal and second fundamental form from the jet of any regular parameterisation.
#pragma once

#include <cmath>

#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

// c_u × c_v / |c_u × c_v|
template <class S, int Order>
Vec3<S> unit_normal(const Jet<S, Order>& c) {
  using std::sqrt;
  const Vec3<S> cross = c.d(1, 0).cross(c.d(0, 1));
  return (S(1.0) / sqrt(cross.squaredNorm())) * cross;
}

// (n·c_uu, n·c_uv; ., n·c_vv) for the unit normal n.
template <class S, int Order>
Mat2<S> second_form(const Jet<S, Order>& c, const Vec3<S>& n) {
  static_assert(Order >= 2);
  const S mixed = n.dot(c.d(1, 1));
  Mat2<S> B;
  B << n.dot(c.d(2, 0)), mixed, mixed, n.dot(c.d(0, 2));
  return B;
}

}  // namespace oloid::geometry
