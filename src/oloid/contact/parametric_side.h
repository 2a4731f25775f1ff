// A parametric surface at a contact, in the frame along its first parameter line, with the rates of
// everything: docs/theory/parameter_rates.md eqs. 1 to 8, [KryPai02] Eqs. 5, 44 to 57.
//
//   x ∥ c_s, z ∥ c_s × c_t, y = z × x      tangent frame, z out of the body
//   A = [x y]ᵀ [c_s c_t]                   parameter rates to tangential velocity
//   B = z · (c_ss, c_st; c_st, c_tt)       second fundamental form [m]
//   Γ = (y · c_ss, y · c_st) / |c_s|       turning of x towards y per parameter
//   K = −A⁻ᵀ B A⁻¹,   T = Γ A⁻¹            shape operator, turning per metre [1/m]
//   H = (−j A⁻ᵀ B; Γ; A; 0)                twist of the frame over its body, in the frame, per
//                                          parameter rate
// The rate of H needs third derivatives of the surface; everything else second ones.
#pragma once

#include "oloid/geometry/core/local_surface.h"

namespace oloid::contact {

template <class S>
struct ParametricSide {
  Jet<S, 3> c;          // in the body's frame
  Mat3<S> R;            // columns x, y, z
  S length;             // |c_s| [m]
  Mat2<S> A, A_inv, B;  // [m], [1/m], [m]
  Vec2<S> Gamma;
  Mat<S, 6, 2> H;
};

namespace detail {

// The rows of H: M = A⁻ᵀ B gives −j M, with j (a, b) = (−b, a).
template <class S>
Mat<S, 6, 2> frame_matrix(const Mat2<S>& M, const Vec2<S>& Gamma, const Mat2<S>& A) {
  Mat<S, 6, 2> H;
  H.row(0) = M.row(1);
  H.row(1) = -M.row(0);
  H.row(2) = Gamma.transpose();
  H.template middleRows<2>(3) = A;
  H.row(5).setConstant(S(0.0));
  return H;
}

}  // namespace detail

// Eqs. 1, 2 and 4. The jet is one of the body's frame.
template <class S>
ParametricSide<S> parametric_side(const Jet<S, 3>& c) {
  using std::sqrt;
  const Vec3<S>&c_s = c.d(1, 0), &c_t = c.d(0, 1);
  ParametricSide<S> at;
  at.c = c;
  at.length = sqrt(c_s.squaredNorm());
  const S inverse_length = S(1.0) / at.length;
  const Vec3<S> x = inverse_length * c_s;
  const Vec3<S> z = unit_normal(c);
  const Vec3<S> y = z.cross(x);
  at.R << x, y, z;
  at.A << at.length, x.dot(c_t), S(0.0), y.dot(c_t);
  at.A_inv = inverse(at.A);
  at.B = second_form(c, z);
  at.Gamma << inverse_length * y.dot(c.d(2, 0)), inverse_length * y.dot(c.d(1, 1));
  at.H = detail::frame_matrix<S>(at.A_inv.transpose() * at.B, at.Gamma, at.A);
  return at;
}

// Derivative of H's components when the parameters run at the rates ρ = (ṡ, ṫ): eqs. 6 to 8.
template <class S>
Mat<S, 6, 2> frame_matrix_rate(const ParametricSide<S>& at, const Vec2<S>& rho) {
  const Vec3<S> w = at.H.template topRows<3>() * rho;  // turning of the frame, in the frame
  const Mat3<S> R_rate = at.R * cross_matrix(w);
  const Vec3<S> x = at.R.col(0), y = at.R.col(1), z = at.R.col(2);
  const Vec3<S> x_rate = R_rate.col(0), y_rate = R_rate.col(1), z_rate = R_rate.col(2);
  const auto d = [&](int i, int j) -> const Vec3<S>& { return at.c.d(i, j); };
  const auto rate = [&](int i, int j) {
    return Vec3<S>(d(i + 1, j) * rho.x() + d(i, j + 1) * rho.y());
  };
  const Vec3<S> c_s_rate = rate(1, 0), c_t_rate = rate(0, 1);
  const Vec3<S> c_ss_rate = rate(2, 0), c_st_rate = rate(1, 1), c_tt_rate = rate(0, 2);

  Mat2<S> A_rate, B_rate;
  A_rate << x.dot(c_s_rate), x_rate.dot(d(0, 1)) + x.dot(c_t_rate),  // ẋ · c_s = 0
      S(0.0), y_rate.dot(d(0, 1)) + y.dot(c_t_rate);
  const S mixed = z_rate.dot(d(1, 1)) + z.dot(c_st_rate);
  B_rate << z_rate.dot(d(2, 0)) + z.dot(c_ss_rate), mixed,  //
      mixed, z_rate.dot(d(0, 2)) + z.dot(c_tt_rate);
  const S stretch = A_rate(0, 0);
  const Vec2<S> Gamma_rate =
      (S(1.0) / at.length) *
      Vec2<S>(y_rate.dot(d(2, 0)) + y.dot(c_ss_rate) - at.Gamma.x() * stretch,
              y_rate.dot(d(1, 1)) + y.dot(c_st_rate) - at.Gamma.y() * stretch);
  const Mat2<S> A_inv_T = at.A_inv.transpose();
  const Mat2<S> M_rate = A_inv_T * (B_rate - A_rate.transpose() * (A_inv_T * at.B));
  return detail::frame_matrix<S>(M_rate, Gamma_rate, A_rate);
}

// The same surface as the rest of the code sees it: eq. 3, and L = A⁻¹ for locations (s, t, 0).
template <class S>
LocalSurface<S> local_surface(const ParametricSide<S>& side) {
  LocalSurface<S> at;
  at.p = side.c.d(0, 0);
  at.R = side.R;
  at.K = -(side.A_inv.transpose() * side.B * side.A_inv);
  at.T = side.A_inv.transpose() * side.Gamma;
  at.L.template topRows<2>() = side.A_inv;
  at.L.row(2).setConstant(S(0.0));
  return at;
}

}  // namespace oloid::contact
