#include "oloid/io/plot/svg_time_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <regex>
#include <string>

#include "support/rooms.h"

namespace oloid::test::svg_time_plot_test {

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
  // Also where nothing changes, or there are no curves at all.
  const BandPanel band{"Mode", {{"", {{0, 1, "rest"}}}}};
  for (TimePlot still : {plot_of({flat, band, flat}), plot_of({band})}) {
    still.height = 500;
    EXPECT_EQ(height_of(svg_of(still)), 500);
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

// Whether a text is UTF-8, by its form.
bool is_utf8(const std::string& text) {
  std::size_t more = 0;  // bytes of a letter that are to come
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool within = byte >> 6u == 2;
    if (within != (more > 0)) return false;
    if (within) {
      --more;
    } else {
      more = byte < 0x80 ? 0 : byte >> 5u == 6 ? 1 : byte >> 4u == 14 ? 2 : 3;
    }
  }
  return more == 0;
}

TEST(SvgTimePlot, NamesAreCutBetweenLetters) {
  for (const std::string letter : {"ä", "€", "𝄞", "aä"}) {
    std::string name;
    for (int i = 0; i < 60; ++i) name += letter;
    for (const double width : {240.0, 300.0, 333.0, 400.0, 500.0, 700.0, 960.0}) {
      TimePlot plot =
          plot_of({BandPanel{"Mode", {{name, {{0, 1, "rest"}}}, {"b", {{0, 1, "rest"}}}}}});
      plot.width = width;
      const std::string svg = svg_of(plot);
      EXPECT_TRUE(is_utf8(svg)) << letter << " at " << width;
      EXPECT_EQ(count(svg, "…<title>"), 1) << letter << " at " << width;
      EXPECT_NE(svg.find(">" + letter.substr(0, 1)), svg.npos);
    }
  }
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Paths of curves, without their legends.
std::vector<std::string> paths(const std::string& svg, const std::string& style) {
  std::vector<std::string> found;
  const std::regex path("<path class=\"c " + style + "\" d=\"([^\"]*)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), path), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

// A contact shorter than a bin: neither its first nor its last sample is a number.
TEST(SvgTimePlot, WhatIsShorterThanABinIsDrawn) {
  const PlotBin none{0, 0.3, kNone, kNone, kNone, kNone}, brief{0.4, 0.6, kNone, 1, 2, kNone},
      begins{0.4, 0.6, kNone, 1, 2, 2}, ends{0.4, 0.6, 1, 1, 2, kNone};
  for (const PlotBin& bin : {brief, begins, ends}) {
    const std::string svg = svg_of(plot_of({CurvePanel{"a", {{"", "blue", {none, bin, none}}}}}));
    ASSERT_EQ(paths(svg, "blue").size(), 1u);
    EXPECT_NE(paths(svg, "blue")[0].find('L'), std::string::npos);
  }
  const PlotBin one{0.4, 0.6, kNone, 1, 1, kNone};
  const std::string svg = svg_of(plot_of({CurvePanel{"a", {{"", "blue", {none, one, none}}}}}));
  EXPECT_EQ(paths(svg, "blue").size(), 0u);
  EXPECT_EQ(paths(svg, "blue dot").size(), 1u);
}

TEST(SvgTimePlot, LoneSamplesAreDots) {
  const auto sample = [](double t, double value) {
    return PlotBin{t, t, value, value, value, value};
  };
  const TimeCurve curve{"",
                        "red dash",
                        {sample(0, 1), sample(0.2, kNone), sample(0.4, 2), sample(0.6, kNone),
                         sample(0.8, 1), sample(1, 2)}};
  const std::string svg = svg_of(plot_of({CurvePanel{"a", {curve}}}));
  ASSERT_EQ(paths(svg, "red dash dot").size(), 1u);
  EXPECT_EQ(count(paths(svg, "red dash dot")[0], "h0"), 2);
  ASSERT_EQ(paths(svg, "red dash").size(), 1u);
  EXPECT_EQ(count(paths(svg, "red dash")[0], "M"), 1);
}

// Modes that change faster than pixels can show leave no hole; a long one among them stays.
TEST(SvgTimePlot, ThinSpansFillTheBand) {
  TimeBand band;
  for (int i = 0; i < 20'000; ++i)
    band.spans.push_back({i / 40e3, (i + 1) / 40e3, i % 2 == 0 ? "sliding" : "rolling"});
  band.spans.push_back({0.5, 0.7, "rest"});
  band.spans.push_back({0.7, 0.7, "sliding"});
  for (int i = 0; i < 9'999; ++i)
    band.spans.push_back({0.7 + i * 3e-5, 0.7 + (i + 1) * 3e-5, i % 2 == 0 ? "rolling" : "rest"});
  band.spans.back().t1 = 1;
  const std::string svg = svg_of(plot_of({BandPanel{"Mode", {band}}}));
  const std::regex rect(
      "<rect class=\"(sliding|rolling|rest)\" x=\"([0-9.]+)\" y=\"[0-9.]+\" "
      "width=\"([0-9.]+)\" height=\"16\">");
  double to = 84, widest = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), rect), end; at != end; ++at) {
    EXPECT_LE(std::stod((*at)[2]), to + 0.02);
    to = std::stod((*at)[2]) + std::stod((*at)[3]);
    if ((*at)[1] == "rest") widest = std::max(widest, std::stod((*at)[3]));
  }
  EXPECT_NEAR(to, 960 - 24, 0.6);
  EXPECT_NEAR(widest, 0.2 * (960 - 24 - 84), 1);
  EXPECT_NE(svg.find(" and others, "), svg.npos);
  const BandPanel frame{"Mode", {{"", {{0.5, 0.5, "rest"}}}}};  // a run of one frame
  EXPECT_EQ(count(svg_of(plot_of({frame})), "<rect class=\"rest\""), 1);
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
  for (const double value : {0.0, 1e-17, 1e-16, 1e-300}) {
    panel.curves = {curve("", value, value)};
    const std::string tiny = svg_of(plot_of({panel}));
    EXPECT_EQ(tiny.find("nan"), std::string::npos);
    EXPECT_NE(tiny.find("10⁻¹⁶"), std::string::npos);
    EXPECT_EQ(paths(tiny, "blue").size(), 1u);
    EXPECT_EQ(tiny.find("no values"), std::string::npos);
  }
}

TEST(SvgTimePlot, PanelsWithoutValuesSaySo) {
  for (const bool logarithmic : {false, true}) {
    CurvePanel panel{"gap", {curve("", kNone, kNone)}};
    panel.logarithmic = logarithmic;
    const std::string svg = svg_of(plot_of({panel}));
    EXPECT_EQ(count(svg, ">no values</text>"), 1);
    EXPECT_EQ(count(svg, "text-anchor=\"end\""), 0);  // no ticks
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }
}

}  // namespace oloid::test::svg_time_plot_test
