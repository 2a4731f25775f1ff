#include "oloid/world/compile/compile_loads.h"

#include <gtest/gtest.h>

#include <limits>

#include "laws/difference.h"
#include "support/rooms.h"

namespace oloid::test::compile_loads_test {

FormulasSpec formulas(std::string x, std::string y, std::string z) {
  return {{std::move(x), std::move(y), std::move(z)}, {"", "list", 1, 2}};
}

// "ball" and "egg" are free, "table" is fixed, "shaker" has a motion.
Spec bodies() {
  Spec spec;
  for (const char* name : {"ball", "egg", "table", "shaker"}) {
    BodySpec& body = spec.bodies.emplace_back();
    body.name = std::string(name);
  }
  spec.bodies[2].fixed = true;
  spec.bodies[3].motion = Located<MotionSpec>(FormulaMotionSpec{});
  return spec;
}
std::vector<BodyMotion> start() {
  std::vector<BodyMotion> bodies(4);
  bodies[0].X_WB.p = {1, 0, 0};
  bodies[1].X_WB.p = {0, 2, 0};
  bodies[0].phi.v = {0, 0, 3};
  return bodies;
}

LoadSpec load(const char* body) {
  LoadSpec spec;
  spec.body = std::string(body);
  spec.force = formulas("t", "x", "vz");
  return spec;
}
SpringSpec spring(const char* a, const char* b) {
  SpringSpec spec;
  spec.bodies = std::array<std::string, 2>{a, b};
  spec.stiffness = 5.0;
  return spec;
}
DragSpec drag(const char* body, double linear) {
  DragSpec spec;
  spec.body = std::string(body);
  spec.linear = linear;
  return spec;
}

std::string complaint(const Spec& spec) {
  const auto loads = compile_loads(spec, start());
  if (loads) return "none";
  EXPECT_EQ(loads.error().size(), 1u);
  EXPECT_FALSE(loads.error()[0].remedy.empty());
  return loads.error()[0].message + " | " + loads.error()[0].remedy;
}
template <class Change>
std::string complaint_about(const Change& change) {
  Spec spec = bodies();
  change(spec);
  return complaint(spec);
}

TEST(CompileLoads, ScenesWithoutLoadsHaveNone) {
  const auto loads = compile_loads(bodies(), start());
  ASSERT_TRUE(loads);
  EXPECT_TRUE(loads->empty());
}

TEST(CompileLoads, MakesLoadsSpringsAndDrags) {
  Spec spec = bodies();
  spec.loads = {load("ball")};
  spec.springs = {spring("egg", "table")};
  spec.drags = {drag("ball", 2)};
  const auto loads = compile_loads(spec, start());
  ASSERT_TRUE(loads) << to_string(loads.error()[0]);
  std::vector<Wrench<double>> sum(4);
  double power = 0;
  loads->add(7, start(), sum, power);
  EXPECT_LE(difference(sum[0].f, Vec3<double>(7, 1, 3 - 2 * 3)), 1e-15);
  EXPECT_LE(difference(sum[1].f, Vec3<double>(0, -10, 0)), 1e-15);
  EXPECT_NEAR(power, -9, 1e-14);
  EXPECT_NEAR(loads->potential(start()), 10, 1e-14);
  EXPECT_TRUE(loads->depends_on_time());
}

TEST(CompileLoads, KnowsWhichEndsAreDriven) {
  for (const auto& [other, driven] : {std::pair{"table", false}, {"shaker", true}}) {
    Spec spec = bodies();
    spec.springs = {spring("ball", other)};
    const auto loads = compile_loads(spec, start());
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->depends_on_time(), driven);
  }
}

