// All contacts of a tree at once: every relative acceleration as a function of every wrench.
//
//   (ẇ_i; ·) = b_i + Σ_j W_ij f_j          docs/theory/forest.md eqs. 11 to 13
// with no contact obeying a law yet. W = J M⁻¹ Jᵀ is symmetric and positive definite, whatever the
// friction. Laws make it P W E x = −P b (law.h), solved with row exchanges: that fails only where
// the problem itself is singular, while the recursion of forest.h divides by what each contact
// would do alone.
#pragma once

#include <span>
#include <vector>

#include "oloid/dynamics/forest_node.h"
#include "oloid/numerics/dense_lu.h"

namespace oloid::dynamics {

template <class S>
class ContactSystem {
 public:
  // Memory for up to this many contacts; nothing else allocates.
  void reserve(int contacts) {
    if (6 * contacts <= b_.size()) return;
    W_.resize(6 * contacts, 6 * contacts);
    b_.resize(6 * contacts);
    x_.resize(6 * contacts);
    scale_.resize(6 * contacts);
    rows_.reserve(6 * static_cast<std::size_t>(contacts));
    lu_.reserve(6 * contacts);
  }

  // `contacts` are held nodes, with each one all others of its tree. W and b have six rows for each
  // of them, in their order.
  void assemble(std::span<const ForestNode<S>> nodes, std::span<const int> contacts, Biases biases);
  auto W() const { return W_.topLeftCorner(size_, size_); }
  auto b() const { return b_.head(size_); }

  // The wrenches that obey all laws but that of a cut, which is given, and W and regularity of the
  // same contacts.
  void solve(std::span<ForestNode<S>> nodes, std::span<const int> contacts,
             const ForestCut<S>& cut);

 private:
  // A row of W that a law constrains: P of law.h.
  struct Row {
    int at;       // in W
    int contact;  // in the list
  };
  void choose_rows(std::span<const ForestNode<S>> nodes, std::span<const int> contacts, int cut);
  void factor(std::span<const ForestNode<S>> nodes, std::span<const int> contacts, bool given);

  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> W_;
  Eigen::Matrix<S, Eigen::Dynamic, 1> b_, x_, scale_;
  int size_ = 0;
  std::vector<Row> rows_;
  numerics::DenseLu<S> lu_;
};

// The motion of bodies and contacts that the wrenches of the nodes cause, together with p and b.
template <class S>
void move_by_wrenches(std::span<ForestNode<S>> nodes, std::span<const int> tree, Biases biases);

// Compiled once, in contact_system.cpp. Other scalars: contact_system_solve.h.
extern template class ContactSystem<double>;
extern template void move_by_wrenches(std::span<ForestNode<double>>, std::span<const int>, Biases);

}  // namespace oloid::dynamics
