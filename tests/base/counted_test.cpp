#include "oloid/base/counted.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::counted_test {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(12, "patch", "patches"), "12 patches");
  EXPECT_EQ(counted(1, "patch", "patches"), "1 patch");
}

}  // namespace oloid::test::counted_test
