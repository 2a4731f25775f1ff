// Fixed-size vectors and matrices over any scalar: the vocabulary of all rooms.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "oloid/base/rooms.h"

namespace oloid::base {

template <class S, int Rows, int Cols>
using Mat = Eigen::Matrix<S, Rows, Cols>;
template <class S, int N>
using Vec = Eigen::Matrix<S, N, 1>;

template <class S>
using Vec2 = Vec<S, 2>;
template <class S>
using Vec3 = Vec<S, 3>;
template <class S>
using Vec5 = Vec<S, 5>;
template <class S>
using Vec6 = Vec<S, 6>;
template <class S>
using Mat2 = Mat<S, 2, 2>;
template <class S>
using Mat3 = Mat<S, 3, 3>;
template <class S>
using Mat6 = Mat<S, 6, 6>;

// [v] with [v] a = v × a.
template <class S>
Mat3<S> cross_matrix(const Vec3<S>& v) {
  Mat3<S> M;
  M << S(0), -v.z(), v.y(),  //
      v.z(), S(0), -v.x(),   //
      -v.y(), v.x(), S(0);
  return M;
}

}  // namespace oloid::base
