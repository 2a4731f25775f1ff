#include "oloid/io/plot/plot_captions.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::plot_captions_test {

PlotCaptions captions(const Header& header, const std::vector<PlotCurve>& curves) {
  std::vector<const PlotCurve*> pointers;
  for (const PlotCurve& curve : curves) pointers.push_back(&curve);
  return {header, pointers};
}

TEST(PlotCaptions, WhatAllShareIsInTheHeading) {
  const Header header = sample_header();
  const auto panels = plot_panels(header, "position.x+position.y", {});
  ASSERT_TRUE(panels);
  const PlotCaptions two = captions(header, panels->front().curves);
  EXPECT_EQ(two.heading("m").substr(0, 8), "Position");
  EXPECT_NE(two.heading("m").find("[m]"), std::string::npos);
  EXPECT_EQ(two.label(0), "x");
  EXPECT_EQ(two.label(1), "y");
}

TEST(PlotCaptions, EventsInWords) {
  const Header header = sample_header();
  Event event;
  event.kind = EventKind::take_off;
  EXPECT_EQ(event_label(header, event), "take off");
  event.kind = EventKind::mode_change;
  event.before = Mode::sliding;
  event.after = Mode::rolling;
  EXPECT_EQ(event_label(header, event), "sliding → rolling");
}

}  // namespace oloid::test::plot_captions_test
