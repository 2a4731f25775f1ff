#include "oloid/numerics/dense_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::dense_lu_test {

TEST(DenseLu, SolvesAndKnowsTheDeterminant) {
  DenseLu<double> lu;
  lu.reserve(9);
  for_random_cases(200, [&](Random& random) {
    const int n = 1 + static_cast<int>(random(0, 9));
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b(i) = random(-1, 1);
      for (int j = 0; j < n; ++j) A(i, j) = i == j && random(0, 1) < 0.5 ? 0 : random(-1, 1);
    }
    if (std::abs(A.determinant()) < 1e-3) return;
    lu.A.topLeftCorner(n, n) = A;
    lu.factor(n);
    Eigen::VectorXd x = b;
    lu.solve(x);
    EXPECT_LE((A * x - b).norm(), 1e-12 * (1 + x.norm()));
    double determinant = 1;
    for (int k = 0; k < n; ++k) determinant *= lu.pivot(k);
    EXPECT_NEAR(determinant, A.determinant(), 1e-12);
  });
}

}  // namespace oloid::test::dense_lu_test
