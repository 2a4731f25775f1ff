// Solvers for a few unknowns without pivoting or branches, so that duals and packs run through.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/base/scalar.h"

namespace oloid::numerics {

// A = L D Lᵀ of a symmetric positive definite matrix; reads the lower triangle.
// `d` holds the pivots: all positive exactly when A is positive definite.
template <class S, int N>
struct Ldlt {
  Mat<S, N, N> L;  // unit lower triangle; the rest is not used
  Vec<S, N> d, inverse_d;

  explicit Ldlt(const Mat<S, N, N>& A) {
    for (int j = 0; j < N; ++j) {
      S pivot = A(j, j);
      for (int k = 0; k < j; ++k) pivot = pivot - L(j, k) * L(j, k) * d(k);
      d(j) = pivot;
      inverse_d(j) = S(1.0) / pivot;
      for (int i = j + 1; i < N; ++i) {
        S sum = A(i, j);
        for (int k = 0; k < j; ++k) sum = sum - L(i, k) * L(j, k) * d(k);
        L(i, j) = sum * inverse_d(j);
      }
    }
  }

  Vec<S, N> solve(Vec<S, N> b) const {
    for (int i = 1; i < N; ++i)
      for (int k = 0; k < i; ++k) b(i) = b(i) - L(i, k) * b(k);
    for (int i = 0; i < N; ++i) b(i) = b(i) * inverse_d(i);
    for (int i = N - 2; i >= 0; --i)
      for (int k = i + 1; k < N; ++k) b(i) = b(i) - L(k, i) * b(k);
    return b;
  }
};

// A = L U of a matrix whose leading blocks are all regular, so that no rows need to change places;
// matrices with a positive definite symmetric part are of this kind. `d` holds the pivots, the
// diagonal of U: their product is the determinant, and one near 0 says that the order fails.
template <class S, int N>
struct Lu {
  Mat<S, N, N> LU;  // unit lower triangle L below the diagonal, U above it
  Vec<S, N> d, inverse_d;

  explicit Lu(const Mat<S, N, N>& A) : LU(A) {
    for (int k = 0; k < N; ++k) {
      d(k) = LU(k, k);
      inverse_d(k) = S(1.0) / d(k);
      for (int i = k + 1; i < N; ++i) {
        LU(i, k) = LU(i, k) * inverse_d(k);
        for (int j = k + 1; j < N; ++j) LU(i, j) = LU(i, j) - LU(i, k) * LU(k, j);
      }
    }
  }

  Vec<S, N> solve(Vec<S, N> b) const {
    for (int i = 1; i < N; ++i)
      for (int k = 0; k < i; ++k) b(i) = b(i) - LU(i, k) * b(k);
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) b(i) = b(i) - LU(i, k) * b(k);
      b(i) = b(i) * inverse_d(i);
    }
    return b;
  }
};

// Any regular 2 × 2 matrix.
template <class S>
Mat2<S> inverse(const Mat2<S>& A) {
  const S s = S(1.0) / (A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0));
  Mat2<S> B;
  B << A(1, 1) * s, -A(0, 1) * s,  //
      -A(1, 0) * s, A(0, 0) * s;
  return B;
}

}  // namespace oloid::numerics
