#include "oloid/io/scene_text/scene_parameters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::scene_parameters_test {

const std::string kTop = "oloid = 1\nduration = 1\n";
const std::string kBall =
    "[[body]]\nname = \"ball\"\nshape = { type = \"sphere\", radius = \"2*r\" }\n";

Spec good(const std::string& text) {
  auto scene = parse_scene(text, "scene.toml");
  EXPECT_TRUE(scene) << to_string(scene.error()[0]) << "\n" << text;
  return scene ? *std::move(scene) : Spec{};
}

std::string told(const std::string& text) {
  const auto scene = parse_scene(text, "scene.toml");
  EXPECT_FALSE(scene);
  std::string all;
  if (!scene)
    for (const Error& error : scene.error()) all += to_string(error) + "\n";
  return all;
}

void expect_told(const std::string& text, const std::vector<std::string>& words) {
  const std::string all = told(text);
  for (const std::string& word : words)
    EXPECT_NE(all.find(word), std::string::npos) << "no \"" << word << "\" in " << all;
}

TEST(SceneParameters, StandForNumbersAnywhere) {
  const Spec spec = good(R"toml(oloid = 1
duration = "2*T"
gravity = [0, 0, "-g"]
[parameters]
d = "2*r"            # in any order
r = 0.1
g = 9.81
T = "sqrt(4*d/g)"
n = 2
[solver]
rtol = "10^-12"
[[body]]
name = "ball"
mass = "4/3*pi*r^3*1000"
inertia = ["r", 1, "d"]
position = [0, 0, "r + 0.1"]
rotate_deg = [["x", "45*n"]]
shape = { type = "nurbs", degree = ["n", 1], net = [[["r", 0, 0], [1, "r", 0]]], weights = [[1, "r"]] }
[[body]]
name = "egg"
fixed = true
[body.shape]
type = "revolution"
profile = { degree = "n + 1", points = [["r", 0], [0, "d"]] }
[[pair]]
bodies = ["ball", "egg"]
friction = "r*n"
spin = "stuck"
)toml");
  EXPECT_EQ(spec.duration.value, 2 * std::sqrt(4 * 0.2 / 9.81));
  EXPECT_EQ(spec.gravity.value, Vec3<double>(0, 0, -9.81));
  EXPECT_NEAR(spec.solver.rtol.value, 1e-12, 1e-26);
  const BodySpec& ball = spec.bodies[0];
  EXPECT_NEAR(ball.mass->value, 4.18879020478639, 1e-13);
  EXPECT_EQ(ball.inertia->value(2, 2), 0.2);
  EXPECT_EQ(ball.position.value, Vec3<double>(0, 0, 0.2));
  EXPECT_NEAR(ball.orientation.value.w, std::sqrt(0.5), 1e-15);
  const auto& patch = std::get<PatchesSpec>(ball.shape.value).patches[0];
  EXPECT_EQ(patch.degree.value[0], 2);
  EXPECT_EQ(patch.net.value[0][1], Vec3<double>(1, 0.1, 0));
  EXPECT_EQ(patch.weights.value[0][1], 0.1);
  EXPECT_EQ(std::get<RevolutionSpec>(spec.bodies[1].shape.value).profile.degree.value, 3);
  EXPECT_EQ(spec.pairs[0].law.friction->value, 0.2);
}

// In formulas of other variables they are numbers; formulas without them stay as they were written.
TEST(SceneParameters, AreConstantsInFormulas) {
  const Spec spec = good(R"toml(oloid = 1
duration = 1
[parameters]
w = -1.5
A = "w/3"
[[body]]
name = "table"
shape = { type = "implicit", f = "z - A*x^2", box = [[-1, -1, -1], [1, 1, 1]] }
motion = { position = ["A*sin(w*t)", 0, " 2 * t"] }
[[load]]
body = "table"
force = ["w*vx", "A", 0]
)toml");
  EXPECT_EQ(std::get<ImplicitSpec>(spec.bodies[0].shape.value).formulas.value[0], "z - (-0.5)*x^2");
  const auto& motion = std::get<FormulaMotionSpec>(spec.bodies[0].motion->value);
  EXPECT_EQ(motion.position->value[0], "(-0.5)*sin((-1.5)*t)");
  EXPECT_EQ(motion.position->value[2], " 2 * t");
  EXPECT_EQ(spec.loads[0].force->value[0], "(-1.5)*vx");
  EXPECT_EQ(spec.loads[0].force->value[1], "(-0.5)");
}

