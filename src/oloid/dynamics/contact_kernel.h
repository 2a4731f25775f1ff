// Motion of body A in contact with body B: contact-space equations in contact-twist form.
//
//   (ẇ; 0) = b + W f           docs/theory/contact.md eqs. 14 to 20, [KryPai02] reformulated
//   b   acceleration of the contact frame's twist without contact force, in C
//   W   inverse mass seen at the contact, in C (6 × 6)
//   f   contact wrench on A, in C; f_z = −f_n, compression f_n > 0
// The law, a template argument, says how f follows (law.h); there is no branch on a number here. W
// is not formed where fewer numbers do: one unit of force where only the normal row is a
// constraint, a 3 × 3 matrix in body axes where A rolls on ground.
#pragma once

#include "oloid/contact/contact_equation.h"
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

namespace detail {

// What b + W f = (ẇ; 0) gives under a law.
template <class S>
struct ContactSolution {
  Vec6<S> f, w_rate;  // rows that the law constrains may be off 0 by rounding
  S denominator;
};

// One row is a constraint, the normal one: f = x h with h = e_6 − c (law.h), W h by one
// acceleration of the body.
template <class S>
ContactSolution<S> solve_one_row(const Pose<S>& X_AC, const BodyInertia<S>& body, const Vec6<S>& b,
                                 const Vec6<S>& c) {
  Vec6<S> h = -c;
  h(kNormalRow) = S(1.0);
  const Wrench<S> unit = transform(X_AC, as_wrench<S>(h));
  const Vec6<S> W_h =
      stacked(seen_from(X_AC, Twist<S>{body.J_inv * unit.t, Vec3<S>(body.inverse_mass * unit.f)}));
  const S x = -b(kNormalRow) / W_h(kNormalRow);
  return {x * h, b + x * W_h, W_h(kNormalRow)};
}

// A's touching particle has a given acceleration: what rolls on ground. With r the contact point,
// a = ω̇ and s that acceleration less the convective terms, in A's axes:
//   v̇ = s + r × a,   F = m (v̇ + ω × v) − load
//   M a = t + r × p + n τ,   M = J + m (r² − r rᵀ),   p = m (s + ω × v) − load,   F = p + m r × a
// with t the moment of load and gyration. No spin: n·a is given too, and τ, the moment about the
// normal, follows. docs/theory/contact.md eq. 36.
template <bool NoSpin, class S>
ContactSolution<S> solve_rolling(const ContactEquation<S>& e, const Twist<S>& base_rate_C,
                                 const BodyInertia<S>& body, const Wrench<S>& load) {
  const Mat3<S>& R = e.X_AC.R;
  const Vec3<S>&r = e.X_AC.p, &w = e.phi_A.w;
  const Vec3<S> n = R.col(2), lever = r.cross(n);
  Mat3<S> M = body.J;
  const S m_rr = body.mass * r.squaredNorm();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) M(i, j) = M(i, j) - body.mass * r(i) * r(j);
    M(i, i) = M(i, i) + m_rr;
  }
  const Ldlt<S, 3> factors(M);
  const Twist<S> given = base_rate_C - e.b;  // of X_AC⁻¹ φ̇_A, as far as constraints give it
  const Vec3<S> p = body.mass * (R * given.v + w.cross(e.phi_A.v)) - load.f;
  Vec3<S> a = factors.solve(load.t - w.cross(Vec3<S>(body.J * w)) + r.cross(p));
  Vec3<S> by_push = body.mass * factors.solve(lever);  // a for s = n
  S tau(0.0);
  if constexpr (NoSpin) {
    const Vec3<S> by_moment = factors.solve(n);
    const S per_spin = S(1.0) / n.dot(by_moment);
    tau = (given.w.z() - n.dot(a)) * per_spin;
    a = a + tau * by_moment;
    by_push = by_push - (n.dot(by_push) * per_spin) * by_moment;
  }
  const Vec3<S> F = p + body.mass * r.cross(a);
  ContactSolution<S> out;
  out.f.template head<2>().setConstant(S(0.0));
  out.f(kSpinRow) = tau;
  out.f.template tail<3>() = R.transpose() * F;
  out.w_rate.template head<3>() = R.transpose() * a - given.w;
  out.w_rate.template tail<3>().setConstant(S(0.0));
  out.denominator = S(1.0) / (body.mass * (S(1.0) - by_push.dot(lever)));
  return out;
}

