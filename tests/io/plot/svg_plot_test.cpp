#include "oloid/io/plot/svg_plot.h"

#include <gtest/gtest.h>

#include <limits>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::svg_plot_test {

// Enough of XML to see that tags nest, attributes are quoted and nothing is left unescaped.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = xml.find('<', at)) != xml.npos) {
    const std::size_t end = xml.find('>', at);
    ASSERT_NE(end, xml.npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    EXPECT_EQ(tag.find('<'), tag.npos) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(xml.find("nan"), xml.npos);
  EXPECT_EQ(xml.find("inf"), xml.npos);
}

std::string drawing(int frames) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg");
  EXPECT_TRUE(plot);
  play(**plot, frames);
  EXPECT_FALSE((*plot)->trouble());
  return read_file(folder / "a.svg");
}

TEST(SvgPlot, DrawsPanelsModesAndEvents) {
  const std::string svg = drawing(201);
  expect_well_formed(svg);
  for (const char* part :
       {"Kugel &amp; &lt;Tisch&gt;", "Spin about the vertical, ball, &quot;red&quot; [rad/s]",
        "Energy [J]", "Normal force", "Slip speed", "sliding → rolling", "time [s]",
        "class=\"sliding\"", "class=\"rolling\"", "mode_change at 1 s", ">twice [s]<", ">cosine<",
        "prefers-color-scheme"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
}

// A run of three bodies in which only the last pair ever touches, with its modes one after another.
TEST(SvgPlot, DrawsThePairsThatTouchInAllTheirModes) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg");
  ASSERT_TRUE(plot);
  Header header = sample_header();
  header.bodies = {"table", "ball", "egg"};
  header.masses = {0, 2, 1};
  header.pairs =
      BodyPairs(std::vector<BodyPairs::Bodies>{{BodyId{1}, BodyId{0}}, {BodyId{2}, BodyId{0}}});
  (*plot)->begin(header);
  for (int k = 0; k < 70; ++k) {
    SampleFrame s = sample_frame(k);
    s.bodies.emplace_back();
    s.contacts = {ContactFrame{}, s.contacts[0]};
    s.contacts[1].pair = 1;
    s.contacts[1].mode = kModes[k / 10];
    s.frame.bodies = s.bodies;
    s.frame.contacts = s.contacts;
    (*plot)->frame(s.frame);
  }
  (*plot)->end(sample_summary());
  const std::string svg = read_file(folder / "a.svg");
  expect_well_formed(svg);
  EXPECT_NE(svg.find("Normal force, egg – table [N]"), std::string::npos);
  EXPECT_EQ(svg.find("ball – table"), std::string::npos);
  for (const Mode mode : kModes) {
    const std::string word(name(mode));
    EXPECT_NE(svg.find("class=\"" + word + "\""), std::string::npos) << word;
    EXPECT_NE(svg.find("." + word + " { fill: "), std::string::npos) << word;
    EXPECT_NE(svg.find(">" + word + "</text>"), std::string::npos) << word;  // in the legend
  }
}

TEST(SvgPlot, DrawsWorkOnlyIfThereIsSome) {
  const auto draw = [](double work) {
    const TestFolder folder;
    const auto plot = make_svg_plot(folder / "a.svg");
    EXPECT_TRUE(plot);
    (*plot)->begin(sample_header());
    for (int k = 0; k < 10; ++k) {
      SampleFrame s = sample_frame(k);
      s.frame.energy.work = work * k;
      (*plot)->frame(s.frame);
    }
    (*plot)->end(sample_summary());
    return read_file(folder / "a.svg");
  };
  EXPECT_NE(draw(-0.1).find(">work<"), std::string::npos);
  EXPECT_EQ(draw(0).find(">work<"), std::string::npos);
}

TEST(SvgPlot, SurvivesEmptyAndTinyRuns) {
  for (const int frames : {0, 1, 2}) expect_well_formed(drawing(frames));
}

TEST(SvgPlot, StaysSmallForLongRuns) {
  const std::string svg = drawing(200'000);
  expect_well_formed(svg);
  EXPECT_LT(svg.size(), 1'000'000u);
}

TEST(SvgPlot, SkipsWhatIsNoNumber) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg");
  ASSERT_TRUE(plot);
  Header header = sample_header();
  header.gravity = {0, 0, 0};
  (*plot)->begin(header);
  for (int k = 0; k < 10; ++k) {
    SampleFrame s = sample_frame(k);
    if (k == 5) {
      s.bodies[1].angular_velocity.z() = std::numeric_limits<double>::quiet_NaN();
      s.frame.energy.kinetic = std::numeric_limits<double>::infinity();
    }
    (*plot)->frame(s.frame);
  }
  (*plot)->end(sample_summary());
  expect_well_formed(read_file(folder / "a.svg"));
}

std::string drawing_of(const PlotRequest& request) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg", request);
  EXPECT_TRUE(plot);
  play(**plot);
  EXPECT_FALSE((*plot)->trouble());
  const std::string svg = read_file(folder / "a.svg");
  expect_well_formed(svg);
  return svg;
}

