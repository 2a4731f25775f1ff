// Fundamental forms and principal curvatures from the jet of any regular parameterisation.
#pragma once

#include <cmath>

#include "oloid/geometry/core/jet.h"
#include "oloid/numerics/small_solve.h"

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

//   first  (c_u·c_u, c_u·c_v; ., c_v·c_v)       lengths and angles
//   second (n·c_uu, n·c_uv; ., n·c_vv)
//   shape  −first⁻¹ second: ṅ = [c_u c_v] shape (u̇, v̇), positive where the body is convex
template <class S>
struct FundamentalForms {
  Mat2<S> first, second, shape;
  Vec3<S> normal;
  S area;  // |c_u × c_v|: dA = area du dv
};

template <class S, int Order>
FundamentalForms<S> fundamental_forms(const Jet<S, Order>& c) {
  FundamentalForms<S> f;
  f.normal = unit_normal(c);
  f.area = f.normal.dot(c.d(1, 0).cross(c.d(0, 1)));
  const S mixed = c.d(1, 0).dot(c.d(0, 1));
  f.first << c.d(1, 0).squaredNorm(), mixed, mixed, c.d(0, 1).squaredNorm();
  f.second = second_form(c, f.normal);
  f.shape = -(inverse(f.first) * f.second);
  return f;
}

// Largest and smallest normal curvature and their directions, unit vectors in the tangent plane
// that are perpendicular to each other; any two where the curvatures are equal (an umbilic).
struct PrincipalCurvatures {
  double largest, smallest;  // [1/m], positive where the body is convex
  Vec3<double> direction_largest, direction_smallest;
  double gauss() const { return largest * smallest; }         // [1/m²]
  double mean() const { return 0.5 * (largest + smallest); }  // [1/m]
};
PrincipalCurvatures principal_curvatures(const Jet<double, 2>& c);

}  // namespace oloid::geometry
