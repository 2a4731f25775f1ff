// Two features whose points face each other: the conditions of an extremal pair, how it moves, and
// whether it is a genuine local contact. Surfaces, curves and points in any combination, apart,
// touching or overlapping. docs/theory/proximity.md eqs. 2 to 7; [Baraff90] section 7,
// [NelsonJohnsonCohen99], [WarkenSchoemer01].
//
// All in B's frame: points p_A and p_B, unit normal n from B to A, r = p_A − p_B, gap χ = n·r, and
// T, two unit tangents at right angles to n.
//   conditions          E_Aᵀ n = 0,   −E_Bᵀ n = 0,   Tᵀ r = 0
//   their derivative    ( C_A       0     E_AᵀT ) (s_A)
//                       (  0      −C_B   −E_BᵀT ) (s_B)          C = −(n·z) K,  ṅ = T m
//                       ( TᵀE_A  −TᵀE_B   −χ 1  ) ( m )
// a symmetric matrix Q. s are the displacements of the points over their features. Q is regular
// while the pair exists; a genuine contact has two negative eigenvalues, all others positive, at
// any gap, and loses that only through det Q = 0: a fold or a focal point.
#pragma once

#include "oloid/contact/feature.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/spatial/twist.h"

namespace oloid::contact {

// A step of Newton's method [m], or the rates of a moving pair [m/s].
struct PairStep {
  Vec2<double> s_A{0, 0}, s_B{0, 0};  // along E_A and E_B
  Vec3<double> n{0, 0, 0};
  bool finite() const { return s_A.allFinite() && s_B.allFinite() && n.allFinite(); }
};

// How good a pair is as a contact.
struct PairQuality {
  bool genuine = false;  // a local minimum of the distance, or its continuation into overlap
  bool weak = false;     // that, or one of many: what is within 1e-8 of 0 counts as 0
  // Of two surfaces λ ℓ, λ the least eigenvalue of N = K_A + K_B + χ K_A K_B; of other features the
  // eigenvalue of Q nearest to 0, lengths counted in ℓ.
  double conformity = 0;
  Vec3<double> soft{0, 0, 0};  // unit, in B's frame: the direction of least resistance
  double condition = 0;        // ratio of largest to least singular value, of N or Q
};

class ExtremalPair {
 public:
  LocalFeature<double> A, B;  // in B's frame
  Vec3<double> n;

  // The normal is that of a surface if there is one; else the one nearest to the hint that curves
  // allow. A hint is a unit vector.
  ExtremalPair(const LocalFeature<double>& A_in_B, const LocalFeature<double>& B_in_B,
               const Vec3<double>& hint);

  bool surfaces() const { return A.dimension == 2 && B.dimension == 2; }
  Vec3<double> r() const { return A.p - B.p; }
  double gap() const { return n.dot(r()); }
  // How far from extremal: sines of angles, and distances as fractions of `length`.
  double residual(double length) const;

  // Towards the solution. Where Q is singular, the shortest step that reduces the residual as far
  // as possible.
  PairStep newton() const;
  // How the pair follows the motion of A relative to B, a twist in B's frame.
  PairStep rates(const Twist<double>& V_BA) const;
  // χ' = n·(v of A's particle at p_A).
  double gap_rate(const Twist<double>& V_BA) const;

  PairQuality quality(double length) const;

 private:
  PairStep solve(const Vec2<double>& f_A, const Vec2<double>& f_B, const Vec3<double>& f_r) const;
};

}  // namespace oloid::contact
