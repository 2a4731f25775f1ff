#include "oloid/io/scene_text/scene_override.h"

#include <gtest/gtest.h>

#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::scene_override_test {

constexpr const char* kScene = R"(oloid = 1
duration = 1
[parameters]
r = 0.1
d = "2*r"
[[material]]
name = "felt"
friction = 0.2
[[body]]
name = "table top"
fixed = true
shape.type = "plane"
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, "r"]
shape = { type = "sphere", radius = "d/2" }
[[load]]
body = "ball"
force = [1, 2, 3]
)";

Result<Spec, Errors> with(std::vector<std::string> overrides) {
  SceneOptions options;
  options.overrides = std::move(overrides);
  return parse_scene(kScene, "scene.toml", options);
}

Spec good(std::vector<std::string> overrides) {
  auto scene = with(std::move(overrides));
  EXPECT_TRUE(scene) << to_string(scene.error()[0]);
  return scene ? *std::move(scene) : Spec{};
}

std::string told(const std::string& text) {
  const auto scene = with({text});
  EXPECT_FALSE(scene) << text;
  return scene ? "" : to_string(scene.error()[0]);
}

TEST(SceneOverride, ReplacesValues) {
  const Spec spec = good({"body.ball.velocity=[1,0,0]", "parameters.r=0.2", "solver.rtol = 1e-12",
                          "body[1].mass=2", "solver.method=rk4", "body.'table top'.material=felt",
                          "material[0].friction=\"unlimited\"", "load[0].force[2]=sin(t)*d",
                          "duration=3", "output.dt=r/10", "name=two words"});
  EXPECT_EQ(spec.bodies[1].velocity.value, Vec3<double>(1, 0, 0));
  EXPECT_EQ(std::get<SphereSpec>(spec.bodies[1].shape.value).radius.value, 0.2);
  EXPECT_EQ(spec.bodies[1].position.value.z(), 0.2);
  EXPECT_EQ(spec.bodies[1].mass->value, 2);
  EXPECT_EQ(spec.solver.rtol.value, 1e-12);
  EXPECT_EQ(spec.solver.method.value, Method::rk4);
  EXPECT_EQ(spec.bodies[0].material->value, "felt");
  EXPECT_TRUE(std::isinf(spec.materials[0].law.friction->value));
  EXPECT_EQ(spec.loads[0].force->value[2], "sin(t)*(0.4)");
  EXPECT_EQ(spec.duration.value, 3);
  EXPECT_EQ(spec.output_dt.value, 0.02);
  EXPECT_EQ(spec.name, "two words");
  EXPECT_EQ(spec.duration.place.file, "--set duration=3");
  EXPECT_EQ(spec.overrides.size(), 11U);
  EXPECT_EQ(spec.text, kScene);
}

TEST(SceneOverride, TakesTablesAndTheLastOfSeveral) {
  const Spec spec = good({"body.ball.shape={ type = \"box\", size = [1, 2, \"r\"] }",
                          "body.ball.shape.size[0]=5", "duration=2", "duration=\"4\""});
  EXPECT_EQ(std::get<BoxSpec>(spec.bodies[1].shape.value).size.value, Vec3<double>(5, 2, 0.1));
  EXPECT_EQ(spec.duration.value, 4);
}

// What was kept of a run gives the same scene again.
TEST(SceneOverride, IsRepeatedFromWhatIsKept) {
  const Spec first = good({"parameters.r=0.3"});
  SceneOptions kept;
  kept.overrides = first.overrides;
  kept.files = first.files;
  const auto again = parse_scene(first.text, first.file, kept);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bodies[1].position.value, first.bodies[1].position.value);
}

