// Scenes with something wrong are refused, with the place and a remedy.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/sample_run.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::bad_scenes_test {

// A scene with one thing wrong, and words that the complaint must contain.
struct BadScene {
  const char* name;
  std::string text;
  std::vector<std::string> words;
};

void PrintTo(const BadScene& bad, std::ostream* out) { *out << bad.name; }

const std::string kTop = "oloid = 1\nduration = 1\n";
const std::string kBody = kTop + "[[body]]\nname = \"a\"\n";
std::string with_shape(const std::string& shape) { return kBody + "shape = { " + shape + " }\n"; }
std::string with_key(const std::string& key) { return kBody + key + "\nshape.type = \"plane\"\n"; }

const BadScene kBad[] = {
    {"empty", "", {"bad.toml", "empty", "oloid = 1"}},
    {"blank", " \n\t\r\n", {"bad.toml", "empty"}},
    {"syntax", "oloid = \n", {"bad.toml:1:", "not valid TOML"}},
    {"unclosed_bracket", kTop + "gravity = [0, 0\n", {"bad.toml:", "not valid TOML"}},
    {"duplicate_key", kTop + "duration = 2\n", {"bad.toml:3:", "not valid TOML"}},
    {"broken_utf8", kTop + "name = \"\xc3\x28\"\n", {"bad.toml:3:", "utf-8"}},
    {"binary", std::string("\x89HDF\r\n\x1a\n\0\0", 10), {"bad.toml:1:", "not valid TOML"}},
    {"triple_bracket", kTop + "[[[body]]]\n", {"bad.toml:3:1", "not valid TOML"}},
    {"deep_nesting", kTop + "name = " + std::string(5000, '['), {"bad.toml:3:", "not valid TOML"}},
    {"no_version",
     "duration = 1\n[[body]]\nname = \"a\"\nshape.type = \"plane\"\n",
     {"bad.toml:1:1", "oloid", "missing"}},
    {"newer_version", "oloid = 2\nfuture = true\n", {"bad.toml:1:9 oloid", "version 2", "newer"}},
    {"older_version", "oloid = 0\n", {"bad.toml:1:9", "version 0", "oloid = 1"}},
    {"version_as_text",
     "oloid = \"1\"\nduration = 1\nbody = []\n",
     {"bad.toml:1:9 oloid", "integer", "without"}},
    {"no_duration", "oloid = 1\nbody = []\n", {"bad.toml:1:1 duration", "missing", " in s>"}},
    {"no_body", kTop, {"bad.toml:1:1 body", "missing"}},
    {"unknown_top_key",
     kTop + "duratoin = 2\nbody = []\n",
     {"bad.toml:3:1 duratoin", "did you mean `duration`?"}},
    {"unknown_far_key",
     kTop + "colour = 2\nbody = []\n",
     {"bad.toml:3:1 colour", "unknown key", "available keys: oloid, name"}},
    {"unknown_formulation",
     kTop + "body = []\n[solver]\nformulation = \"contact-twists\"\n",
     {"bad.toml:5:15 solver.formulation", "did you mean \"contact-twist\"?"}},
    {"spin_as_flag",
     kTop + "body = []\n[[pair]]\nbodies = [\"a\", \"b\"]\nspin = true\n",
     {"bad.toml:6:8 pair[0].spin", "a length, \"free\" or \"stuck\""}},
    {"motion_of_two_kinds",
     with_key("motion = { surface_spin = \"t\", angle = \"t\" }"),
     {"bad.toml:5:32 body[0].motion.angle", "`angle` cannot be combined with `surface_spin`"}},
    {"motion_unknown_key",
     with_key("motion = { time = [0, 1] }"),
     {"bad.toml:5:12 body[0].motion.time", "unknown key `time`", "available keys: position"}},
    {"motion_without_times",
     with_key("motion = { positions = [[0, 0, 0]] }"),
     {"bad.toml:5:10 body[0].motion.times", "missing", " in s>"}},
    {"motion_as_text",
     with_key("motion = \"round\""),
     {"bad.toml:5:10 body[0].motion", "expected a table", "motion = { ... }"}},
    {"formula_as_list",
     with_key("motion = { angle = [\"t\"] }"),
     {"bad.toml:5:20 body[0].motion.angle", "expected a formula"}},
    {"formula_infinite",
     with_key("motion = { position = [0, inf, 0] }"),
     {"bad.toml:5:27 body[0].motion.position[1]", "not a finite number"}},
    {"short_quaternion",
     with_key("motion = { times = [0], orientations = [[1, 0, 0]] }"),
     {"bad.toml:5:41 body[0].motion.orientations[0]", "expected 4 numbers"}},
    {"load_without_body",
     kTop + "body = []\n[[load]]\nforce = [1, 0, 0]\n",
     {"bad.toml:4:1 load[0].body", "missing"}},
    {"load_with_one_formula",
     kTop + "body = []\n[[load]]\nbody = \"a\"\nforce = \"t\"\n",
     {"bad.toml:6:9 load[0].force", "expected 3 formulas"}},
    {"spring_of_one_point",
     kTop + "body = []\n[[spring]]\nbodies = [\"a\", \"b\"]\nstiffness = 1\npoints = [0, 0, 0]\n",
     {"bad.toml:7:10 spring[0].points", "expected 2 points"}},
    {"unknown_solver_key",
     kTop + "body = []\n[solver]\nrtoll = 1\n",
     {"bad.toml:5:1 solver.rtoll", "did you mean `rtol`?"}},
    {"unknown_body_key",
     with_key("velocty = [0, 0, 0]"),
     {"bad.toml:5:1 body[0].velocty", "did you mean `velocity`?"}},
    {"key_of_other_shape",
     with_shape("type = \"plane\", radius = 1"),
     {"bad.toml:5:", "body[0].shape.radius", "unknown key"}},
    {"wrong_method",
     kTop + "body = []\n[solver]\nmethod = \"euler\"\n",
     {"bad.toml:5:10 solver.method", "euler", "\"dop853\", \"rk4\""}},
    {"near_shape",
     with_shape("type = \"elipsoid\""),
     {"body[0].shape.type", "did you mean \"ellipsoid\"?"}},
    {"no_shape", kBody, {"bad.toml:3:1 body[0].shape", "missing"}},
    {"no_shape_type", with_shape("radius = 1"), {"body[0].shape.type", "missing"}},
    {"shape_as_text", kBody + "shape = \"sphere\"\n", {"bad.toml:5:9", "expected a table"}},
    {"no_radius", with_shape("type = \"sphere\""), {"body[0].shape.radius", "missing", " in m>"}},
    {"radius_as_text",
     with_shape("type = \"sphere\", radius = \"1 m\""),
     {"body[0].shape.radius", "expected a number", "1 m"}},
    {"number_as_date",
     kTop + "body = []\noutput.dt = 1979-05-27\n",
     {"bad.toml:4:13 output.dt", "expected a number", "date"}},
    {"nan", with_key("mass = nan"), {"bad.toml:5:8 body[0].mass", "nan", "finite"}},
    {"infinity",
     kTop + "body = []\ngravity = [0, 0, -inf]\n",
     {"bad.toml:4:18 gravity[2]", "inf", "finite"}},
    {"infinite_friction",
     kTop + "body = []\n[[material]]\nname = \"m\"\nfriction = inf\n",
     {"material[0].friction", "\"unlimited\""}},
    {"friction_word",
     kTop + "body = []\n[[material]]\nname = \"m\"\nfriction = \"infinite\"\n",
     {"bad.toml:6:12 material[0].friction", "\"unlimited\""}},
    {"kinetic_unlimited",
     kTop + "body = []\n[[material]]\nname = \"m\"\nkinetic_friction = \"unlimited\"\n",
     {"material[0].kinetic_friction", "expected a number"}},
    {"short_vector",
     with_key("position = [0, 1]"),
     {"bad.toml:5:12 body[0].position", "expected 3 numbers", "array of 2"}},
    {"vector_with_text",
     with_key("position = [0, 1, \"2 m\"]"),
     {"bad.toml:5:19 body[0].position[2]", "expected a number"}},
    {"flag_as_number", with_key("fixed = 1"), {"body[0].fixed", "true or false"}},
    {"long_quaternion",
     with_key("orientation = [1, 1, 0, 0]"),
     {"body[0].orientation", "length 1.41421356", "rotate_deg"}},
    {"zero_quaternion",
     with_key("orientation = [0, 0, 0, 0]"),
     {"body[0].orientation", "length 0"}},
    {"two_orientations",
     with_key("orientation = [1, 0, 0, 0]\nrotate_deg = [[\"x\", 1]]"),
     {"bad.toml:6:", "both specify the orientation", "keep one"}},
    {"flat_turn",
     with_key("rotate_deg = [\"x\", 30]"),
     {"body[0].rotate_deg[0]", "a rotation [axis, angle]", "[[\"x\", 30]"}},
    {"wrong_turn_axis",
     with_key("rotate = [[\"w\", 1]]"),
     {"body[0].rotate[0][0]", "\"w\"", "\"x\", \"y\", \"z\""}},
    {"rotation_without_angle",
     with_key("rotation = { axis = [1, 0, 0] }"),
     {"body[0].rotation", "the angle is missing", "angle_deg = 30"}},
    {"rotation_without_axis",
     with_key("rotation = { angle_deg = 30 }"),
     {"body[0].rotation", "the axis is missing"}},
    {"rotation_about_nothing",
     with_key("rotation = { axis = [0, 0, 0], angle_deg = 30 }"),
     {"body[0].rotation", "the axis has no direction"}},
    {"rotation_by_two_angles",
     with_key("rotation = { axis = [0, 0, 1], angle_deg = 30, angle = 1 }"),
     {"body[0].rotation.angle", "given twice"}},
    {"rotation_misspelt",
     with_key("rotation = { axes = [0, 0, 1], angle_deg = 30 }"),
     {"body[0].rotation.axes", "unknown key", "axis = [0, 0, 1]"}},
    {"rotation_as_number", with_key("rotation = 30"), {"body[0].rotation", "an axis and an angle"}},
    {"inertia_of_four", with_key("inertia = [1, 2, 3, 4]"), {"body[0].inertia", "3 rows of 3"}},
    {"inertia_asymmetric",
     with_key("inertia = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]"),
     {"body[0].inertia", "not symmetric", "differ by 2"}},
    {"inertia_ragged",
     with_key("inertia = [[1, 0, 0], [0, 1], [0, 0, 1]]"),
     {"body[0].inertia[1]", "3 numbers"}},
    {"net_not_rows",
     with_shape("type = \"bezier\", net = 3"),
     {"body[0].shape.net", "expected rows of points"}},
    {"net_row",
     with_shape("type = \"bezier\", net = [[[0,0,0],[1,0,0]], 4]"),
     {"body[0].shape.net[1]", "expected a row of points"}},
    {"weight_text",
     with_shape("type = \"bezier\", net = [[[0,0,0]]], weights = [[1, \"heavy\"]]"),
     {"body[0].shape.weights[0][1]", "expected a number"}},
    {"profile_point",
     with_shape("type = \"revolution\", profile = { points = [[0, 1, 2]] }"),
     {"body[0].shape.profile.points[0]", "2 numbers"}},
    {"profile_without_points",
     with_shape("type = \"revolution\", profile = { degree = 2 }"),
     {"body[0].shape.profile.points", "required key `points` is missing"}},
    {"patch_kind",
     with_shape("type = \"patches\", patch = [{ type = \"hexagon\", net = [[[0,0,0]]] }]"),
     {"body[0].shape.patch[0].type", "\"hexagon\" is not allowed here"}},
    {"patch_key",
     with_shape("type = \"patches\", patch = [{ nett = [[[0,0,0]]] }]"),
     {"body[0].shape.patch[0].nett", "did you mean `net`?"}},
    {"net_point",
     with_shape("type = \"bezier\", net = [[[0,0,0],[1,0]],[[0,1,0],[1,1,0]]]"),
     {"body[0].shape.net[0][1]", "3 numbers"}},
    {"single_brackets", kTop + "[body]\nname = \"a\"\n", {"body", "expected tables", "[[body]]"}},
    {"array_of_numbers", kTop + "body = [1]\n", {"bad.toml:3:9 body[0]", "[[body]]"}},
    {"solver_as_number", kTop + "body = []\nsolver = 3\n", {"bad.toml:4:10 solver", "a table"}},
    {"name_missing", kTop + "[[body]]\nshape.type = \"plane\"\n", {"body[0].name", "missing"}},
    {"name_empty",
     kTop + "[[body]]\nname = \"\"\nshape.type = \"plane\"\n",
     {"bad.toml:4:8 body[0].name", "empty"}},
    {"name_with_newline",
     kTop + "[[body]]\nname = \"a\\nb\"\nshape.type = \"plane\"\n",
     {"body[0].name", "control character"}},
    {"pair_of_one",
     kTop + "body = []\n[[pair]]\nbodies = [\"a\"]\n",
     {"bad.toml:5:10 pair[0].bodies", "2 names", "array of 1"}},
    {"pair_of_numbers",
     kTop + "body = []\n[[pair]]\nbodies = [1, 2]\n",
     {"pair[0].bodies[0]", "a string"}},
    {"quadric_without_c",
     with_shape("type = \"quadric\", Q = [1, 1, 1]"),
     {"body[0].shape.c", "missing"}},
};

