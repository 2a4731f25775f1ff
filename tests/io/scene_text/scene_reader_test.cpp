#include "oloid/io/scene_text/scene_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "io/sample_run.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "support/damaged.h"
#include "support/rooms.h"

namespace oloid::test::scene_reader_test {

// Every key of the format once.
constexpr const char* kGood = R"toml(oloid = 1
name = "All keys"
duration = 5
gravity = [0, 0, -9.8]
[solver]
method = "rk4"
rtol = 1e-12
formulation = "parameter-rates"
max_step = 1e-3
min_step = 1e-5
max_steps = 1000000
stop_on_end = true
slip_threshold = 1e-4
[output]
dt = 0.02
[[material]]
name = "rubber"
friction = "unlimited"
kinetic_friction = 0.5
restitution = 0.7
tangential_restitution = -0.2
rolling_resistance = 0.001
spin = "stuck"
[[body]]
name = "ground"
fixed = true
material = "rubber"
shape = { type = "plane", position = [0, 0, 1], rotate_deg = [["x", 90], ["y", 90]] }
[[body]]
name = "ball"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 2, 3]
orientation = [0.8, 0, 0.6, 0]
velocity = [4, 5, 6]
angular_velocity = [7, 8, 9]
shape = { type = "sphere", radius = 0.5, cavity = true }
[[body]]
name = "egg"
inertia = [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]
rotate = [["z", 1.5]]
[body.shape]
type = "ellipsoid"
semi_axes = [1, 2, 3]
cavity = false
orientation = [1, 0, 0, 0]
[[body]]
name = "patch"
[body.shape]
type = "bezier"
net = [[[0, 0, 0], [0, 1, 0], [0, 2, 0]], [[1, 0, 0], [1, 1, 0.5], [1, 2, 0]]]
rotate = []
[[body]]
name = "quad"
[body.shape]
type = "quadric"
Q = [1, 2, 3]
b = [0.1, 0, 0]
c = -1
[[pair]]
bodies = ["ball", "ground"]
friction = 0.3
kinetic_friction = 0.2
restitution = 1
spin = 0.002
[[body]]
name = "table"
shape.type = "plane"
motion = { position = ["sin(t)", 0, -1.5], rotation_axis = [0, 1, 0], angle = "2 * t" }
[[body]]
name = "shaker"
shape.type = "plane"
motion = { rotation_vector = ["t", "t^2", 1e-7] }
[[body]]
name = "arm"
shape.type = "plane"
[body.motion]
times = [0, 1]
positions = [[0, 0, 0], [1, 2, 3]]
orientations = [[1, 0, 0, 0], [0.8, 0.6, 0, 0]]
periodic = true
[[body]]
name = "wheel"
shape.type = "plane"
motion = { times = [0, 1], rotation_vectors = [[0, 0, 0], [0, 0, 40]] }
[[body]]
name = "belt"
shape.type = "plane"
motion = { surface_velocity = ["0.5", 0, 0], surface_spin = "3 * t" }
[[load]]
body = "ball"
force = [1, "-2.8 * x", "vz"]
torque = ["wx", 0, 0]
point = [0, 0, 0.1]
frame = "body"
[[spring]]
bodies = ["ball", "egg"]
points = [[0, 0, 0], [1, 0, 0]]
stiffness = 20
damping = 0.5
length = 0.3
[[drag]]
body = "ball"
linear = 0.1
angular = 0.2
[[probe]]
name = "height"
formula = "ball.z - 0.1"
unit = "m"
event = false
[[probe]]
name = "two"
formula = 2
)toml";

TEST(SceneReader, ReadsWhenToStop) {
  const auto one = parse_scene("stop_when = \"t - 1\"\n" + std::string(kGood), "s.toml");
  ASSERT_TRUE(one) << to_string(one.error()[0]);
  EXPECT_EQ(one->stop_when.value, std::vector<std::string>{"t - 1"});
  const auto two = parse_scene("stop_when = [\"t\", \"x\"]\n" + std::string(kGood), "s.toml");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->stop_when.value, (std::vector<std::string>{"t", "x"}));
  EXPECT_EQ(two->stop_when.place.line, 1);
}

