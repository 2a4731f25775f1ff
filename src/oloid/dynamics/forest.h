// Moving bodies joined by contacts: trees of articulated bodies whose joints are contacts.
//
// Every moving body is a node: free, or held by one contact on a parent, which is another node or
// the ground. One recursion from leaves to roots and back, linear in the number of nodes:
//   leaves to roots   W = X⁻¹ I⁻¹ X⁻ᵀ,  f = −Q (b − X_BC⁻¹ a_parent)
//                     I_parent += X_BC⁻ᵀ Q X_BC⁻¹,   p_parent −= X_BC⁻ᵀ Q b
//   roots to leaves   a = −I⁻¹ p (free),   ẇ = b + W f,   a = I⁻¹ (X⁻ᵀ f − p)
// I and p are the articulated inertia and bias wrench of a node, X = Ad(X_AC), Q the resistance of
// its contact's law (law.h). docs/theory/forest.md; the same recursion gives velocity jumps from
// impulses.
#pragma once

#include <span>
#include <vector>

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
  // Held: what the normal force divides by [1/kg]; less where the parent gives way so far that both
  // together divide by less. Positive, else Painlevé's paradox: docs/theory/forest.md
  // eq. 10.
  S denominator;

  // Scratch of the recursion.
  Mat6<S> I, I_inv, W, Q;
  Vec6<S> p_all, a_free, b_all;
  S stiffening;  // det I over that of the body alone
};

// Whether p and b count; without them the solution is the effect of a cut's wrench alone.
enum class Biases { on, off };

// A wrench that takes the place of a node's contact law.
template <class S>
struct ForestCut {
  int node = -2;
  Vec6<S> f = Vec6<S>::Zero();
};

// Nodes in an order in which parents come before children.
template <class S>
class ForestOf {
 public:
  explicit ForestOf(int nodes) : nodes_(static_cast<std::size_t>(nodes)) {
    order_.reserve(nodes_.size());
  }

  int size() const { return static_cast<int>(nodes_.size()); }
  ForestNode<S>& operator[](int i) { return nodes_[static_cast<std::size_t>(i)]; }
  const ForestNode<S>& operator[](int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  std::span<const int> order() const { return order_; }

  // After `held` or `parent` have changed. Contacts that close a loop are a contract violation.
  void sort();

  // Accelerations and contact wrenches from p and b of all nodes. For velocity jumps and impulses
  // p and b are impulses and relative velocities.
  void solve(const ForestCut<S>& cut = {}, Biases biases = Biases::on);

 private:
  void gather(ForestNode<S>& node, bool cut, const Vec6<S>& f, Biases biases);
  void spread(ForestNode<S>& node, bool cut, const Vec6<S>& f);

  std::vector<ForestNode<S>> nodes_;
  std::vector<int> order_;
};

// How one contact of a forest sees the rest, with all other contacts obeying their laws:
//   relative acceleration = b + W f for any wrench f there.
template <class S>
struct ForestResponse {
  Mat6<S> W;
  Vec6<S> b;
};
template <class S>
ForestResponse<S> response_at(ForestOf<S>& forest, int node);

using Node = ForestNode<double>;
using Cut = ForestCut<double>;
using Forest = ForestOf<double>;
using ContactResponse = ForestResponse<double>;

// Compiled once, in forest.cpp. Other scalars: forest_recursion.h.
extern template class ForestOf<double>;
extern template ForestResponse<double> response_at(ForestOf<double>&, int);

}  // namespace oloid::dynamics
