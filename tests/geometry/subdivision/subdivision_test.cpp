#include "oloid/geometry/subdivision/subdivision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "geometry/subdivision/cases.h"

namespace oloid::test::subdivision_test {

using namespace subdivision_cases;

class IsTheLimitSurface : public testing::TestWithParam<int> {};
std::string case_name(const testing::TestParamInfo<int>& info) {
  std::string name = closed_cases()[at(info.param)].name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Subdivision, IsTheLimitSurface, testing::Range(0, 14), case_name);

// At random points of pieces of every level, down to 1e-6 of the face from an irregular vertex.
TEST_P(IsTheLimitSurface, AtAllLevels) {
  const auto [name, cage, scheme] = closed_cases()[at(GetParam())];
  const SubdivisionPieces surface = pieces(cage, scheme);
  Surface exact(cage, scheme);
  Random random(17);
  std::map<int, std::vector<int>> by_level;
  for (int i = 0; i < static_cast<int>(surface.pieces.size()); ++i)
    by_level[surface.places[at(i)].level].push_back(i);
  double position = 0, normal = 0, curvature = 0;
  for (const auto& [level, list] : by_level) {
    for (int k = 0; k < 10; ++k) {
      const int i = list[at(static_cast<int>(random(0, static_cast<double>(list.size()))))];
      const Uv<double> q = inside(random, sides(surface.pieces[at(i)].patch));
      const Exact a = measured(surface, i, q), b = exact.evaluate(surface.places[at(i)], q);
      position = std::max(position, (a.point - b.point).norm() / size_of(cage));
      normal = std::max(normal, (a.normal - b.normal).norm());
      curvature = std::max(curvature, (a.K - b.K).norm() / b.K.norm());
    }
  }
  EXPECT_LT(position, 1e-15);
  EXPECT_LT(normal, 1e-13);
  EXPECT_LT(curvature, 1e-8);
  if (std::getenv("OLOID_PRINT")) {
    std::printf("  %s: %zu pieces, level %d, position %.2g normal %.2g K %.2g\n", name.c_str(),
                surface.pieces.size(), by_level.rbegin()->first, position, normal, curvature);
  }
}
TEST_P(IsTheLimitSurface, WithoutGaps) {
  const auto [name, cage, scheme] = closed_cases()[at(GetParam())];
  const SubdivisionPieces surface = pieces(cage, scheme);
  EXPECT_TRUE(surface.boundary.empty());
  expect_seams(surface, size_of(cage));
  expect_caps(surface, cage, scheme);
}

// Regular faces are one patch each: exact far from everything.
TEST(Subdivision, MakesOnePatchOfARegularFace) {
  for (SubdivisionScheme scheme : {SubdivisionScheme::catmull_clark, SubdivisionScheme::loop}) {
    const Cage cage = sheet(scheme, 5);
    const SubdivisionPieces surface = pieces(cage, scheme);
    int whole = 0;
    for (const PieceOrigin& place : surface.places) whole += place.level == 0;
    // All quadrangles of a sheet are regular, corners and borders too; of triangles two corners
    // belong to two faces.
    EXPECT_EQ(whole, scheme == SubdivisionScheme::loop ? 2 * 25 - 4 : 25);
  }
}

// The surface goes through the limits of the vertices of a refinement.
void expect_limits(const Cage& cage, SubdivisionScheme scheme, int levels) {
  const SubdivisionPieces surface = pieces(cage, scheme);
  Reference<double> mesh(cage, scheme);
  for (int i = 0; i < levels; ++i) mesh.refine();
  const std::map<int, Vec3<double>> limits = regular_limits(mesh);
  const Uv<double> square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const Uv<double> triangle[3] = {{0, 0}, {1, 0}, {0, 1}};
  double worst = 0;
  int compared = 0;
  std::set<int> seen;
  for (const auto& f : mesh.faces) {
    for (std::size_t k = 0; k < f.v.size(); ++k) {
      const auto limit = limits.find(f.v[k]);
      if (limit == limits.end() || !seen.insert(f.v[k]).second) continue;
      const Uv<double> uv = f.at + f.turn * (f.v.size() == 3 ? triangle[k] : square[k]);
      const Spot spot = locate(surface, f.face, f.corner, uv);
      if (spot.piece < 0) continue;
      worst = std::max(worst, (point_of(surface, spot) - limit->second).norm());
      ++compared;
    }
  }
  EXPECT_LT(worst, 2e-15 * size_of(cage));
  EXPECT_GT(compared, static_cast<int>(0.95 * static_cast<double>(mesh.p.size())));
  if (std::getenv("OLOID_PRINT"))
    std::printf("  limits: %.2g over %d\n", worst / size_of(cage), compared);
}

TEST(Subdivision, FollowsBoundariesCreasesAndSharpness) {
  for (const auto& [name, cage, scheme] : creased_cases()) {
    SCOPED_TRACE(name);
    expect_limits(cage, scheme, 4);
    if (HasFailure()) return;
  }
}
TEST(Subdivision, HasNoGapsAtBoundariesAndCreases) {
  for (const auto& [name, cage, scheme] : creased_cases()) {
    SCOPED_TRACE(name);
    // Where few faces lie between crease edges, pieces are needles, 60 or 1000 times as long as
    // wide and 1e-6 wide: c_vv is known to 1e-16 of their length, and divided by their width².
    expect_seams(pieces(cage, scheme), size_of(cage), 1e-6);
    if (HasFailure()) return;
  }
}

// Whatever edges are sharp or semi-sharp, pieces and caps fit together.
TEST(Subdivision, HasNoGapsAtRandomCreases) {
  const Cage tetrahedron{{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                         {}};
  for_random_cases(150, [&](Random& random) {
    const SubdivisionScheme scheme =
        random(0, 1) < 0.5 ? SubdivisionScheme::loop : SubdivisionScheme::catmull_clark;
    const bool loop = scheme == SubdivisionScheme::loop;
    const std::vector<Cage> cages = {tetrahedron,      loop ? octahedron() : cube(),
                                     sheet(scheme, 1), sheet(scheme, 2),
                                     sheet(scheme, 3), drum(scheme, 3),
                                     drum(scheme, 5)};
    Cage cage = cages[at(static_cast<int>(random(0, 7)))];
    const double share = random(0, 1);
    std::set<std::pair<int, int>> seen;
    for (const std::vector<int>& face : cage.faces) {
      for (std::size_t k = 0; k < face.size(); ++k) {
        const int a = face[k], b = face[(k + 1) % face.size()];
        if (!seen.insert(std::minmax(a, b)).second || random(0, 1) > share) continue;
        const double sharpness[5] = {0, 0.5, 1, 2.25, kSharp};
        cage.creases.push_back({a, b, sharpness[static_cast<int>(random(0, 5))]});
      }
    }
    // Needles of any proportion: see above.
    expect_seams(pieces(cage, scheme), size_of(cage), 1e-2, 1e-10);
    expect_limits(cage, scheme, 4);
  });
}

// A sharp crease or a boundary is the cubic B-spline of its vertices.
TEST(Subdivision, MakesCreasesSplinesOfTheirVertices) {
  for (SubdivisionScheme scheme : {SubdivisionScheme::catmull_clark, SubdivisionScheme::loop}) {
    Cage cage = scheme == SubdivisionScheme::loop ? octahedron() : cube();
    const std::vector<int> loop = scheme == SubdivisionScheme::loop ? std::vector<int>{0, 2, 1, 3}
                                                                    : std::vector<int>{4, 5, 7, 6};
    for (std::size_t i = 0; i < 4; ++i) cage.creases.push_back({loop[i], loop[(i + 1) % 4]});
    const SubdivisionPieces surface = pieces(cage, scheme);
    double length = 0, worst = 0;  // in edges
    for (const PieceSeam& seam : surface.seams) {
      if (!seam.sharp) continue;
      const PieceOrigin& place = surface.places[at(seam.a.at.patch)];
      const std::vector<int>& face = cage.faces[at(place.face)];
      const int n = static_cast<int>(face.size());
      const auto on_face = [&](double s) -> Uv<double> {
        return place.at + place.turn * on_side(n, seam.a.at.side, s);
      };
      // Which edge of the face this is, and where along it.
      for (int side = 0; side < n; ++side) {
        const Uv<double> from = on_side(n, side, 0), along = on_side(n, side, 1) - from;
        const auto t = [&](double s) {
          return (on_face(s) - from).dot(along) / along.squaredNorm();
        };
        const auto off = [&](double s) { return (on_face(s) - from - t(s) * along).norm(); };
        if (off(0) > 1e-12 || off(1) > 1e-12) continue;
        const int a = face[at(side)], b = face[at((side + 1) % n)];
        const auto index = std::find(loop.begin(), loop.end(), a) - loop.begin();
        const bool forward = loop[at(static_cast<int>(index + 1) % 4)] == b;
        const auto p = [&](int k) {
          return cage.vertices[at(loop[at((static_cast<int>(index) + (forward ? k : 4 - k)) % 4)])];
        };
        length += std::abs(t(seam.a.to) - t(seam.a.from));
        for (double r : {0.0, 0.3, 0.9}) {
          const double s = seam.a.from + r * (seam.a.to - seam.a.from), x = t(s), y = 1 - x;
          const Vec3<double> spline =
              (y * y * y * p(3) + (3 * x * x * x - 6 * x * x + 4) * p(0) +
               (-3 * x * x * x + 3 * x * x + 3 * x + 1) * p(1) + x * x * x * p(2)) /
              6;
          worst = std::max(worst, (on_side(surface, seam.a.at, s).point - spline).norm());
        }
      }
    }
    EXPECT_NEAR(length, 4, 0.02);  // the rest lies beside caps
    EXPECT_LT(worst, 1e-15);
  }
}

// Names tell where a piece lies, and each only one.
TEST(Subdivision, NamesItsPieces) {
  for (const auto& [name, cage, scheme] : closed_cases()) {
    std::set<std::string> names;
    for (const PatchPiece& piece : pieces(cage, scheme).pieces)
      EXPECT_TRUE(names.insert(piece.name).second) << piece.name;
  }
  const SubdivisionPieces surface = pieces(cube(), SubdivisionScheme::catmull_clark);
  EXPECT_EQ(surface.pieces.front().name, "face 0, corner 0, level 2, part 1");
}

TEST(Subdivision, EndsWhereItIsTold) {
  for (double size : {0.5, 0.1, 1e-3, 1e-8}) {
    for (const auto& [name, cage, scheme] : closed_cases()) {
      const SubdivisionPieces surface = subdivide(cage, scheme, {size}).value();
      for (const SubdivisionCap& cap : surface.caps) {
        EXPECT_FALSE(cap.border.empty());
        EXPECT_LT(cap.radius, 2 * size * size_of(cage));
      }
    }
  }
}

}  // namespace oloid::test::subdivision_test
