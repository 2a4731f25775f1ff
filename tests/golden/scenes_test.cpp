// Holds the scenes of the repository to what they did before: the sequence of events and the state
// after at most two seconds, before round-off has grown. A change that is meant to alter them is
// recorded with OLOID_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "oloid/io/scene_reader.h"
#include "oloid/world/advance.h"
#include "support/specs.h"

namespace oloid::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json numbers(const Vec3<double>& v) { return {v.x(), v.y(), v.z()}; }

json outcome(const Memory& m) {
  json result;
  for (const Event& e : m.events) {
    result["events"].push_back(
        {{"t", e.t}, {"kind", name(e.kind)}, {"before", name(e.before)}, {"after", name(e.after)}});
  }
  const BodyFrame& body = m.summary.bodies.at(0);
  result["position"] = numbers(body.position);
  result["velocity"] = numbers(body.velocity);
  result["angular_velocity"] = numbers(body.angular_velocity);
  return result;
}

void expect_same(const json& actual, const json& expected) {
  ASSERT_EQ(actual["events"].size(), expected["events"].size());
  for (std::size_t i = 0; i < actual["events"].size(); ++i) {
    const json &a = actual["events"][i], &e = expected["events"][i];
    EXPECT_EQ(a["kind"], e["kind"]) << i;
    EXPECT_EQ(a["before"], e["before"]) << i;
    EXPECT_EQ(a["after"], e["after"]) << i;
    EXPECT_NEAR(a["t"].get<double>(), e["t"].get<double>(), 1e-9) << i;
  }
  for (const char* key : {"position", "velocity", "angular_velocity"}) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double e = expected[key][i].get<double>();
      EXPECT_NEAR(actual[key][i].get<double>(), e, 1e-9 * std::max(1.0, std::abs(e))) << key << i;
    }
  }
}

TEST(Golden, ScenesDoWhatTheyDid) {
  int scenes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(OLOID_SCENES)) {
    if (entry.path().extension() != ".toml") continue;
    if (entry.path().parent_path().filename() == "apart") continue;  // not to be run
    SCOPED_TRACE(entry.path().filename());
    auto spec = read_scene(entry.path());
    ASSERT_TRUE(spec);
    spec->duration.value = std::min(spec->duration.value, 2.0);
    const auto model = compile(*spec);
    ASSERT_TRUE(model);
    State state = initial_state(*model);
    Memory memory;
    run(*model, state, memory);
    const json actual = outcome(memory);
    fs::path golden =
        fs::path(OLOID_TEST_DATA) / "golden" / fs::relative(entry.path(), OLOID_SCENES);
    golden.replace_extension(".json");
    if (std::getenv("OLOID_UPDATE_GOLDEN")) {
      fs::create_directories(golden.parent_path());
      std::ofstream(golden) << actual.dump(1) << "\n";
    }
    std::ifstream file(golden);
    ASSERT_TRUE(file) << golden << " is missing: run once with OLOID_UPDATE_GOLDEN=1";
    expect_same(actual, json::parse(file));
    ++scenes;
  }
  EXPECT_GE(scenes, 25);
}

}  // namespace
}  // namespace oloid::test
