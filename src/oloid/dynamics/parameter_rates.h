// Motion of two bodies in contact in parameter-rate form: the contact coordinates and their rates
// are the state. docs/theory/parameter_rates.md eqs. 14 to 24, [KryPai02] Eqs. 15 to 40.
//
//   q = (s, t, u, v, ψ),   q̇ = L ζ,   φ_A = X_AB φ_B + H q̇
//   N M H L ζ̇ = N (g − M γ)          Newton and Euler on the motions that the law admits
//   L    admissible rates: all five; (u̇, v̇, ψ̇) without slip; (u̇, v̇) without slip and spin
//   γ    acceleration of A that does not depend on ζ̇; contains Ḣ and L̇
//   g    load and gyroscopic wrench on A, in A at its centre of mass
// A second derivation of the same motion, independent of contact_kernel.h from the kinematics to
// the solved matrix; it needs third derivatives of the surfaces and regular parameters on both.
// Vectors of rates have five entries, in the order of q; those that the law removes are 0.
#pragma once

#include "oloid/base/contract.h"
#include "oloid/contact/contact_matrix.h"
#include "oloid/dynamics/contact_kernel.h"

namespace oloid::dynamics {

template <class S>
struct ParameterRates {
  Vec5<S> q;         // q̇
  Vec5<S> rates;     // ζ̇, in the entries of the rates
  Vec5<S> q_second;  // q̈
  Vec6<S> f;         // contact wrench on A, in C; f_6 = −f_n
  S denominator;  // W_66 + μ (W_64 v̂_x + W_65 v̂_y); positive, else Painlevé's paradox [1/kg]
  S friction_power;     // [W], dissipated, ≥ 0
  Twist<S> phi_A_rate;  // in A
  Twist<S> phi_B_rate;  // in B
};

// Whether a law leaves an entry of q̇ free: all; (u̇, v̇, ψ̇) without slip; (u̇, v̇) without slip and
// spin.
constexpr bool is_free_rate(Law law, int entry) {
  return law.slip != Slip::stuck || entry == 2 || entry == 3 ||
         (entry == 4 && law.spin == Spin::free);
}

// The entries that the law leaves free; the others 0.
template <class S>
Vec5<S> free_rates(Law law, Vec5<S> rates) {
  for (int i = 0; i < 5; ++i) {
    if (!is_free_rate(law, i)) rates(i) = S(0.0);
  }
  return rates;
}

namespace detail {

// Rows of the contact wrench from here on resist the motion; those before are 0.
constexpr int first_forced_row(Law law) {
  return law.slip != Slip::stuck ? 5 : law.spin == Spin::free ? 3 : 2;
}

template <class S>
Mat6<S> mass_matrix(const BodyInertia<S>& body) {
  Mat6<S> M = Mat6<S>::Constant(S(0.0));
  M.template topLeftCorner<3, 3>() = body.J;
  for (int i = 3; i < 6; ++i) M(i, i) = body.mass;
  return M;
}

// g = f_ext + ad_φᵀ M φ.
template <class S>
Vec6<S> driving_wrench(const BodyInertia<S>& body, const Wrench<S>& load, const Twist<S>& phi) {
  return stacked(spatial::driving_wrench(Inertia<S>{body.mass, body.J}, load, phi));
}

// Inverse mass for a force along n at p: eᵀ M⁻¹ e with e = (p × n; n). [1/kg]
template <class S>
S inverse_mass_along(const BodyInertia<S>& body, const Vec3<S>& p, const Vec3<S>& n) {
  const Vec3<S> arm = p.cross(n);
  return body.inverse_mass + arm.dot(body.J_inv * arm);
}

}  // namespace detail

// L: eqs. 14 and 15. Columns of rates that the law removes are 0, so that sizes do not depend on
// the law. D takes the rates on B to those on A, −σ to ψ̇.
template <class S>
Mat<S, 5, 5> admissible_rates(Law law, const Mat<S, 6, 5>& H) {
  OLOID_EXPECT(law.slip == Slip::stuck || law.spin == Spin::free);
  Mat<S, 5, 5> L = Mat<S, 5, 5>::Constant(S(0.0));
  for (int i = 0; i < 5; ++i) L(i, i) = S(is_free_rate(law, i) ? 1.0 : 0.0);
  if (law.slip != Slip::stuck) return L;
  const Mat2<S> D =
      -(inverse(Mat2<S>(H.template block<2, 2>(3, 0))) * H.template block<2, 2>(3, 2));
  L.template block<2, 2>(0, 2) = D;
  if (law.spin == Spin::free) return L;
  const Vec2<S> spin_A = H.template block<1, 2>(2, 0).transpose();
  const Vec2<S> spin_B = H.template block<1, 2>(2, 2).transpose();
  const Vec2<S> sigma = spin_B + D.transpose() * spin_A;
  for (int i = 0; i < 2; ++i) L(4, 2 + i) = -sigma(i);
  return L;
}

// L̇: eq. 16. Without it energy is not conserved.
template <class S>
Mat<S, 5, 5> admissible_rates_rate(Law law, const Mat<S, 6, 5>& H, const Mat<S, 6, 5>& H_rate,
                                   const Mat<S, 5, 5>& L) {
  Mat<S, 5, 5> L_rate = Mat<S, 5, 5>::Constant(S(0.0));
  if (law.slip != Slip::stuck) return L_rate;
  const Mat2<S> D = L.template block<2, 2>(0, 2);
  const Mat2<S> D_rate =
      -(inverse(Mat2<S>(H.template block<2, 2>(3, 0))) *
        (H_rate.template block<2, 2>(3, 0) * D + H_rate.template block<2, 2>(3, 2)));
  L_rate.template block<2, 2>(0, 2) = D_rate;
  if (law.spin == Spin::free) return L_rate;
  const Vec2<S> spin_A = H.template block<1, 2>(2, 0).transpose();
  const Vec2<S> spin_A_rate = H_rate.template block<1, 2>(2, 0).transpose();
  const Vec2<S> spin_B_rate = H_rate.template block<1, 2>(2, 2).transpose();
  const Vec2<S> sigma_rate =
      spin_B_rate + D.transpose() * spin_A_rate + D_rate.transpose() * spin_A;
  for (int i = 0; i < 2; ++i) L_rate(4, 2 + i) = -sigma_rate(i);
  return L_rate;
}

// q̇ of the rates that the law admits.
template <class S>
Vec5<S> expanded_rates(Law law, const Mat<S, 6, 5>& H, const Vec5<S>& rates) {
  return admissible_rates(law, H) * rates;
}

// The rates of a twist that the law admits. A twist with slip or spin that the law forbids loses
// it, but not by an impulse: see stick.h.
template <class S>
Vec5<S> admissible_rates_of_twist(Law law, const Mat<S, 6, 5>& H, const Vec5<S>& w) {
  return free_rates<S>(law, rates_of_twist(H, w));
}

namespace detail {

// Motion and accelerations as far as they are known before the equations are solved.
template <class S>
struct ContactMotion {
  Mat<S, 6, 5> H;
  Mat<S, 5, 5> L;
  Vec5<S> q_rate, L_rate_zeta;
  Vec5<S> w;        // of the relative twist
  Mat3<S> R_BC;     // axes of C in B
  Mat6<S> X_AC;     // takes twists from C to A
  Pose<S> X_AB;     // pose of B in A
  Mat<S, 6, 5> HL;  // in A
  Twist<S> phi_A;   // in A
  Vec6<S> gamma;    // in A
};

template <class S>
ContactMotion<S> contact_motion(Law law, const ParametricPair<S>& pair, const S& psi,
                                const Vec5<S>& zeta, const Twist<S>& phi_B) {
  ContactMotion<S> m;
  m.H = contact_matrix(pair, psi);
  m.L = admissible_rates(law, m.H);
  m.q_rate = m.L * zeta;
  const Mat<S, 6, 5> H_rate = contact_matrix_rate(pair, psi, m.q_rate);
  m.L_rate_zeta = admissible_rates_rate(law, m.H, H_rate, m.L) * zeta;
  m.w = twist_of_rates(m.H, m.q_rate);

  const Pose<S> C_in_A{pair.A.R, pair.A.c.d(0, 0)}, C_in_B{pair.B.R, pair.B.c.d(0, 0)};
  m.R_BC = contact_axes_in_B(pair.B.R, contact_rotation(psi));
  m.X_AB = inverse(pose_of_A_in_B(C_in_A, C_in_B, psi, S(0.0)));
  m.X_AC = adjoint(C_in_A);
  m.HL = m.X_AC * (m.H * m.L);

  // Eqs. 17 and 18, in A:
  //   φ_A = X_AB φ_B + H q̇
  //   γ   = X_AC (Ḣ q̇ + ad_η H q̇ + H L̇ ζ) + ad_φA (H q̇),   η: motion of C over A
  const Twist<S> in_C = as_twist<S>(m.H * m.q_rate);
  const Twist<S> relative = transform(C_in_A, in_C);
  const Twist<S> eta = as_twist<S>(pair.A.H * m.q_rate.template head<2>());
  m.phi_A = transform(m.X_AB, phi_B) + relative;
  m.gamma = m.X_AC * (H_rate * m.q_rate + m.H * m.L_rate_zeta + stacked(cross(eta, in_C))) +
            stacked(cross(m.phi_A, relative));
  return m;
}

// φ̇_A = Z x + γ with unknowns x, the last five of which are ζ̇; G x = r holds without friction. For
// rates that the law removes the equation is x = 0.
template <class S, int M>
struct ProjectedEquations {
  Mat<S, 6, M> Z;
  Vec6<S> gamma;
  Mat<S, M, M> G;  // symmetric, positive definite
  Vec<S, M> r;
  S inverse_mass;  // W_66 of all that moves [1/kg]
};

// Solves for x and the contact wrench: eqs. 21 to 24. Returns x.
//   workless:  G x = r,   f = M (Z x + γ) − g
//   sliding:   friction is f_6 λ, whose work on the admissible motions is a f_6, a = Hᵀ λ:
//                G x = r + a f_6,   f_6 = b · x − c,   b = Zᵀ M n,   c = n · (g − M γ)
//              with n the normal as a twist in A. So f_6 = (b · G⁻¹ r − c) / (1 − b · G⁻¹ a), and
//              the denominator is Painlevé's over W_66. This is [KryPai02] Eq. 28 times H from the
//              left; in this form the only pivot that friction can spoil is the true one.
template <class S, int M>
Vec<S, M> solve_contact(Law law, const ContactMotion<S>& m, ProjectedEquations<S, M>& e,
                        const Mat6<S>& mass_A, const Vec6<S>& g_A, const Friction& friction,
                        ParameterRates<S>& out) {
  for (int i = 0; i < 5; ++i) {
    if (!is_free_rate(law, i)) e.G(M - 5 + i, M - 5 + i) = S(1.0);
  }
  const Ldlt<S, M> G(e.G);
  Vec<S, M> x = G.solve(e.r);
  out.denominator = e.inverse_mass;
  out.friction_power = S(0.0);
  out.f.setConstant(S(0.0));
  if (law.slip == Slip::sliding) {
    const Vec2<S> v_s = m.w.template tail<2>();
    const Vec2<S> lambda = S(friction.kinetic) * slip_direction(v_s, m.R_BC, friction);
    Vec<S, M> a = Vec<S, M>::Constant(S(0.0));
    a.template tail<5>() = m.H.template middleRows<2>(3).transpose() * lambda;
    const Vec6<S> n = m.X_AC.col(5);
    const Vec<S, M> b = e.Z.transpose() * (mass_A * n);
    const S c = n.dot(g_A - mass_A * e.gamma);
    const Vec<S, M> y = G.solve(a);
    const S ratio = S(1.0) - b.dot(y);
    const S f_6 = (b.dot(x) - c) / ratio;
    x = x + f_6 * y;
    out.f.template segment<2>(3) = f_6 * lambda;
    out.f(5) = f_6;
    out.denominator = e.inverse_mass * ratio;
    out.friction_power = -(out.f.template segment<2>(3).dot(v_s));
  }
  const Vec6<S> phi_A_rate = e.Z * x + e.gamma;
  out.phi_A_rate = as_twist<S>(phi_A_rate);
  if (law.slip != Slip::sliding) {
    // Rows that the law leaves to motion have no force.
    const Vec6<S> f = m.X_AC.transpose() * (mass_A * phi_A_rate - g_A);
    for (int row = first_forced_row(law); row < 6; ++row) out.f(row) = f(row);
  }
  out.q = m.q_rate;
  out.rates = x.template tail<5>();
  out.q_second = m.L * out.rates + m.L_rate_zeta;
  return x;
}

}  // namespace detail

// `rates` are the admissible ones, `load` the external wrench on A (gravity included) in A at its
// centre of mass. B moves as given: eqs. 19 and 21.
template <class S>
ParameterRates<S> parameter_rates(Law law, const ParametricPair<S>& pair, const S& psi,
                                  const Vec5<S>& rates, const BodyInertia<S>& body,
                                  const Wrench<S>& load, const Friction& friction,
                                  const DrivenBase<S>& B = {}) {
  const Mat6<S> mass = detail::mass_matrix(body);
  const auto m = detail::contact_motion(law, pair, psi, rates, B.phi);
  const Vec6<S> g = detail::driving_wrench(body, load, m.phi_A);
  detail::ProjectedEquations<S, 5> e;
  e.Z = m.HL;
  e.gamma = m.gamma + stacked(transform(m.X_AB, B.phi_rate));
  e.G = e.Z.transpose() * (mass * e.Z);
  e.r = e.Z.transpose() * (g - mass * e.gamma);
  e.inverse_mass = detail::inverse_mass_along<S>(body, pair.A.c.d(0, 0), pair.A.R.col(2));
  ParameterRates<S> out;
  detail::solve_contact(law, m, e, mass, g, friction, out);
  out.phi_B_rate = B.phi_rate;
  return out;
}

// B moves freely: eqs. 20 and 21, with φ̇_B as further unknowns. Their equation is the sum of both
// bodies', in which the contact wrench cancels.
template <class S>
ParameterRates<S> parameter_rates(Law law, const ParametricPair<S>& pair, const S& psi,
                                  const Vec5<S>& rates, const BodyInertia<S>& body,
                                  const Wrench<S>& load, const Friction& friction,
                                  const FreeBase<S>& B) {
  const Mat6<S> mass = detail::mass_matrix(body);
  const auto m = detail::contact_motion(law, pair, psi, rates, B.phi);
  const Vec6<S> g = detail::driving_wrench(body, load, m.phi_A);
  detail::ProjectedEquations<S, 11> e;
  e.Z << adjoint(m.X_AB), m.HL;
  e.gamma = m.gamma;
  // G = Zᵀ M Z in loops: Eigen's product of matrices of this size costs seconds of compile time.
  const Mat<S, 6, 11> MZ = mass * e.Z;
  e.G.setConstant(S(0.0));
  for (int j = 0; j < 11; ++j)
    for (int i = 0; i < 11; ++i)
      for (int k = 0; k < 6; ++k) e.G(i, j) = e.G(i, j) + e.Z(k, i) * MZ(k, j);
  e.G.template topLeftCorner<6, 6>() += detail::mass_matrix(B.body);
  e.r = e.Z.transpose() * (g - mass * e.gamma);
  e.r.template head<6>() += detail::driving_wrench(B.body, B.load, B.phi);
  e.inverse_mass = detail::inverse_mass_along<S>(body, pair.A.c.d(0, 0), pair.A.R.col(2)) +
                   detail::inverse_mass_along<S>(B.body, pair.B.c.d(0, 0), pair.B.R.col(2));
  ParameterRates<S> out;
  const Vec<S, 11> x = detail::solve_contact(law, m, e, mass, g, friction, out);
  out.phi_B_rate = as_twist<S>(x.template head<6>());
  return out;
}

// Compiled once, in parameter_rates.cpp.
extern template Vec5<double> expanded_rates(Law, const Mat<double, 6, 5>&, const Vec5<double>&);
extern template Vec5<double> admissible_rates_of_twist(Law, const Mat<double, 6, 5>&,
                                                       const Vec5<double>&);
extern template ParameterRates<double> parameter_rates(Law, const ParametricPair<double>&,
                                                       const double&, const Vec5<double>&,
                                                       const BodyInertia<double>&,
                                                       const Wrench<double>&, const Friction&,
                                                       const DrivenBase<double>&);
extern template ParameterRates<double> parameter_rates(Law, const ParametricPair<double>&,
                                                       const double&, const Vec5<double>&,
                                                       const BodyInertia<double>&,
                                                       const Wrench<double>&, const Friction&,
                                                       const FreeBase<double>&);

}  // namespace oloid::dynamics
