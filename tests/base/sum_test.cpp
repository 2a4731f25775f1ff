#include "oloid/base/sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::sum_test {

// Terms that come and go leave nothing behind; plain addition leaves 1e-16 of the largest each
// time.
TEST(CompensatedSum, ForgetsWhatIsTakenOut) {
  CompensatedSum sum;
  double plain = 0;
  sum.add(1e-3);
  plain += 1e-3;
  double x = 0.1;
  sum.add(x);
  plain += x;
  for (int i = 0; i < 100'000; ++i) {
    const double next = 1e3 / (1 + i % 17);
    sum.replace(x, next);
    plain += next - x;
    x = next;
  }
  sum.add(-x);
  plain -= x;
  EXPECT_NEAR(sum.value(), 1e-3, 1e-18);
  EXPECT_GT(std::abs(plain - 1e-3), 1e-15);
}

}  // namespace oloid::test::sum_test
