// How far two values are apart, and the parts of duals and packs: what laws are stated with.
#pragma once

#include <cmath>
#include <limits>

#include "oloid/base/dual.h"
#include "oloid/base/linalg.h"
#include "oloid/base/pack.h"
#include "support/rooms.h"

namespace oloid::test {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

// The largest difference of components; NaN if there is one, so that `difference <= x` fails.
inline double difference(double a, double b) { return std::abs(a - b); }
template <class A, class B>
double difference(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
}

// Lane i of anything made of packs.
template <class Lanes>
double lane(const BasicPack<Lanes>& x, int i) {
  return x[i];
}
template <class T, int N>
Dual<double, N> lane(const Dual<T, N>& x, int i) {
  Dual<double, N> y(lane(x.v, i));
  for (int k = 0; k < N; ++k) y.d[k] = lane(x.d[k], i);
  return y;
}
template <class S, int Rows, int Cols>
auto lane(const Mat<S, Rows, Cols>& x, int i) {
  Mat<decltype(lane(x(0, 0), i)), Rows, Cols> y;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) y(r, c) = lane(x(r, c), i);
  return y;
}

// Value and k-th derivative of a matrix of duals.
template <class T, int N, int Rows, int Cols>
Mat<T, Rows, Cols> value(const Mat<Dual<T, N>, Rows, Cols>& x) {
  Mat<T, Rows, Cols> y;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) y(r, c) = x(r, c).v;
  return y;
}
template <class T, int N, int Rows, int Cols>
Mat<T, Rows, Cols> derivative(const Mat<Dual<T, N>, Rows, Cols>& x, int k) {
  Mat<T, Rows, Cols> y;
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) y(r, c) = x(r, c).d[k];
  return y;
}

// x + t x', a matrix that moves with time t.
template <int Rows, int Cols>
Mat<Dual<double, 1>, Rows, Cols> moving(const Mat<double, Rows, Cols>& x,
                                        const Mat<double, Rows, Cols>& rate) {
  Mat<Dual<double, 1>, Rows, Cols> y;
  for (int r = 0; r < Rows; ++r) {
    for (int c = 0; c < Cols; ++c) {
      y(r, c).v = x(r, c);
      y(r, c).d[0] = rate(r, c);
    }
  }
  return y;
}

}  // namespace oloid::test
