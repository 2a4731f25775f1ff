#include "oloid/base/largest.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/rooms.h"

namespace oloid::test::largest_test {

TEST(Largest, NaNIsNeverHidden) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(nan_or_max(1, 2), 2);
  EXPECT_EQ(nan_or_max(2, 1), 2);
  EXPECT_EQ(nan_or_max(-2, -1), -1);
  EXPECT_TRUE(std::isnan(nan_or_max(1, kNaN)));
  EXPECT_TRUE(std::isnan(nan_or_max(kNaN, 1)));
  EXPECT_TRUE(std::isnan(nan_or_max(kNaN, kNaN)));
}

}  // namespace oloid::test::largest_test
