#include "oloid/io/page/replay_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "io/sample_run.h"
#include "oloid/io/page/replay_template.h"
#include "oloid/io/plot/mode_colours.h"
#include "support/rooms.h"

namespace oloid::test::replay_page_test {

using Json = nlohmann::json;

// A page taken apart again, by a decoder of its own.
struct Page {
  Json meta;
  std::string blob;

  template <class T>
  std::vector<T> numbers(const Json& where) const {
    const auto offset = where.at("offset").get<std::size_t>();
    const auto count = where.at("count").get<std::size_t>();
    EXPECT_EQ(offset % 8, 0u);
    EXPECT_LE(offset + count * sizeof(T), blob.size());
    std::vector<T> values(count);
    std::memcpy(values.data(), blob.data() + offset, count * sizeof(T));
    return values;
  }
};

std::string element(const std::string& html, const std::string& id) {
  const std::size_t tag = html.find("id=\"" + id + "\""), start = html.find('>', tag) + 1;
  return html.substr(start, html.find("</script>", start) - start);
}

std::string decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;
    word = word << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 255);
    }
  }
  return bytes;
}

Page page_of(const std::string& path) {
  const std::string html = read_file(path);
  return {Json::parse(element(html, "oloid-meta")), decoded(element(html, "oloid-blob"))};
}

Page sample_page(int count = 201, const PageLimits& limits = {}) {
  const TestFolder folder;
  const auto page = make_replay_page(folder / "a.html", limits);
  EXPECT_TRUE(page);
  play(**page, count);
  EXPECT_FALSE((*page)->trouble());
  return page_of(folder / "a.html");
}

TEST(ReplayPage, TemplateHasOnePlaceForEach) {
  for (const std::string_view mark : {"<!--oloid:meta-->", "<!--oloid:blob-->"}) {
    const std::size_t first = kReplayTemplate.find(mark);
    ASSERT_NE(first, std::string_view::npos);
    EXPECT_EQ(kReplayTemplate.find(mark, first + 1), std::string_view::npos);
  }
  EXPECT_LT(kReplayTemplate.find("<!--oloid:meta-->"), kReplayTemplate.find("<!--oloid:blob-->"));
}

TEST(ReplayPage, HoldsTheRun) {
  const Page page = sample_page();
  const Json& meta = page.meta;
  EXPECT_EQ(meta["scene"], "Kugel & <Tisch>");
  EXPECT_EQ(meta["frames"], 201);
  EXPECT_EQ(meta["frames_recorded"], 201);
  EXPECT_EQ(meta["kept_every"], 1);
  const auto t = page.numbers<double>(meta["t"]);
  ASSERT_EQ(t.size(), 201u);
  const Json &ball = meta["bodies"][1], &contact = meta["contacts"][0];
  const auto position = page.numbers<float>(ball["position"]);
  const auto orientation = page.numbers<float>(ball["orientation"]);
  const auto mode = page.numbers<std::int8_t>(contact["mode"]);
  const auto slip = page.numbers<float>(contact["slip"]);
  const auto force = page.numbers<float>(contact["normal_force"]);
  const auto moment = page.numbers<float>(contact["moment"]);
  const auto kinetic = page.numbers<float>(meta["energy"]["kinetic"]);
  const auto cosine = page.numbers<float>(meta["probes"][1]["values"]);
  for (int k = 0; k < 201; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const SampleFrame s = sample_frame(k);
    EXPECT_EQ(t[i], s.frame.t);
    EXPECT_EQ(position[3 * i + 1], static_cast<float>(s.bodies[1].position.y()));
    EXPECT_EQ(orientation[4 * i + 3], static_cast<float>(s.bodies[1].orientation.z));
    EXPECT_EQ(mode[i], static_cast<int>(s.contacts[0].mode));
    EXPECT_EQ(slip[3 * i], static_cast<float>(s.contacts[0].slip.x()));
    EXPECT_EQ(force[i], static_cast<float>(s.contacts[0].normal_force));
    EXPECT_EQ(moment[3 * i + 2], static_cast<float>(s.contacts[0].moment.z()));
    EXPECT_EQ(kinetic[i], static_cast<float>(s.frame.energy.kinetic));
    EXPECT_EQ(cosine[i], static_cast<float>(s.probes[1]));
  }
  EXPECT_EQ(contact["a"], 1);
  EXPECT_EQ(contact["friction"], 0.25);
  EXPECT_EQ(contact["static_friction"], "unlimited");
  EXPECT_EQ(meta["modes"][3], "rolling");
  EXPECT_EQ(meta["mode_colours"]["light"][3], colours_of(Mode::rolling).on_light);
  EXPECT_EQ(meta["mode_colours"]["dark"].size(), meta["modes"].size());
  EXPECT_EQ(meta["events"][0]["quiet"], false);
  EXPECT_EQ(meta["events"][0]["text"], "mode_change: sliding -> rolling (grips)");
  EXPECT_EQ(meta["events"].size(), meta["events_recorded"].get<std::size_t>());
}

// E + D − L − E(0) is 0.01 t − 0.02 t here; the reference is 3 J + 0.75 J.
TEST(ReplayPage, ShowsTheErrorOfTheEnergyBook) {
  const Page page = sample_page();
  const auto error = page.numbers<float>(page.meta["energy"]["error"]);
  for (std::size_t i = 0; i < error.size(); ++i)
    EXPECT_NEAR(error[i], 0.01 * (0.01 * static_cast<double>(i)) / 3.75, 1e-9);
}

