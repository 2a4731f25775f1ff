// Random numbers and matrices for rapidcheck. Failures shrink to short decimals and print the
// RC_PARAMS that replay them.
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

#include "oloid/base/linalg.h"
#include "support/rooms.h"

namespace oloid::test {

// Uniform in [−radius, radius] on a decimal grid.
inline rc::Gen<double> real(double radius = 1) {
  constexpr std::int64_t kSteps = 1000000;
  const auto zigzag = [radius](std::int64_t k) {
    const std::int64_t step = k % 2 == 0 ? k / 2 : -(k + 1) / 2;
    return radius * static_cast<double>(step) / static_cast<double>(kSteps);
  };
  return rc::gen::map(
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, 2 * kSteps + 1)), zigzag);
}

template <int Rows, int Cols = 1>
rc::Gen<Mat<double, Rows, Cols>> matrix(double radius = 1) {
  return rc::gen::exec([radius] {
    Mat<double, Rows, Cols> M;
    for (int c = 0; c < Cols; ++c)
      for (int r = 0; r < Rows; ++r) M(r, c) = *real(radius);
    return M;
  });
}

// Symmetric with eigenvalues of at least 1 and at most about 1 + N².
template <int N>
rc::Gen<Mat<double, N, N>> positive_definite() {
  return rc::gen::map(matrix<N, N>(), [](const Mat<double, N, N>& B) {
    return Mat<double, N, N>(B * B.transpose() + Mat<double, N, N>::Identity());
  });
}

}  // namespace oloid::test
