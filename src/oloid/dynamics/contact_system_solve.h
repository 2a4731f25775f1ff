// What contact_system.h declares, for any scalar that can be compared.
#pragma once

#include "oloid/dynamics/contact_system.h"

namespace oloid::dynamics {
namespace detail {

template <class S>
Mat6<S> inverse_mass_times(const BodyInertia<S>& body, const Mat6<S>& f) {
  Mat6<S> out;
  out.template topRows<3>() = body.J_inv * f.template topRows<3>();
  out.template bottomRows<3>() = body.inverse_mass * f.template bottomRows<3>();
  return out;
}
template <class S>
Vec6<S> inverse_mass_times(const BodyInertia<S>& body, const Vec6<S>& f) {
  return (Vec6<S>() << body.J_inv * f.template head<3>(), body.inverse_mass * f.template tail<3>())
      .finished();
}

constexpr bool is_constrained(Law law, int row) {
  return row == kNormalRow || (row >= kSlipRow && law.slip == Slip::stuck) ||
         (row == kSpinRow && law.spin == Spin::stuck) ||
         (row < kSpinRow && law.roll == Roll::stuck);
}

}  // namespace detail

template <class S>
void ContactSystem<S>::assemble(std::span<const ForestNode<S>> nodes, std::span<const int> contacts,
                                Biases biases) {
  const int n = static_cast<int>(contacts.size());
  size_ = 6 * n;
  const auto node = [&](int i) -> const ForestNode<S>& {
    return nodes[static_cast<std::size_t>(i)];
  };
  const auto contact = [&](int k) { return contacts[static_cast<std::size_t>(k)]; };
  const auto free_acceleration = [&](int i, const Pose<S>& X) -> Vec6<S> {
    const Vec6<S> p = stacked(node(i).p);
    return stacked(seen_from(X, as_twist<S>(detail::inverse_mass_times(node(i).body, p))));
  };
  for (int k = 0; k < n; ++k) {
    const int i = contact(k), above = node(i).parent;
    const Mat6<S> A = inverse_adjoint(node(i).X_AC), B = inverse_adjoint(node(i).X_BC);
    const auto add = [&](int l, const Mat6<S>& block) {
      W_.template block<6, 6>(6 * k, 6 * l) += block;
      if (l != k) W_.template block<6, 6>(6 * l, 6 * k) += block.transpose();
    };
    for (int l = k; l < n; ++l) {
      W_.template block<6, 6>(6 * k, 6 * l).setZero();
      if (l != k) W_.template block<6, 6>(6 * l, 6 * k).setZero();
      const int j = contact(l), under = node(j).parent;
      // A body that has part in both: as A of a contact with +, as B with −.
      const auto shared = [&](int body, const Mat6<S>& X, const Mat6<S>& Y) -> Mat6<S> {
        const Mat6<S> Y_T = Y.transpose();
        return X * detail::inverse_mass_times(node(body).body, Y_T);
      };
      const Mat6<S> A_l = inverse_adjoint(node(j).X_AC), B_l = inverse_adjoint(node(j).X_BC);
      if (i == j) add(l, shared(i, A, A_l));
      if (i == under) add(l, -shared(i, A, B_l));
      if (above != kGround && above == j) add(l, -shared(above, B, A_l));
      if (above != kGround && above == under) add(l, shared(above, B, B_l));
    }
    auto b = b_.template segment<6>(6 * k);
    b.setZero();
    if (biases == Biases::off) continue;
    b = node(i).b - free_acceleration(i, node(i).X_AC);
    if (above != kGround) b += free_acceleration(above, node(i).X_BC);
  }
}

template <class S>
void ContactSystem<S>::choose_rows(std::span<const ForestNode<S>> nodes,
                                   std::span<const int> contacts, int cut) {
  using std::sqrt;
  rows_.clear();
  for (int k = 0; k < static_cast<int>(contacts.size()); ++k) {
    const int i = contacts[static_cast<std::size_t>(k)];
    if (i == cut) continue;
    for (int row = 0; row < 6; ++row) {
      if (!detail::is_constrained(nodes[static_cast<std::size_t>(i)].law, row)) continue;
      rows_.push_back({6 * k + row, k});
    }
  }
  for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
    const int at = rows_[static_cast<std::size_t>(r)].at;
    scale_(r) = S(1.0) / sqrt(W_(at, at));
  }
}

