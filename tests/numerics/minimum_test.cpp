#include "oloid/numerics/minimum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::minimum_test {

TEST(Minimum, OfValleysAndVs) {
  for (const double where : {0.0, 0.003, 0.3, 0.5, 0.77, 1.0}) {
    const Minimum v = minimum([&](double t) { return 2 + std::abs(t - where); }, 8);
    EXPECT_NEAR(v.t, where, 1e-14);
    EXPECT_NEAR(v.value, 2, 1e-14);
    const Minimum valley = minimum([&](double t) { return (t - where) * (t - where); }, 8);
    EXPECT_NEAR(valley.t, where, 1e-8);
    EXPECT_NEAR(valley.value, 0, 1e-15);
  }
}

TEST(Minimum, IsTheLowestOfSeveral) {
  const auto f = [](double t) { return std::cos(20 * t) + 0.1 * t; };
  EXPECT_NEAR(minimum(f, 40).t, 0.157, 1e-3);
}

}  // namespace oloid::test::minimum_test