// Whoever has the files with the scene needs no disk.
TEST(SceneReader, TakesFilesThatAreGiven) {
  const std::string text =
      "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape = { type = \"polyhedron\", file = "
      "\"../no/such.obj\" }\n";
  const std::vector<SceneFile> files{
      {"../no/such.obj",
       "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"}};
  const auto scene = parse_scene(text, "s.toml", {{}, files});
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_EQ(std::get<PolyhedronSpec>(scene->bodies[0].shape.value).mesh.cage->vertices.size(), 4u);
  ASSERT_EQ(scene->files.size(), 1u);
  EXPECT_EQ(scene->files[0].text, files[0].text);
  const auto without = parse_scene(text, "s.toml", {{}, std::vector<SceneFile>{}});
  ASSERT_FALSE(without);
  EXPECT_NE(to_string(without.error()[0]).find("not among those kept in the record"),
            std::string::npos);
}

TEST(SceneReader, ReadsEveryKey) {
  const auto scene = parse_scene(kGood, "dir/good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_EQ(scene->name, "All keys");
  EXPECT_EQ(scene->text, kGood);
  EXPECT_EQ(scene->duration.value, 5);
  EXPECT_EQ(scene->duration.place.line, 3);
  EXPECT_EQ(scene->gravity.value, Vec3<double>(0, 0, -9.8));
  EXPECT_EQ(scene->solver.method.value, Method::rk4);
  EXPECT_EQ(scene->solver.rtol.value, 1e-12);
  EXPECT_EQ(scene->solver.max_step->value, 1e-3);
  EXPECT_EQ(scene->solver.max_steps.value, 1e6);
  EXPECT_TRUE(scene->solver.stop_on_end);
  EXPECT_EQ(scene->output_dt.value, 0.02);

  ASSERT_EQ(scene->materials.size(), 1u);
  EXPECT_EQ(scene->materials[0].name.value, "rubber");
  EXPECT_TRUE(std::isinf(scene->materials[0].law.friction->value));
  EXPECT_EQ(scene->materials[0].law.kinetic_friction->value, 0.5);

  ASSERT_EQ(scene->bodies.size(), 10u);
  const BodySpec& ground = scene->bodies[0];
  EXPECT_TRUE(ground.fixed);
  EXPECT_FALSE(ground.mass || ground.inertia);
  EXPECT_EQ(ground.material->value, "rubber");
  EXPECT_TRUE(std::holds_alternative<PlaneSpec>(ground.shape.value));
  EXPECT_EQ(ground.shape_position->value, Vec3<double>(0, 0, 1));
  EXPECT_EQ(ground.velocity.place.path, "body[0].velocity");  // not given: place of the table
  EXPECT_EQ(ground.velocity.place.line, 24);

  const BodySpec& ball = scene->bodies[1];
  EXPECT_FALSE(ball.fixed);
  EXPECT_EQ(ball.mass->value, 2);
  EXPECT_EQ(ball.mass->place.path, "body[1].mass");
  EXPECT_EQ(ball.inertia->value, Mat3<double>(Vec3<double>(0.1, 0.2, 0.3).asDiagonal()));
  EXPECT_EQ(ball.position.value, Vec3<double>(1, 2, 3));
  EXPECT_NEAR(ball.orientation.value.w, 0.8, 1e-15);
  EXPECT_NEAR(ball.orientation.value.y, 0.6, 1e-15);
  EXPECT_EQ(ball.velocity.value, Vec3<double>(4, 5, 6));
  EXPECT_EQ(ball.angular_velocity.value, Vec3<double>(7, 8, 9));
  EXPECT_EQ(std::get<SphereSpec>(ball.shape.value).radius.value, 0.5);
  EXPECT_TRUE(std::get<SphereSpec>(ball.shape.value).cavity);

  const BodySpec& egg = scene->bodies[2];
  EXPECT_EQ(egg.inertia->value(1, 0), 0.1);
  EXPECT_NEAR(egg.orientation.value.z, std::sin(0.75), 1e-15);
  EXPECT_EQ(std::get<EllipsoidSpec>(egg.shape.value).semi_axes.value, Vec3<double>(1, 2, 3));

  const auto& net = std::get<PatchesSpec>(scene->bodies[3].shape.value).patches[0].net.value;
  ASSERT_EQ(net.size(), 2u);
  ASSERT_EQ(net[0].size(), 3u);
  EXPECT_EQ(net[1][1], Vec3<double>(1, 1, 0.5));

  const auto& quadric = std::get<QuadricSpec>(scene->bodies[4].shape.value);
  EXPECT_EQ(quadric.Q.value(2, 2), 3);
  EXPECT_EQ(quadric.b.value.x(), 0.1);
  EXPECT_EQ(quadric.c.value, -1);

  ASSERT_EQ(scene->pairs.size(), 1u);
  EXPECT_EQ(scene->pairs[0].bodies.value[1], "ground");
  EXPECT_EQ(scene->pairs[0].law.friction->value, 0.3);
}

TEST(SceneReader, ReadsEveryKeyOfContactLaws) {
  const auto scene = parse_scene(kGood, "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_EQ(scene->solver.formulation.value, Formulation::parameter_rates);
  EXPECT_EQ(scene->solver.min_step->value, 1e-5);
  EXPECT_EQ(scene->solver.slip_threshold->value, 1e-4);
  const ContactLawSpec& rubber = scene->materials[0].law;
  EXPECT_EQ(rubber.restitution->value, 0.7);
  EXPECT_EQ(rubber.tangential_restitution->value, -0.2);
  EXPECT_EQ(rubber.rolling_resistance->value, 0.001);
  EXPECT_TRUE(std::isinf(rubber.spin->value));
  const ContactLawSpec& pair = scene->pairs[0].law;
  EXPECT_EQ(pair.restitution->value, 1);
  EXPECT_FALSE(pair.tangential_restitution || pair.rolling_resistance);
  EXPECT_EQ(pair.spin->value, 0.002);
  EXPECT_EQ(pair.spin->place.path, "pair[0].spin");
}

TEST(SceneReader, ReadsEveryKeyOfMotions) {
  const auto scene = parse_scene(kGood, "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_FALSE(scene->bodies[0].motion);
  const auto motion = [&](std::size_t i) { return scene->bodies[i].motion->value; };
  using Texts = std::array<std::string, 3>;

  const auto table = std::get<FormulaMotionSpec>(motion(5));
  EXPECT_EQ(table.position->value, (Texts{"sin(t)", "0", "-1.5"}));
  EXPECT_EQ(table.rotation_axis.value, Vec3<double>(0, 1, 0));
  EXPECT_EQ(table.angle->value, "2 * t");
  EXPECT_EQ(table.angle->place.path, "body[5].motion.angle");
  EXPECT_FALSE(table.rotation_vector);
  const auto shaker = std::get<FormulaMotionSpec>(motion(6));
  EXPECT_EQ(shaker.rotation_vector->value, (Texts{"t", "t^2", "1e-07"}));
  EXPECT_FALSE(shaker.position || shaker.angle);

  const auto arm = std::get<KeyFrameMotionSpec>(motion(7));
  EXPECT_EQ(arm.times.value, (std::vector<double>{0, 1}));
  EXPECT_EQ(arm.positions->value[1], Vec3<double>(1, 2, 3));
  EXPECT_NEAR(arm.orientations->value[1].x, 0.6, 1e-15);
  EXPECT_TRUE(arm.periodic);
  const auto wheel = std::get<KeyFrameMotionSpec>(motion(8));
  EXPECT_EQ(wheel.rotation_vectors->value[1], Vec3<double>(0, 0, 40));
  EXPECT_FALSE(wheel.periodic || wheel.positions || wheel.orientations);

  const auto belt = std::get<BeltMotionSpec>(motion(9));
  EXPECT_EQ(belt.velocity->value, (Texts{"0.5", "0", "0"}));
  EXPECT_EQ(belt.spin->value, "3 * t");
}

TEST(SceneReader, ReadsEveryKeyOfLoads) {
  const auto scene = parse_scene(kGood, "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  ASSERT_EQ(scene->loads.size(), 1u);
  ASSERT_EQ(scene->probes.size(), 2u);
  EXPECT_EQ(scene->probes[0].name.value, "height");
  EXPECT_EQ(scene->probes[0].formula.value, "ball.z - 0.1");
  EXPECT_EQ(scene->probes[0].unit, "m");
  EXPECT_FALSE(scene->probes[0].event);
  EXPECT_EQ(scene->probes[1].formula.value, "2");
  EXPECT_TRUE(scene->probes[1].event);
  EXPECT_TRUE(scene->stop_when.value.empty());
  const LoadSpec& load = scene->loads[0];
  EXPECT_EQ(load.body.value, "ball");
  EXPECT_EQ(load.force->value, (std::array<std::string, 3>{"1", "-2.8 * x", "vz"}));
  EXPECT_EQ(load.torque->value[0], "wx");
  EXPECT_EQ(load.point.value, Vec3<double>(0, 0, 0.1));
  EXPECT_TRUE(load.body_axes);
  ASSERT_EQ(scene->springs.size(), 1u);
  const SpringSpec& spring = scene->springs[0];
  EXPECT_EQ(spring.bodies.value[1], "egg");
  EXPECT_EQ(spring.points.value[1], Vec3<double>(1, 0, 0));
  EXPECT_EQ(spring.stiffness.value, 20);
  EXPECT_EQ(spring.damping.value, 0.5);
  EXPECT_EQ(spring.length.value, 0.3);
  ASSERT_EQ(scene->drags.size(), 1u);
  EXPECT_EQ(scene->drags[0].linear.value, 0.1);
  EXPECT_EQ(scene->drags[0].angular.value, 0.2);
}

// All keys of these tables are in the scene above: what the schema has, the reader knows.
TEST(SceneReader, SceneAboveHasEveryKeyOfNewTables) {
  const std::string good = kGood;
  for (const SceneKey& key : scene_schema()) {
    const std::string_view table = key.table;
    if (table != "solver" && table != "material" && table != "load" && table != "spring" &&
        table != "drag" && table.rfind("motion", 0) != 0) {
      continue;
    }
    EXPECT_NE(good.find(std::string(key.key) + " ="), std::string::npos) << table << key.key;
  }
}

// A scene that only sets one key, for what is left out.
TEST(SceneReader, FillsInDefaultsOfLoads) {
  const auto scene = parse_scene(
      "oloid = 1\nduration = 1\nbody = []\n[[load]]\nbody = \"a\"\n[[spring]]\nbodies = [\"a\", "
      "\"b\"]\nstiffness = 2\n[[drag]]\nbody = \"a\"\n[[pair]]\nbodies = [\"a\", \"b\"]\n"
      "spin = \"free\"\n",
      "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_FALSE(scene->loads[0].force || scene->loads[0].torque || scene->loads[0].body_axes);
  EXPECT_EQ(scene->springs[0].points.value[1].norm(), 0);
  EXPECT_EQ(scene->springs[0].damping.value, 0);
  EXPECT_EQ(scene->springs[0].length.value, 0);
  EXPECT_EQ(scene->drags[0].linear.value, 0);
  EXPECT_EQ(scene->pairs[0].law.spin->value, 0);
  EXPECT_FALSE(scene->pairs[0].law.restitution);
  EXPECT_EQ(scene->solver.formulation.value, Formulation::contact_twist);
  EXPECT_FALSE(scene->solver.min_step || scene->solver.slip_threshold);
}

TEST(SceneReader, TurnsActRightToLeft) {
  const auto scene = parse_scene(kGood, "good.toml");
  ASSERT_TRUE(scene);
  const double quarter = std::numbers::pi / 2;
  const Mat3<double> expected =
      axis_angle(Vec3<double>(1, 0, 0), quarter) * axis_angle(Vec3<double>(0, 1, 0), quarter);
  const Mat3<double> R = rotation_matrix(scene->bodies[0].shape_orientation.value);
  EXPECT_LT((R - expected).norm(), 1e-15);
}

TEST(SceneReader, FillsInDefaults) {
  const auto scene =
      parse_scene("oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape.type = \"plane\"\n",
                  "some/where/tiny.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  EXPECT_EQ(scene->name, "tiny");
  EXPECT_EQ(scene->gravity.value, Vec3<double>(0, 0, -9.81));
  EXPECT_EQ(scene->solver.method.value, Method::dop853);
  EXPECT_EQ(scene->solver.rtol.value, 1e-11);
  EXPECT_EQ(scene->bodies[0].orientation.value.w, 1);
}

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
    {"no_duration", "oloid = 1\nbody = []\n", {"bad.toml:1:1 duration", "missing", "Unit: s"}},
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
     {"bad.toml:5:10 body[0].motion.times", "missing", "Unit: s"}},
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
    {"no_radius", with_shape("type = \"sphere\""), {"body[0].shape.radius", "missing", "Unit: m"}},
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
     {"material[0].friction", "finite"}},
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

TEST(SceneReader, RefusesWhatIsNoSceneFile) {
  const TestFolder folder;
  const auto why = [](const std::string& path) {
    const auto scene = read_scene(path);
    return scene ? std::string("read") : to_string(scene.error().at(0));
  };
  EXPECT_NE(why(folder / "no.toml").find("no.toml: cannot open the file: No such file"),
            std::string::npos);
  EXPECT_NE(why(folder / "").find("directory"), std::string::npos);
  EXPECT_NE(why("/dev/zero").find("larger than 64 MB"), std::string::npos);
  EXPECT_NE(why("/dev/null").find("empty"), std::string::npos);
  write_file(folder / "good.toml", kGood);
  EXPECT_EQ(why(folder / "good.toml"), "read");
}

// Shapes from files: found beside the scene, read once, their text kept; errors name both places.
TEST(SceneReader, ReadsTheFilesThatShapesName) {
  const TestFolder folder;
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::filesystem::create_directory(folder / "parts");
  write_file(folder / "parts/a.obj", obj);
  write_file(folder / "parts/bad.obj", obj + "f 1 2 9\n");
  const auto scene = [&](const std::string& first, const std::string& second) {
    std::string text = "oloid = 1\nduration = 1\n";
    for (const std::string& file : {first, second})
      text += "[[body]]\nname = \"" + std::string(text.size() > 30 ? "b" : "a") +
              "\"\nshape = { type = \"polyhedron\", file = \"" + file +
              "\", hull = true, tolerance = 1e-6 }\n";
    write_file(folder / "scene.toml", text);
    return read_scene(folder / "scene.toml");
  };
  const auto good = scene("parts/a.obj", "parts/a.obj");
  ASSERT_TRUE(good) << to_string(good.error()[0]);
  const auto& a = std::get<PolyhedronSpec>(good->bodies[0].shape.value);
  const auto& b = std::get<PolyhedronSpec>(good->bodies[1].shape.value);
  EXPECT_EQ(a.mesh.file.value, "parts/a.obj");
  EXPECT_EQ(a.mesh.cage, b.mesh.cage);
  EXPECT_EQ(a.mesh.cage->faces.size(), 1U);
  EXPECT_TRUE(a.hull);
  EXPECT_EQ(a.tolerance.value, 1e-6);
  ASSERT_EQ(good->files.size(), 1U);
  EXPECT_EQ(good->files[0].name, "parts/a.obj");
  EXPECT_EQ(good->files[0].text, obj);
  EXPECT_TRUE(scene(folder / "parts/a.obj", "parts/a.obj"));  // absolute paths, too

  const auto bad = scene("parts/bad.obj", "none.obj");
  ASSERT_FALSE(bad);
  ASSERT_EQ(bad.error().size(), 2U);
  EXPECT_EQ(to_string(bad.error()[0]),
            folder / "scene.toml:5:39 body[0].shape.file: " + (folder / "parts/bad.obj") +
                ":5:1: vertex 9 does not exist (vertices are 1 to 3)");
  EXPECT_EQ(bad.error()[1].place.line, 8);
  EXPECT_EQ(bad.error()[1].message,
            (folder / "none.obj") + ": cannot open the file: No such file or directory");
}

TEST(SceneReader, ReadsPointsOfSpace) {
  const auto scene = parse_scene(
      "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape = { type = \"polyhedron\", points = "
      "[[0, 0, 0], [1, 0, 0.5]] }\n[[body]]\nname = \"b\"\nshape = { type = \"box\", size = [1, 2, "
      "3] }\n",
      "good.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  const auto& hull = std::get<PolyhedronSpec>(scene->bodies[0].shape.value);
  ASSERT_EQ(hull.points.value.size(), 2U);
  EXPECT_EQ(hull.points.value[1], Vec3<double>(1, 0, 0.5));
  EXPECT_FALSE(hull.mesh.cage);
  EXPECT_EQ(std::get<BoxSpec>(scene->bodies[1].shape.value).size.value, Vec3<double>(1, 2, 3));
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

TEST(SceneReader, NeverCrashesOnDamagedScenes) {
  const std::string good = kGood;
  std::mt19937 random(20240229);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = test::damaged(good, random);
    const auto scene = parse_scene(text, "damaged.toml");
    if (scene) continue;
    ++refused;
    ASSERT_FALSE(scene.error().empty());
    for (const Error& error : scene.error()) ASSERT_FALSE(error.message.empty());
  }
  EXPECT_GT(refused, 2000);
}

// OLOID_UPDATE_DOCS=1 writes the reference into the document instead of comparing.
TEST(SceneReference, IsTheOneInTheDocument) {
  const std::string path = std::string(OLOID_TEST_DATA) + "/../../docs/formats/scene.md";
  const std::string begin =
      "<!-- reference: generated from src/oloid/io/scene_text/scene_schema.cpp -->\n\n";
  const std::string end = "<!-- end of reference -->\n";
  std::string document = read_file(path);
  const std::size_t from = document.find(begin), to = document.find(end);
  ASSERT_TRUE(from != document.npos && to != document.npos) << path;
  const std::size_t start = from + begin.size();
  if (std::getenv("OLOID_UPDATE_DOCS")) {
    document.replace(start, to - start, scene_reference());
    write_file(path, document);
  } else {
    EXPECT_EQ(document.substr(start, to - start), scene_reference())
        << "run this test once with OLOID_UPDATE_DOCS=1";
  }
}

TEST(SceneReader, ReadsHullsOfCircles) {
  const auto scene = parse_scene(R"(oloid = 1
duration = 1
[[body]]
name = "a"
shape = { type = "oloid", radius = 0.5, distance = 0.6 }
[[body]]
name = "b"
shape = { type = "two_circles", radius_1 = 1, radius_2 = 2, centre_2 = [0, 0, 3], axis_2 = [1, 0, 0] }
[[body]]
name = "c"
shape = { type = "sphericon", radius = 0.7 }
)",
                                 "hulls.toml");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  const auto& oloid = std::get<OloidSpec>(scene->bodies[0].shape.value);
  EXPECT_EQ(oloid.radius.value, 0.5);
  EXPECT_EQ(oloid.distance->value, 0.6);
  const auto& circles = std::get<TwoCirclesSpec>(scene->bodies[1].shape.value);
  EXPECT_EQ(circles.radius[0].value, 1);
  EXPECT_EQ(circles.radius[1].value, 2);
  EXPECT_EQ(circles.centre[0].value, Vec3<double>(0, 0, 0));
  EXPECT_EQ(circles.centre[1].value, Vec3<double>(0, 0, 3));
  EXPECT_EQ(circles.axis[0].value, Vec3<double>(0, 0, 1));
  EXPECT_EQ(circles.axis[1].value, Vec3<double>(1, 0, 0));
  EXPECT_EQ(std::get<SphericonSpec>(scene->bodies[2].shape.value).radius.value, 0.7);
}

TEST(SceneReader, ReadsWires) {
  const auto curve = [](const std::string& text) {
    const auto scene = parse_scene(
        "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape = { type = \"wire\", "
        "curve = { kind = " +
            text + " } }\n",
        "wire.toml");
    EXPECT_TRUE(scene) << to_string(scene.error()[0]);
    return std::get<WireSpec>(scene->bodies[0].shape.value).curve.value;
  };
  EXPECT_EQ(std::get<CircleCurveSpec>(curve("\"circle\", radius = 2")).radius.value, 2);
  const auto ellipse =
      std::get<EllipseCurveSpec>(curve("\"ellipse\", semi_axes = [2, 1], to = 3.5"));
  EXPECT_EQ(ellipse.semi_axes.value, (std::vector<double>{2, 1}));
  EXPECT_EQ(ellipse.from.value, 0);
  EXPECT_EQ(ellipse.to.value, 3.5);
  const auto helix = std::get<HelixCurveSpec>(curve("\"helix\", radius = 2, pitch = -0.5"));
  EXPECT_EQ(helix.pitch.value, -0.5);
  EXPECT_EQ(helix.turns.value, 1);
  const auto chain = std::get<PolylineSpec>(
      curve("\"polyline\", points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed = true"));
  EXPECT_TRUE(chain.closed);
  EXPECT_EQ(chain.points.value.size(), 3U);
  EXPECT_FALSE(std::get<SplineSpec>(curve("\"bezier\", points = [[0, 0, 0], [1, 0, 0]]")).degree);
  const auto nurbs = std::get<SplineSpec>(
      curve("\"nurbs\", degree = 1, points = [[0, 0, 0], [1, 0, 0]], knots = [0, 0, 1, 1]"));
  EXPECT_EQ(nurbs.degree->value, 1);
  EXPECT_EQ(nurbs.knots.value.size(), 4U);
}

// The worked example of the document is a scene.
TEST(SceneReference, HasAnExampleThatReads) {
  const std::string document =
      read_file(std::string(OLOID_TEST_DATA) + "/../../docs/formats/scene.md");
  const std::size_t from = document.find("```toml\n"), to = document.find("\n```", from);
  ASSERT_NE(from, document.npos);
  const auto scene = parse_scene(document.substr(from + 8, to - from - 8), "example.toml");
  EXPECT_TRUE(scene) << to_string(scene.error()[0]);
}

}  // namespace oloid::test::scene_reader_test