// P W E in units in which the diagonal of W is 1; without what is given: P W Pᵀ.
template <class S>
void ContactSystem<S>::factor(std::span<const ForestNode<S>> nodes, std::span<const int> contacts,
                              bool given) {
  const int n = static_cast<int>(rows_.size());
  for (int c = 0; c < n; ++c) {
    const Row& column = rows_[static_cast<std::size_t>(c)];
    const ForestNode<S>& node =
        nodes[static_cast<std::size_t>(contacts[static_cast<std::size_t>(column.contact)])];
    const bool follows =
        given && column.at == 6 * column.contact + kNormalRow && gives_forces(node.law);
    for (int r = 0; r < n; ++r) {
      const int at = rows_[static_cast<std::size_t>(r)].at;
      S entry = W_(at, column.at);
      if (follows)
        entry = entry - W_.row(at).template segment<6>(6 * column.contact).dot(node.given);
      lu_.A(r, c) = scale_(r) * entry * scale_(c);
    }
  }
  lu_.factor(n);
}

template <class S>
void ContactSystem<S>::solve(std::span<ForestNode<S>> nodes, std::span<const int> contacts,
                             const ForestCut<S>& cut) {
  choose_rows(nodes, contacts, cut.node);
  const int n = static_cast<int>(rows_.size());
  // D is a product of quotients, so that nothing overflows: theory/forest.md eq. 13.
  factor(nodes, contacts, false);
  for (int r = 0; r < n; ++r) x_(r) = lu_.pivot(r);
  factor(nodes, contacts, true);
  S regularity = S(1.0);
  for (int r = 0; r < n; ++r) regularity = regularity * (lu_.pivot(r) / x_(r));

  for (int k = 0; k < static_cast<int>(contacts.size()); ++k) {
    ForestNode<S>& node = nodes[static_cast<std::size_t>(contacts[static_cast<std::size_t>(k)])];
    node.W = W_.template block<6, 6>(6 * k, 6 * k);
    node.regularity = regularity;
    node.f.setZero();
    if (contacts[static_cast<std::size_t>(k)] != cut.node) continue;
    node.f = cut.f;
    b_.head(size_) += W_.template block<Eigen::Dynamic, 6>(0, 6 * k, size_, 6) * cut.f;
  }
  for (int r = 0; r < n; ++r) x_(r) = -scale_(r) * b_(rows_[static_cast<std::size_t>(r)].at);
  lu_.solve(x_);
  for (int r = 0; r < n; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    ForestNode<S>& node =
        nodes[static_cast<std::size_t>(contacts[static_cast<std::size_t>(row.contact)])];
    const int at = row.at - 6 * row.contact;
    const S force = scale_(r) * x_(r);
    node.f(at) = node.f(at) + force;
    if (at == kNormalRow && gives_forces(node.law)) node.f -= force * node.given;
  }
}

template <class S>
void move_by_wrenches(std::span<ForestNode<S>> nodes, std::span<const int> tree, Biases biases) {
  const auto node = [&](int i) -> ForestNode<S>& { return nodes[static_cast<std::size_t>(i)]; };
  // First the wrench on each body, in `p_all`.
  for (const int i : tree) {
    node(i).p_all.setZero();
    if (biases == Biases::on) node(i).p_all = -stacked(node(i).p);
    if (node(i).held) node(i).p_all += stacked(transform(node(i).X_AC, as_wrench<S>(node(i).f)));
  }
  for (const int i : tree) {
    if (!node(i).held || node(i).parent == kGround) continue;
    node(node(i).parent).p_all -= stacked(transform(node(i).X_BC, as_wrench<S>(node(i).f)));
  }
  for (const int i : tree)
    node(i).a = as_twist<S>(detail::inverse_mass_times(node(i).body, node(i).p_all));
  for (const int i : tree) {
    if (!node(i).held) continue;
    node(i).w_rate = stacked(seen_from(node(i).X_AC, node(i).a));
    if (biases == Biases::on) node(i).w_rate += node(i).b;
    if (node(i).parent != kGround)
      node(i).w_rate -= stacked(seen_from(node(i).X_BC, node(node(i).parent).a));
  }
}

}  // namespace oloid::dynamics