TEST(SceneOverride, RefusesPathsThatLeadNowhere) {
  EXPECT_EQ(told("body.bal.mass=2"),
            "--set body.bal.mass=2: no body named \"bal\" (did you mean body.ball?)");
  EXPECT_EQ(told("body.cup.mass=2"),
            "--set body.cup.mass=2: no body named \"cup\" (available: table top, ball; or "
            "use an index counted from 0: body[0])");
  EXPECT_EQ(told("load.wind.force=[1,2,3]"),
            "--set load.wind.force=[1,2,3]: no load named \"wind\" (none of them has a name; or "
            "use an index counted from 0: load[0])");
  EXPECT_EQ(told("body[2].mass=2"),
            "--set body[2].mass=2: body has 2 items (they are body[0] to body[1])");
  EXPECT_EQ(told("solvr.rtol=1"),
            "--set solvr.rtol=1 solvr: unknown key `solvr` (did you mean `solver`?)");
  EXPECT_EQ(told("body.ball.velocty=[1,2,3]"),
            "--set body.ball.velocty=[1,2,3] body[1].velocty: unknown key `velocty` (did you mean "
            "`velocity`?)");
  EXPECT_EQ(told("parameters.R=2"),
            "--set parameters.R=2: the scene has no parameter \"R\" (available: d, r)");
  EXPECT_EQ(told("duration.x=2"),
            "--set duration.x=2: duration is the integer 1 and has no keys (end the path at "
            "duration)");
  EXPECT_EQ(told("duration[0]=2"),
            "--set duration[0]=2: duration is not a list (omit the index in brackets)");
  EXPECT_EQ(told("body.ball.angular_velocity[0]=1"),
            "--set body.ball.angular_velocity[0]=1: the scene does not set "
            "body.ball.angular_velocity, so no item of it can be changed (set the whole list: "
            "--set 'body.ball.angular_velocity=[...]')");
  EXPECT_EQ(told("probe[0].name=x"),
            "--set probe[0].name=x: the scene has no probe (add [[probe]] to the scene, or set the "
            "whole list: --set 'probe=[{ ... }]')");
  EXPECT_NE(told("probe.height.unit=m").find("the scene has no probe"), std::string::npos);
  EXPECT_EQ(told("body.it's.mass=2"),
            "--set body.it's.mass=2: no body named \"it's\" (available: table top, ball; "
            "or use an index counted from 0: body[0])");
  EXPECT_NE(told("body.'table top.mass=2").find("unclosed quote in the path"), std::string::npos);
  for (const char* path :
       {"", ".a", "a.", "a..b", "a[", "a[x]", "a[-1]", "a[0", "[0]", "a b", "a\"b"})
    EXPECT_NE(told(std::string(path) + "=1").find("--set "), std::string::npos) << path;
  EXPECT_NE(told("duration").find("the = is missing"), std::string::npos);
  EXPECT_NE(told("include=\"a.toml\"").find("cannot be set"), std::string::npos);
  EXPECT_NE(told("oloid=1").find("cannot be set"), std::string::npos);
}

TEST(SceneOverride, TellsOfTwinsWithoutALine) {
  EXPECT_EQ(told("body[0].name=ball"),
            "scene.toml:14:8 body[1].name: two bodies are named \"ball\"; the other one is in "
            "--set body[0].name=ball (names must be unique)");
}

TEST(SceneOverride, TakesTextInUtf8Only) {
  EXPECT_EQ(good({"name=\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xB1"}).name,
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xB1");
  // Not a first byte, cut, overlong, half of a pair, beyond the last character.
  for (const char* bad : {"\xFF", "\x80", "\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF",
                          "\xF0\x80\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    EXPECT_EQ(told(std::string("name=a") + bad),
              "--set name=a...: byte 7 is not valid UTF-8 (use a UTF-8 terminal)");
  }
  // Long texts are cut between characters.
  const std::string cut = told("nam=" + std::string(95, 'x') + "\xC3\xA9\xC3\xA9");
  EXPECT_NE(cut.find("xx... nam: unknown key"), std::string::npos) << cut;
}

TEST(SceneOverride, RefusesWrongValuesAtTheirPlace) {
  EXPECT_EQ(told("body.ball.velocity=[1,0]"),
            "--set body.ball.velocity=[1,0] body[1].velocity: expected 3 numbers, got an array of "
            "2 (write it like [0, 0, 0.1])");
  EXPECT_NE(told("solver.method=rk5").find("did you mean \"rk4\"?"), std::string::npos);
  EXPECT_NE(told("duration=").find("the value is missing"), std::string::npos);
  EXPECT_NE(told("duration=[1").find("not valid TOML"), std::string::npos);
  EXPECT_NE(told("duration=1\noutput.dt=2").find("more than one value"), std::string::npos);
  EXPECT_NE(told("parameters.r=1/0").find("is not a finite number"), std::string::npos);
  EXPECT_NE(told("parameters.r=d").find("depend on each other: r -> d -> r"), std::string::npos);
  EXPECT_NE(told("name=a\x01").find("control character"), std::string::npos);
  const std::string cut = told("name=" + std::string(1000, 'x') + "\x01");
  EXPECT_LT(cut.size(), 300U);
}

}  // namespace oloid::test::scene_override_test
