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

// All ways to say the same.
TEST(SceneReader, RotationsAndInertiasHaveSeveralForms) {
  const auto read = [](const std::string& keys) {
    const auto spec = parse_scene(
        "oloid = 1\nduration = 1\n[[body]]\nname = \"b\"\nshape.type = \"plane\"\n" + keys,
        "a.toml");
    EXPECT_TRUE(spec) << to_string(spec.error()[0]);
    return spec->bodies[0];
  };
  const Quat<double> q = read("rotate_deg = [[\"y\", 30]]").orientation.value;
  for (const char* form : {"rotation = { axis = [0, 2, 0], angle_deg = 30 }",
                           "rotation = { axis = [0, -1e-3, 0], angle = \"-pi/6\" }"}) {
    const Quat<double> other = read(form).orientation.value;
    EXPECT_NEAR(other.w, q.w, 1e-15);
    EXPECT_NEAR(other.y, q.y, 1e-15);
    EXPECT_EQ(other.x, 0);
  }
  EXPECT_EQ(read("inertia = 0.25").inertia->value,
            read("inertia = [0.25, 0.25, 0.25]").inertia->value);
  EXPECT_EQ(read("inertia = \"1/4\"").inertia->value(2, 2), 0.25);
}

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
  EXPECT_NE(to_string(without.error()[0]).find("the record has no copy of this file"),
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

}  // namespace oloid::test::scene_reader_test
