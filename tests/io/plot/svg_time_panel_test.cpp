#include "oloid/io/plot/svg_time_panel.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::svg_time_panel_test {

CurvePanel panel_of(double first, double last) {
  return {"heading", {{"label", "blue", {{0, 1, first, first, last, last}}}}};
}

TEST(SvgTimePanel, OnlyPanelsInWhichNothingChangesHaveAHeightOfTheirOwn) {
  EXPECT_TRUE(fixed_height({"empty", {}}));
  EXPECT_TRUE(fixed_height(panel_of(1, 1)));
  EXPECT_FALSE(fixed_height(panel_of(1, 2)));
}

TEST(SvgTimePanel, BandsStandBelowEachOther) {
  const TimeBand band{"one", {{0, 1, "rest"}}};
  EXPECT_GT(height_of({"two", {band, band}}), 2 * height_of({"one", {band}}));
}

TEST(SvgTimePanel, OneModeThroughoutNeedsNoLegend) {
  EXPECT_TRUE(entries_of(BandPanel{"one", {{"", {{0, 1, "rest"}}}}}).empty());
  EXPECT_EQ(entries_of(BandPanel{"one", {{"", {{0, 1, "rest"}, {1, 2, "rolling"}}}}}).size(), 2u);
  EXPECT_EQ(entries_of(panel_of(1, 2)).size(), 1u);
}

TEST(SvgTimePanel, DrawsWithinItsFrame) {
  SvgDrawing drawing;
  const TimeScale time{linear_axis(0, 1, 5, false), 80, 280};
  draw_body(drawing, time, panel_of(1, 2), 10, 100);
  const std::string svg = drawing.document(300, 120, "", "");
  EXPECT_NE(svg.find("<rect class=\"frame\" x=\"80.00\" y=\"10.00\" width=\"200.00\""), svg.npos);
  EXPECT_NE(svg.find("<path class=\"c blue\" d=\"M80.0 "), svg.npos);
}

}  // namespace oloid::test::svg_time_panel_test