constexpr bool rolls(Law law) {
  return law.slip == Slip::stuck && law.roll == Roll::free && law.spin != Spin::resisting;
}

}  // namespace detail

// From the equation of the contact; `load` is the external wrench on A (gravity included), in A's
// frame at the centre of mass.
template <Law L, class S, class SideB, class Base = FixedBase>
ContactRates<S> contact_rates(const ContactEquation<S>& e, const PairGeometry<S, SideB>& pair,
                              const Vec5<S>& w, const BodyInertia<S>& body, const Wrench<S>& load,
                              const Frictions& frictions, const Base& base = {}) {
  constexpr bool fixed = std::is_same_v<Base, FixedBase>;
  constexpr bool free = std::is_same_v<Base, FreeBase<S>>;
  ContactRates<S> out;
  out.location_A = pair.A.L * e.path.v_A;
  out.location_B = pair.B.L * e.path.v_B;
  out.psi = e.path.psi_rate;
  out.K_rel = e.k.K_rel;
  out.phi_rate_B = {};
  if constexpr (free) {
    out.phi_rate_B = free_acceleration(base.body, base.load, base.phi);
  } else if constexpr (!fixed) {
    out.phi_rate_B = base.phi_rate;
  }
  Twist<S> base_rate_C;
  if constexpr (!fixed) base_rate_C = seen_from(e.X_BC, out.phi_rate_B);

  detail::ContactSolution<S> found;
  if constexpr (!free && detail::rolls(L)) {
    found = detail::solve_rolling<L.spin == Spin::stuck>(e, base_rate_C, body, load);
  } else {
    const Vec6<S> b =
        stacked(seen_from(e.X_AC, free_acceleration(body, load, e.phi_A)) + e.b - base_rate_C);
    const Vec6<S> c = given_forces<S>(L, w, e.X_BC.R, frictions);
    if constexpr (!free && detail::constraint_count(L) == 1) {
      found = detail::solve_one_row(e.X_AC, body, b, c);
    } else {
      Mat6<S> W = contact_inverse_mass(e.X_AC, body);
      if constexpr (free) W += contact_inverse_mass(e.X_BC, base.body);
      const LawForce<S> law = law_force<L>(W, b, c);
      found = {law.f, b + W * law.f, law.denominator};
    }
  }
  out.f = found.f;
  out.denominator = found.denominator;
  out.dissipation = dissipation(out.f, w);
  out.w = found.w_rate.template head<5>();
  constexpr auto rows = detail::constrained_rows<L>();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) out.w(rows[i]) = S(0.0);
  if constexpr (free) {
    const Wrench<S> on_B =
        transform(e.X_BC, Wrench<S>{-out.f.template head<3>(), -out.f.template tail<3>()});
    out.phi_rate_B =
        out.phi_rate_B + Twist<S>{base.body.J_inv * on_B.t, base.body.inverse_mass * on_B.f};
  }
  return out;
}
template <Law L, class S, class SideB, class Base = FixedBase>
ContactRates<S> contact_rates(const PairGeometry<S, SideB>& pair, const ContactState<S>& state,
                              const BodyInertia<S>& body, const Wrench<S>& load,
                              const Frictions& frictions, const Base& base = {}) {
  const ContactEquation<S> e = contact_equation(pair, state.psi, state.w, base);
  return contact_rates<L>(e, pair, state.w, body, load, frictions, base);
}

}  // namespace oloid::dynamics
