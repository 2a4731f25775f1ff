#include "oloid/io/record/json_summary.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::json_summary_test {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}
using Keys = std::vector<std::string>;

TEST(JsonSummary, HasExactlyTheDocumentedKeys) {
  const TestFolder folder;
  const auto writer = make_json_summary(folder / "s.json");
  ASSERT_TRUE(writer);
  play(**writer);
  EXPECT_FALSE((*writer)->trouble());
  const Json j = Json::parse(read_file(folder / "s.json"));
  EXPECT_EQ(keys(j),
            (Keys{"scene", "t_end", "wall_s", "steps", "rates_calls", "energy", "max_gap_error",
                  "hash", "bodies", "contacts", "certified", "events", "probes", "counters"}));
  EXPECT_EQ(keys(j["energy"]),
            (Keys{"initial", "final", "max_relative_drift", "dissipated", "work"}));
  EXPECT_EQ(j["energy"]["work"], 0.04);
  EXPECT_EQ(keys(j["bodies"][0]),
            (Keys{"name", "position", "quaternion_wxyz", "velocity", "angular_velocity"}));
  EXPECT_EQ(keys(j["events"][0]), (Keys{"t", "kind", "bodies", "pair", "contact", "features",
                                        "before", "after", "value", "note"}));
  ASSERT_EQ(j["contacts"].size(), 1u);
  EXPECT_EQ(j["contacts"][0], (Json{{"id", 0},
                                    {"pair", 0},
                                    {"bodies", {"ball, \"red\"", "table"}},
                                    {"t0", 1.0},
                                    {"t1", nullptr}}));
  EXPECT_EQ(j["events"][0]["value"], 0.25);
  EXPECT_EQ(j["events"][0]["note"], "grips");
  EXPECT_EQ(j["events"][1]["probe"], "cosine");
  EXPECT_EQ(j["events"][1]["value"], -1);
  EXPECT_EQ(j["events"][2]["probe"], "t - 3");
  ASSERT_EQ(j["probes"].size(), 2u);
  const Json& twice = j["probes"][0];
  EXPECT_EQ(keys(twice), (Keys{"name", "unit", "formula", "first", "last", "min", "max", "zeros"}));
  EXPECT_EQ(twice["first"], 0);
  EXPECT_EQ(twice["last"], 4);
  EXPECT_EQ(twice["max"], 4);
  EXPECT_EQ(twice["unit"], "s");
  EXPECT_TRUE(twice["zeros"].empty());
  EXPECT_EQ(j["probes"][1]["min"].get<double>(), std::cos(2.0) - 0.5);
  EXPECT_EQ(j["probes"][1]["zeros"], Json::array({sample_zero().t}));
  EXPECT_EQ(j["hash"], "fedcba9876543210");
  EXPECT_EQ(j["bodies"][1]["hash"], "0123456789abcdef");
  EXPECT_EQ(j["counters"]["witness_hits"], 6);
  EXPECT_EQ(j["counters"]["witness_misses"], 7);
  EXPECT_EQ(j["counters"]["newton_iterations"], 8);
  EXPECT_EQ(j["counters"]["closest_calls"], 5);
  EXPECT_EQ(j["steps"], 100);
  EXPECT_EQ(j["bodies"][1]["name"], "ball, \"red\"");
  EXPECT_EQ(j["bodies"][1]["position"][1].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(j["bodies"][1]["quaternion_wxyz"][0].get<double>(), std::cos(2.0));
  EXPECT_EQ(j["events"][0]["bodies"], Json::array({"ball, \"red\"", "table"}));
  EXPECT_EQ(j["events"][0]["contact"], 0);
  EXPECT_EQ(j["events"][0]["after"], "rolling");
  EXPECT_EQ(j["events"][3]["kind"], "end");
  EXPECT_EQ(keys(j["events"][3]),
            (Keys{"t", "kind", "bodies", "pair", "contact", "features", "before", "after"}));
  EXPECT_TRUE(j["events"][3]["contact"].is_null());
  EXPECT_TRUE(j["events"][3]["bodies"].empty());
}

TEST(JsonSummary, WritesNullForWhatIsNoNumber) {
  const TestFolder folder;
  const auto writer = make_json_summary(folder / "s.json");
  ASSERT_TRUE(writer);
  Header header = sample_header();
  header.scene_name = "broken \xff";
  (*writer)->begin(header);
  Summary summary = sample_summary();
  summary.energy.final = std::numeric_limits<double>::quiet_NaN();
  summary.bodies[0].velocity.x() = std::numeric_limits<double>::infinity();
  (*writer)->end(summary);
  const Json j = Json::parse(read_file(folder / "s.json"));
  EXPECT_TRUE(j["energy"]["final"].is_null());
  EXPECT_TRUE(j["bodies"][0]["velocity"][0].is_null());
}

TEST(JsonSummary, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_json_summary("/no/such/folder/s.json"));
  const auto writer = make_json_summary("/dev/full");
  ASSERT_TRUE(writer);
  play(**writer);
  EXPECT_TRUE((*writer)->trouble());
}

}  // namespace oloid::test::json_summary_test
