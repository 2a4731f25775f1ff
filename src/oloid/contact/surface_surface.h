// How a contact between two surfaces moves over both of them, given the relative twist.
#pragma once

#include "oloid/contact/coordinates.h"
#include "oloid/numerics/small_solve.h"

namespace oloid::contact {

// Curvature of the pair in C. K_rel must be positive definite: a genuine point contact.
template <class S>
struct RelativeCurvature {
  Mat2<S> R;      // contact rotation
  Mat2<S> K_B;    // curvature of B seen from A, R K_B R [1/m]
  Mat2<S> K_rel;  // K_A + R K_B R [1/m]
};

template <class S, class SideB>
RelativeCurvature<S> relative_curvature(const PairGeometry<S, SideB>& pair, const S& psi) {
  RelativeCurvature<S> k;
  k.R = contact_rotation(psi);
  if constexpr (kIsPlane<SideB, S>) {
    k.K_B.setConstant(S(0.0));
    k.K_rel = pair.A.K;
  } else {
    k.K_B = k.R * pair.B.K * k.R;
    k.K_rel = pair.A.K + k.K_B;
  }
  return k;
}

// Rates of the contact coordinates at gap 0: [Montana88], docs/theory/contact.md eqs. 10 to 13.
//   v_A  = K_rel⁻¹ (ω⊥ − K̃_B v_s)        path over A, in C [m/s],  ω⊥ = (−ω_y, ω_x)
//   v_B  = R (v_A + v_s)                  path over B, in B's contact frame [m/s]
//   psi' = ω_z + T_A v_A + T_B v_B
// w = (ω_x, ω_y, ω_z, v_x, v_y): turning of A, and velocity of its touching particle v_s, relative
// to B, in C.
template <class S>
struct ContactPath {
  Vec2<S> v_A, v_B;
  S psi_rate;
  Vec3<S> w_AC;  // turning of C relative to A, in C
};

template <class S, class SideB>
ContactPath<S> contact_path(const PairGeometry<S, SideB>& pair, const RelativeCurvature<S>& k,
                            const Vec5<S>& w) {
  const Vec2<S> v_s(w(3), w(4));
  Vec2<S> tilting(-w(1), w(0));  // ω⊥ − K̃_B v_s
  if constexpr (!kIsPlane<SideB, S>) tilting -= k.K_B * v_s;
  ContactPath<S> path;
  path.v_A = inverse(k.K_rel) * tilting;
  path.v_B = k.R * (path.v_A + v_s);
  const Vec2<S> n_rate = pair.A.K * path.v_A;
  path.w_AC << -n_rate.y(), n_rate.x(), pair.A.T.dot(path.v_A);
  path.psi_rate = w(2) + path.w_AC.z();
  if constexpr (!kIsPlane<SideB, S>) path.psi_rate = path.psi_rate + pair.B.T.dot(path.v_B);
  return path;
}

// Conformity λ_min(K_rel) ℓ, with ℓ the smaller body's bounding radius: design limits below.
template <class S>
S conformity(const Mat2<S>& K_rel, double length) {
  using std::sqrt;
  const S mean = S(0.5) * (K_rel(0, 0) + K_rel(1, 1));
  const S half = S(0.5) * (K_rel(0, 0) - K_rel(1, 1));
  const S mixed = S(0.5) * (K_rel(0, 1) + K_rel(1, 0));
  return S(length) * (mean - sqrt(half * half + mixed * mixed));
}
inline constexpr double kConformityWarn = 1e-3;
inline constexpr double kConformityRefuse = 1e-6;

}  // namespace oloid::contact
