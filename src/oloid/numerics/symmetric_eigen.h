// Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations: no allocation, and
// small eigenvalues as exact as the entries allow.
#pragma once

#include <cmath>

#include "oloid/base/linalg.h"

namespace oloid::numerics {

template <int N>
struct SymmetricEigen {
  Vec<double, N> values;      // in no order
  Mat<double, N, N> vectors;  // columns

  // Of the upper left n × n block.
  explicit SymmetricEigen(Mat<double, N, N> A, int n = N) {
    constexpr int kMaxSweeps = 20;
    vectors.setIdentity();
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      bool turned = false;
      for (int p = 0; p < n; ++p)
        for (int q = p + 1; q < n; ++q) turned = rotate(A, p, q, n) || turned;
      if (!turned) break;
    }
    values = A.diagonal();
  }

 private:
  // Makes A(p, q) zero; false if it was, to round-off.
  bool rotate(Mat<double, N, N>& A, int p, int q, int n) {
    const double off = A(p, q);
    if (!(std::abs(off) > 1e-17 * (std::abs(A(p, p)) + std::abs(A(q, q))))) return false;
    const double theta = 0.5 * (A(q, q) - A(p, p)) / off;
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::hypot(t, 1.0), s = t * c;
    for (int k = 0; k < n; ++k) {
      const double kp = A(k, p), kq = A(k, q);
      A(k, p) = c * kp - s * kq;
      A(k, q) = s * kp + c * kq;
    }
    for (int k = 0; k < n; ++k) {
      const double pk = A(p, k), qk = A(q, k);
      A(p, k) = c * pk - s * qk;
      A(q, k) = s * pk + c * qk;
      const double vp = vectors(k, p), vq = vectors(k, q);
      vectors(k, p) = c * vp - s * vq;
      vectors(k, q) = s * vp + c * vq;
    }
    return true;
  }
};

// The same of a 2 × 2 matrix in closed form: the larger eigenvalue belongs to (cos angle, sin
// angle), the smaller to (−sin angle, cos angle). Of a matrix that is not quite symmetric, those of
// its symmetric part.
struct PrincipalValues {
  double larger, smaller;
  double angle;  // [rad]
};
inline PrincipalValues principal_values(const Mat2<double>& A) {
  const double mean = 0.5 * (A(0, 0) + A(1, 1));
  const double half = 0.5 * (A(0, 0) - A(1, 1)), mixed = 0.5 * (A(0, 1) + A(1, 0));
  const double radius = std::hypot(half, mixed);
  return {mean + radius, mean - radius, 0.5 * std::atan2(mixed, half)};
}

}  // namespace oloid::numerics
