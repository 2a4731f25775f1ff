#include "oloid/io/plot/svg_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "support/rooms.h"

namespace oloid::test::svg_chart_test {

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::vector<Vec2<double>> rings(const std::string& svg) {
  std::vector<Vec2<double>> found;
  const std::regex ring("<circle[^>]*cx=\"([^\"]*)\" cy=\"([^\"]*)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), ring), end; it != end; ++it)
    found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return found;
}

ChartPanel marked(std::vector<Vec2<double>> points) {
  ChartPanel panel{"panel", "x", "y"};
  panel.marks.push_back({"", "blue", Mark::ring, std::move(points)});
  return panel;
}

TEST(SvgChart, EqualScalesKeepAngles) {
  for (const double height : {100.0, 700.0}) {
    ChartPanel panel = marked({{0, 0}, {3, 0}, {0, 3}});
    panel.equal_scales = true;
    const auto at = rings(svg_of({"title", {panel}, height}));
    ASSERT_EQ(at.size(), 3u);
    EXPECT_NEAR((at[1] - at[0]).norm(), (at[2] - at[0]).norm(), 0.11);  // of a tenth of a pixel
    EXPECT_GT(at[1].x(), at[0].x());
    EXPECT_LT(at[2].y(), at[0].y());  // up is up
  }
}

TEST(SvgChart, LogarithmicDecadesAreEquallyHigh) {
  ChartPanel panel = marked({{0, 1e-4}, {1, 1e-2}, {2, 1}, {3, 0}});
  panel.logarithmic_y = true;
  panel.least_y = 1e-6;
  const auto at = rings(svg_of({"title", {panel}}));
  ASSERT_EQ(at.size(), 4u);
  EXPECT_NEAR(at[0].y() - at[1].y(), at[1].y() - at[2].y(), 0.21);
  EXPECT_GT(at[3].y(), at[0].y());  // zero lies on the border
}

TEST(SvgChart, LogarithmicDecadesAreEquallyWide) {
  ChartPanel panel = marked({{10, 0}, {100, 0}, {1000, 1}});
  panel.logarithmic_x = true;
  const auto at = rings(svg_of({"title", {panel}}));
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR(at[1].x() - at[0].x(), at[2].x() - at[1].x(), 0.21);
}

TEST(SvgChart, NamedTicksReplaceNumbers) {
  ChartPanel panel = marked({{0, 0}, {1, 1}});
  panel.x_ticks = {{0, "left"}, {2, "right"}};
  const std::string svg = svg_of({"title", {panel}});
  EXPECT_EQ(count(svg, ">left</text>"), 1);
  EXPECT_EQ(count(svg, ">right</text>"), 1);
  const auto at = rings(svg);
  ASSERT_EQ(at.size(), 2u);
  EXPECT_NEAR(2 * (at[1].x() - at[0].x()), 960 - 66 - 18, 0.21);  // the axis reaches its last tick
}

TEST(SvgChart, RowsOfPanels) {
  Chart chart{"title", {marked({{0, 0}}), marked({{0, 0}}), marked({{0, 0}})}};
  chart.columns = 2;
  const auto at = rings(svg_of(chart));
  ASSERT_EQ(at.size(), 3u);
  EXPECT_LT(at[0].x(), at[1].x());
  EXPECT_EQ(at[0].y(), at[1].y());
  EXPECT_EQ(at[0].x(), at[2].x());
  EXPECT_GT(at[2].y(), at[0].y() + chart.height);
}

TEST(SvgChart, LegendNamesEachLabelOnce) {
  ChartPanel panel{"a < b", "x", "y"};
  panel.curves = {{"path", "red", {{0, 0}, {1, 1}}}, {"path", "red", {{0, 1}, {1, 2}}}};
  panel.rules = {{"path & all", "black dot", {0.5}}};
  panel.marks = {{"none", "red", Mark::dot, {}}};
  panel.bars = {{"", 0.5, {{0, 1}, {0.5, 0}}}};
  const std::string svg = svg_of({"title", {panel, panel}});
  EXPECT_EQ(count(svg, ">path</text>"), 1);
  EXPECT_EQ(count(svg, ">path &amp; all</text>"), 1);
  EXPECT_EQ(count(svg, ">none</text>"), 0);
  EXPECT_EQ(count(svg, "a &lt; b"), 2);
  EXPECT_EQ(count(svg, "class=\"bar\""), 2);  // empty ones are left out
  EXPECT_EQ(count(svg, "<svg"), 1);
  EXPECT_EQ(count(svg, "</svg>"), 1);
}

TEST(SvgChart, GapsLiftThePenAndNothingIsNotANumber) {
  ChartPanel panel{"panel", "x", "y"};
  panel.curves = {{"", "red", {{0, 0}, {1, NAN}, {2, 1}, {3, 2}}}};
  const std::string svg = svg_of({"title", {panel, {}}});
  EXPECT_EQ(count(svg, "nan"), 0);
  EXPECT_EQ(count(svg, "inf"), 0);
  const auto path = svg.find("class=\"c red\"");
  ASSERT_NE(path, std::string::npos);
  EXPECT_EQ(count(svg.substr(path, svg.find("/>", path) - path), "M"), 2);
}

}  // namespace oloid::test::svg_chart_test
