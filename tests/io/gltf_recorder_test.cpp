#include "oloid/io/gltf_recorder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/parsed_glb.h"
#include "io/sample_run.h"

namespace oloid {
namespace {

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

}  // namespace
}  // namespace oloid
