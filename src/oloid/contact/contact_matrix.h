// Relative twist of two touching parametric surfaces from the rates of their contact coordinates,
// and back: docs/theory/parameter_rates.md eqs. 9 to 13, [KryPai02] Eqs. 14, 41 to 57.
//
//   φ = H q̇,   q = (s, t, u, v, ψ)
// φ = (ω; v) is the motion of A relative to B at the contact, in C, with v_z = 0: the sixth row of
// H is 0, and its first five rows are w = (ω; v_x, v_y) of the contact-twist form.
#pragma once

#include "oloid/contact/coordinates.h"
#include "oloid/contact/parametric_side.h"

namespace oloid::contact {

template <class S>
struct ParametricPair {
  ParametricSide<S> A, B;  // each in its own body's frame
};

template <class S>
PairGeometry<S> pair_geometry(const ParametricPair<S>& pair) {
  return {local_surface(pair.A), local_surface(pair.B)};
}

namespace detail {

// diag(R, R) H for a 2 × 2 block R of a 3 × 3 matrix whose third axis is scaled by z.
template <class S>
Mat<S, 6, 2> turned(const Mat2<S>& R, const S& z, const Mat<S, 6, 2>& H) {
  Mat<S, 6, 2> out;
  out.template topRows<2>() = R * H.template topRows<2>();
  out.row(2) = z * H.row(2);
  out.template middleRows<2>(3) = R * H.template middleRows<2>(3);
  out.row(5).setConstant(S(0.0));  // the frames run along the surfaces
  return out;
}

}  // namespace detail

// H = [−H_A | diag(R, R) H_B | e₃]: eq. 9.
template <class S>
Mat<S, 6, 5> contact_matrix(const ParametricPair<S>& pair, const S& psi) {
  Mat<S, 6, 5> H;
  H.template leftCols<2>() = -pair.A.H;
  H.template middleCols<2>(2) = detail::turned<S>(contact_rotation(psi), S(-1.0), pair.B.H);
  H.col(4).setConstant(S(0.0));
  H(2, 4) = S(1.0);
  return H;
}

// Ḣ = [−Ḣ_A | diag(R', R') ψ̇ H_B + diag(R, R) Ḣ_B | 0], components in C: eq. 10.
template <class S>
Mat<S, 6, 5> contact_matrix_rate(const ParametricPair<S>& pair, const S& psi,
                                 const Vec5<S>& q_rate) {
  const Mat2<S> R = contact_rotation(psi);
  Mat2<S> R_slope;  // dR/dψ
  R_slope << R(0, 1), -R(0, 0), -R(0, 0), -R(0, 1);
  const Mat<S, 6, 2> H_A_rate = frame_matrix_rate<S>(pair.A, q_rate.template segment<2>(0));
  const Mat<S, 6, 2> H_B_rate = frame_matrix_rate<S>(pair.B, q_rate.template segment<2>(2));
  Mat<S, 6, 5> H_rate;
  H_rate.template leftCols<2>() = -H_A_rate;
  H_rate.template middleCols<2>(2) = detail::turned<S>(q_rate(4) * R_slope, S(0.0), pair.B.H) +
                                     detail::turned<S>(R, S(-1.0), H_B_rate);
  H_rate.col(4).setConstant(S(0.0));
  return H_rate;
}

// w, the first five rows of H q̇.
template <class S>
Vec5<S> twist_of_rates(const Mat<S, 6, 5>& H, const Vec5<S>& q_rate) {
  return H.template topRows<5>() * q_rate;
}

// q̇ of w, by elimination: the slip rows give the rates on A, the tilting rows those on B, the
// spin row ψ̇. Regular where both parameterisations and K_rel are: eq. 12.
template <class S>
Vec5<S> rates_of_twist(const Mat<S, 6, 5>& H, const Vec5<S>& w) {
  const Mat2<S> slip_A = inverse(Mat2<S>(H.template block<2, 2>(3, 0)));
  const Mat2<S> tilt_A = H.template block<2, 2>(0, 0);
  const Mat2<S> D = -(slip_A * H.template block<2, 2>(3, 2));
  const Vec2<S> slip = slip_A * w.template tail<2>();
  const Mat2<S> tilt = H.template block<2, 2>(0, 2) + tilt_A * D;
  const Vec2<S> rho_B = inverse(tilt) * (w.template head<2>() - tilt_A * slip);
  const Vec2<S> rho_A = slip + D * rho_B;
  Vec5<S> q_rate;
  q_rate << rho_A, rho_B, S(0.0);
  q_rate(4) = w(2) - H.row(2).dot(q_rate);
  return q_rate;
}

// Angle from one tangent frame to another with the same normal, about that normal: eq. 13.
// ψ grows by it when a side switches to the other frame.
template <class S>
S frame_turn(const Mat3<S>& from, const Mat3<S>& to) {
  using std::atan2;
  const Vec3<S> x = to.col(0);
  return atan2(S(from.col(1).dot(x)), S(from.col(0).dot(x)));
}

// w in a frame of A that is turned by α about the normal: eq. 13.
template <class S>
Vec5<S> turned_twist(const Vec5<S>& w, const S& alpha) {
  using std::cos;
  using std::sin;
  const S c = cos(alpha), s = sin(alpha);
  Vec5<S> out;
  out << c * w(0) + s * w(1), c * w(1) - s * w(0), w(2), c * w(3) + s * w(4), c * w(4) - s * w(3);
  return out;
}

}  // namespace oloid::contact
