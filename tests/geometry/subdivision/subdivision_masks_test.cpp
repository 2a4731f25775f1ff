#include "oloid/geometry/subdivision/subdivision_masks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/subdivision/cases.h"

namespace oloid::test::subdivision_masks_test {

using namespace subdivision_cases;

TEST(LimitMasks, AreTheKnownOnes) {
  for (int n = 3; n <= 16; ++n) {
    const LimitMasks quads = smooth_masks(SubdivisionScheme::catmull_clark, n);
    const LimitMasks triangles = smooth_masks(SubdivisionScheme::loop, n);
    const double c = std::cos(2 * pi / n), w = 0.625 - std::pow(0.375 + 0.25 * c, 2);
    const double chi = 1 / (0.375 * n / w + n);
    const double A = 1 + c + std::cos(pi / n) * std::sqrt(2 * (9 + c));  // [HalsteadKassDeRose93]
    EXPECT_NEAR(quads.position.centre, n * n / (n * (n + 5.0)), 1e-14);
    EXPECT_NEAR(triangles.position.centre, 1 - n * chi, 1e-14);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(quads.position.edges[at(i)], 4 / (n * (n + 5.0)), 1e-14);
      EXPECT_NEAR(quads.position.faces[at(i)], 1 / (n * (n + 5.0)), 1e-14);
      EXPECT_NEAR(triangles.position.edges[at(i)], chi, 1e-14);
      EXPECT_NEAR(triangles.tangents[0].edges[at(i)], std::cos(2 * pi * i / n), 1e-14);
      EXPECT_NEAR(quads.tangents[0].edges[at(i)] / 4, std::cos(2 * pi * i / n), 1e-14);
      EXPECT_NEAR(A * quads.tangents[0].faces[at(i)] / 4,
                  std::cos(2 * pi * i / n) + std::cos(2 * pi * (i + 1) / n), 1e-13);
    }
  }
  // The borders of regular grids: differences of splines with mirrored points.
  const RingMask quads = crease_masks(SubdivisionScheme::catmull_clark, 2).tangents[1];
  const RingMask triangles = crease_masks(SubdivisionScheme::loop, 3).tangents[1];
  const double q = quads.edges[1] / 4, t = triangles.edges[1] / 2;
  EXPECT_NEAR(quads.centre / q, -4, 1e-14);
  EXPECT_NEAR(quads.edges[0] / q, -1, 1e-14);
  EXPECT_NEAR(quads.edges[2] / q, -1, 1e-14);
  EXPECT_NEAR(quads.faces[0] / q, 1, 1e-14);
  EXPECT_NEAR(quads.faces[1] / q, 1, 1e-14);
  EXPECT_NEAR(triangles.centre / t, -2, 1e-14);
  EXPECT_NEAR(triangles.edges[0] / t, -1, 1e-14);
  EXPECT_NEAR(triangles.edges[3] / t, -1, 1e-14);
}

}  // namespace oloid::test::subdivision_masks_test
