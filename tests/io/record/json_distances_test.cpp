// Distances as JSON: all keys, numbers that read back exactly, null where there is nothing.
#include "oloid/io/record/json_distances.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "support/rooms.h"

namespace oloid::test::json_distances_test {

using nlohmann::json;

TEST(JsonDistances, WritesWhatIsKnown) {
  BodyDistance distance;
  distance.bodies = {"a \"b\"", "c"};
  distance.overlap = true;
  NearPair& pair = distance.pairs.emplace_back();
  pair.status = "found";
  pair.phase = "penetrating";
  pair.gap = -0.1;
  pair.on[0].feature = "edge";
  pair.on[0].index = 7;
  pair.on[1].point = {1, 2, 1.0 / 3};
  pair.on[1].curvature << 1, 2, 2, 3;
  pair.relative_curvatures = Vec2<double>(1, 2);
  pair.condition = std::numeric_limits<double>::infinity();
  const json root = json::parse(json_distances("scene", std::vector{distance}));
  EXPECT_EQ(root["scene"], "scene");
  ASSERT_EQ(root["distances"].size(), 1u);
  const json& one = root["distances"][0];
  EXPECT_EQ(one["bodies"][0], "a \"b\"");
  EXPECT_EQ(one["overlap"], true);
  EXPECT_TRUE(one["farther"].is_null());
  EXPECT_TRUE(one["tried"].is_null());
  const json& written = one["pairs"][0];
  EXPECT_EQ(written["gap"].get<double>(), -0.1);
  EXPECT_EQ(written["A"]["feature"], "edge");
  EXPECT_EQ(written["A"]["index"], 7);
  EXPECT_EQ(written["B"]["point"][2].get<double>(), 1.0 / 3);
  EXPECT_EQ(written["B"]["curvature"], json::parse("[[1.0, 2.0], [2.0, 3.0]]"));
  EXPECT_EQ(written["relative_curvatures"].size(), 2u);
  EXPECT_TRUE(written["condition"].is_null());
}

TEST(JsonDistances, WritesTries) {
  BodyDistance distance;
  distance.tried = NearPair{};
  distance.tried->status = "no_convergence";
  const json one = json::parse(json_distances("", std::vector{distance}))["distances"][0];
  EXPECT_TRUE(one["pairs"].empty());
  EXPECT_EQ(one["tried"]["status"], "no_convergence");
  EXPECT_TRUE(one["tried"]["relative_curvatures"].is_null());
}

}  // namespace oloid::test::json_distances_test
