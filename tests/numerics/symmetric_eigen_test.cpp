#include "oloid/numerics/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/rooms.h"

namespace oloid::test::symmetric_eigen_test {

// A v = λ v with orthonormal v, for whole matrices and upper left blocks, regular or of low rank.
TEST(SymmetricEigen, VectorsAreEigenvectors) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int n = 2; n <= 6; ++n) {
    for (int rank = 1; rank <= n; ++rank) {
      Mat<double, 6, 6> A = Mat<double, 6, 6>::Identity();
      A.topLeftCorner(n, n).setZero();
      for (int k = 0; k < rank; ++k) {
        Vec<double, 6> v = Vec<double, 6>::Zero();
        for (int i = 0; i < n; ++i) v(i) = uniform(engine);
        A += uniform(engine) * v * v.transpose();
      }
      const SymmetricEigen<6> eigen(A, n);
      const auto V = eigen.vectors.topLeftCorner(n, n);
      const Eigen::MatrixXd block = A.topLeftCorner(n, n);
      const Eigen::MatrixXd D = eigen.values.head(n).asDiagonal();
      EXPECT_LE((block * V - V * D).norm(), 1e-14 * block.norm());
      EXPECT_LE((V.transpose() * V - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-14);
    }
  }
}

TEST(PrincipalValues, BelongToTheirDirections) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 100; ++k) {
    Mat2<double> A;
    A << uniform(engine), uniform(engine), 0, uniform(engine);
    A(1, 0) = A(0, 1);
    const PrincipalValues at = principal_values(A);
    const Vec2<double> x(std::cos(at.angle), std::sin(at.angle)), y(-x.y(), x.x());
    EXPECT_GE(at.larger, at.smaller);
    EXPECT_LE((A * x - at.larger * x).norm(), 1e-15);
    EXPECT_LE((A * y - at.smaller * y).norm(), 1e-15);
  }
  const PrincipalValues equal = principal_values(3 * Mat2<double>::Identity());
  EXPECT_EQ(equal.larger, 3);
  EXPECT_EQ(equal.smaller, 3);
}

}  // namespace oloid::test::symmetric_eigen_test