TEST(SvgPlot, DrawsWhatIsAskedForAndNothingElse) {
  const std::string svg = drawing_of({.what = "slip,twice", .note = "a note"});
  for (const char* part :
       {"Slip speed, ball, &quot;red&quot; – table [m/s]", ">twice [s]<", "a note"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  for (const char* part : {"Energy", "Mode", "cosine"})
    EXPECT_EQ(svg.find(part), std::string::npos) << part;
}

// Heights of the curve over time are those of the values: 2 t rises from the lower left.
TEST(SvgPlot, CurvesFollowTheirValues) {
  const std::string svg = drawing_of({.what = "twice"});
  const std::string begins = "<path class=\"c blue\" d=\"M";
  const auto at = svg.find(begins);
  ASSERT_NE(at, svg.npos);
  std::istringstream path(svg.substr(at + begins.size()));
  double x0 = 0, y0 = 0, x = 0, y = 0;
  char letter = 0;
  ASSERT_TRUE(path >> x0 >> y0);
  int points = 1;
  double middle = 0;
  for (; path >> letter && letter == 'L' && path >> x >> y; ++points)
    if (points == 100) middle = (y - y0) / (x - x0);
  EXPECT_EQ(points, 201);
  EXPECT_LT(y, y0 - 100);
  EXPECT_NEAR(middle, (y - y0) / (x - x0), 1e-3);  // a straight line
}

TEST(SvgPlot, KeepsToTheStretchOfTime) {
  const std::string svg = drawing_of({.what = "cosine", .from = 0.5, .to = 1.5});
  EXPECT_EQ(svg.find(">1.6<"), svg.npos);
  EXPECT_NE(svg.find(">0.5<"), svg.npos);
  EXPECT_NE(svg.find("mode_change at 1 s"), svg.npos);
  const std::string later = drawing_of({.what = "twice", .from = 1.2, .to = 1.4});
  EXPECT_EQ(later.find("mode_change"), later.npos);
}

TEST(SvgPlot, ThemesAreWhatTheySay) {
  const auto style = [](PlotTheme theme) { return drawing_of({.what = "twice", .theme = theme}); };
  EXPECT_NE(style(PlotTheme::adaptive).find("prefers-color-scheme"), std::string::npos);
  EXPECT_EQ(style(PlotTheme::dark).find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(style(PlotTheme::dark).find("#16181c"), std::string::npos);
  EXPECT_EQ(style(PlotTheme::light).find("#16181c"), std::string::npos);
}

// The sum stays where all energies are 0.
TEST(SvgPlot, DrawsEnergiesThatAreAllZero) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg", {.what = "energy"});
  ASSERT_TRUE(plot);
  (*plot)->begin(sample_header());
  for (int k = 0; k < 10; ++k) {
    SampleFrame s = sample_frame(k);
    s.frame.energy = {};
    (*plot)->frame(s.frame);
  }
  (*plot)->end(sample_summary());
  ASSERT_FALSE((*plot)->trouble());
  const std::string svg = read_file(folder / "a.svg");
  expect_well_formed(svg);
  EXPECT_NE(svg.find("Energy kinetic + potential [J]"), svg.npos);
  EXPECT_NE(svg.find("<path class=\"c blue\" d=\"M"), svg.npos);
}

TEST(SvgPlot, StretchesWithoutFramesAreTrouble) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg", {.from = 0.501, .to = 0.509});
  ASSERT_TRUE(plot);
  play(**plot);
  ASSERT_TRUE((*plot)->trouble());
  EXPECT_NE(to_string(*(*plot)->trouble()).find("frames at 0.5 and 0.51 s"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.svg"));
}

// Many chart crossings do not hide the impact after them, nor does chatter the one that stands
// alone.
TEST(SvgPlot, KeepsMarksThatStandAlone) {
  for (const EventKind kind : {EventKind::chart_crossing, EventKind::impact}) {
    const TestFolder folder;
    const auto plot = make_svg_plot(folder / "a.svg", {.what = "twice"});
    ASSERT_TRUE(plot);
    (*plot)->begin(sample_header());
    for (int k = 0; k <= 100; ++k) (*plot)->frame(sample_frame(2 * k).frame);
    const auto event = [&](double t, EventKind what) {
      Event e = sample_event();
      e.t = t;
      e.kind = what;
      (*plot)->event(e);
    };
    event(0.25, EventKind::impact);
    for (int i = 0; i < 50'000; ++i) event(0.5 + 1e-5 * i, kind);
    event(1.75, EventKind::impact);
    for (int i = 0; i < 50'000; ++i) event(1.8 + 1e-6 * i, kind);
    (*plot)->end(sample_summary());
    const std::string svg = read_file(folder / "a.svg");
    expect_well_formed(svg);
    for (const char* tip : {"impact at 0.25 s", "impact at 1.75 s"})
      EXPECT_NE(svg.find(tip), svg.npos) << tip;
    EXPECT_LT(svg.size(), 500'000u);
  }
}

// Chatter of more modes than are kept: long ones before and after stay what they were.
TEST(SvgPlot, KeepsLongModesAmongManyShortOnes) {
  const TestFolder folder;
  const auto plot = make_svg_plot(folder / "a.svg", {.what = "mode"});
  ASSERT_TRUE(plot);
  (*plot)->begin(sample_header());
  SampleFrame s = sample_frame(0);
  const auto frame = [&](double t, Mode mode) {
    s.frame.t = t;
    s.contacts[0].mode = mode;
    (*plot)->frame(s.frame);
  };
  frame(0, Mode::rest);
  frame(0.5, Mode::spinning);
  for (int i = 0; i < 100'000; ++i) frame(1 + 5e-6 * i, i % 2 == 0 ? Mode::sliding : Mode::rolling);
  frame(1.5, Mode::no_spin);
  frame(2, Mode::no_spin);
  (*plot)->end(sample_summary());
  const std::string svg = read_file(folder / "a.svg");
  expect_well_formed(svg);
  for (const char* span : {"rest, 0 to 0.5 s", "spinning, 0.5 to 1", "no_spin, 1.5 to 2 s"})
    EXPECT_NE(svg.find(span), svg.npos) << span;
  for (const char* mode : {"class=\"sliding\"", "class=\"rolling\""})
    EXPECT_NE(svg.find(mode), svg.npos) << mode;
}

TEST(SvgPlot, WhatDoesNotFitTheRunIsTrouble) {
  const TestFolder folder;
  write_file(folder / "a.svg", "precious");
  const auto plot = make_svg_plot(folder / "a.svg", {.what = "weather"});
  ASSERT_TRUE(plot);
  play(**plot);
  ASSERT_TRUE((*plot)->trouble());
  EXPECT_NE(to_string(*(*plot)->trouble()).find("weather"), std::string::npos);
  EXPECT_EQ(read_file(folder / "a.svg"), "precious");
}

TEST(SvgPlot, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_svg_plot("/no/such/folder/a.svg"));
  const auto plot = make_svg_plot("/dev/full");
  ASSERT_TRUE(plot);
  play(**plot);
  EXPECT_TRUE((*plot)->trouble());
}

}  // namespace oloid::test::svg_plot_test
