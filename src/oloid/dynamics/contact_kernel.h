// Motion of body A in contact with body B: contact-space equations in contact-twist form.
//
//   (ẇ; 0) = b + W f           docs/theory/contact.md eqs. 14 to 20, [KryPai02] reformulated
//   b   acceleration of the contact frame's twist without contact force, in C
//   W   inverse mass seen at the contact, in C (6 × 6)
//   f   contact wrench on A, in C; f_z = −f_n, compression f_n > 0
// The law, a template argument, says how f follows (law.h); there is no branch on a number here.
#pragma once

#include "oloid/contact/surface_surface.h"
#include "oloid/dynamics/law.h"
#include "oloid/spatial/inertia.h"

namespace oloid::dynamics {

// Contact coordinates and the relative twist w = (ω; v_x, v_y) of A in C; v_z is 0.
template <class S>
struct ContactState {
  Vec3<S> location_A, location_B;
  S psi;
  Vec5<S> w;
};

// Mass and inertia of a body with the inverse inertia, in its own axes at the centre of mass.
template <class S>
struct BodyInertia {
  S mass, inverse_mass;
  Mat3<S> J, J_inv;
};

// Kinetic dry friction against slip, spin or roll: a force μ f_n against the slip, or a moment
// ρ f_n against the turning. Below `least_speed`, or when the motion has turned by more than a
// right angle since the step began, the direction of the step's start is kept: the stages of a step
// that passes the stop see a smooth law, and the stop is found as an event. The direction is kept
// in B's axes because those of C turn as the contact moves over A.
struct Friction {
  double kinetic = 0;                                // μ [1] or ρ [m]
  double least_speed = 0;                            // [m/s] or [rad/s]
  Vec3<double> direction_B = Vec3<double>::UnitX();  // of the motion at the step's start, unit
};
struct Frictions {
  Friction slip, spin{.direction_B = Vec3<double>::UnitZ()}, roll;
};

template <class S>
struct ContactRates {
  Vec3<S> location_A, location_B;
  S psi;
  Vec5<S> w;
  Vec3<S> dissipation;  // [W], by slip, roll and spin; each ≥ 0
  Vec6<S> f;            // contact wrench on A, in C
  S denominator;        // what the normal force divides by; positive, else Painlevé's paradox
  Mat2<S> K_rel;        // [1/m]
  Twist<S> phi_rate_B;  // of B's twist at its centre of mass, in B; as given unless B is free
};

// How B moves. Fixed in space:
struct FixedBase {};
// Moving as prescribed:
template <class S>
struct DrivenBase {
  Twist<S> phi, phi_rate;  // twist of B at its centre of mass and rate of its components, in B
};
// Free, like A:
template <class S>
struct FreeBase {
  Twist<S> phi;
  BodyInertia<S> body;
  Wrench<S> load;  // in B's frame at the centre of mass
};

namespace detail {

// The direction that friction acts against, in C.
template <class S>
Vec2<S> slip_direction(const Vec2<S>& v_s, const Mat3<S>& R_BC, const Friction& friction) {
  using std::sqrt;
  const Vec2<S> tangential =
      (R_BC.transpose() * friction.direction_B.template cast<S>()).template head<2>();
  const Vec2<S> start = tangential / sqrt(tangential.squaredNorm());
  const S speed_squared = v_s.squaredNorm();
  const S least = S(friction.least_speed * friction.least_speed);
  // Safe where the slip vanishes: the square root sees 1 there, and its result is not used.
  const S inverse_speed = S(1.0) / sqrt(select(speed_squared > least, speed_squared, S(1.0)));
  const S ahead = select(speed_squared > least, v_s.dot(start), S(-1.0));
  return Vec2<S>(select(ahead > S(0.0), v_s.x() * inverse_speed, start.x()),
                 select(ahead > S(0.0), v_s.y() * inverse_speed, start.y()));
}

// The same about the normal: the sign at the step's start.
template <class S>
S spin_direction(const Mat3<S>& R_BC, const Friction& friction) {
  const S along = R_BC.col(2).dot(friction.direction_B.template cast<S>());
  return select(along < S(0.0), S(-1.0), S(1.0));
}

}  // namespace detail

// Given rows of the wrench for a normal force of 1.
template <class S>
Vec6<S> given_forces(Law law, const Vec5<S>& w, const Mat3<S>& R_BC, const Frictions& frictions) {
  Vec6<S> c = Vec6<S>::Zero();
  if (law.roll == Roll::resisting) {
    const Vec2<S> way = detail::slip_direction(Vec2<S>(w(0), w(1)), R_BC, frictions.roll);
    c.template head<2>() = S(-frictions.roll.kinetic) * way;
  }
  if (law.spin == Spin::resisting)
    c(kSpinRow) = S(-frictions.spin.kinetic) * detail::spin_direction(R_BC, frictions.spin);
  if (law.slip == Slip::sliding) {
    const Vec2<S> way = detail::slip_direction(Vec2<S>(w(3), w(4)), R_BC, frictions.slip);
    c.template segment<2>(kSlipRow) = S(-frictions.slip.kinetic) * way;
  }
  return c;
}

// Power that the wrench takes out of slip, roll and spin. [W]
template <class S>
Vec3<S> dissipation(const Vec6<S>& f, const Vec5<S>& w) {
  return {-(f(3) * w(3) + f(4) * w(4)), -(f(0) * w(0) + f(1) * w(1)), -(f(2) * w(2))};
}

// W of a body whose contact is at r from its centre of mass, all in C:
//   W = ( J⁻¹         J⁻¹[r]        )
//       ( −[r] J⁻¹    1/m − [r] J⁻¹ [r] )
template <class S>
Mat6<S> contact_inverse_mass(const S& inverse_mass, const Mat3<S>& J_inv, const Vec3<S>& r) {
  const Mat3<S> X = cross_matrix(r);
  const Mat3<S> JX = J_inv * X;
  Mat6<S> W;
  W.template topLeftCorner<3, 3>() = J_inv;
  W.template topRightCorner<3, 3>() = JX;
  W.template bottomLeftCorner<3, 3>() = JX.transpose();
  W.template bottomRightCorner<3, 3>() = -(X * JX);
  for (int i = 3; i < 6; ++i) W(i, i) = W(i, i) + inverse_mass;
  return W;
}
// The same for a body in whose frame C has the pose X.
template <class S>
Mat6<S> contact_inverse_mass(const Pose<S>& X, const BodyInertia<S>& body) {
  const Mat3<S> R = X.R.transpose();
  return contact_inverse_mass<S>(body.inverse_mass, R * body.J_inv * X.R, R * X.p);
}

// Newton and Euler in body axes, without contact force: φ̇ = M⁻¹ (load + ad_φᵀ M φ).
template <class S>
Twist<S> free_acceleration(const BodyInertia<S>& body, const Wrench<S>& load, const Twist<S>& phi) {
  return {body.J_inv * (load.t - phi.w.cross(Vec3<S>(body.J * phi.w))),
          body.inverse_mass * load.f - phi.w.cross(phi.v)};
}

// A motion written in a body's frame, seen in the frame that has the pose X there.
template <class S>
Twist<S> seen_from(const Pose<S>& X, const Twist<S>& phi) {
  const Mat3<S> R = X.R.transpose();
  return {R * phi.w, R * (phi.v + phi.w.cross(X.p))};
}

// `load` is the external wrench on A (gravity included), in A's frame at the centre of mass.
template <Law L, class S, class Base = FixedBase>
ContactRates<S> contact_rates(const PairGeometry<S>& pair, const ContactState<S>& state,
                              const BodyInertia<S>& body, const Wrench<S>& load,
                              const Frictions& frictions, const Base& base = {}) {
  constexpr bool fixed = std::is_same_v<Base, FixedBase>;
  constexpr bool free = std::is_same_v<Base, FreeBase<S>>;
  ContactRates<S> out;
  const RelativeCurvature<S> k = relative_curvature(pair, state.psi);
  const ContactPath<S> path = contact_path(pair, k, state.w);
  out.location_A = pair.A.L * path.v_A;
  out.location_B = pair.B.L * path.v_B;
  out.psi = path.psi_rate;
  out.K_rel = k.K_rel;

  const Pose<S> X_AC{pair.A.R, pair.A.p}, X_BC{contact_axes_in_B(pair.B, k.R), pair.B.p};
  const Twist<S> relative{state.w.template head<3>(), Vec3<S>(state.w(3), state.w(4), S(0.0))};
  Twist<S> phi_C = relative;                                                 // of A, at C
  Twist<S> turning{path.w_AC, Vec3<S>(path.v_A.x(), path.v_A.y(), S(0.0))};  // of C over A
  if constexpr (!fixed) {
    const Twist<S> phi_BC = seen_from(X_BC, base.phi);
    phi_C = phi_C + phi_BC;
    turning = turning + phi_BC;
  }

  // b = X_AC⁻¹ φ̇_A − X_BC⁻¹ φ̇_B − ad_(η + φ_BC) w,   η: motion of C over A
  const Twist<S> phi_A = transform(X_AC, phi_C);
  Twist<S> bias = seen_from(X_AC, free_acceleration(body, load, phi_A)) - cross(turning, relative);
  Mat6<S> W = contact_inverse_mass(X_AC, body);
  out.phi_rate_B = {};
  if constexpr (free) {
    out.phi_rate_B = free_acceleration(base.body, base.load, base.phi);
    W += contact_inverse_mass(X_BC, base.body);
  } else if constexpr (!fixed) {
    out.phi_rate_B = base.phi_rate;
  }
  if constexpr (!fixed) bias = bias - seen_from(X_BC, out.phi_rate_B);

  const Vec6<S> b = stacked(bias);
  const LawForce<S> law = law_force<L>(W, b, given_forces<S>(L, state.w, X_BC.R, frictions));
  out.f = law.f;
  out.denominator = law.denominator;
  out.dissipation = dissipation(out.f, state.w);
  out.w = (b + W * out.f).template head<5>();
  constexpr auto rows = detail::constrained_rows<L>();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) out.w(rows[i]) = S(0.0);
  if constexpr (free) {
    const Wrench<S> on_B =
        transform(X_BC, Wrench<S>{-out.f.template head<3>(), -out.f.template tail<3>()});
    out.phi_rate_B =
        out.phi_rate_B + Twist<S>{base.body.J_inv * on_B.t, base.body.inverse_mass * on_B.f};
  }
  return out;
}

}  // namespace oloid::dynamics