TEST(SceneParameters, WhatIsWrongIsToldWithItsPlace) {
  expect_told(kTop + "[parameters]\nr = \"q\"\nq = \"2*s\"\ns = \"r + 1\"\n" + kBall,
              {"scene.toml:4:5 parameters.r", "r -> q -> s -> r", "set one of them to a number"});
  expect_told(kTop + "[parameters]\nr = \"r\"\n" + kBall, {"r -> r"});
  expect_told(kTop + "[parameters]\nradius = 1\nr = \"2*radus\"\n" + kBall,
              {"scene.toml:5:5 parameters.r: column 3: unknown name \"radus\"",
               "did you mean \"radius\"?"});
  expect_told(kTop + "[parameters]\nr = \"1/(q - 1)\"\nq = 1\n" + kBall,
              {"parameters.r", "gives inf"});
  expect_told(kTop + "[parameters]\nr = nan\n" + kBall, {"parameters.r", "nan"});
  expect_told(kTop + "[parameters]\nr = [1]\n" + kBall, {"parameters.r", "an array of 1"});
  expect_told(kTop + "parameters = 3\n" + kBall, {"parameters: expected a table"});
  for (const char* name : {"sin", "pi", "t", "vx", "unlimited", "stuck"})
    expect_told(kTop + "[parameters]\n" + name + " = 1\nr = 1\n" + kBall,
                {std::string("scene.toml:4:1 parameters.") + name, "choose another name", "_0"});
  expect_told(kTop + "[parameters]\n\"my r\" = 1\nr = 1\n" + kBall,
              {"\"my r\" is not a valid name", "such as ball_radius"});
  expect_told(kTop + kBall, {"body[0].shape.radius", "expected a number, got the string \"2*r\"",
                             "column 3: unknown name \"r\"", "[parameters]"});
  expect_told(kTop + "[parameters]\nr = 1.25\n" + kBall +
                  "[[body]]\nname = \"egg\"\nshape = { type = \"revolution\", profile = { degree = "
                  "\"2*r\", points = [] } }\n",
              {"body[1].shape.profile.degree: the formula \"2*r\" gives 2.5, not an integer"});
  expect_told("oloid = \"1\"\nduration = 1\nbody = []\n", {"scene.toml:1:9 oloid", "an integer"});
  expect_told(
      kTop +
          "[parameters]\nr = 0\n[[body]]\nname = \"a\"\nshape.type = \"plane\"\nmotion "
          "= { angle = \"t + 1/r\" }\n[[load]]\nbody = \"a\"\nforce = [0, \"2*(t\", \"ttt\"]\n",
      {"body[0].motion.angle: with the values of the parameters, \"t + 1/(0)\": column 5",
       "load[0].force[1]: column 3", "load[0].force[2]: column 1: unknown name",
       "available variables: t, x, y"});
}

// One that is wrong is told once, not at each of its users.
TEST(SceneParameters, WrongOnesAreToldOnce) {
  const std::string all =
      told(kTop + "[parameters]\na = \"2 +\"\nr = \"a\"\nq = \"a + r\"\n" + kBall);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
}

// Random trees of sums: any order of lines gives the same numbers.
TEST(SceneParameters, DoNotDependOnTheirOrder) {
  std::mt19937 random(20260501);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> lines{"p0 = 1"};
    std::vector<double> values{1};
    for (std::size_t i = 1; i < 200; ++i) {
      const std::size_t a = random() % i, b = random() % i;
      lines.push_back(fmt::format("p{} = \"(p{} + p{})/2 + 1\"", i, a, b));
      values.push_back((values[a] + values[b]) / 2 + 1);
    }
    std::shuffle(lines.begin(), lines.end(), random);
    const Spec spec = good(fmt::format(
        "oloid = 1\nduration = \"p199\"\nbody = []\n[parameters]\n{}\n", fmt::join(lines, "\n")));
    EXPECT_EQ(spec.duration.value, values[199]);
  }
}

// Long chains need no deep stack, and too many are refused.
TEST(SceneParameters, AreBounded) {
  std::string text = "oloid = 1\nduration = \"p0\"\nbody = []\n[parameters]\np999 = 1\n";
  for (int i = 0; i < 999; ++i) text += fmt::format("p{} = \"p{}\"\n", i, i + 1);
  EXPECT_EQ(good(text).duration.value, 1);
  expect_told(text + "p1000 = 1\n", {"there are 1001 parameters", "at most 1000"});
}

}  // namespace oloid::test::scene_parameters_test
