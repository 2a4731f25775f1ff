#include "oloid/io/svg_plot.h"

#include <gtest/gtest.h>

#include <limits>

#include "io/sample_run.h"

namespace oloid {
namespace {

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
       {"Kugel &amp; &lt;Tisch&gt;", "Spin of ball, &quot;red&quot;", "Energy [J]", "Normal force",
        "Slip speed", "time [s]", "class=\"sliding\"", "class=\"rolling\"", "mode_change at 1 s",
        ">twice [s]<", ">cosine<", "prefers-color-scheme"}) {
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
  header.contacts = {{BodyId{1}, BodyId{0}}, {BodyId{2}, BodyId{0}}};
  (*plot)->begin(header);
  for (int k = 0; k < 70; ++k) {
    SampleFrame s = sample_frame(k);
    s.bodies.emplace_back();
    s.contacts = {ContactFrame{}, s.contacts[0]};
    s.contacts[1].mode = kModes[k / 10];
    s.frame.bodies = s.bodies;
    s.frame.contacts = s.contacts;
    (*plot)->frame(s.frame);
  }
  (*plot)->end(sample_summary());
  const std::string svg = read_file(folder / "a.svg");
  expect_well_formed(svg);
  EXPECT_NE(svg.find("Normal force egg on table"), std::string::npos);
  EXPECT_EQ(svg.find("ball on table: "), std::string::npos);
  for (const Mode mode : kModes) {
    const std::string word(name(mode));
    EXPECT_NE(svg.find("class=\"" + word + "\""), std::string::npos) << word;
    EXPECT_NE(svg.find("." + word + " { fill: "), std::string::npos) << word;
    EXPECT_NE(svg.find("egg on table: " + word), std::string::npos) << word;
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

TEST(SvgPlot, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_svg_plot("/no/such/folder/a.svg"));
  const auto plot = make_svg_plot("/dev/full");
  ASSERT_TRUE(plot);
  play(**plot);
  EXPECT_TRUE((*plot)->trouble());
}

}  // namespace
}  // namespace oloid
