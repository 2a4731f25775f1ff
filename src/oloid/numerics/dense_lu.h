// LU with row exchanges for sizes known at run time, in memory that is kept.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <utility>
#include <vector>

#include "oloid/base/contract.h"
#include "oloid/base/scalar.h"

namespace oloid::numerics {

template <class S>
class DenseLu {
 public:
  // Memory for up to n unknowns.
  void reserve(int n) {
    if (n <= A.rows()) return;
    A.resize(n, n);
    row_.resize(static_cast<std::size_t>(n));
    x_.resize(n);
  }

  // To be set in its leading block before `factor`, which overwrites it.
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> A;

  void factor(int n) {
    OLOID_EXPECT(n <= A.rows());
    n_ = n;
    odd_ = false;
    for (int i = 0; i < n; ++i) row_[static_cast<std::size_t>(i)] = i;
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i) {
        if (std::abs(primal(A(i, k))) > std::abs(primal(A(best, k)))) best = i;
      }
      if (best != k) {
        A.row(k).head(n).swap(A.row(best).head(n));
        std::swap(row_[static_cast<std::size_t>(k)], row_[static_cast<std::size_t>(best)]);
        odd_ = !odd_;
      }
      for (int i = k + 1; i < n; ++i) {
        A(i, k) = A(i, k) / A(k, k);
        for (int j = k + 1; j < n; ++j) A(i, j) = A(i, j) - A(i, k) * A(k, j);
      }
    }
  }

  // The determinant is their product.
  S pivot(int k) const { return odd_ && k == 0 ? S(-A(k, k)) : A(k, k); }

  // x on entry is the right-hand side, of n entries.
  template <class Vector>
  void solve(Vector&& x) {
    for (int i = 0; i < n_; ++i) {
      x_(i) = x(row_[static_cast<std::size_t>(i)]);
      for (int k = 0; k < i; ++k) x_(i) = x_(i) - A(i, k) * x_(k);
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < n_; ++k) x_(i) = x_(i) - A(i, k) * x_(k);
      x_(i) = x_(i) / A(i, i);
    }
    for (int i = 0; i < n_; ++i) x(i) = x_(i);
  }

 private:
  int n_ = 0;
  bool odd_ = false;      // number of exchanges
  std::vector<int> row_;  // that came to place i
  Eigen::Matrix<S, Eigen::Dynamic, 1> x_;
};

}  // namespace oloid::numerics
