#include "oloid/io/plot/plot_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/rooms.h"

namespace oloid::test::plot_series_test {

TEST(PlotSeries, KeepsFewSamplesAsTheyAre) {
  PlotSeries series(8);
  for (int i = 0; i < 8; ++i) series.add(i, i * i);
  const auto bins = series.bins(8);
  ASSERT_EQ(bins.size(), 8u);
  EXPECT_EQ(bins[3].t0, 3);
  EXPECT_EQ(bins[3].first, 9);
}

TEST(PlotSeries, KeepsExtremesOfLongRuns) {
  PlotSeries series(64);
  const int n = 100'000;
  for (int i = 0; i < n; ++i) series.add(i, i == 54'321 ? 7.0 : i == 777 ? -3.0 : 1.0);
  const auto bins = series.bins(40);
  EXPECT_LE(bins.size(), 40u);
  double high = 0, low = 0;
  for (const auto& bin : bins) {
    high = std::max(high, bin.high);
    low = std::min(low, bin.low);
  }
  EXPECT_EQ(high, 7);
  EXPECT_EQ(low, -3);
  EXPECT_EQ(bins.front().t0, 0);
  EXPECT_EQ(bins.back().t1, n - 1);
  for (std::size_t i = 1; i < bins.size(); ++i) EXPECT_EQ(bins[i].t0, bins[i - 1].t1 + 1);
}

// Wherever in a bin they are, they do not hide the numbers beside them.
TEST(PlotSeries, WhatIsNoNumberHidesNothing) {
  for (const int gap : {0, 1, 2, 3}) {
    PlotSeries series(4);
    for (int i = 0; i < 16; ++i) series.add(i, i % 4 == gap ? double(NAN) : i);
    for (const auto& bin : series.bins(4)) {
      EXPECT_EQ(bin.low, bin.t0 + (gap == 0));
      EXPECT_EQ(bin.high, bin.t1 - (gap == 3));
      EXPECT_EQ(std::isnan(bin.first), gap == 0);
      EXPECT_EQ(std::isnan(bin.last), gap == 3);
    }
  }
}

}  // namespace oloid::test::plot_series_test
