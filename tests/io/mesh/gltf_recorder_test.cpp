#include "oloid/io/mesh/gltf_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>

#include "io/parsed_glb.h"
#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::gltf_recorder_test {

Glb recorded(const std::vector<std::pair<double, Mode>>& frames, GltfOptions options = {}) {
  const TestFolder folder;
  const auto recorder = make_gltf_recorder(folder / "a.glb", options);
  EXPECT_TRUE(recorder);
  (*recorder)->begin(sample_header());
  for (const auto& [t, mode] : frames) {
    SampleFrame s = sample_frame(static_cast<int>(std::lround(100 * t)));
    s.frame.t = t;
    s.contacts[0].mode = mode;
    s.contacts[0].point_A =
        mode == Mode::separated ? Vec3<double>(NAN, NAN, NAN) : Vec3<double>(t, 0, 0);
    (*recorder)->frame(s.frame);
  }
  (*recorder)->end(sample_summary());
  EXPECT_FALSE((*recorder)->trouble());
  return parsed(read_file(folder / "a.glb"));
}

// Times that are equal as floats are one key: the later of both frames.
TEST(GltfRecorder, TimesIncrease) {
  const Glb glb = recorded({{0, Mode::rolling},
                            {0.5, Mode::sliding},
                            {0.5, Mode::rolling},
                            {0.5 + 1e-12, Mode::rolling},
                            {1, Mode::rolling}});
  const Json& sampler = glb.json["animations"][0]["samplers"][0];
  EXPECT_EQ(glb.floats(sampler["input"]), (std::vector<float>{0, 0.5f, 1}));
  EXPECT_EQ(glb.floats(sampler["output"]).size(), 9u);
  EXPECT_EQ(glb.json["nodes"].size(), 3u);
  EXPECT_FALSE(glb.json["nodes"][1].contains("mesh"));  // the table has none
  EXPECT_TRUE(glb.json["nodes"][2].contains("mesh"));
}

TEST(GltfRecorder, ShowsContactsWhileTheyAreClosed) {
  const Glb glb = recorded({{0, Mode::separated},
                            {0.1, Mode::separated},
                            {0.2, Mode::sliding},
                            {0.3, Mode::separated},
                            {0.4, Mode::rolling}},
                           {.contacts = true});
  ASSERT_EQ(glb.json["nodes"].size(), 4u);
  EXPECT_EQ(glb.json["nodes"][3]["name"], "contact ball, \"red\"-table");
  const Json& animation = glb.json["animations"][0];
  bool seen = false;
  for (const Json& channel : animation["channels"]) {
    if (channel["target"]["node"] != 3) continue;
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const auto values = glb.floats(sampler["output"]);
    ASSERT_EQ(values.size(), 15u);
    if (channel["target"]["path"] == "scale") {
      EXPECT_EQ(sampler["interpolation"], "STEP");
      EXPECT_EQ(values[3], 0);
      EXPECT_EQ(values[6], 1);
      EXPECT_EQ(values[9], 0);
      EXPECT_EQ(values[12], 1);
      seen = true;
    } else {
      for (const float x : values) EXPECT_TRUE(std::isfinite(x));
      EXPECT_EQ(values[0], 0.2f);
      EXPECT_EQ(values[9], 0.2f);
      EXPECT_EQ(values[12], 0.4f);
    }
  }
  EXPECT_TRUE(seen);
  EXPECT_EQ(recorded({{0, Mode::separated}, {1, Mode::separated}}, {.contacts = true})
                .json["nodes"]
                .size(),
            3u);
}

// Late runs keep their frames apart: time starts with the first of them.
TEST(GltfRecorder, TimeStartsAtTheFirstFrame) {
  const TestFolder folder;
  const auto recorder = make_gltf_recorder(folder / "a.glb");
  ASSERT_TRUE(recorder);
  (*recorder)->begin(sample_header());
  for (int k = 0; k < 100; ++k) {
    SampleFrame s = sample_frame(k);
    s.frame.t += 1e6;
    (*recorder)->frame(s.frame);
    if (k == 50) (*recorder)->frame(s.frame);  // before and after an event
  }
  (*recorder)->end(sample_summary());
  EXPECT_EQ((*recorder)->key_frames(), 100u);
  EXPECT_EQ((*recorder)->left_out(), 0u);
  const Glb glb = parsed(read_file(folder / "a.glb"));
  const auto times = glb.floats(glb.json["animations"][0]["samplers"][0]["input"]);
  ASSERT_EQ(times.size(), 100u);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], 0.01 * static_cast<double>(k), 1e-6);
}

