// Motion of body A in contact with a fixed body B: contact-space equations in contact-twist form.
//
//   (ẇ; 0) = b + W f           docs/theory/contact.md eqs. 14 to 20, [KryPai02] reformulated
//   b   acceleration of the contact frame's twist without contact force, in C
//   W   inverse mass seen at the contact, in C (6 × 6)
//   f   contact wrench on A, in C; f_z = −f_n, compression f_n > 0
// Every row of f is either a constraint (its row of b + W f is 0) or a given multiple of f_n. The
// law says which, at compile time; there is no branch on a number in here.
#pragma once

#include <array>

#include "oloid/contact/surface_surface.h"
#include "oloid/spatial/inertia.h"

namespace oloid {

enum class Slip { frictionless, sliding, stuck };
enum class Spin { free, stuck };
struct Law {
  Slip slip = Slip::frictionless;
  Spin spin = Spin::free;
};

// Contact coordinates and the relative twist w = (ω; v_x, v_y) of A in C; v_z is 0.
template <class S>
struct ContactState {
  Vec3<S> location_A, location_B;
  S psi;
  Vec5<S> w;
};

// Mass and inertia of A with the inverse at hand, in A's axes.
template <class S>
struct BodyInertia {
  S mass, inverse_mass;
  Mat3<S> J, J_inv;
};

// Kinetic friction against the slip. Below `least_speed`, or when the slip has turned by more than
// a right angle since the step began, the direction of the step's start is kept: the stages of a
// step that passes the stop see a smooth law, and the stop is found as an event. The direction is
// kept in B's axes because those of C turn as the contact runs over A.
struct Friction {
  double kinetic = 0;
  double least_speed = 0;                            // [m/s]
  Vec3<double> direction_B = Vec3<double>::UnitX();  // of the slip at the step's start, unit
};

template <class S>
struct ContactRates {
  Vec3<S> location_A, location_B;
  S psi;
  Vec5<S> w;
  S friction_power;  // [W], dissipated, ≥ 0
  Vec6<S> f;         // contact wrench on A, in C
  S denominator;     // what b_6 is divided by; positive, else Painlevé's trouble [1/kg]
  Mat2<S> K_rel;     // [1/m]
};

namespace detail {

// Rows of f that the law constrains, normal last.
template <Law L>
constexpr auto constrained_rows() {
  if constexpr (L.slip != Slip::stuck) {
    static_assert(L.spin == Spin::free);
    return std::array{5};
  } else if constexpr (L.spin == Spin::free) {
    return std::array{3, 4, 5};
  } else {
    return std::array{2, 3, 4, 5};
  }
}

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

}  // namespace detail

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

// The same from a contact.
template <class S>
Mat6<S> contact_inverse_mass(const PairGeometry<S>& pair, const BodyInertia<S>& body) {
  const Mat3<S> R_CA = pair.A.R.transpose();
  return contact_inverse_mass<S>(body.inverse_mass, R_CA * body.J_inv * pair.A.R, R_CA * pair.A.p);
}

// `load` is the external wrench on A (gravity included), in A's frame at the centre of mass.
template <Law L, class S>
ContactRates<S> contact_rates(const PairGeometry<S>& pair, const ContactState<S>& state,
                              const BodyInertia<S>& body, const Wrench<S>& load,
                              const Friction& friction) {
  ContactRates<S> out;
  const RelativeCurvature<S> k = relative_curvature(pair, state.psi);
  const ContactPath<S> path = contact_path(pair, k, state.w);
  out.location_A = pair.A.L * path.v_A;
  out.location_B = pair.B.L * path.v_B;
  out.psi = path.psi_rate;
  out.K_rel = k.K_rel;

  // Body A in C: r from the centre of mass to the contact; ω, v the twist at the contact.
  const Mat3<S> R_CA = pair.A.R.transpose();
  const Vec3<S> r = R_CA * pair.A.p;
  const Mat3<S> J_inv = R_CA * body.J_inv * pair.A.R;
  const Vec3<S> omega = state.w.template head<3>();
  const Vec3<S> v(state.w(3), state.w(4), S(0.0));
  const Vec3<S> v_centre = v - omega.cross(r);

  const Vec3<S> J_omega = R_CA * (body.J * (pair.A.R * omega));

  // b: Newton and Euler at the centre of mass, moved to the contact, minus the turning of C:
  //   α = J⁻¹ (τ − ω × J ω),   a = f/m − ω × v_centre + α × r
  //   b = (α; a) − ad_η (ω; v),   η = (w_AC; v_A, 0): motion of C over A
  const Vec3<S> alpha = J_inv * (R_CA * load.t - omega.cross(J_omega));
  const Vec3<S> a = body.inverse_mass * (R_CA * load.f) - omega.cross(v_centre) + alpha.cross(r);
  const Twist<S> eta{path.w_AC, Vec3<S>(path.v_A.x(), path.v_A.y(), S(0.0))};
  const Twist<S> drift = cross(eta, Twist<S>{omega, v});
  Vec6<S> b;
  b << alpha - drift.w, a - drift.v;

  // Given rows are c f_n; here only sliding friction. Constrained rows C: W_CC f_C = −b_C − W_CU c
  // f_n.
  const Mat6<S> W = contact_inverse_mass(body.inverse_mass, J_inv, r);
  constexpr auto rows = detail::constrained_rows<L>();
  constexpr int n = static_cast<int>(rows.size());
  Mat<S, n, n> W_CC;
  Vec<S, n> b_C;
  for (int i = 0; i < n; ++i) {
    b_C(i) = -b(rows[static_cast<std::size_t>(i)]);
    for (int j = 0; j < n; ++j)
      W_CC(i, j) = W(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
  }
  out.f.setZero();
  out.denominator = W(5, 5);
  out.friction_power = S(0.0);
  if constexpr (L.slip == Slip::sliding) {
    // f_n (W_66 + μ (W_64 v̂_x + W_65 v̂_y)) = b_6
    const Vec2<S> direction =
        detail::slip_direction(Vec2<S>(v.x(), v.y()), contact_axes_in_B(pair.B, k.R), friction);
    const S mu = S(friction.kinetic);
    out.denominator = W(5, 5) + mu * (W(5, 3) * direction.x() + W(5, 4) * direction.y());
    const S f_n = b(5) / out.denominator;
    out.f(3) = -mu * f_n * direction.x();
    out.f(4) = -mu * f_n * direction.y();
    out.f(5) = -f_n;
    out.friction_power = -(out.f(3) * v.x() + out.f(4) * v.y());
  } else if constexpr (n == 1) {
    out.f(5) = b_C(0) / W_CC(0, 0);
  } else {
    const Vec<S, n> f_C = Ldlt<S, n>(W_CC).solve(b_C);
    for (int i = 0; i < n; ++i) out.f(rows[static_cast<std::size_t>(i)]) = f_C(i);
  }

  const Vec6<S> acceleration = b + W * out.f;
  out.w = acceleration.template head<5>();
  for (int i = 0; i + 1 < n; ++i) out.w(rows[static_cast<std::size_t>(i)]) = S(0.0);
  return out;
}

}  // namespace oloid
