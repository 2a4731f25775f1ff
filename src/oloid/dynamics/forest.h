// Moving bodies joined by contacts: trees of articulated bodies whose joints are contacts.
//
// Every moving body is a node: free, or held by one contact on a parent, which is another node or
// the ground. One recursion from leaves to roots and back, linear in the number of nodes:
//   leaves to roots   W = X⁻¹ I⁻¹ X⁻ᵀ,  f = −Q (b − X_BC⁻¹ a_parent)
//                     I_parent += X_BC⁻ᵀ Q X_BC⁻¹,   p_parent −= X_BC⁻ᵀ Q b
//   roots to leaves   a = −I⁻¹ p (free),   ẇ = b + W f,   a = I⁻¹ (X⁻ᵀ f − p)
// I and p are the articulated inertia and bias wrench of a node, X = Ad(X_AC), Q the resistance of
// its contact's law (law.h). docs/theory/forest.md; the same recursion gives velocity jumps from
// impulses. Where laws give forces to contacts of bodies that hang together its divisors may
// vanish although the forces exist: such trees are solved as a whole (contact_system.h).
#pragma once

#include <span>
#include <vector>

#include "oloid/dynamics/contact_system.h"

namespace oloid::dynamics {

// Nodes in an order in which parents come before children.
template <class S>
class ForestOf {
 public:
  explicit ForestOf(int nodes) : nodes_(static_cast<std::size_t>(nodes)) {
    for (std::vector<int>* list : {&order_, &contacts_, &tree_nodes_, &tree_contacts_})
      list->reserve(nodes_.size());
    roots_.resize(nodes_.size());
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

  // W and b of all contacts that are held, in the order of `contacts` (contact_system.h).
  const ContactSystem<S>& contact_system(Biases biases = Biases::on);
  std::span<const int> contacts() const { return contacts_; }
  // Accelerations that the wrenches f of all nodes cause, whatever the laws.
  void move(Biases biases) { move_by_wrenches<S>(nodes_, order_, biases); }

 private:
  void choose_tree(int root);
  bool needs_all_at_once(int cut) const;
  void solve_tree(const ForestCut<S>& cut, Biases biases);
  void recur(const ForestCut<S>& cut, Biases biases);
  void gather(ForestNode<S>& node, bool cut, const Vec6<S>& f, Biases biases);
  void spread(ForestNode<S>& node, bool cut, const Vec6<S>& f);

  std::vector<ForestNode<S>> nodes_;
  std::vector<int> order_;
  std::vector<int> roots_;                       // of each node's tree
  std::vector<int> contacts_;                    // held nodes, in order
  std::vector<int> tree_nodes_, tree_contacts_;  // of the tree that is chosen, in order
  ContactSystem<S> system_;
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
