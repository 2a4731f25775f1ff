// A body of a forest (forest.h), with the contact that holds it.
#pragma once

#include "oloid/dynamics/contact_kernel.h"

namespace oloid::dynamics {

inline constexpr int kGround = -1;

template <class S>
struct ForestNode {
  // Structure.
  bool held = false;     // by a contact; else free
  int parent = kGround;  // of a held node: what it is held on
  bool leaf = true;      // whether no node is held on it
  BodyInertia<S> body;

  // At an instant.
  Pose<S> X_AC, X_BC;  // held: C in this body (A) and in what holds it (B)
  Law law;             // held
  Vec6<S> given;       // held: given rows of the wrench for a normal force of 1
  Wrench<S> p;         // bias: the other term of the body's equation I a + p = f
  Vec6<S> b;           // held: relative acceleration in C that does not come from a or f

  // Found.
  Twist<S> a;      // rate of the body's twist, at its centre of mass in its axes
  Vec6<S> w_rate;  // held: rate of the relative twist in C, constrained rows 0
  Vec6<S> f;       // held: contact wrench on this body, in C
  // Held: what the normal force divides by [1/kg], and the same without dimension: of a body alone
  // on the ground times its mass, of others D of their tree (docs/theory/forest.md eq. 13), and 1
  // where no forces are given. Positive, else Painlevé's paradox.
  S denominator, regularity;

  // Scratch of the recursion.
  Mat6<S> I, I_inv, W, Q;
  Vec6<S> p_all, a_free, b_all;
  bool together = false;  // its tree's contacts are solved together, not one after the other
};

// Whether p and b count; without them the solution is the effect of a cut's wrench alone.
enum class Biases { on, off };

// A wrench that takes the place of a node's contact law.
template <class S>
struct ForestCut {
  int node = -2;
  Vec6<S> f = Vec6<S>::Zero();
};

}  // namespace oloid::dynamics
