// Every reason for which a scene is refused, with the place and the words of the refusal.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "oloid/world/model/model.h"
#include "support/rooms.h"

namespace oloid::test::compile_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Vector = Vec3<double>;
using Matrix = Mat3<double>;

Place at(const std::string& path) { return {"scene.toml", path, 7, 3}; }
template <class T>
Located<T> given(T value, const std::string& path) {
  return {std::move(value), at(path)};
}
Matrix diagonal(double x, double y, double z) { return Vector(x, y, z).asDiagonal(); }

BodySpec body(const std::string& name, const std::string& path, ShapeSpec shape) {
  BodySpec b;
  b.name = given(name, path + ".name");
  b.shape = given(std::move(shape), path + ".shape");
  b.shape_position = given(Vector(0, 0, 0), path + ".shape.position");
  b.shape_orientation.place = at(path + ".shape.orientation");
  b.position.place = at(path + ".position");
  b.orientation.place = at(path + ".orientation");
  b.velocity.place = at(path + ".velocity");
  b.angular_velocity.place = at(path + ".angular_velocity");
  return b;
}

SphereSpec sphere(double radius, bool cavity = false) { return {given(radius, "radius"), cavity}; }
EllipsoidSpec ellipsoid(double a, double b, double c) {
  return {given(Vector(a, b, c), "semi_axes"), false};
}
QuadricSpec quadric(const Matrix& Q, const Vector& b, double c) {
  return {given(Q, "Q"), given(b, "b"), given(c, "c")};
}
using Net = std::vector<std::vector<Vector>>;
PatchesSpec bezier(const Net& net) {
  PatchesSpec shape;
  shape.patches.emplace_back().net = given(net, "net");
  return shape;
}
// The square |x|, |y| ≤ size of the plane z = 0, facing up.
Net square(double size) {
  return {{{-size, -size, 0}, {-size, size, 0}}, {{size, -size, 0}, {size, size, 0}}};
}

// A ball that rests on the ground.
Spec ball_on_ground() {
  Spec spec;
  spec.name = "test";
  spec.duration = given(1.0, "duration");
  spec.output_dt.place = at("output.dt");
  spec.gravity.place = at("gravity");
  spec.solver.rtol.place = at("solver.rtol");
  spec.solver.max_steps.place = at("solver.max_steps");
  BodySpec ball = body("ball", "body[0]", sphere(0.1));
  ball.mass = given(2.0, "body[0].mass");
  ball.inertia = given(diagonal(0.008, 0.008, 0.008), "body[0].inertia");
  ball.position.value = {0, 0, 0.1};
  BodySpec ground = body("ground", "body[1]", PlaneSpec{});
  ground.fixed = true;
  spec.bodies = {ball, ground};
  PairSpec pair;
  pair.bodies = given(std::array<std::string, 2>{"ball", "ground"}, "pair[0].bodies");
  pair.law.friction = given(0.5, "pair[0].friction");
  spec.pairs = {pair};
  return spec;
}

MaterialSpec material(const std::string& name, double friction) {
  MaterialSpec m;
  m.name = given(name, "material.name");
  m.law.friction = given(friction, "material.friction");
  return m;
}

// The law comes from materials instead of a pair.
void use_materials(Spec& spec, const std::string& ball, const std::string& ground) {
  spec.pairs.clear();
  spec.bodies[0].material = given(ball, "body[0].material");
  spec.bodies[1].material = given(ground, "body[1].material");
}

// One more ball like the first.
void add_ball(Spec& spec, const Vector& position, const std::string& name = "second") {
  const std::string path = "body[" + std::to_string(spec.bodies.size()) + "]";
  BodySpec ball = body(name, path, sphere(0.1));
  ball.mass = given(2.0, path + ".mass");
  ball.inertia = given(diagonal(0.008, 0.008, 0.008), path + ".inertia");
  ball.position.value = position;
  for (const BodySpec& other : spec.bodies) {
    PairSpec pair;
    pair.bodies = given(std::array<std::string, 2>{name, other.name.value}, path + ".pair");
    pair.law.friction = given(0.5, path + ".pair.friction");
    spec.pairs.push_back(pair);
  }
  spec.bodies.push_back(ball);
}

