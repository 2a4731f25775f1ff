// The recursion of forest.h, for any scalar; law.h branches on nothing but the law, the elimination
// of a body that carries others on the size of its pivots.
#pragma once

#include <Eigen/LU>
#include <algorithm>

#include "oloid/base/contract.h"
#include "oloid/dynamics/forest.h"

namespace oloid::dynamics {
namespace detail {

template <class S>
Vec6<S> inverse_times(const ForestNode<S>& node, const Vec6<S>& f) {
  if (!node.leaf) return node.I_inv * f;
  return (Vec6<S>() << node.body.J_inv * f.template head<3>(),
          node.body.inverse_mass * f.template tail<3>())
      .finished();
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
}

template <class S>
void ForestOf<S>::solve(const ForestCut<S>& cut, Biases biases) {
  for (ForestNode<S>& node : nodes_) {
    node.p_all.setZero();
    if (biases == Biases::on) node.p_all = stacked(node.p);
    if (node.leaf) continue;
    node.I.setZero();
    node.I.template topLeftCorner<3, 3>() = node.body.J;
    node.I.diagonal().template tail<3>().setConstant(node.body.mass);
  }
  for (std::size_t k = order_.size(); k-- > 0;)
    gather((*this)[order_[k]], order_[k] == cut.node, cut.f, biases);
  for (const int i : order_) spread((*this)[i], i == cut.node, cut.f);
}

template <class S>
void ForestOf<S>::gather(ForestNode<S>& node, bool cut, const Vec6<S>& f, Biases biases) {
  if (!node.leaf) {
    const Eigen::PartialPivLU<Mat6<S>> lu(node.I);
    node.I_inv = lu.inverse();
    const S m = node.body.mass;
    node.stiffening = lu.determinant() / (m * m * m * node.body.J.determinant());
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
    const S& stiffening = (*this)[node.parent].stiffening;
    node.denominator = node.denominator * select(stiffening < S(1.0), stiffening, S(1.0));
  }
  node.w_rate = node.b_all + node.W * node.f;
  if (!cut) {
    if (node.law.roll == Roll::stuck) node.w_rate.template head<2>().setZero();
    if (node.law.spin == Spin::stuck) node.w_rate(kSpinRow) = S(0.0);
    if (node.law.slip == Slip::stuck) node.w_rate.template segment<2>(kSlipRow).setZero();
    node.w_rate(kNormalRow) = S(0.0);
  }
  node.a =
      as_twist<S>(node.a_free +
                  detail::inverse_times(node, stacked(transform(node.X_AC, as_wrench<S>(node.f)))));
}

template <class S>
ForestResponse<S> response_at(ForestOf<S>& forest, int node) {
  ForestResponse<S> out;
  forest.solve({node, Vec6<S>::Zero()});
  out.b = forest[node].w_rate;
  if (forest[node].parent == kGround) {
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