TEST(CompileLoads, RefusesBodiesThatAreNotThereOrDoNotYield) {
  EXPECT_EQ(complaint_about([](Spec& s) { s.loads = {load("bal")}; }),
            "unknown body \"bal\" | did you mean \"ball\"?");
  EXPECT_EQ(complaint_about([](Spec& s) { s.drags = {drag("something", 1)}; }),
            "unknown body \"something\" | available: \"ball\", \"egg\", \"table\", \"shaker\"");
  EXPECT_EQ(
      complaint_about([](Spec& s) { s.loads = {load("shaker")}; }),
      "the load acts on \"shaker\", which has a motion | loads can act only on bodies with a mass");
  EXPECT_EQ(
      complaint_about([](Spec& s) { s.drags = {drag("table", 1)}; }),
      "the drag acts on \"table\", which is fixed | loads can act only on bodies with a mass");
  EXPECT_EQ(complaint_about([](Spec& s) { s.springs = {spring("shaker", "table")}; }),
            "neither body of the spring is free to move | at least one of them must have a mass");
  EXPECT_EQ(complaint_about([](Spec& s) { s.springs = {spring("egg", "egg")}; }),
            "the spring connects a body to itself | name two bodies");
}

TEST(CompileLoads, RefusesNumbersWithoutMeaning) {
  const auto starts_with = [](const std::string& text, const std::string& begin) {
    return text.rfind(begin, 0) == 0;
  };
  for (const double bad : {-1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
    const auto spring_with = [&](Located<double> SpringSpec::*what) {
      return complaint_about([&](Spec& s) {
        s.springs = {spring("ball", "egg")};
        (s.springs[0].*what).value = bad;
      });
    };
    EXPECT_TRUE(starts_with(spring_with(&SpringSpec::stiffness), "stiffness is "));
    EXPECT_TRUE(starts_with(spring_with(&SpringSpec::damping), "damping is "));
    EXPECT_TRUE(starts_with(spring_with(&SpringSpec::length), "length is "));
    EXPECT_TRUE(starts_with(complaint_about([&](Spec& s) { s.drags = {drag("ball", bad)}; }),
                            "linear drag is "));
  }
  EXPECT_TRUE(
      starts_with(complaint_about([](Spec& s) { s.drags = {drag("ball", 0)}; }), "the drag is 0"));
  EXPECT_TRUE(starts_with(complaint_about([](Spec& s) {
                            s.loads = {load("ball")};
                            s.loads[0].force.reset();
                          }),
                          "the load has neither force nor torque"));
  EXPECT_TRUE(starts_with(complaint_about([](Spec& s) {
                            s.loads = {load("ball")};
                            s.loads[0].point = Vec3<double>(0, 0, 1e10);
                          }),
                          "the point (0, 0, 10000000000) is too far away"));
  EXPECT_TRUE(starts_with(complaint_about([](Spec& s) {
                            s.springs = {spring("ball", "table")};
                            s.springs[0].points.value[1] = {1, 0, 0};
                            s.springs[0].length = 0.1;
                          }),
                          "both ends of the spring are at the same point"));
}

TEST(CompileLoads, RefusesFormulasWithTheirPlace) {
  Spec spec = bodies();
  spec.loads = {load("ball")};
  spec.loads[0].force = formulas("vw", "1/y", "log(z)");
  spec.loads[0].torque = formulas("1 +", "0", "1/z");
  const auto loads = compile_loads(spec, start());
  ASSERT_FALSE(loads);
  ASSERT_EQ(loads.error().size(), 2u);  // formulas that do not parse are told first
  EXPECT_EQ(loads.error()[0].message, "column 1: unknown name \"vw\"");
  EXPECT_EQ(loads.error()[0].place.path, "list[0]");
  EXPECT_EQ(loads.error()[1].place.path, "list[0]");
  spec.loads[0].force = formulas("vx", "1/y", "log(z)");
  spec.loads[0].torque = formulas("1/x", "0", "1/(z - 3)");
  const auto infinite = compile_loads(spec, start());
  ASSERT_FALSE(infinite);
  ASSERT_EQ(infinite.error().size(), 2u);
  EXPECT_EQ(infinite.error()[0].message, "the formula is inf at t = 0");
  EXPECT_EQ(infinite.error()[0].place.path, "list[1]");
  EXPECT_EQ(infinite.error()[1].message, "the formula is -inf at t = 0");
  EXPECT_EQ(infinite.error()[1].place.path, "list[2]");
}

}  // namespace oloid::test::compile_loads_test
