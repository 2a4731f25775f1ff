#include "oloid/world/compile/compile_solids.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oloid/base/constants.h"
#include "oloid/geometry/measure/solid.h"
#include "oloid/world/compile/compile_shape.h"
#include "support/rooms.h"

namespace oloid::test::compile_solids_test {

Solid solid_of(const ShapeSpec& spec) {
  const auto shape = compile_shape(Located<ShapeSpec>(spec));
  EXPECT_TRUE(shape) << to_string(shape.error()[0]);
  const auto solid = geometry::solid(*shape);
  EXPECT_TRUE(solid) << to_string(solid.error());
  return *solid;
}

// Moments about the centre of mass, in closed form, of unit density.
void expect_solid(const ShapeSpec& spec, double volume, double centre, double about_z,
                  double about_x) {
  const Solid solid = solid_of(spec);
  EXPECT_NEAR(solid.volume, volume, 1e-12 * volume);
  EXPECT_NEAR(solid.centre.z(), centre, 1e-12);
  EXPECT_LE(solid.centre.head<2>().norm(), 1e-12);
  EXPECT_NEAR(solid.inertia(2, 2), about_z, 1e-11 * about_z);
  EXPECT_NEAR(solid.inertia(0, 0), about_x, 1e-11 * about_x);
  EXPECT_NEAR(solid.inertia(1, 1), about_x, 1e-11 * about_x);
}

TEST(CompileSolids, HaveTheMomentsOfTextbooks) {
  const double r = 0.3, h = 1.1;
  const double cylinder = kPi * r * r * h;
  expect_solid(CylinderSpec{.radius = r, .height = h}, cylinder, 0, cylinder * r * r / 2,
               cylinder * (3 * r * r + h * h) / 12);
  expect_solid(DiscSpec{.radius = r, .thickness = h}, cylinder, 0, cylinder * r * r / 2,
               cylinder * (3 * r * r + h * h) / 12);
  const double cone = cylinder / 3;
  expect_solid(ConeSpec{.radius = r, .height = h}, cone, 0.75 * h, 0.3 * cone * r * r,
               cone * (0.15 * r * r + 3 * h * h / 80));
  const double in = 0.2, bore = kPi * in * in * h;
  expect_solid(PipeSpec{r, in, h}, cylinder - bore, 0, (cylinder * r * r - bore * in * in) / 2,
               (cylinder * (3 * r * r + h * h) - bore * (3 * in * in + h * h)) / 12);
  // A cylinder of length l and two half balls, whose centres of mass are 3/8 r from their flats.
  const double l = h - 2 * r, middle = kPi * r * r * l, half = 2 * kPi * r * r * r / 3;
  const double away = l / 2 + 3 * r / 8;
  expect_solid(
      CapsuleSpec{r, h}, middle + 2 * half, 0, middle * r * r / 2 + 2 * half * 0.4 * r * r,
      middle * (3 * r * r + l * l) / 12 + 2 * half * (0.4 * r * r - 9 * r * r / 64 + away * away));
}

// Pappus: half a circle of radius t/2 about the rim of a disc of radius r − t/2.
TEST(CompileSolids, ARoundedRimIsHalfATorus) {
  const double r = 0.5, t = 0.1, a = r - t / 2;
  const double area = kPi * t * t / 8, centroid = a + 2 * t / (3 * kPi);
  const Solid solid = solid_of(DiscSpec{r, t, DiscSpec::Rim::rounded});
  EXPECT_NEAR(solid.volume, kPi * a * a * t + 2 * kPi * centroid * area, 1e-12);
}

TEST(CompileSolids, RefuseWhatIsNone) {
  const auto complaint = [](const ShapeSpec& spec) {
    const auto shape = compile_shape(Located<ShapeSpec>(spec));
    return shape ? std::string() : to_string(shape.error()[0]);
  };
  const auto says = [&](const ShapeSpec& spec, const std::string& text) {
    EXPECT_NE(complaint(spec).find(text), std::string::npos) << complaint(spec);
  };
  says(CylinderSpec{.radius = -1, .height = 1}, "radius is -1");
  says(CylinderSpec{.radius = 1, .height = 0}, "height is 0");
  says(CylinderSpec{.radius = 1, .height = 1, .length = 1}, "both given");
  says(ConeSpec{.radius = 1}, "the height is missing");
  says(ConeSpec{.height = 1}, "the radius of the base is missing");
  says(ConeSpec{.radius = 1, .height = 1, .half_angle = 0.3}, "also a half angle");
  says(ConeSpec{.half_angle = 0.3}, "not complete");
  says(CapsuleSpec{0.5, 1}, "more than twice the radius");
  says(DiscSpec{0.5, 1, DiscSpec::Rim::rounded}, "thinner than it is wide");
  says(PipeSpec{0.5, 0.5, 1}, "must be the smaller one");
  says(PipeSpec{0.5, std::nan(""), 1}, "inner_radius is nan");
}

}  // namespace oloid::test::compile_solids_test