struct Refusal {
  const char* name;
  std::function<void(Spec&)> edit;
  const char* path;                // where
  std::vector<const char*> words;  // what, and what to do
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

const Refusal kRefusals[] = {
    // Time and solver.
    {"DurationZero",
     [](Spec& s) { s.duration.value = 0; },
     "duration",
     {"duration is 0", "outside [1e-12, 1e+09]", "in seconds"}},
    {"DurationNegative",
     [](Spec& s) { s.duration.value = -1; },
     "duration",
     {"duration is -1", "in seconds"}},
    {"DurationNan", [](Spec& s) { s.duration.value = kNan; }, "duration", {"duration is nan"}},
    {"DurationEndless", [](Spec& s) { s.duration.value = kInfinity; }, "duration", {"inf"}},
    {"OutputZero",
     [](Spec& s) { s.output_dt.value = 0; },
     "output.dt",
     {"output interval is 0", "specify output.dt in seconds"}},
    {"OutputNan", [](Spec& s) { s.output_dt.value = kNan; }, "output.dt", {"nan"}},
    {"TooManyFrames",
     [](Spec& s) { s.output_dt.value = 1e-9; },
     "output.dt",
     {"1e+09 frames would be written", "use a larger output.dt"}},
    {"GravityNan",
     [](Spec& s) { s.gravity.value.z() = kNan; },
     "gravity",
     {"gravity [0, 0, nan] is not finite", "components must be finite"}},
    {"ToleranceZero",
     [](Spec& s) { s.solver.rtol.value = 0; },
     "solver.rtol",
     {"relative tolerance is 0", "the default is 1e-11"}},
    {"ToleranceCoarse",
     [](Spec& s) { s.solver.rtol.value = 0.1; },
     "solver.rtol",
     {"relative tolerance is 0.1", "[1e-15, 0.01]"}},
    {"ToleranceNan", [](Spec& s) { s.solver.rtol.value = kNan; }, "solver.rtol", {"nan"}},
    {"LargestStepZero",
     [](Spec& s) { s.solver.max_step = given(0.0, "solver.max_step"); },
     "solver.max_step",
     {"largest step is 0", "specify solver.max_step in seconds"}},
    {"LeastStepOfAnAdaptiveMethod",
     [](Spec& s) { s.solver.min_step = given(1e-5, "solver.min_step"); },
     "solver.min_step",
     {"min_step is set for dop853", "method = \"rk4\""}},
    {"LeastStepZero",
     [](Spec& s) {
       s.solver.method.value = Method::rk4;
       s.solver.min_step = given(0.0, "solver.min_step");
     },
     "solver.min_step",
     {"smallest step is 0", "specify solver.min_step in seconds"}},
    {"LeastStepAboveLargest",
     [](Spec& s) {
       s.solver.method.value = Method::rk4;
       s.solver.max_step = given(1e-4, "solver.max_step");
       s.solver.min_step = given(1e-3, "solver.min_step");
     },
     "solver.min_step",
     {"the smallest step, 0.001 s, exceeds the largest, 0.0001 s",
      "min_step must not exceed max_step"}},
    {"SlipThresholdZero",
     [](Spec& s) { s.solver.slip_threshold = given(0.0, "solver.slip_threshold"); },
     "solver.slip_threshold",
     {"slip threshold is 0", "must be a speed in m/s greater than 0"}},
    {"SlipThresholdNan",
     [](Spec& s) { s.solver.slip_threshold = given(kNan, "solver.slip_threshold"); },
     "solver.slip_threshold",
     {"slip threshold is nan"}},
    {"StepBudgetZero",
     [](Spec& s) { s.solver.max_steps.value = 0; },
     "solver.max_steps",
     {"step budget is 0", "a number of steps"}},
    {"StepBudgetNan",
     [](Spec& s) { s.solver.max_steps.value = kNan; },
     "solver.max_steps",
     {"nan"}},
    // Which bodies.
    {"NoBody",
     [](Spec& s) { s.bodies.clear(); },
     "body",
     {"the scene has no bodies", "add at least one [[body]]"}},
    {"NoName",
     [](Spec& s) { s.bodies[0].name.value = s.pairs[0].bodies.value[0] = ""; },
     "body[0].name",
     {"a body has no name"}},
    {"SameName",
     [](Spec& s) {
       s.bodies[1].name.value = "ball";
       s.pairs.clear();
     },
     "body[1].name",
     {"two bodies are named \"ball\"", "unique"}},
    {"AllFixed",
     [](Spec& s) { s.bodies[0].fixed = true; },
     "body[1].name",
     {"no body in the scene is free to move", "without fixed = true"}},
    {"AllDriven",
     [](Spec& s) {
       s.bodies[0].mass.reset();
       s.bodies[0].inertia.reset();
       FormulaMotionSpec turning;
       turning.angle = given(std::string("t"), "body[0].motion.angle");
       s.bodies[0].motion = given(MotionSpec(turning), "body[0].motion");
     },
     "body[1].name",
     {"no body in the scene is free to move"}},
    // Mass and inertia.
    {"MassMissing",
     [](Spec& s) { s.bodies[0].mass.reset(); },
     "body[0].name",
     {"\"ball\" has no mass", "specify mass in kg"}},
    {"MassZero",
     [](Spec& s) { s.bodies[0].mass->value = 0; },
     "body[0].mass",
     {"mass is 0", "specify a positive mass"}},
    {"MassNegative",
     [](Spec& s) { s.bodies[0].mass->value = -2; },
     "body[0].mass",
     {"mass is -2", "specify a positive mass"}},
    {"MassHuge",
     [](Spec& s) { s.bodies[0].mass->value = 1e30; },
     "body[0].mass",
     {"mass is 1e+30"}},
    {"MassNan", [](Spec& s) { s.bodies[0].mass->value = kNan; }, "body[0].mass", {"mass is nan"}},
    {"InertiaOfAnOpenShape",
     [](Spec& s) {
       s.bodies[0].inertia.reset();
       s.bodies[0].shape_position.reset();
       s.bodies[0].shape.value = PlaneSpec{};
     },
     "body[0].mass",
     {"the inertia cannot be computed from the mass", "kg m2"}},
    {"InertiaOfAShapeThatHasAPlace",
     [](Spec& s) {
       s.bodies[0].inertia.reset();
       s.bodies[0].shape_position = given(Vector(0, 0, 0.1), "body[0].shape.position");
     },
     "body[0].shape.position",
     {"a mass but no inertia", "or specify the inertia"}},
    {"InertiaNan",
     [](Spec& s) { s.bodies[0].inertia->value(1, 1) = kNan; },
     "body[0].inertia",
     {"the inertia is not finite or too large"}},
    {"InertiaHuge",
     [](Spec& s) { s.bodies[0].inertia->value *= 1e20; },
     "body[0].inertia",
     {"the inertia is not finite or too large"}},
    {"InertiaAsymmetric",
     [](Spec& s) { s.bodies[0].inertia->value(0, 1) = 1e-4; },
     "body[0].inertia",
     {"the inertia is not symmetric", "(i, j) and (j, i) must be equal"}},
    {"InertiaZero",
     [](Spec& s) { s.bodies[0].inertia->value.setZero(); },
     "body[0].inertia",
     {"not positive definite", "all principal moments must be positive"}},
    {"InertiaIndefinite",
     [](Spec& s) { s.bodies[0].inertia->value = diagonal(1, 1, -1); },
     "body[0].inertia",
     {"not positive definite: its principal moments are -1, 1, 1"}},
    {"InertiaIndefiniteOffDiagonal",
     [](Spec& s) { s.bodies[0].inertia->value(0, 1) = s.bodies[0].inertia->value(1, 0) = 0.01; },
     "body[0].inertia",
     {"not positive definite"}},
    {"InertiaOfNoBody",
     [](Spec& s) { s.bodies[0].inertia->value = diagonal(1, 2, 4); },
     "body[0].inertia",
     {"impossible principal moments 1, 2, 4", "exceeds the sum"}},
    // Pose and motion.
    {"PositionNan",
     [](Spec& s) { s.bodies[0].position.value.x() = kNan; },
     "body[0].position",
     {"position [nan, 0, 0.1] is not finite"}},
    {"PositionFar",
     [](Spec& s) { s.bodies[1].position.value.x() = 1e12; },
     "body[1].position",
     {"too large", "at most 1e+09"}},
    {"ShapePositionNan",
     [](Spec& s) { s.bodies[0].shape_position->value.y() = kNan; },
     "body[0].shape.position",
     {"position of the shape"}},
    {"OrientationLong",
     [](Spec& s) { s.bodies[0].orientation.value.w = 1.1; },
     "body[0].orientation",
     {"not a unit quaternion"}},
    {"OrientationNan",
     [](Spec& s) { s.bodies[1].orientation.value.z = kNan; },
     "body[1].orientation",
     {"not a unit quaternion"}},
    {"ShapeOrientationZero",
     [](Spec& s) { s.bodies[0].shape_orientation.value.w = 0; },
     "body[0].shape.orientation",
     {"not a unit quaternion"}},
    {"VelocityNan",
     [](Spec& s) { s.bodies[0].velocity.value.z() = kNan; },
     "body[0].velocity",
     {"velocity [0, 0, nan]"}},
    {"AngularVelocityInfinite",
     [](Spec& s) { s.bodies[0].angular_velocity.value.z() = kInfinity; },
     "body[0].angular_velocity",
     {"angular velocity [0, 0, inf]"}},
    {"FixedWithVelocity",
     [](Spec& s) { s.bodies[1].velocity.value.x() = 1; },
     "body[1].velocity",
     {"a fixed body has a velocity", "remove it"}},
    {"FixedWithAngularVelocity",
     [](Spec& s) { s.bodies[1].angular_velocity.value.x() = 1; },
     "body[1].angular_velocity",
     {"a fixed body has an angular velocity", "remove it"}},
    {"FixedWithVelocityNan",
     [](Spec& s) { s.bodies[1].velocity.value.x() = kNan; },
     "body[1].velocity",
     {"a fixed body has a velocity"}},
    // Surfaces.
    {"RadiusZero",
     [](Spec& s) { s.bodies[0].shape.value = sphere(0); },
     "radius",
     {"radius is 0", "greater than 0"}},
    {"RadiusNegative",
     [](Spec& s) { s.bodies[0].shape.value = sphere(-0.1); },
     "radius",
     {"radius is -0.1"}},
    {"RadiusNan",
     [](Spec& s) { s.bodies[0].shape.value = sphere(kNan); },
     "radius",
     {"radius is nan"}},
    {"SemiAxisZero",
     [](Spec& s) { s.bodies[0].shape.value = ellipsoid(1, 0, 1); },
     "semi_axes",
     {"semi-axis 1 is 0", "greater than 0"}},
    {"SemiAxisNan",
     [](Spec& s) { s.bodies[0].shape.value = ellipsoid(1, kNan, 1); },
     "semi_axes",
     {"semi_axes [1, nan, 1] is not finite"}},
    {"SemiAxesOfANeedle",
     [](Spec& s) { s.bodies[0].shape.value = ellipsoid(10, 1e-4, 1e-4); },
     "semi_axes",
     {"the semi-axes differ by a factor of 1e+05", "at most 1e4"}},
    {"NetOfOneRow",
     [](Spec& s) {
       s.bodies[1].shape.value = bezier({{{0, 0, 0}, {1, 0, 0}}});
     },
     "net",
     {"the control net has 1 rows"}},
    {"NetRagged",
     [](Spec& s) {
       s.bodies[1].shape.value = bezier({{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}}});
     },
     "net",
     {"row 1 of the control net has 1 points"}},
    {"NetNan",
     [](Spec& s) {
       Net net = square(1);
       net[1][0].z() = kNan;
       s.bodies[1].shape.value = bezier(net);
     },
     "net",
     {"control point 0 of row 1 is not finite"}},
    {"NetCollapsed",
     [](Spec& s) {
       s.bodies[1].shape.value = bezier({{{0, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {3, 0, 0}}});
     },
     "net",
     {"the patch is degenerate at (u, v) = (0.5, 0.5)", "parallel or zero only"}},
    {"QuadricEmpty",
     [](Spec& s) { s.bodies[0].shape.value = quadric(diagonal(1, 1, 1), Vector(0, 0, 0), 1); },
     "Q",
     {"no point satisfies f = 0", "use a negative c"}},
    {"QuadricOfNothing",
     [](Spec& s) { s.bodies[0].shape.value = quadric(diagonal(0, 0, 0), Vector(0, 0, 0), 1); },
     "Q",
     {"neither a quadratic nor a linear part"}},
    {"QuadricAsymmetric",
     [](Spec& s) {
       Matrix Q = diagonal(1, 1, 1);
       Q(0, 2) = 0.5;
       s.bodies[0].shape.value = quadric(Q, Vector(0, 0, 0), -1);
     },
     "Q",
     {"Q is not symmetric"}},
    {"QuadricNan",
     [](Spec& s) { s.bodies[0].shape.value = quadric(diagonal(1, 1, 1), Vector(0, 0, 0), kNan); },
     "Q",
     {"not finite"}},
    // Friction.
    {"FrictionNegative",
     [](Spec& s) { s.pairs[0].law.friction->value = -0.1; },
     "pair[0].friction",
     {"friction is -0.1", "between 0 and 1e6, or \"unlimited\""}},
    {"FrictionNan",
     [](Spec& s) { s.pairs[0].law.friction->value = kNan; },
     "pair[0].friction",
     {"friction is nan"}},
    {"KineticAboveStatic",
     [](Spec& s) { s.pairs[0].law.kinetic_friction = given(0.6, "pair[0].kinetic_friction"); },
     "pair[0].kinetic_friction",
     {"kinetic friction is 0.6, static friction is 0.5",
      "must satisfy 0 <= kinetic_friction <= friction"}},
    {"KineticNegative",
     [](Spec& s) { s.pairs[0].law.kinetic_friction = given(-0.1, "pair[0].kinetic_friction"); },
     "pair[0].kinetic_friction",
     {"kinetic friction is -0.1"}},
    {"KineticNan",
     [](Spec& s) { s.pairs[0].law.kinetic_friction = given(kNan, "pair[0].kinetic_friction"); },
     "pair[0].kinetic_friction",
     {"kinetic friction is nan"}},
    {"RestitutionAboveOne",
     [](Spec& s) { s.pairs[0].law.restitution = given(1.5, "pair[0].restitution"); },
     "pair[0].restitution",
     {"restitution is 1.5", "must be between 0 and 1"}},
    {"RestitutionNan",
     [](Spec& s) { s.pairs[0].law.restitution = given(kNan, "pair[0].restitution"); },
     "pair[0].restitution",
     {"restitution is nan"}},
    {"TangentialRestitutionAboveOne",
     [](Spec& s) {
       s.pairs[0].law.tangential_restitution = given(2.0, "pair[0].tangential_restitution");
     },
     "pair[0].tangential_restitution",
     {"tangential restitution is 2", "must be between -1 and 1"}},
    {"RollingResistanceNegative",
     [](Spec& s) { s.pairs[0].law.rolling_resistance = given(-1.0, "pair[0].rolling_resistance"); },
     "pair[0].rolling_resistance",
     {"rolling resistance is -1", "must be a length in metres between 0 and 100"}},
    {"RollingResistanceEndless",
     [](Spec& s) {
       s.pairs[0].law.rolling_resistance = given(kInfinity, "pair[0].rolling_resistance");
     },
     "pair[0].rolling_resistance",
     {"rolling resistance is inf"}},
    {"SpinNegative",
     [](Spec& s) { s.pairs[0].law.spin = given(-1.0, "pair[0].spin"); },
     "pair[0].spin",
     {"spin resistance is -1", "\"free\", \"stuck\""}},
    {"MaterialRestitutionNegative",
     [](Spec& s) {
       use_materials(s, "wood", "wood");
       s.materials = {material("wood", 0.3)};
       s.materials[0].law.restitution = given(-0.1, "material.restitution");
     },
     "material.restitution",
     {"restitution is -0.1"}},
    {"MaterialUnknown",
     [](Spec& s) {
       use_materials(s, "wood", "stone");
       s.materials = {material("wood", 0.3)};
     },
     "body[1].material",
     {"unknown material \"stone\"", "[[material]]"}},
    {"MaterialTwice",
     [](Spec& s) {
       s.materials = {material("wood", 0.3), material("wood", 0.4)};
     },
     "material.name",
     {"two materials are named \"wood\"", "unique"}},
    {"MaterialNegative",
     [](Spec& s) {
       use_materials(s, "wood", "stone");
       s.materials = {material("wood", -0.3), material("stone", 0.3)};
     },
     "material.friction",
     {"friction is -0.3"}},
    {"PairTwice",
     [](Spec& s) { s.pairs.push_back(s.pairs[0]); },
     "pair[0].bodies",
     {"this pair is given twice", "keep one"}},
    {"PairTwiceSwapped",
     [](Spec& s) {
       s.pairs.push_back(s.pairs[0]);
       std::swap(s.pairs[1].bodies.value[0], s.pairs[1].bodies.value[1]);
     },
     "pair[0].bodies",
     {"this pair is given twice"}},
    {"PairOfStranger",
     [](Spec& s) { s.pairs[0].bodies.value[1] = "grond"; },
     "pair[0].bodies",
     {"unknown body \"grond\"", "did you mean \"ground\"?"}},
    {"PairOfOneBody",
     [](Spec& s) { s.pairs[0].bodies.value[1] = "ball"; },
     "pair[0].bodies",
     {"names the same body twice", "name two bodies"}},
    // The contact at the start.
    {"Overlapping",
     [](Spec& s) { s.bodies[0].position.value.z() = 0.08; },
     "body[0].position",
     {"overlap at the start by 0.02 m", "use position = [0, 0, 0.1"}},
    {"OverlappingInFlight",
     [](Spec& s) {
       add_ball(s, {0.15, 0, 0.6});
       s.bodies[0].position.value.z() = 0.6;
     },
     "body[0].position",
     {"\"ball\" and \"second\" overlap at the start by 0.05 m", "use position = [-0.05"}},
};

class Compile : public testing::TestWithParam<Refusal> {};

TEST_P(Compile, Refuses) {
  const Refusal& refusal = GetParam();
  Spec spec = ball_on_ground();
  refusal.edit(spec);
  const auto model = compile(spec);
  ASSERT_FALSE(model) << "compiled";
  std::string all;
  bool placed = false;
  for (const Error& error : model.error()) {
    all += to_string(error) + "\n";
    placed |= error.place.path == refusal.path;
    EXPECT_FALSE(error.remedy.empty()) << error.message;
    EXPECT_EQ(error.place.file, "scene.toml") << error.message;
  }
  if (*refusal.path) {
    EXPECT_EQ(model.error().size(), 1u) << all;
    EXPECT_TRUE(placed) << "no \"" << refusal.path << "\" in: " << all;
  }
  for (const char* word : refusal.words) {
    EXPECT_NE(all.find(word), std::string::npos) << "no \"" << word << "\" in: " << all;
  }
}

INSTANTIATE_TEST_SUITE_P(World, Compile, testing::ValuesIn(kRefusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(CompileStart, TakesTheBallAsGiven) {
  const auto model = compile(ball_on_ground());
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_EQ(model->bodies[0].inertia.mass, 2);
  EXPECT_EQ(model->length, 0.1);
  EXPECT_NEAR(model->speed, std::sqrt(0.981), 1e-15);
  ASSERT_EQ(model->pairs.size(), 1u);
  EXPECT_EQ(model->pair(0).law.static_friction, 0.5);
  EXPECT_EQ(model->pair(0).law.kinetic_friction, 0.5);
  EXPECT_EQ(model->header.bodies, (std::vector<std::string>{"ball", "ground"}));
  EXPECT_EQ(model->header.masses, (std::vector<double>{2, 0}));
  ASSERT_EQ(model->touches.size(), 1u);
  EXPECT_LE(std::abs(model->touches[0].near.gap), 1e-10);
}

TEST(CompileStart, TakesBodiesInEitherOrder) {
  Spec spec = ball_on_ground();
  std::swap(spec.bodies[0], spec.bodies[1]);
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  ASSERT_EQ(model->pairs.size(), 1u);
  EXPECT_EQ(model->pair(0).bodies[0].index, 1);
  EXPECT_EQ(model->pair(0).bodies[1].index, 0);
  EXPECT_TRUE(model->bodies[1].moves);
  EXPECT_FALSE(model->bodies[0].moves);
}

TEST(CompileStart, TakesOneBodyAlone) {
  Spec spec = ball_on_ground();
  spec.bodies.resize(1);
  spec.pairs.clear();
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_TRUE(model->pairs.empty());
  EXPECT_EQ(model->length, 0.1);
}

TEST(CompileStart, BodiesThatAreApartFly) {
  Spec spec = ball_on_ground();
  spec.bodies[0].position.value.z() = 0.15;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_TRUE(model->touches.empty());
  EXPECT_EQ(model->bodies[0].start.p_WA.z(), 0.15);
}

// A ball on a ball on the ground, and one that flies; the floor and the wall make no pair.
TEST(CompileStart, TakesManyBodies) {
  Spec spec = ball_on_ground();
  add_ball(spec, {0, 0, 0.3 + 0.9e-10});
  add_ball(spec, {1, 0, 1}, "third");
  BodySpec wall = body("wall", "body[4]", PlaneSpec{});
  wall.fixed = true;
  wall.position.value = {0, 0, -1};
  spec.bodies.push_back(wall);
  for (const char* name : {"ball", "second", "third"}) {
    PairSpec pair;
    pair.bodies = given(std::array<std::string, 2>{name, "wall"}, "pair");
    pair.law.friction = given(0.1, "pair.friction");
    spec.pairs.push_back(pair);
  }
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_EQ(model->moving.size(), 3u);
  EXPECT_EQ(model->pairs.size(), 9u);
  ASSERT_EQ(model->touches.size(), 2u);
  for (const StartContact& touch : model->touches) EXPECT_LT(std::abs(touch.near.gap), 1e-10);
  EXPECT_NEAR(model->bodies[2].start.p_WA.z(), 0.3, 1e-15);
}

// The position in the message is one that compiles, and touches.
TEST(CompileStart, ProposesAPositionThatTouches) {
  for (const double z : {0.05, 0.04, 0.01}) {
    for (const bool tilted : {false, true}) {
      Spec spec = ball_on_ground();
      spec.bodies[0].shape.value = ellipsoid(0.1, 0.07, 0.05);
      spec.bodies[0].orientation.value = unit(Quat<double>{1, 0.3, -0.2, 0.5});
      if (tilted) spec.bodies[1].orientation.value = unit(Quat<double>{1, 0.1, 0.2, 0});
      spec.bodies[0].position.value =
          rotation_matrix(spec.bodies[1].orientation.value) * Vector(0.3, -0.2, z);
      const auto refused = compile(spec);
      ASSERT_FALSE(refused);
      const std::string& remedy = refused.error()[0].remedy;
      Vector& p = spec.bodies[0].position.value;
      ASSERT_EQ(
          std::sscanf(remedy.c_str(), "use position = [%lf, %lf, %lf]", &p.x(), &p.y(), &p.z()), 3)
          << remedy;
      const auto model = compile(spec);
      ASSERT_TRUE(model) << to_string(model.error()[0]);
      EXPECT_EQ(model->touches.size(), 1u);
      EXPECT_LT((model->bodies[0].start.p_WA - p).norm(), 1e-10);
    }
  }
}

// A gap of up to 1e-9 of the body's size is closed along the normal.
TEST(CompileStart, ClosesATinyGap) {
  Spec spec = ball_on_ground();
  spec.bodies[0].position.value.z() = 0.1 + 0.9e-10;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  ASSERT_EQ(model->touches.size(), 1u);
  EXPECT_NEAR(model->touches[0].near.gap, 0.9e-10, 1e-15);
  EXPECT_NEAR(model->bodies[0].start.p_WA.z(), 0.1, 1e-16);
  spec.bodies[0].position.value.z() = 0.1 + 1.1e-10;
  const auto apart = compile(spec);
  ASSERT_TRUE(apart);
  EXPECT_TRUE(apart->touches.empty());
}

TEST(CompileLaw, MixesMaterialsByTheGeometricMean) {
  Spec spec = ball_on_ground();
  use_materials(spec, "rubber", "ice");
  spec.materials = {material("rubber", 0.9), material("ice", 0.1)};
  spec.materials[0].law.kinetic_friction = 0.4;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_NEAR(model->pair(0).law.static_friction, 0.3, 1e-15);
  EXPECT_NEAR(model->pair(0).law.kinetic_friction, 0.2, 1e-15);
}

// The smaller restitution, the larger resistance; one material is enough for a resistance.
TEST(CompileLaw, MixesTheOtherPropertiesOfMaterials) {
  Spec spec = ball_on_ground();
  use_materials(spec, "rubber", "ice");
  spec.materials = {material("rubber", 0.9), material("ice", 0.1)};
  spec.materials[0].law.restitution = 0.8;
  spec.materials[1].law.restitution = 0.3;
  spec.materials[0].law.tangential_restitution = 0.4;
  spec.materials[1].law.tangential_restitution = -0.2;
  spec.materials[0].law.rolling_resistance = 1e-3;
  spec.materials[1].law.rolling_resistance = 2e-3;
  spec.materials[0].law.spin = 5e-3;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  const PairLaw law = model->pair(0).law;
  EXPECT_EQ(law.restitution, 0.3);
  EXPECT_EQ(law.tangential_restitution, -0.2);
  EXPECT_EQ(law.roll, 2e-3);
  EXPECT_EQ(law.spin, 5e-3);
}

TEST(CompileLaw, NoFrictionBeatsUnlimitedFriction) {
  Spec spec = ball_on_ground();
  use_materials(spec, "glue", "ice");
  spec.materials = {material("glue", kInfinity), material("ice", 0)};
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_EQ(model->pair(0).law.static_friction, 0);
  EXPECT_EQ(model->pair(0).law.kinetic_friction, 0);
}

// Whatever is left out: the pair, its friction, the materials, their friction.
TEST(CompileLaw, HasDefaults) {
  const auto law_of = [](const Spec& spec) {
    const auto model = compile(spec);
    EXPECT_TRUE(model) << to_string(model.error()[0]);
    return model->pair(0).law;
  };
  Spec spec = ball_on_ground();
  spec.pairs[0].law.friction.reset();
  spec.pairs[0].law.restitution = 0.3;
  EXPECT_EQ(law_of(spec).static_friction, kDefaultFriction);
  EXPECT_EQ(law_of(spec).kinetic_friction, kDefaultFriction);
  EXPECT_EQ(law_of(spec).restitution, 0.3);
  spec.pairs.clear();
  EXPECT_EQ(law_of(spec).static_friction, kDefaultFriction);
  EXPECT_EQ(law_of(spec).restitution, kDefaultRestitution);
  use_materials(spec, "wood", "ice");
  spec.materials = {material("wood", 0.3), material("ice", 0.02)};
  spec.materials[0].law.friction.reset();
  EXPECT_NEAR(law_of(spec).static_friction, std::sqrt(kDefaultFriction * 0.02), 1e-15);
  spec.bodies[0].material.reset();
  EXPECT_NEAR(law_of(spec).static_friction, std::sqrt(kDefaultFriction * 0.02), 1e-15);
}

// A mass alone is a density times the volume, wherever the shape's centre is.
TEST(CompileMass, AloneIsSpreadOverTheShape) {
  Spec dense = ball_on_ground();
  dense.bodies[0].mass.reset();
  dense.bodies[0].inertia.reset();
  dense.bodies[0].shape_position.reset();
  dense.bodies[0].position.value = {0, 0, 1};
  dense.bodies[0].shape.value = OloidSpec{.radius = 0.2, .distance = {}};
  dense.bodies[0].density = 700;
  const auto with_density = compile(dense);
  ASSERT_TRUE(with_density) << to_string(with_density.error()[0]);
  Spec heavy = dense;
  heavy.bodies[0].density.reset();
  heavy.bodies[0].mass = with_density->bodies[0].inertia.mass;
  const auto with_mass = compile(heavy);
  ASSERT_TRUE(with_mass) << to_string(with_mass.error()[0]);
  const auto &a = with_density->bodies[0], &b = with_mass->bodies[0];
  EXPECT_LE((a.inertia.J - b.inertia.J).norm(), 1e-14 * a.inertia.J.norm());
  EXPECT_EQ(a.side.X_BS.p, b.side.X_BS.p);
  EXPECT_EQ(b.inertia.mass, heavy.bodies[0].mass->value);

  Spec ball = ball_on_ground();
  ball.bodies[0].inertia.reset();
  ball.bodies[0].shape_position.reset();
  const auto made = compile(ball);
  ASSERT_TRUE(made) << to_string(made.error()[0]);
  EXPECT_LE((made->bodies[0].inertia.J - diagonal(0.008, 0.008, 0.008)).norm(), 1e-16);
}

TEST(CompileLaw, APairOverridesMaterials) {
  Spec spec = ball_on_ground();
  const auto pairs = spec.pairs;
  use_materials(spec, "wood", "wood");
  spec.materials = {material("wood", 0.9)};
  spec.pairs = pairs;
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()[0]);
  EXPECT_EQ(model->pair(0).law.static_friction, 0.5);
}

// One bad value must not hide another.
TEST(CompileErrors, AreToldTogether) {
  Spec spec = ball_on_ground();
  spec.duration.value = 0;
  spec.bodies[0].mass->value = -1;
  spec.bodies[0].shape.value = sphere(0);
  spec.pairs[0].law.friction->value = -1;
  const auto model = compile(spec);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().size(), 4u);
}

}  // namespace oloid::test::compile_test
