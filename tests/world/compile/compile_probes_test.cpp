#include "oloid/world/compile/compile_probes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::compile_probes_test {

ProbeSpec probe(std::string name, std::string formula) {
  ProbeSpec spec;
  spec.name = std::move(name);
  spec.formula = {std::move(formula), {"", "probe[0].formula", 3, 4}};
  return spec;
}

// A moving "body" and fixed "ground"s.
Spec scene() {
  Spec spec = test::ball_on_slope(10, 0.5, 1);
  BodySpec far = test::ground();
  far.name = std::string("far ground");
  far.position = Vec3<double>(0, 0, -10);
  spec.bodies.push_back(far);
  PairSpec pair = spec.pairs[0];
  pair.bodies = std::array<std::string, 2>{"body", "far ground"};
  spec.pairs.push_back(pair);
  return spec;
}

std::string complaint(Spec spec) {
  const auto model = compile(spec);
  if (model) return "none";
  EXPECT_EQ(model.error().size(), 1u);
  EXPECT_FALSE(model.error()[0].remedy.empty());
  return model.error()[0].message + " | " + model.error()[0].remedy;
}
std::string complaint(const std::string& formula) {
  Spec spec = scene();
  spec.probes = {probe("p", formula)};
  return complaint(spec);
}

TEST(CompileProbes, FindsWhatNamesStandFor) {
  Spec spec = scene();
  spec.probes = {probe("height-2", "body.z + t * energy.work - 2 * ground.body.slip"),
                 probe("kinetic", "body.kinetic")};
  spec.probes[0].unit = "m";
  spec.probes[1].event = false;
  spec.stop_when.value = {"t - 0.5", "body.ground.gap"};
  const auto model = compile(spec);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->probes.size(), 2u);
  const Probe& first = model->probes[0];
  EXPECT_EQ(first.name, "height-2");
  EXPECT_EQ(first.unit, "m");
  EXPECT_TRUE(first.event);
  EXPECT_FALSE(model->probes[1].event);
  ASSERT_EQ(first.variables.size(), 4u);
  EXPECT_EQ(first.variables[0].of, ProbeVariable::Of::body);
  EXPECT_EQ(kBodyParts[static_cast<std::size_t>(first.variables[0].part)], "z");
  EXPECT_EQ(first.variables[1].of, ProbeVariable::Of::time);
  EXPECT_EQ(kEnergyParts[static_cast<std::size_t>(first.variables[2].part)], "work");
  EXPECT_EQ(first.variables[3].of, ProbeVariable::Of::pair);
  EXPECT_EQ(first.variables[3].item, 0);
  EXPECT_EQ(pairs_asked_for(*model), std::vector<int>{0});
  ASSERT_EQ(model->stops.size(), 2u);
  EXPECT_EQ(model->header.stops, (std::vector<std::string>{"t - 0.5", "body.ground.gap"}));
  EXPECT_EQ(model->header.probes[0].formula, spec.probes[0].formula.value);
}

TEST(CompileProbes, RefusesWithARemedy) {
  EXPECT_EQ(complaint("bdy.z"),
            "\"bdy.z\": unknown body \"bdy\" | did you mean \"body\"?; the body \"far ground\" "
            "cannot be used in formulas: rename it, e.g. to far_ground");
  EXPECT_EQ(complaint("body.vv"), "unknown name \"body.vv\" | did you mean \"body.vx\"?");
  EXPECT_NE(complaint("body").find(
                "\"body\" is a body, not a number | use one of its quantities: body.x"),
            std::string::npos);
  EXPECT_NE(complaint("speed").find("available: t, energy.kinetic, body.z, body.ground.gap"),
            std::string::npos);
  EXPECT_EQ(complaint("energy.knetic"),
            "unknown name \"energy.knetic\" | did you mean \"energy.kinetic\"?");
  EXPECT_NE(complaint("ground.kinetic").find("\"ground\" has no mass"), std::string::npos);
  EXPECT_NE(complaint("body.body.gap").find("name two different bodies"), std::string::npos);
  EXPECT_NE(complaint("body.ground.force").find("normal_force"), std::string::npos);
  EXPECT_NE(complaint("far ground.z").find("rename it, e.g. to far_ground"), std::string::npos);
  EXPECT_NE(complaint("(t").find("column 1: ( without matching )"), std::string::npos);
  EXPECT_NE(complaint("a.b.c.d").find("unknown name"), std::string::npos);
}

TEST(CompileProbes, NamesAreUniqueAndPlain) {
  Spec spec = scene();
  spec.probes = {probe("a", "t"), probe("a", "t")};
  EXPECT_EQ(complaint(spec), "two probes are named \"a\" | names must be unique");
  for (const char* name : {"a/b", "2a", "a b", ".", "ä", "_a"}) {
    spec.probes = {probe(name, "t")};
    EXPECT_NE(complaint(spec).find("is not a valid probe name"), std::string::npos) << name;
  }
  spec.probes.clear();
  spec.stop_when.value = {"t", "q"};
  spec.stop_when.place.path = "stop_when";
  const auto model = compile(spec);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error()[0].place.path, "stop_when[1]");
}

TEST(CompileProbes, KnowsItsLimits) {
  std::string sum = "0";
  for (int i = 0; i < 13; ++i) {
    for (const char* part : {"x", "y", "z", "vx", "vy"}) sum += fmt::format(" + b{}.{}", i, part);
  }
  EXPECT_NE(complaint(sum).find("65 different names | at most 64"), std::string::npos);
}

}  // namespace oloid::test::compile_probes_test
