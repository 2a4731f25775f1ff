#include "oloid/integrate/dop853_coefficients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/rooms.h"

namespace oloid::test::dop853_coefficients_test {

using namespace dop853;

std::vector<double> row(int stage) {
  std::vector<double> a(kDenseStages, 0.0);
  for (int i = kRowStart[static_cast<std::size_t>(stage)];
       i < kRowStart[static_cast<std::size_t>(stage) + 1]; ++i) {
    a[static_cast<std::size_t>(kA[static_cast<std::size_t>(i)].stage)] =
        kA[static_cast<std::size_t>(i)].factor;
  }
  return a;
}

TEST(Dop853Coefficients, RowsSumToTheirNodes) {
  for (int i = 0; i < kDenseStages; ++i) {
    double sum = 0;
    for (double a : row(i)) sum += a;
    EXPECT_NEAR(sum, kC[static_cast<std::size_t>(i)], 3e-14) << "stage " << i;
  }
}

TEST(Dop853Coefficients, QuadratureConditionsHoldToOrderEight) {
  for (int k = 0; k < 8; ++k) {
    double sum = 0;
    for (const Term& b : kB) sum += b.factor * std::pow(kC[static_cast<std::size_t>(b.stage)], k);
    EXPECT_NEAR(sum, 1.0 / (k + 1), 2e-15) << "order " << k + 1;
  }
  double ninth = 0;
  for (const Term& b : kB) ninth += b.factor * std::pow(kC[static_cast<std::size_t>(b.stage)], 8);
  EXPECT_GT(std::abs(ninth - 1.0 / 9), 1e-8);  // and not by accident beyond
}

// Σ b_i a_ij c_j^k = 1 / ((k + 1) (k + 2)) for the tall trees up to order 8.
TEST(Dop853Coefficients, TallTreeConditionsHold) {
  for (int k = 0; k < 6; ++k) {
    double sum = 0;
    for (const Term& b : kB) {
      const std::vector<double> a = row(b.stage);
      for (std::size_t j = 0; j < a.size(); ++j) sum += b.factor * a[j] * std::pow(kC[j], k);
    }
    EXPECT_NEAR(sum, 1.0 / ((k + 1) * (k + 2)), 1e-14) << "k " << k;  // factors reach 40: round-off
  }
}

TEST(Dop853Coefficients, LastStageIsTheFirstOfTheNextStep) {
  const std::vector<double> a = row(kStages);
  for (const Term& b : kB) EXPECT_EQ(a[static_cast<std::size_t>(b.stage)], b.factor);
}

TEST(Dop853Coefficients, ErrorEstimatesVanishForConstantAndLinearRates) {
  const auto moment = [](const auto& terms, int k) {
    double sum = 0;
    for (const Term& e : terms)
      sum += e.factor * std::pow(kC[static_cast<std::size_t>(e.stage)], k);
    return sum;
  };
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(moment(kE5, k), 0, 1e-14) << k;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(moment(kE3, k), 0, 1e-14) << k;
}

}  // namespace oloid::test::dop853_coefficients_test