TEST(ReplayPage, HasTrianglesAndLines) {
  const Page page = sample_page();
  EXPECT_TRUE(page.meta["bodies"][0]["mesh"].is_null());
  const Json& ball = page.meta["bodies"][1];
  EXPECT_EQ(page.numbers<std::uint32_t>(ball["mesh"]["triangles"]),
            (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(page.numbers<float>(ball["mesh"]["vertices"])[3], 1.0f);
  EXPECT_EQ(page.numbers<std::uint32_t>(ball["borders"]["starts"]),
            (std::vector<std::uint32_t>{0, 2, 5}));
  EXPECT_EQ(page.numbers<float>(ball["lines"]["points"]),
            (std::vector<float>{0, 0.5f, 0, 0.5f, 0.5f, 0}));
}

// A scene of many pairs: those that never touch are left out, the others keep their events.
TEST(ReplayPage, LeavesOutPairsThatNeverTouch) {
  const TestFolder folder;
  const auto page = make_replay_page(folder / "a.html");
  ASSERT_TRUE(page);
  Header header = sample_header();
  header.pairs = BodyPairs(std::vector<BodyPairs::Bodies>(20, {BodyId{1}, BodyId{0}}));
  (*page)->begin(header);
  for (int k = 0; k < 10; ++k) {
    SampleFrame s = sample_frame(k);
    s.contacts.assign(20, ContactFrame{});
    for (int i = 0; i < 20; ++i) s.contacts[static_cast<std::size_t>(i)].pair = i;
    if (k == 5) s.contacts[13].mode = Mode::rolling, s.contacts[13].normal_force = 7;
    s.frame.contacts = s.contacts;
    (*page)->frame(s.frame);
  }
  Event e = sample_event();
  e.pair = 13;
  (*page)->event(e);
  (*page)->end(sample_summary());
  const Page read = page_of(folder / "a.html");
  ASSERT_EQ(read.meta["contacts"].size(), 1u);
  EXPECT_EQ(read.meta["contacts_recorded"], 20);
  const Json& contact = read.meta["contacts"][0];
  EXPECT_EQ(contact["friction"], 0.25);
  EXPECT_EQ(read.meta["events"][0]["contact"], 0);
  const auto mode = read.numbers<std::int8_t>(contact["mode"]);
  const auto force = read.numbers<float>(contact["normal_force"]);
  ASSERT_EQ(mode.size(), 10u);
  EXPECT_EQ(mode[4], 0);
  EXPECT_EQ(mode[5], 3);
  EXPECT_EQ(force[5], 7);
  EXPECT_TRUE(std::isnan(force[4]));  // nothing is known of it before it first closes
  EXPECT_EQ(force[6], 0);
}

// Equal bodies share their triangles.
TEST(ReplayPage, KeepsEqualArraysOnce) {
  const TestFolder folder;
  const auto page = make_replay_page(folder / "a.html");
  ASSERT_TRUE(page);
  Header header = sample_header();
  header.meshes[0] = header.meshes[1];
  (*page)->begin(header);
  (*page)->frame(sample_frame(0).frame);
  (*page)->end(sample_summary());
  const Json bodies = page_of(folder / "a.html").meta["bodies"];
  EXPECT_EQ(bodies[0]["mesh"], bodies[1]["mesh"]);
  EXPECT_NE(bodies[0]["mesh"]["vertices"], bodies[0]["mesh"]["normals"]);
}

TEST(ReplayPage, SaysWhatItLeavesOut) {
  const Page page = sample_page(2000, {60 * 100, 3});
  EXPECT_GT(page.meta["kept_every"], 1);
  EXPECT_EQ(page.meta["frames_recorded"], 2000);
  const auto t = page.numbers<double>(page.meta["t"]);
  EXPECT_EQ(t.back(), sample_frame(1999).frame.t);
  EXPECT_EQ(page.meta["events"].size(), 3u);
  EXPECT_EQ(page.meta["events_recorded"], 4);
}

// Text that a scene brings along stays text.
TEST(ReplayPage, LetsNoTextOut) {
  const TestFolder folder;
  const auto page = make_replay_page(folder / "a.html");
  ASSERT_TRUE(page);
  Header header = sample_header();
  header.scene_text = "# a.toml\n# </script><script>alert(1)</script> \xff broken\noloid = 1\n";
  header.bodies[1] = "<!--oloid:blob-->";
  (*page)->begin(header);
  (*page)->frame(sample_frame(0).frame);
  (*page)->end(sample_summary());
  const std::string html = read_file(folder / "a.html");
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  const Page read = page_of(folder / "a.html");
  EXPECT_EQ(read.meta["bodies"][1]["name"], "<!--oloid:blob-->");
  EXPECT_NE(read.meta["about"].get<std::string>().find("alert(1)"), std::string::npos);
  EXPECT_FALSE(read.meta["complete"].get<bool>());
}

TEST(ReplayPage, ShowsARunWithoutFrames) {
  const TestFolder folder;
  const auto page = make_replay_page(folder / "a.html");
  ASSERT_TRUE(page);
  (*page)->begin(sample_header());
  (*page)->end(Summary{});
  const Page read = page_of(folder / "a.html");
  EXPECT_EQ(read.meta["frames"], 0);
  EXPECT_TRUE(read.meta["summary"].is_null());
}

TEST(ReplayPage, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_replay_page("/no/such/folder/a.html"));
  const auto page = make_replay_page("/dev/full");
  ASSERT_TRUE(page);
  play(**page);
  ASSERT_TRUE((*page)->trouble());
  EXPECT_NE(to_string(*(*page)->trouble()).find("/dev/full"), std::string::npos);
}

}  // namespace oloid::test::replay_page_test
