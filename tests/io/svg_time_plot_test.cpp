#include "oloid/io/svg_time_plot.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace oloid {
namespace {

TimeCurve curve(const std::string& label, double from, double to) {
  return {label, "blue", {{0, 0, from, from, from, from}, {1, 1, to, to, to, to}}};
}

TimePlot plot_of(std::vector<std::variant<CurvePanel, BandPanel>> panels) {
  TimePlot plot;
  plot.title = "title";
  plot.panels = std::move(panels);
  return plot;
}

double height_of(const std::string& svg) {
  std::smatch found;
  return std::regex_search(svg, found, std::regex("height=\"([0-9]+)\" role")) ? std::stod(found[1])
                                                                               : 0;
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(SvgTimePlot, PanelsInWhichNothingChangesAreLow) {
  const CurvePanel lively{"a", {curve("", 0, 1)}}, flat{"a", {curve("", 2, 2)}},
      nearly{"a", {curve("", 2, 2 + 1e-12)}}, two{"a", {curve("x", 2, 2), curve("y", 3, 3)}};
  const double high = height_of(svg_of(plot_of({lively}))),
               low = height_of(svg_of(plot_of({flat})));
  EXPECT_GT(high, low + 200);
  EXPECT_EQ(height_of(svg_of(plot_of({nearly}))), low);
  const double steps = height_of(svg_of(plot_of({two})));
  EXPECT_GT(steps, low);
  EXPECT_LT(steps, high);
  EXPECT_NE(svg_of(plot_of({flat})).find(">2</text>"), std::string::npos);
}

TEST(SvgTimePlot, IsAsHighAsItIsToldTo) {
  const CurvePanel lively{"a", {curve("", 0, 1)}}, flat{"a", {curve("", 2, 2)}};
  for (const double height : {500.0, 900.0}) {
    TimePlot plot = plot_of({lively, flat, lively});
    plot.height = height;
    EXPECT_EQ(height_of(svg_of(plot)), height);
  }
  TimePlot plot = plot_of({lively, lively, lively});
  plot.height = 10;  // too low for its panels
  EXPECT_GT(height_of(svg_of(plot)), 3 * kLeastPanel);
}

TEST(SvgTimePlot, BandsNameTheirModes) {
  const BandPanel panel{"Mode", {{"one", {{0, 0.5, "sliding"}, {0.5, 1, "rolling"}}}}};
  const std::string svg = svg_of(plot_of({panel}));
  EXPECT_EQ(count(svg, ">sliding</text>"), 2);  // in the legend and on the band
  EXPECT_EQ(count(svg, "<title>one: rolling, 0.5 to 1 s</title>"), 1);
  const BandPanel single{"Mode", {{"", {{0, 1, "rest"}}}}};
  EXPECT_EQ(count(svg_of(plot_of({single})), ">rest</text>"), 1);  // on the band only
}

// Names at the left of bands get the room they need, within bounds.
TEST(SvgTimePlot, LongNamesOfBandsAreShortened) {
  const std::string name(200, 'x');
  const BandPanel panel{"Mode", {{name + "é", {{0, 1, "rest"}}}, {"b", {{0, 1, "rest"}}}}};
  const std::string svg = svg_of(plot_of({panel}));
  EXPECT_NE(svg.find("…<title>" + name + "é</title>"), std::string::npos);
  EXPECT_EQ(count(svg, ">" + name + "é<title>"), 0);
}

TEST(SvgTimePlot, FewMarksHaveLabelsManyAreShort) {
  const auto draw = [](int n) {
    TimePlot plot =
        plot_of({CurvePanel{"a", {curve("", 0, 1)}}, CurvePanel{"b", {curve("", 0, 1)}}});
    for (int i = 0; i < n; ++i) plot.marks.push_back({(i + 0.5) / n, "bang", "bang & more", false});
    return svg_of(plot);
  };
  const std::string few = draw(3), many = draw(200);
  EXPECT_EQ(count(few, ">bang</text>"), 3);
  EXPECT_EQ(count(few, "class=\"event\""), 6);  // through both panels
  EXPECT_EQ(count(few, "class=\"tick\""), 3);
  EXPECT_NE(few.find("bang &amp; more"), std::string::npos);
  EXPECT_EQ(count(many, ">bang</text>"), 0);
  EXPECT_EQ(count(many, "class=\"event\""), 0);
  EXPECT_EQ(count(many, "class=\"tick\""), 200);
}

TEST(SvgTimePlot, LabelsThatWouldOverlapAreLeftOut) {
  TimePlot plot = plot_of({CurvePanel{"a", {curve("", 0, 1)}}});
  plot.marks = {{0.5, "first", "", false}, {0.51, "second", "", false}, {0.9, "third", "", false}};
  const std::string svg = svg_of(plot);
  EXPECT_EQ(count(svg, ">first</text>"), 1);
  EXPECT_EQ(count(svg, ">second</text>"), 0);
  EXPECT_EQ(count(svg, ">third</text>"), 1);
}

// A legend that does not fit beside its heading goes below: the picture grows.
TEST(SvgTimePlot, LongLegendsTakeMoreLines) {
  CurvePanel panel{"heading", {}};
  for (int i = 0; i < 12; ++i) panel.curves.push_back(curve("quite a long name", 0, i + 1));
  CurvePanel plain = panel;
  for (TimeCurve& c : plain.curves) c.label.clear();
  EXPECT_GT(height_of(svg_of(plot_of({panel}))), height_of(svg_of(plot_of({plain}))) + 17);
  EXPECT_EQ(count(svg_of(plot_of({panel})), ">quite a long name</text>"), 12);
}

TEST(SvgTimePlot, LogarithmicPanelsPutZeroOnTheBorder) {
  CurvePanel panel{"error", {curve("", 0, 1e-3)}};
  panel.logarithmic = true;
  const std::string svg = svg_of(plot_of({panel}));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("10⁻³"), std::string::npos);
}

}  // namespace
}  // namespace oloid
