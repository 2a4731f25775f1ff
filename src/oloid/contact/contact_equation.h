// The equation of a contact: how its frame C runs over both bodies, how A moves, and what part of
// the relative acceleration comes neither from the bodies' accelerations nor from forces.
//
//   (ẇ; v̇_z) = X_AC⁻¹ φ̇_A − X_BC⁻¹ φ̇_B + b        docs/theory/contact.md eq. 14
//   b   = −ad_η w − ad_φB w                       η: motion of C over A; φ_B seen in C
//   φ_A = X_AC (w + X_BC⁻¹ φ_B)
// w is the motion of A relative to the material of B; what runs over B's surface is that and the
// motion of a belt, eq. 29. Trees (forest.h), the kernel of a single contact (contact_kernel.h) and
// tests all take these lines from here.
#pragma once

#include "oloid/contact/surface_surface.h"
#include "oloid/spatial/twist.h"

namespace oloid::contact {

template <class S>
struct ContactEquation {
  RelativeCurvature<S> k;
  ContactPath<S> path;
  Pose<S> X_AC, X_BC;
  Twist<S> phi_A;  // of A at its centre of mass, in A
  Twist<S> b;      // in C
};

template <class S>
Pose<S> pose_of_A_in_B(const ContactEquation<S>& e) {
  const Mat3<S> R_BA = e.X_BC.R * e.X_AC.R.transpose();
  return {R_BA, e.X_BC.p - R_BA * e.X_AC.p};
}

// w = (ω; v_x, v_y) as a twist; v_z is 0.
template <class S>
Twist<S> relative_twist(const Vec5<S>& w) {
  return {w.template head<3>(), Vec3<S>(w(3), w(4), S(0.0))};
}

// B at rest. Also: anything without a twist.
struct AtRest {};

// A motion of B's material as seen in C. What a belt has in it runs along the surface: its part
// normal to the surface is left out.
template <class S>
Twist<S> along_surface(const Pose<S>& X_BC, const Twist<S>& phi, const Twist<S>& belt) {
  Twist<S> seen = seen_from(X_BC, phi);
  seen.v.z() -= seen_from(X_BC, belt).v.z();
  return seen;
}

// `base` says how B moves: by its twist `phi` at its origin, in B, and, if it has one, by the
// motion `belt` of its material over its frame; by neither if it is at rest.
template <class S, class SideB, class Base = AtRest>
ContactEquation<S> contact_equation(const PairGeometry<S, SideB>& pair, const S& psi,
                                    const Vec5<S>& w, const Base& base = {}) {
  ContactEquation<S> e;
  e.k = relative_curvature(pair, psi);
  e.X_AC = {pair.A.R, pair.A.p};
  e.X_BC = {contact_axes_in_B(pair.B.R, e.k.R), pair.B.p};
  const Twist<S> relative = relative_twist(w);
  const auto motion_over_A = [&]() -> Twist<S> {
    return {e.path.w_AC, Vec3<S>(e.path.v_A.x(), e.path.v_A.y(), S(0.0))};
  };
  if constexpr (requires { base.phi; }) {
    const Twist<S> phi_BC = seen_from(e.X_BC, base.phi);
    Twist<S> over_B = relative, lifting;
    if constexpr (requires { base.belt; }) {
      const Twist<S> belt = seen_from(e.X_BC, base.belt);
      lifting.v.z() = belt.v.z();
      over_B = over_B + belt - lifting;
    }
    e.path = contact_path<S>(pair, e.k, stacked(over_B).template head<5>());
    e.phi_A = transform(e.X_AC, relative + phi_BC - lifting);
    e.b = -(cross(motion_over_A(), relative) + cross(phi_BC, over_B));
    if constexpr (requires { base.belt; }) {
      // What is left out changes as C moves.
      const Twist<S> of_C = motion_over_A() + over_B;
      e.b = e.b + cross(motion_over_A(), lifting);
      e.b.v.z() -= cross(of_C, seen_from(e.X_BC, base.belt)).v.z();
    }
  } else {
    e.path = contact_path(pair, e.k, w);
    e.phi_A = transform(e.X_AC, relative);
    e.b = -cross(motion_over_A(), relative);
  }
  return e;
}

}  // namespace oloid::contact