// Each spoils a frame.
const std::vector<std::function<void(SampleFrame&)>> kSpoilers = {
    [](SampleFrame& s) { s.bodies[1].position.x() = NAN; },
    [](SampleFrame& s) { s.bodies[0].position.z() = 1e300; },
    [](SampleFrame& s) {
      s.bodies[1].orientation = {0, 0, 0, 0};
    },
    [](SampleFrame& s) { s.bodies[1].orientation.y = INFINITY; },
    [](SampleFrame& s) { s.frame.t = NAN; },
    [](SampleFrame& s) { s.frame.t = -1; }};

TEST(GltfRecorder, LeavesOutFramesThatAreNoPoses) {
  for (const auto& spoil : kSpoilers) {
    const TestFolder folder;
    const auto recorder = make_gltf_recorder(folder / "a.glb", {.contacts = true});
    ASSERT_TRUE(recorder);
    (*recorder)->begin(sample_header());
    for (int k = 0; k < 10; ++k) {
      SampleFrame s = sample_frame(k);
      if (k == 4 || k == 5) spoil(s);
      (*recorder)->frame(s.frame);
    }
    (*recorder)->end(sample_summary());
    EXPECT_FALSE((*recorder)->trouble());
    EXPECT_EQ((*recorder)->key_frames(), 8u);
    EXPECT_EQ((*recorder)->left_out(), 2u);
    const Glb glb = parsed(read_file(folder / "a.glb"));
    for (const Json& sampler : glb.json["animations"][0]["samplers"]) {
      const auto times = glb.floats(sampler["input"]);
      EXPECT_EQ(times.size(), 8u);
      EXPECT_TRUE(std::is_sorted(times.begin(), times.end(), std::less_equal<>()));
      for (const float x : glb.floats(sampler["output"])) EXPECT_TRUE(std::isfinite(x));
    }
  }
}

TEST(GltfRecorder, RefusesToWriteNoFrameAtAll) {
  const TestFolder folder;
  const auto recorder = make_gltf_recorder(folder / "a.glb");
  ASSERT_TRUE(recorder);
  (*recorder)->begin(sample_header());
  for (int k = 0; k < 3; ++k) {
    SampleFrame s = sample_frame(k);
    kSpoilers[0](s);
    (*recorder)->frame(s.frame);
  }
  (*recorder)->end(sample_summary());
  ASSERT_TRUE((*recorder)->trouble());
  EXPECT_NE(to_string(*(*recorder)->trouble()).find("no frame can be written"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.glb"));
}

// A contact that is closed only in a frame that gives way to the one after an event is never seen.
TEST(GltfRecorder, ContactsThatNoKeyShowsHaveNoMark) {
  const Glb glb = recorded(
      {{0, Mode::separated}, {0.5, Mode::rolling}, {0.5, Mode::separated}, {1, Mode::separated}},
      {.contacts = true});
  EXPECT_EQ(glb.json["nodes"].size(), 3u);
}

// The ball that marks a contact is closed and its triangles face outwards.
TEST(GltfRecorder, MarksAreBalls) {
  const Glb glb = recorded({{0, Mode::rolling}, {1, Mode::rolling}}, {.contacts = true});
  const Json& mesh = glb.json["meshes"].back()["primitives"][0];
  const auto p = glb.floats(mesh["attributes"]["POSITION"]);
  const Json& a = glb.json["accessors"][mesh["indices"].get<std::size_t>()];
  const std::size_t offset =
      glb.json["bufferViews"][a["bufferView"].get<std::size_t>()]["byteOffset"];
  const std::size_t n = a["count"];
  std::vector<std::uint16_t> index(n);
  std::memcpy(index.data(), glb.bytes.data() + offset, 2 * n);
  double volume = 0;
  const auto corner = [&](std::size_t i) {
    return Vec3<double>(p[3u * index[i]], p[3u * index[i] + 1], p[3u * index[i] + 2]);
  };
  for (std::size_t i = 0; i < n; i += 3)
    volume += corner(i).dot(corner(i + 1).cross(corner(i + 2))) / 6;
  const double r = 0.03;  // of a mesh of size 1
  EXPECT_GT(volume, 0.85 * 4 / 3 * std::numbers::pi * r * r * r);
  EXPECT_LT(volume, 4.0 / 3 * std::numbers::pi * r * r * r);
}

TEST(GltfRecorder, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_gltf_recorder("/no/such/folder/a.glb"));
  const auto recorder = make_gltf_recorder("/dev/full");
  ASSERT_TRUE(recorder);
  play(**recorder);
  EXPECT_TRUE((*recorder)->trouble());
}

}  // namespace oloid::test::gltf_recorder_test
