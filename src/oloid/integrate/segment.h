// One step of an integration as a curve: a step is a curve, not a point.
#pragma once

#include "oloid/base/linalg.h"

namespace oloid::integrate {

// With s = (t − t0) / h, s̄ = 1 − s:
//   y = c0 + s (c1 + s̄ (c2 + s (c3 + s̄ (c4 + s (c5 + s̄ (c6 + s c7))))))
// c0 to c3 are the cubic Hermite interpolant; c4 to c7 raise it to order 7 (DOP853) or stay 0.
template <int N>
struct Segment {
  double t0 = 0, h = 0;  // [s]
  Mat<double, N, 8> c = Mat<double, N, 8>::Zero(N == Eigen::Dynamic ? 0 : N, 8);

  // For N = Eigen::Dynamic; otherwise does nothing. A curve has no guards.
  void resize(int n, int /*guards*/ = 0) {
    if constexpr (N == Eigen::Dynamic) c.setZero(n, 8);
  }

  double t1() const { return t0 + h; }

  // y of the same length as the curve: nothing is allocated.
  void at(double t, Vec<double, N>& y) const {
    const double s = (t - t0) / h, r = 1 - s;
    y = c.col(7);
    for (int i = 6; i >= 0; --i) y = c.col(i) + (i % 2 == 0 ? s : r) * y;
  }

  Vec<double, N> operator()(double t) const {
    Vec<double, N> y;
    at(t, y);
    return y;
  }

  void set_hermite(const Vec<double, N>& y0, const Vec<double, N>& dy0, const Vec<double, N>& y1,
                   const Vec<double, N>& dy1) {
    c.col(0) = y0;
    c.col(1) = y1 - y0;
    c.col(2) = h * dy0 - c.col(1);
    c.col(3) = 2 * c.col(1) - h * (dy0 + dy1);
    c.template rightCols<4>().setZero();
  }
};

}  // namespace oloid::integrate
