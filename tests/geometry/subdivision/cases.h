// Cages for tests of subdivision surfaces, and what holds for the pieces of any of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "geometry/subdivision/exact_surface.h"
#include "laws/random.h"
#include "oloid/geometry/core/local_surface.h"
#include "support/cages.h"

namespace oloid::test::subdivision_cases {

inline SubdivisionPieces pieces(const Cage& cage, SubdivisionScheme scheme) {
  auto result = subdivide(cage, scheme);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result ? *std::move(result) : SubdivisionPieces{};
}

inline double size_of(const Cage& cage) {
  Box box;
  for (const Vec3<double>& p : cage.vertices) box.add(p);
  return 0.5 * box.size().norm();
}

inline Exact measured(const SubdivisionPieces& surface, int piece, const Uv<double>& q) {
  const auto c = piece_jet<2>(surface, piece, q);
  const LocalSurface<double> at = local_surface(c, c.d(1, 0).normalized());
  return {at.p, at.R.col(2), at.R.leftCols<2>() * at.K * at.R.leftCols<2>().transpose()};
}

inline Uv<double> inside(Random& random, int sides) {
  Uv<double> q = random.vector<2>(0, 1);
  if (sides == 3 && q.sum() > 1) q = Uv<double>(1 - q.x(), 1 - q.y());
  return q;
}

// The piece that holds a point of a cage face, if no cap does.
struct Spot {
  int piece = -1;
  Uv<double> q = Uv<double>::Zero();
};
inline Spot locate(const SubdivisionPieces& surface, int face, int corner, const Uv<double>& uv) {
  constexpr double kSlack = 1e-9;
  for (std::size_t i = 0; i < surface.places.size(); ++i) {
    const PieceOrigin& place = surface.places[i];
    if (place.face != face || (place.corner != corner && place.level > 0)) continue;
    const Uv<double> q = place.turn.inverse() * (uv - place.at);
    const bool triangle = sides(surface.pieces[i].patch) == 3;
    if (q.minCoeff() > -kSlack && (triangle ? q.sum() : q.maxCoeff()) < 1 + kSlack)
      return {static_cast<int>(i), q};
  }
  return {};
}
inline Vec3<double> point_of(const SubdivisionPieces& surface, const Spot& spot) {
  return piece_jet<0>(surface, spot.piece, spot.q).d(0, 0);
}

inline Uv<double> on_side(int sides, int side, double s) {
  const Uv<double> square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const Uv<double> triangle[3] = {{0, 0}, {1, 0}, {0, 1}};
  const Uv<double>* c = sides == 4 ? square : triangle;
  return (1 - s) * c[side] + s * c[(side + 1) % sides];
}
inline Exact on_side(const SubdivisionPieces& surface, const PatchSide& side, double s) {
  return measured(surface, side.patch,
                  on_side(sides(surface.pieces[at(side.patch)].patch), side.side, s));
}

// Every side is glued, capped or free along its whole length, once; pieces meet there, and unless
// the seam is sharp their normals and curvatures do.
inline void expect_seams(const SubdivisionPieces& surface, double size,
                         double bend_tolerance = 1e-8, double angle_tolerance = 1e-12) {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> covered;
  const auto cover = [&](const PatchSide& side, double from, double to) {
    ASSERT_LT(from, to);
    covered[{side.patch, side.side}].emplace_back(from, to);
  };
  double apart = 0, angle = 0, bend = 0;
  for (const PieceSeam& seam : surface.seams) {
    cover(seam.a.at, seam.a.from, seam.a.to);
    cover(seam.b.at, seam.b.from, seam.b.to);
    for (double s : {0.0, 0.1, 0.5, 0.83, 1.0}) {
      const Exact a = on_side(surface, seam.a.at, seam.a.from + s * (seam.a.to - seam.a.from));
      const Exact b = on_side(surface, seam.b.at, seam.b.to + s * (seam.b.from - seam.b.to));
      apart = std::max(apart, (a.point - b.point).norm() / size);
      if (seam.sharp) continue;
      angle = std::max(angle, (a.normal - b.normal).norm());
      bend = std::max(bend, (a.K - b.K).norm() / (a.K.norm() + b.K.norm() + 1 / size));
    }
    const int levels =
        surface.places[at(seam.a.at.patch)].level - surface.places[at(seam.b.at.patch)].level;
    EXPECT_LE(std::abs(levels), 1);
  }
  for (const PatchSide& side : surface.boundary) cover(side, 0, 1);
  for (const SubdivisionCap& cap : surface.caps) {
    for (const PatchSide& side : cap.border) cover(side, 0, 1);
    for (const auto& [side, s0, s1] : cap.across) cover(side, s0, s1);
  }
  EXPECT_LT(apart, 1e-14);
  EXPECT_LT(angle, angle_tolerance);
  EXPECT_LT(bend, bend_tolerance);
  if (std::getenv("OLOID_PRINT")) std::printf("  seams %.2g %.2g %.2g\n", apart, angle, bend);
  std::size_t all = 0;
  for (std::size_t i = 0; i < surface.pieces.size(); ++i) all += at(sides(surface.pieces[i].patch));
  EXPECT_EQ(covered.size(), all);
  for (auto& [side, parts] : covered) {
    std::sort(parts.begin(), parts.end());
    double end = 0;
    for (const auto& [from, to] : parts) {
      ASSERT_EQ(from, end) << surface.pieces[at(side.first)].name << " side " << side.second;
      end = to;
    }
    ASSERT_EQ(end, 1);
  }
}

// Caps: the border runs around the vertex, near it, and the normal is the limit of the normals.
inline void expect_caps(const SubdivisionPieces& surface, const Cage& cage,
                        SubdivisionScheme scheme) {
  for (const SubdivisionCap& cap : surface.caps) {
    SCOPED_TRACE(cap.vertex);
    const int per_face = scheme == SubdivisionScheme::loop ? 1 : 2;
    EXPECT_EQ(static_cast<int>(cap.border.size()), per_face * cap.valence);
    EXPECT_NEAR(cap.normal.norm(), 1, 1e-14);
    const std::size_t n = cap.border.size();
    double turned = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Exact end = on_side(surface, cap.border[i], 0),
                  begin = on_side(surface, cap.border[i], 1);
      turned += (begin.point - cap.position).cross(end.point - begin.point).dot(cap.normal);
      EXPECT_LT((begin.normal - cap.normal).norm(), 8 * begin.K.norm() * cap.radius + 1e-12);
      if (i + 1 < n || cap.rule == subdivision::Rule::smooth) {
        const Exact next = on_side(surface, cap.border[(i + 1) % n], 1);
        EXPECT_LT((next.point - end.point).norm(), 1e-15 * size_of(cage));
      }
    }
    EXPECT_GT(turned, 0);
    if (cap.rule == subdivision::Rule::smooth) {
      EXPECT_LT(cap.radius, 1.5e-6 * size_of(cage));
    }
    EXPECT_LT(cap.offset.norm(), 1e-15 * size_of(cage));
    if (cap.vertex < 0) continue;
    const LimitVertex limit = limit_vertex(cage, scheme, cap.vertex);
    EXPECT_LT((limit.position - cap.position).norm(), 1e-15 * size_of(cage));
    EXPECT_TRUE(std::any_of(limit.sides.begin(), limit.sides.end(), [&](const auto& side) {
      return (side.normal - cap.normal).norm() < 1e-13;
    }));
  }
}