class BadScenes : public testing::TestWithParam<BadScene> {};

TEST_P(BadScenes, AreRefusedWithPlaceAndRemedy) {
  const auto scene = parse_scene(GetParam().text, "bad.toml");
  ASSERT_FALSE(scene);
  std::string all;
  for (const Error& error : scene.error()) {
    EXPECT_EQ(error.place.file, "bad.toml");
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.remedy.empty()) << error.message;
    all += to_string(error) + "\n";
  }
  for (const std::string& word : GetParam().words) {
    EXPECT_NE(all.find(word), std::string::npos) << "no \"" << word << "\" in: " << all;
  }
}

INSTANTIATE_TEST_SUITE_P(SceneReader, BadScenes, testing::ValuesIn(kBad),
                         [](const auto& scene) { return std::string(scene.param.name); });

TEST(SceneReader, TellsAllErrorsInTheOrderOfTheFile) {
  const auto scene = parse_scene(
      "oloid = 1\nduration = \"long\"\n[[body]]\nname = 3\nmass = nan\nshape.type = \"cube\"\n",
      "bad.toml");
  ASSERT_FALSE(scene);
  ASSERT_EQ(scene.error().size(), 4u);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_LT(scene.error()[k].place.line, scene.error()[k + 1].place.line);
  }
}

TEST(SceneReader, CutsEndlessLists) {
  std::string text = kTop + "body = [";
  for (int i = 0; i < 5000; ++i) text += "1, ";
  const auto scene = parse_scene(text + "]\n", "bad.toml");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().size(), 101u);
  EXPECT_EQ(scene.error().back().message, "4900 more errors");
}

// Files for the command line's tests; the first line says what the reader must say.
TEST(SceneReader, RefusesTheBadSceneFiles) {
  int files = 0;
  const std::string folder = std::string(OLOID_TEST_DATA) + "/scenes_bad";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = read_file(entry.path().string()), mark = "# expect: ";
    if (text.rfind(mark, 0) != 0) continue;  // refused later, by compile
    const std::string words = text.substr(mark.size(), text.find('\n') - mark.size());
    const auto scene = read_scene(entry.path().string());
    ASSERT_FALSE(scene) << entry.path();
    EXPECT_EQ(scene.error().size(), 1u) << entry.path();
    EXPECT_NE(to_string(scene.error()[0]).find(words), std::string::npos)
        << to_string(scene.error()[0]);
    ++files;
  }
  EXPECT_GE(files, 6);
}

}  // namespace oloid::test::bad_scenes_test
