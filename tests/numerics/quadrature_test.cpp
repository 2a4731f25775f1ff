#include "oloid/numerics/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::quadrature_test {

TEST(GaussLegendre, IntegratesPolynomialsExactly) {
  for (int n = 1; n <= 60; ++n) {
    const GaussRule rule = gauss_legendre(n);
    for (int degree = 0; degree < 2 * n; ++degree) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.points.size(); ++i)
        sum += rule.weights[i] * std::pow(rule.points[i], degree);
      EXPECT_NEAR(sum * (degree + 1), 1, 1e-13) << n << " points, degree " << degree;
    }
  }
}

TEST(GaussLegendre, IsSymmetricAndInside) {
  const GaussRule rule = gauss_legendre(17);
  for (std::size_t i = 0; i < 17; ++i) {
    EXPECT_GT(rule.points[i], 0);
    EXPECT_LT(rule.points[i], 1);
    EXPECT_GT(rule.weights[i], 0);
    EXPECT_NEAR(rule.points[i] + rule.points[16 - i], 1, 1e-15);
  }
}

// Smooth, oscillating and with a root at its end: the interval is halved as often as it takes.
TEST(ConvergedIntegral, ReachesTheLastDigits) {
  const Vec<double, 3> sums = converged_integral(
      [](double t) { return Vec<double, 3>(std::exp(t), std::cos(40 * t), std::sqrt(t)); }, 0, 2);
  EXPECT_NEAR(sums(0), std::exp(2) - 1, 1e-14);
  EXPECT_NEAR(sums(1), std::sin(80) / 40, 1e-14);
  EXPECT_NEAR(sums(2), std::sqrt(8) * 2 / 3, 1e-13);
}

}  // namespace oloid::test::quadrature_test
