// The recursion of forest.h, for any scalar; law.h branches on nothing but the law, the elimination
// of a body that carries others on the size of its pivots.
#pragma once

#include <Eigen/LU>
#include <algorithm>

#include "oloid/base/contract.h"
#include "oloid/dynamics/contact_system_solve.h"
#include "oloid/dynamics/forest.h"

namespace oloid::dynamics {
namespace detail {

template <class S>
Vec6<S> inverse_times(const ForestNode<S>& node, const Vec6<S>& f) {
  if (!node.leaf) return node.I_inv * f;
  return inverse_mass_times(node.body, f);
}

// What a law forbids is exactly 0.
template <class S>
void clear_constrained(ForestNode<S>& node) {
  for (int row = 0; row < 6; ++row) {
    if (is_constrained(node.law, row)) node.w_rate(row) = S(0.0);
  }
}

}  // namespace detail

template <class S>
void ForestOf<S>::sort() {
  order_.clear();
  for (ForestNode<S>& node : nodes_) node.leaf = true;
  for (ForestNode<S>& node : nodes_) {
    if (node.held && node.parent != kGround) (*this)[node.parent].leaf = false;
  }
  const auto sorted = [&](int i) {
    return std::find(order_.begin(), order_.end(), i) != order_.end();
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < size(); ++i) {
      const ForestNode<S>& node = (*this)[i];
      if (sorted(i) || (node.held && node.parent != kGround && !sorted(node.parent))) continue;
      order_.push_back(i);
      grown = true;
    }
  }
  OLOID_EXPECT(order_.size() == nodes_.size());
  contacts_.clear();
  std::size_t largest = 0;
  for (const int i : order_) {
    const ForestNode<S>& node = (*this)[i];
    const bool is_root = !node.held || node.parent == kGround;
    roots_[static_cast<std::size_t>(i)] =
        is_root ? i : roots_[static_cast<std::size_t>(node.parent)];
    if (node.held) contacts_.push_back(i);
  }
  for (const int i : order_) {
    if (roots_[static_cast<std::size_t>(i)] != i) continue;
    choose_tree(i);
    largest = std::max(largest, tree_contacts_.size());
  }
  system_.reserve(static_cast<int>(largest));
}

template <class S>
void ForestOf<S>::choose_tree(int root) {
  tree_nodes_.clear();
  tree_contacts_.clear();
  for (const int i : order_) {
    if (roots_[static_cast<std::size_t>(i)] != root) continue;
    tree_nodes_.push_back(i);
    if ((*this)[i].held) tree_contacts_.push_back(i);
  }
}

// Whether the divisors of the recursion may fail: forces are given in a tree of more than one body
// (one that is alone on the ground divides by nothing but its own denominator), or a body carries
// one so heavy that its own inertia is lost beside it.
template <class S>
bool ForestOf<S>::needs_all_at_once(int cut) const {
  constexpr double kHeavy = 1e3;
  if (tree_nodes_.size() < 2) return false;
  return std::any_of(tree_contacts_.begin(), tree_contacts_.end(), [&](int i) {
    const ForestNode<S>& node = (*this)[i];
    if (i == cut) return false;
    if (gives_forces(node.law)) return true;
    return node.parent != kGround &&
           primal(node.body.mass) > kHeavy * primal((*this)[node.parent].body.mass);
  });
}

template <class S>
void ForestOf<S>::solve_tree(const ForestCut<S>& cut, Biases biases) {
  system_.assemble(nodes_, tree_contacts_, biases);
  system_.solve(nodes_, tree_contacts_, cut);
  move_by_wrenches<S>(nodes_, tree_nodes_, biases);
  for (const int i : tree_contacts_) {
    ForestNode<S>& node = (*this)[i];
    node.denominator = node.regularity * node.W(kNormalRow, kNormalRow);
    if (i != cut.node) detail::clear_constrained(node);
  }
}

template <class S>
const ContactSystem<S>& ForestOf<S>::contact_system(Biases biases) {
  system_.reserve(static_cast<int>(contacts_.size()));
  system_.assemble(nodes_, contacts_, biases);
  return system_;
}

