#include "oloid/dynamics/forest.h"

#include <Eigen/LU>
#include <algorithm>

#include "oloid/base/contract.h"

namespace oloid::dynamics {
namespace {

Vec6<double> inverse_times(const Node& node, const Vec6<double>& f) {
  if (!node.leaf) return node.I_inv * f;
  return (Vec6<double>() << node.body.J_inv * f.head<3>(), node.body.inverse_mass * f.tail<3>())
      .finished();
}

}  // namespace

void Forest::sort() {
  order_.clear();
  for (Node& node : nodes_) node.leaf = true;
  for (Node& node : nodes_) {
    if (node.held && node.parent != kGround) (*this)[node.parent].leaf = false;
  }
  const auto sorted = [&](int i) {
    return std::find(order_.begin(), order_.end(), i) != order_.end();
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < size(); ++i) {
      const Node& node = (*this)[i];
      if (sorted(i) || (node.held && node.parent != kGround && !sorted(node.parent))) continue;
      order_.push_back(i);
      grown = true;
    }
  }
  OLOID_EXPECT(order_.size() == nodes_.size());
}

void Forest::solve(const Cut& cut, Biases biases) {
  for (Node& node : nodes_) {
    node.p_all.setZero();
    if (biases == Biases::on) node.p_all = stacked(node.p);
    if (node.leaf) continue;
    node.I.setZero();
    node.I.topLeftCorner<3, 3>() = node.body.J;
    node.I.diagonal().tail<3>().setConstant(node.body.mass);
  }
  for (std::size_t k = order_.size(); k-- > 0;)
    gather((*this)[order_[k]], order_[k] == cut.node, cut.f, biases);
  for (const int i : order_) spread((*this)[i], i == cut.node, cut.f);
}

void Forest::gather(Node& node, bool cut, const Vec6<double>& f, Biases biases) {
  if (!node.leaf) {
    const Eigen::PartialPivLU<Mat6<double>> lu(node.I);
    node.I_inv = lu.inverse();
    const double m = node.body.mass;
    node.stiffening = lu.determinant() / (m * m * m * node.body.J.determinant());
  }
  node.a_free = -inverse_times(node, node.p_all);
  if (!node.held) return;
  if (node.leaf) {
    node.W = contact_inverse_mass(node.X_AC, node.body);
  } else {
    const Mat6<double> X = inverse_adjoint(node.X_AC);
    node.W.noalias() = X * node.I_inv * X.transpose();
  }
  node.b_all = stacked(seen_from(node.X_AC, as_twist(node.a_free)));
  if (biases == Biases::on) node.b_all += node.b;
  if (node.parent == kGround) return;
  Node& parent = (*this)[node.parent];
  const Mat6<double> X = inverse_adjoint(node.X_BC);
  if (cut) {
    parent.p_all += X.transpose() * f;
    return;
  }
  const LawResponse<double> response = law_response(node.law, node.W, node.given);
  node.Q = response.Q;
  node.denominator = response.denominator;
  parent.I += X.transpose() * node.Q * X;
  parent.p_all -= X.transpose() * (node.Q * node.b_all);
}

void Forest::spread(Node& node, bool cut, const Vec6<double>& f) {
  if (!node.held) {
    node.a = as_twist(node.a_free);
    return;
  }
  const bool on_ground = node.parent == kGround;
  if (!on_ground) node.b_all -= stacked(seen_from(node.X_BC, (*this)[node.parent].a));
  if (cut) {
    node.f = f;
  } else if (on_ground) {
    const LawForce<double> force = law_force(node.law, node.W, node.b_all, node.given);
    node.f = force.f;
    node.denominator = force.denominator;
  } else {
    node.f = -(node.Q * node.b_all);
    node.denominator *= std::min(1.0, (*this)[node.parent].stiffening);
  }
  node.w_rate = node.b_all + node.W * node.f;
  if (!cut) {
    if (node.law.roll == Roll::stuck) node.w_rate.head<2>().setZero();
    if (node.law.spin == Spin::stuck) node.w_rate(kSpinRow) = 0;
    if (node.law.slip == Slip::stuck) node.w_rate.segment<2>(kSlipRow).setZero();
    node.w_rate(kNormalRow) = 0;
  }
  node.a = as_twist<double>(node.a_free +
                            inverse_times(node, stacked(transform(node.X_AC, as_wrench(node.f)))));
}

ContactResponse response_at(Forest& forest, int node) {
  ContactResponse out;
  forest.solve({node, Vec6<double>::Zero()});
  out.b = forest[node].w_rate;
  if (forest[node].parent == kGround) {
    out.W = forest[node].W;
    return out;
  }
  for (int j = 0; j < 6; ++j) {
    forest.solve({node, Vec6<double>::Unit(j)}, Biases::off);
    out.W.col(j) = forest[node].w_rate;
  }
  return out;
}

}  // namespace oloid::dynamics