struct Case {
  std::string name;
  Cage cage;
  SubdivisionScheme scheme;
};
inline std::vector<Case> closed_cases() {
  constexpr SubdivisionScheme kQuads = SubdivisionScheme::catmull_clark,
                              kTriangles = SubdivisionScheme::loop;
  std::vector<Case> cases = {{"cube", cube(), kQuads},
                             {"octahedron", octahedron(), kTriangles},
                             {"icosahedron", icosahedron(), kTriangles},
                             {"octahedron, quads", octahedron(), kQuads}};
  for (int n : {3, 5, 7, 10, 16}) {
    cases.push_back({"drum of " + std::to_string(n), drum(kQuads, n), kQuads});
    cases.push_back({"triangle drum of " + std::to_string(n), drum(kTriangles, n), kTriangles});
  }
  return cases;
}

// Boundaries, creases through the sheet, around its corner, ending in it, crossing; and on closed
// bodies.
inline std::vector<Case> creased_cases() {
  std::vector<Case> cases;
  for (SubdivisionScheme scheme : {SubdivisionScheme::catmull_clark, SubdivisionScheme::loop}) {
    const std::string kind = scheme == SubdivisionScheme::loop ? "triangles, " : "quadrangles, ";
    const Cage flat = sheet(scheme, 6);
    const auto add = [&](const std::string& name, const Cage& cage) {
      cases.push_back({kind + name, cage, scheme});
    };
    add("free border", flat);
    for (double s : {kSharp, 12.0, 0.25, 1.0, 1.5, 2.0, 3.25}) {
      const std::string sharpness = ", sharpness " + std::to_string(s);
      add("crease" + sharpness, creased(flat, {14, 15, 16, 17, 18, 19, 20}, s));
      add("dart" + sharpness, creased(flat, {21, 22, 23, 24}, s));
      add("bent" + sharpness, creased(flat, {16, 23, 24, 25, 18}, s));
      add("crossing" + sharpness,
          creased(creased(flat, {21, 22, 23, 24, 25, 26, 27}, s), {3, 10, 17, 24, 31, 38, 45}, s));
      const Cage ball = scheme == SubdivisionScheme::loop ? icosahedron() : cube();
      add("body" + sharpness,
          creased(ball, {ball.faces[0][0], ball.faces[0][1], ball.faces[0][2]}, s));
      add("round a face" + sharpness, [&] {
        std::vector<int> round = ball.faces[1];
        round.push_back(round[0]);
        return creased(ball, round, s);
      }());
      Cage mixed = creased(flat, {14, 15, 16, 17}, s);
      add("mixed" + sharpness, creased(mixed, {17, 18, 19, 20}, 1.75));
    }
  }
  return cases;
}

