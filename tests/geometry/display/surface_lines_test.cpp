#include "oloid/geometry/display/surface_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/surfaces.h"
#include "oloid/geometry/any_surface.h"
#include "support/patches.h"
#include "support/rooms.h"

namespace oloid::test::surface_lines_test {

double length(const std::vector<std::vector<Vec3<double>>>& chains) {
  double sum = 0;
  for (const auto& chain : chains)
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) sum += (chain[i + 1] - chain[i]).norm();
  return sum;
}

TEST(SurfaceLines, LieOnTheSurfaceWithinTheTolerance) {
  const Ellipsoid surface = ellipsoid(3, 2, 1);
  const SurfaceLines lines = surface_lines(surface, {1e-3, 1});
  EXPECT_TRUE(lines.borders.empty());  // it has no patches, and is smooth
  ASSERT_FALSE(lines.parameters.empty());
  const Vec3<double> inverse = surface.semi_axes().cwiseInverse();
  for (const auto& line : lines.parameters) {
    ASSERT_GE(line.size(), 2u);
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_NEAR(line[i].cwiseProduct(inverse).norm(), 1, 1e-12);
      if (i == 0) continue;
      const Vec3<double> middle = 0.5 * (line[i] + line[i - 1]);
      // The gradient is at least 1/3 of 2|x/a|: a bound of the distance from below suffices.
      EXPECT_GT(middle.cwiseProduct(inverse).norm(), 1 - 3e-3);
    }
  }
}

// A box has twelve edges, and each is drawn once.
TEST(SurfaceLines, ShowSharpEdgesOnce) {
  const auto box = Polyhedron::make({ConvexPolyhedron::cuboid({1, 2, 3}).value()});
  ASSERT_TRUE(box);
  EXPECT_NEAR(length(surface_lines(*box).borders), 4 * (1 + 2 + 3), 1e-12);
}

// A torus of n patches has 2 n sides; half of them are meridians.
TEST(SurfaceLines, ShowSharedBordersOfPatchesOnce) {
  const double major = 2, minor = 0.5, pi = std::numbers::pi;
  const auto torus = Patchwork::make(pieces_of(nurbs_torus(major, minor), "torus"));
  ASSERT_TRUE(torus);
  const SurfaceLines lines = surface_lines(*torus, {1e-5, 1});
  EXPECT_EQ(lines.borders.size(), 2 * static_cast<std::size_t>(torus->patches()));
  const double meridians = 4 * 2 * pi * minor;
  const double circles = 2 * pi * ((major + minor) + (major - minor) + 2 * major);
  EXPECT_NEAR(length(lines.borders), meridians + circles, 0.01);
  EXPECT_GE(lines.parameters.size(), lines.borders.size());
}

// Where a side has shrunk to a point there is nothing to draw.
TEST(SurfaceLines, LeaveOutSidesThatArePoints) {
  const auto sphere = Patchwork::make(pieces_of(nurbs_sphere(1), "sphere"));
  ASSERT_TRUE(sphere);
  for (const auto& line : surface_lines(*sphere, {1e-4, 1}).borders)
    EXPECT_GT((line.front() - line[line.size() / 2]).norm(), 0.1);
}

}  // namespace oloid::test::surface_lines_test
