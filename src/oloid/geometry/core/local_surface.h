// A surface as a contact sees it: point, normal, tangent frame, curvature and turning of the frame.
//
// The tangent frame comes from a reference direction e, fixed in the surface's frame over a step:
//   x = (e − (e·n) n) / |…|,   y = n × x        does not know the parameterisation
//   K: ṅ = [x y] K v            shape operator, positive where the body is convex [1/m]
//   T: ẋ·y = T v = −(e·n)/(e·x) (K₂₁, K₂₂) v    turning of x towards y [1/m]
//   L: rate of the stored location = L v
// for a point that moves over the surface with tangential velocity v = (v_x, v_y).
// docs/theory/contact.md eqs. 1 to 6; [KryPai02] Eqs. 5, 44 to 56 for parametric surfaces.
#pragma once

#include "oloid/geometry/core/curvature.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/numerics/small_solve.h"

namespace oloid::geometry {

template <class S>
struct LocalSurface {
  Vec3<S> p;       // [m]
  Mat3<S> R;       // columns x, y, n
  Mat2<S> K;       // [1/m]
  Vec2<S> T;       // [1/m]
  Mat<S, 3, 2> L;  // location rate for tangential velocity
};

// A plane as a contact sees it: K = 0 and T = 0, known while compiling.
template <class S>
struct LocalPlane {
  Vec3<S> p;
  Mat3<S> R;
  Mat<S, 3, 2> L;

  operator LocalSurface<S>() const {  // NOLINT(google-explicit-constructor): a plane is a surface
    return {p, R, Mat2<S>::Constant(S(0.0)), Vec2<S>::Constant(S(0.0)), L};
  }
};

namespace detail {

// The frame with third axis n, a unit vector, and x nearest to e.
template <class S>
Mat3<S> reference_frame(const Vec3<S>& n, const Vec3<double>& reference, S& e_n, S& e_x) {
  using std::sqrt;
  const Vec3<S> e = reference.template cast<S>();
  e_n = e.dot(n);
  const Vec3<S> tangent = e - e_n * n;
  e_x = sqrt(tangent.squaredNorm());
  Mat3<S> R;
  R.col(0) = (S(1.0) / e_x) * tangent;
  R.col(2) = n;
  R.col(1) = n.cross(Vec3<S>(R.col(0)));
  return R;
}

template <class S>
Vec2<S> turning(const Mat2<S>& K, const S& e_n, const S& e_x) {
  const S factor = -e_n / e_x;
  return Vec2<S>(factor * K(1, 0), factor * K(1, 1));
}

}  // namespace detail

// Surfaces that know better than by a jet have a function local(chart, location, reference) of
// their own. All others: from the jet of a regular parameterisation, not necessarily orthogonal:
//   A = [x y]ᵀ [c_u c_v],  B = second fundamental form,  K = −A⁻ᵀ B A⁻¹,  L = A⁻¹.
template <class S, int Order>
LocalSurface<S> local_surface(const Jet<S, Order>& c, const Vec3<double>& reference) {
  const Vec3<S> n = unit_normal(c);
  LocalSurface<S> at;
  S e_n, e_x;
  at.p = c.d(0, 0);
  at.R = detail::reference_frame(n, reference, e_n, e_x);
  Mat2<S> A;
  A << at.R.col(0).dot(c.d(1, 0)), at.R.col(0).dot(c.d(0, 1)),  //
      at.R.col(1).dot(c.d(1, 0)), at.R.col(1).dot(c.d(0, 1));
  const Mat2<S> A_inv = inverse(A);
  at.K = -(A_inv.transpose() * second_form(c, n) * A_inv);
  at.T = detail::turning(at.K, e_n, e_x);
  at.L.template topRows<2>() = A_inv;
  at.L.row(2).setZero();
  return at;
}

// The point of f = 0 near p, by a fixed number of Newton steps along the gradient.
template <class F, class S>
Vec3<S> project(const F& surface, Vec3<S> p, int steps) {
  for (int i = 0; i < steps; ++i) {
    const ImplicitJet<S> at = surface.implicit_jet(p);
    p = p - (at.f / at.gradient.squaredNorm()) * at.gradient;
  }
  return p;
}

// Steps that bring a point within integration error of the surface onto it to round-off.
inline constexpr int kProjectionSteps = 2;

// From an implicit surface: K = [x y]ᵀ ∇²f [x y] / |∇f|, L = [x y].
template <class F, class S>
LocalSurface<S> local_surface(const F& surface, const Vec3<S>& stored,
                              const Vec3<double>& reference) requires ImplicitSurface<F, S> {
  using std::sqrt;
  LocalSurface<S> at;
  at.p = project(surface, stored, kProjectionSteps);
  const ImplicitJet<S> f = surface.implicit_jet(at.p);
  const S inverse_norm = S(1.0) / sqrt(f.gradient.squaredNorm());
  S e_n, e_x;
  at.R = detail::reference_frame(Vec3<S>(inverse_norm * f.gradient), reference, e_n, e_x);
  at.L = at.R.template leftCols<2>();
  at.K = inverse_norm * (at.L.transpose() * f.hessian * at.L);
  at.T = detail::turning(at.K, e_n, e_x);
  return at;
}

}  // namespace oloid::geometry
