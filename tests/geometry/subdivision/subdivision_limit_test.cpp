// Limits of single vertices of a cage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "geometry/subdivision/cases.h"

namespace oloid::test::subdivision_limit_test {

using namespace subdivision_cases;

// A refined cage has the same surface: positions, and normals on all sides of creases.
TEST(LimitVertex, StaysWhereItIsUnderRefinement) {
  std::vector<Case> cases = creased_cases();
  for (const Case& c : closed_cases()) cases.push_back(c);
  for (int n = 1; n < 6; ++n) {  // sectors of n faces between boundary edges, and beside a crease
    Cage fan;
    fan.vertices.emplace_back(0, 0, 0.3);
    for (int i = 0; i <= n; ++i) {
      const double a = pi * i / n;
      fan.vertices.emplace_back(std::cos(a), std::sin(a), 0.2 * std::sin(3 * a));
      if (i > 0) fan.faces.push_back({0, i, i + 1});
    }
    cases.push_back({"fan of " + std::to_string(n), fan, SubdivisionScheme::loop});
    cases.push_back({"fan of " + std::to_string(n), fan, SubdivisionScheme::catmull_clark});
  }
  double worst_position = 0, worst_normal = 0;
  for (const auto& [name, cage, scheme] : cases) {
    SCOPED_TRACE(name);
    const Cage coarse = checked_cage(cage, scheme).value();
    Reference<double> mesh(coarse, scheme);
    mesh.refine();
    const Cage fine = checked_cage(cage_of(mesh), scheme).value();
    for (int v = 0; v < static_cast<int>(coarse.vertices.size()); ++v) {
      const LimitVertex a = limit_vertex(coarse, scheme, v), b = limit_vertex(fine, scheme, v);
      worst_position = std::max(worst_position, (a.position - b.position).norm() / size_of(cage));
      ASSERT_EQ(a.sides.size(), b.sides.size());
      for (const auto& side : a.sides) {
        double nearest = 2;
        for (const auto& other : b.sides)
          nearest = std::min(nearest, (side.normal - other.normal).norm());
        worst_normal = std::max(worst_normal, nearest);
        EXPECT_LT(nearest, 1e-13) << v;
      }
    }
  }
  EXPECT_LT(worst_position, 1e-15);
  if (std::getenv("OLOID_PRINT")) std::printf("  %.2g %.2g\n", worst_position, worst_normal);
}

TEST(LimitVertex, IsOnTheSurface) {
  for (SubdivisionScheme scheme : {SubdivisionScheme::catmull_clark, SubdivisionScheme::loop}) {
    const Cage cage = creased(sheet(scheme, 6), {14, 15, 16, 17, 18, 19, 20}, kSharp);
    const SubdivisionPieces surface = pieces(cage, scheme);
    for (std::size_t f = 0; f < cage.faces.size(); ++f) {
      const int n = static_cast<int>(cage.faces[f].size());
      for (int k = 0; k < n; ++k) {
        const LimitVertex limit = limit_vertex(cage, scheme, cage.faces[f][at(k)]);
        const Spot spot = locate(surface, static_cast<int>(f), -1, on_side(n, k, 0));
        if (spot.piece < 0) continue;
        const Exact there = measured(surface, spot.piece, spot.q);
        EXPECT_LT((there.point - limit.position).norm(), 1e-15 * size_of(cage));
        double nearest = 2;
        for (const auto& side : limit.sides)
          nearest = std::min(nearest, (side.normal - there.normal).norm());
        EXPECT_LT(nearest, 1e-14);
      }
    }
  }
}

}  // namespace oloid::test::subdivision_limit_test
