#include "oloid/io/plot/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::plot_axis_test {

TEST(LinearAxis, HoldsTheRangeWithRoundTicks) {
  const Axis axis = linear_axis(-3.7, 8.2, 4, true);
  EXPECT_LE(axis.low, -3.7);
  EXPECT_GE(axis.high, 8.2);
  EXPECT_GE(axis.ticks.size(), 3u);
  EXPECT_LE(axis.ticks.size(), 8u);
  EXPECT_DOUBLE_EQ(axis.fraction(axis.low), 0);
  EXPECT_DOUBLE_EQ(axis.fraction(axis.high), 1);
}

TEST(LinearAxis, GivesConstantsSomeRoom) {
  for (const double c : {0.0, 1.0, -2e-9, 1e300}) {
    const Axis axis = linear_axis(c, c, 4, true);
    EXPECT_LT(axis.low, c);
    EXPECT_GT(axis.high, c);
    EXPECT_LE(axis.ticks.size(), 10u);
  }
}

TEST(RoomyAxis, LeavesRoomOnBothSides) {
  const Axis axis = roomy_axis(2, 3, 5);
  EXPECT_LT(axis.low, 2);
  EXPECT_GT(axis.low, 1.9);
  EXPECT_GT(axis.high, 3);
  EXPECT_LT(axis.high, 3.1);
  for (const double tick : axis.ticks) EXPECT_GE(tick, axis.low);
  EXPECT_GE(axis.ticks.size(), 4u);
}

TEST(LogAxis, HasWholeDecades) {
  const Axis axis = log_axis(3e-16, 2e-9, 4);
  EXPECT_DOUBLE_EQ(axis.low, 1e-16);
  EXPECT_NEAR(std::log10(axis.high), -8, 1e-9);
  EXPECT_EQ(tick_label(axis, axis.ticks[0]), "10⁻¹⁶");
  EXPECT_EQ(axis.fraction(0), 0);  // zeros lie on the border
}

TEST(TickLabel, IsShort) {
  const Axis axis = linear_axis(-0.4, 0.4, 4, true);
  EXPECT_EQ(tick_label(axis, 0.2), "0.2");
  EXPECT_EQ(tick_label(axis, -0.2), "−0.2");
  EXPECT_EQ(tick_label(axis, 0), "0");
  EXPECT_EQ(tick_label(linear_axis(0, 100, 5, true), 20), "20");
  EXPECT_EQ(tick_label(linear_axis(0, 2e-5, 4, true), 1e-5), "1.0·10⁻⁵");
  EXPECT_EQ(tick_label(linear_axis(-3e7, 3e7, 4, true), -2e7), "−2·10⁷");
}

}  // namespace oloid::test::plot_axis_test