// The limit of vertices of a refined mesh whose surroundings are regular and no longer semi-sharp;
// the reference's own masks.
template <class T>
std::map<int, Vec3<double>> regular_limits(const Reference<T>& mesh) {
  std::map<int, std::set<int>> near;
  std::map<int, std::vector<const typename Reference<T>::Polygon*>> around;
  for (const auto& f : mesh.faces) {
    for (std::size_t k = 0; k < f.v.size(); ++k) {
      const int a = f.v[k], b = f.v[(k + 1) % f.v.size()];
      near[a].insert(b);
      near[b].insert(a);
      around[a].push_back(&f);
    }
  }
  std::map<int, Vec3<double>> limits;
  const bool loop = mesh.scheme == SubdivisionScheme::loop;
  for (const auto& [v, ring] : near) {
    std::vector<int> ends;
    bool settled = true;
    for (int n : ring) {
      const double s = mesh.sharpness(Reference<T>::key(v, n));
      settled = settled && (s == 0 || s == kSharp);
      if (s > 0) ends.push_back(n);
    }
    if (!settled) continue;
    const auto p = [&](int i) { return mesh.p[at(i)]; };
    if (ends.size() > 2 || around[v].size() == 1) {
      limits[v] = p(v).rounded();
    } else if (ends.size() == 2) {
      limits[v] = (T(1) / T(6) * (p(ends[0]) + T(4) * p(v) + p(ends[1]))).rounded();
    } else if (ends.empty() && ring.size() == (loop ? 6 : 4)) {
      Vector<T> sum = T(loop ? 6 : 16) * p(v);
      for (int n : ring) sum = sum + T(loop ? 1 : 4) * p(n);
      if (!loop)
        for (const auto* f : around[v])
          sum = sum +
                p(f->v[at(static_cast<int>(std::find(f->v.begin(), f->v.end(), v) - f->v.begin()) +
                          2) %
                       4]);
      limits[v] = (T(1) / T(loop ? 12 : 36) * sum).rounded();
    }
  }
  return limits;
}

template <class T>
Cage cage_of(const Reference<T>& mesh) {
  Cage cage;
  for (const auto& p : mesh.p) cage.vertices.push_back(p.rounded());
  for (const auto& f : mesh.faces) cage.faces.push_back(f.v);
  for (const auto& [edge, s] : mesh.sharp) cage.creases.push_back({edge.first, edge.second, s});
  return cage;
}

}  // namespace oloid::test::subdivision_cases