template <class S>
void ForestOf<S>::solve(const ForestCut<S>& cut, Biases biases) {
  bool all_together = true;
  for (const int root : order_) {
    if (roots_[static_cast<std::size_t>(root)] != root) continue;
    choose_tree(root);
    const bool together = needs_all_at_once(cut.node);
    for (const int i : tree_nodes_) (*this)[i].together = together;
    if (together) solve_tree(cut, biases);
    all_together = all_together && together;
  }
  if (!all_together) recur(cut, biases);
}

template <class S>
void ForestOf<S>::recur(const ForestCut<S>& cut, Biases biases) {
  for (ForestNode<S>& node : nodes_) {
    if (node.together) continue;
    node.p_all.setZero();
    if (biases == Biases::on) node.p_all = stacked(node.p);
    if (node.leaf) continue;
    node.I.setZero();
    node.I.template topLeftCorner<3, 3>() = node.body.J;
    node.I.diagonal().template tail<3>().setConstant(node.body.mass);
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    ForestNode<S>& node = (*this)[order_[k]];
    if (!node.together) gather(node, order_[k] == cut.node, cut.f, biases);
  }
  for (const int i : order_) {
    if (!(*this)[i].together) spread((*this)[i], i == cut.node, cut.f);
  }
}

template <class S>
void ForestOf<S>::gather(ForestNode<S>& node, bool cut, const Vec6<S>& f, Biases biases) {
  if (!node.leaf) {
    const Eigen::PartialPivLU<Mat6<S>> lu(node.I);
    node.I_inv = lu.inverse();
  }
  node.a_free = -detail::inverse_times(node, node.p_all);
  if (!node.held) return;
  if (node.leaf) {
    node.W = contact_inverse_mass(node.X_AC, node.body);
  } else {
    const Mat6<S> X = inverse_adjoint(node.X_AC);
    node.W.noalias() = X * node.I_inv * X.transpose();
  }
  node.b_all = stacked(seen_from(node.X_AC, as_twist<S>(node.a_free)));
  if (biases == Biases::on) node.b_all += node.b;
  if (node.parent == kGround) return;
  ForestNode<S>& parent = (*this)[node.parent];
  const Mat6<S> X = inverse_adjoint(node.X_BC);
  if (cut) {
    parent.p_all += X.transpose() * f;
    return;
  }
  const LawResponse<S> response = law_response(node.law, node.W, node.given);
  node.Q = response.Q;
  node.denominator = response.denominator;
  parent.I += X.transpose() * node.Q * X;
  parent.p_all -= X.transpose() * (node.Q * node.b_all);
}

template <class S>
void ForestOf<S>::spread(ForestNode<S>& node, bool cut, const Vec6<S>& f) {
  if (!node.held) {
    node.a = as_twist<S>(node.a_free);
    return;
  }
  const bool on_ground = node.parent == kGround;
  if (!on_ground) node.b_all -= stacked(seen_from(node.X_BC, (*this)[node.parent].a));
  if (cut) {
    node.f = f;
  } else if (on_ground) {
    const LawForce<S> force = law_force(node.law, node.W, node.b_all, node.given);
    node.f = force.f;
    node.denominator = force.denominator;
  } else {
    node.f = -(node.Q * node.b_all);
  }
  node.regularity = S(1.0);
  if (!cut && gives_forces(node.law)) node.regularity = node.denominator * node.body.mass;
  node.w_rate = node.b_all + node.W * node.f;
  if (!cut) detail::clear_constrained(node);
  node.a =
      as_twist<S>(node.a_free +
                  detail::inverse_times(node, stacked(transform(node.X_AC, as_wrench<S>(node.f)))));
}

template <class S>
ForestResponse<S> response_at(ForestOf<S>& forest, int node) {
  ForestResponse<S> out;
  forest.solve({node, Vec6<S>::Zero()});
  out.b = forest[node].w_rate;
  if (forest[node].parent == kGround && !forest[node].together) {
    out.W = forest[node].W;
    return out;
  }
  for (int j = 0; j < 6; ++j) {
    forest.solve({node, Vec6<S>::Unit(j)}, Biases::off);
    out.W.col(j) = forest[node].w_rate;
  }
  return out;
}

}  // namespace oloid::dynamics
