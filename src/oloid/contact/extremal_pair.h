// Two features whose points face each other: the conditions of an extremal pair, how it moves, and
// whether it is a genuine local contact. Surfaces, curves and points in any combination, apart,
// touching or overlapping. docs/theory/proximity.md eqs. 2 to 8; [Baraff90] section 7,
// [NelsonJohnsonCohen99], [WarkenSchoemer01].
//
// All in B's frame: points p_A and p_B, unit normal n from B to A, r = p_A − p_B, gap χ = n·r.
//   conditions          E_Aᵀ n = 0,  E_Bᵀ n = 0,  Tᵀ r = 0            T: tangents, right angles to
//   n their derivative    ( C_A       0     E_AᵀT ) (s_A)
//                       (  0      −C_B   −E_BᵀT ) (s_B),               C = −(n·z) K
//                       ( TᵀE_A  −TᵀE_B   −χ 1  ) ( m )                ṅ = T m
// a symmetric matrix Q. s are the ways of the points over their features. Q is regular while the
// pair exists; a genuine contact has two negative eigenvalues, all others positive, at any gap, and
// loses that only through det Q = 0: a fold or a focal point.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/contact/feature.h"
#include "oloid/spatial/twist.h"

namespace oloid {

// Tangents at right angles to n, which is of length 1.
Mat<double, 3, 2> tangents(const Vec3<double>& n);

struct PairStep {
  Vec2<double> s_A{0, 0}, s_B{0, 0};  // [m], or [m/s], along E_A and E_B
  Vec3<double> n{0, 0, 0};            // change of n, or its rate
  double gap = 0;                     // [m/s]; 0 in steps of Newton's method
};

class ExtremalPair {
 public:
  LocalFeature<double> A, B;  // in B's frame
  Vec3<double> n;             // unit

  ExtremalPair(const LocalFeature<double>& A_in_B, const LocalFeature<double>& B_in_B,
               const Vec3<double>& normal)
      : A(A_in_B), B(B_in_B), n(normal) {}
  // With the normal that the features suggest: a surface's own, else the one nearest to `hint`
  // that curves allow.
  static ExtremalPair facing(const LocalFeature<double>& A, const LocalFeature<double>& B,
                             const Vec3<double>& hint);

  double gap() const { return n.dot(A.p - B.p); }
  // Largest violation of the conditions; distances count in parts of `length`.
  double residual(double length) const;

  // Towards the solution, by Newton's method. Not finite if Q is singular.
  PairStep newton() const;
  // How the pair follows the motion of A relative to B, a twist in B's frame about B's origin.
  PairStep rates(const Twist<double>& V_BA) const;

  struct Quality {
    bool genuine;       // a local minimum of the signed distance, continued below 0
    double conformity;  // least |eigenvalue| of N = K_A + K_B + χ K_A K_B, or alike, × length
    Vec3<double> soft;  // the direction in which it is least, in B's frame
    double condition;   // of the system that is solved
  };
  Quality quality(double length) const;
};

}  // namespace oloid
