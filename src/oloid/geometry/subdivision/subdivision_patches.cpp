#include "oloid/geometry/subdivision/subdivision_patches.h"

#include <algorithm>
#include <array>
#include <vector>

#include "oloid/base/index.h"

namespace oloid::geometry::subdivision {
namespace {

// The net of a regular quadrangle: P[1..2][1..2] are its corners.
using Grid = std::array<std::array<Point, 4>, 4>;

Grid quad_net(const Mesh& mesh, int f) {
  constexpr int kAt[4][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  constexpr int kOut[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};  // beyond each side
  Grid P;
  const auto put = [&](int i, int j, int vertex) { P[at(i)][at(j)] = mesh.point(vertex); };
  const Face& face = mesh.face(f);
  for (int k = 0; k < 4; ++k) {
    const auto [i, j] = kAt[k];
    const int next = (k + 1) % 4, last = (k + 3) % 4;
    put(i, j, face.vertex(k));
    if (mesh.sharp_for_ever(face.edge(k))) continue;
    const int g = mesh.across(face.edge(k), f);
    const Face& beyond = mesh.face(g);
    const int c = beyond.corner_of(face.vertex(k));  // its next two corners lie outside
    put(i + kOut[k][0], j + kOut[k][1], beyond.vertex(c + 1));
    put(kAt[next][0] + kOut[k][0], kAt[next][1] + kOut[k][1], beyond.vertex(c + 2));
    if (mesh.sharp_for_ever(face.edge(last))) continue;
    const Face& diagonal = mesh.face(mesh.across(beyond.edge(c), g));
    put(i + kOut[k][0] + kOut[last][0], j + kOut[k][1] + kOut[last][1],
        diagonal.vertex(diagonal.corner_of(face.vertex(k)) + 2));
  }
  // Beyond sharp sides, mirrored: first along u, then along v, which also fills the corners.
  const auto mirrored = [](const Point& on, const Point& inside) { return on + (on - inside); };
  for (std::size_t j = 0; j < 4; ++j) {
    if (mesh.sharp_for_ever(face.edge(3))) P[0][j] = mirrored(P[1][j], P[2][j]);
    if (mesh.sharp_for_ever(face.edge(1))) P[3][j] = mirrored(P[2][j], P[1][j]);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (mesh.sharp_for_ever(face.edge(0))) P[i][0] = mirrored(P[i][1], P[i][2]);
    if (mesh.sharp_for_ever(face.edge(2))) P[i][3] = mirrored(P[i][2], P[i][1]);
  }
  return P;
}

// Uniform cubic B-spline to Bezier, 6 times.
constexpr double kSpline[4][4] = {{1, 4, 1, 0}, {0, 4, 2, 0}, {0, 2, 4, 0}, {0, 1, 4, 1}};

// The six points around a corner of a regular triangle, counter-clockwise from its next corner.
std::array<Point, 6> triangle_ring(const Mesh& mesh, int f, int corner) {
  const Face& face = mesh.face(f);
  const int v = face.vertex(corner);
  const Point& p = mesh.point(v);
  const Sector sector = sector_of(mesh, mesh.ring(v), f);
  std::vector<Point> q = points_of(mesh, v, sector).edges;
  if (sector.valence() == 1) {
    q = {q[0], q[1], p + (q[1] - q[0]), p + (p - q[0]), p + (p - q[1]), p + (q[0] - q[1])};
  } else if (!sector.closed) {
    const Point after = p + (q[3] - q[2]), before = p + (q[0] - q[1]);
    q.push_back(after);
    q.push_back(before);
  }
  const auto first = std::find(sector.faces.begin(), sector.faces.end(), f) - sector.faces.begin();
  std::array<Point, 6> ring;
  for (std::size_t i = 0; i < 6; ++i) ring[i] = q[(static_cast<std::size_t>(first) + i) % 6];
  return ring;
}

// Control points of the box spline over a triangle, on the lattice where its corners are (0, 0),
// (1, 0) and (0, 1), and 24 times the weights that give its quartic Bezier points, row by row.
constexpr int kLattice[12][2] = {{0, 0},  {1, 0},  {0, 1},  {1, -1}, {1, 1}, {-1, 1},
                                 {-1, 0}, {0, -1}, {2, -1}, {2, 0},  {0, 2}, {-1, 2}};
constexpr double kBoxSpline[15][12] = {{12, 2, 2, 2, 0, 2, 2, 2, 0, 0, 0, 0},   // (0, 0)
                                       {12, 4, 3, 3, 0, 1, 0, 1, 0, 0, 0, 0},   // (1, 0)
                                       {8, 8, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0},    // (2, 0)
                                       {4, 12, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0},   // (3, 0)
                                       {2, 12, 2, 2, 2, 0, 0, 0, 2, 2, 0, 0},   // (4, 0)
                                       {12, 3, 4, 1, 0, 3, 1, 0, 0, 0, 0, 0},   // (0, 1)
                                       {10, 6, 6, 1, 0, 1, 0, 0, 0, 0, 0, 0},   // (1, 1)
                                       {6, 10, 6, 1, 1, 0, 0, 0, 0, 0, 0, 0},   // (2, 1)
                                       {3, 12, 4, 1, 3, 0, 0, 0, 0, 1, 0, 0},   // (3, 1)
                                       {8, 4, 8, 0, 0, 4, 0, 0, 0, 0, 0, 0},    // (0, 2)
                                       {6, 6, 10, 0, 1, 1, 0, 0, 0, 0, 0, 0},   // (1, 2)
                                       {4, 8, 8, 0, 4, 0, 0, 0, 0, 0, 0, 0},    // (2, 2)
                                       {4, 3, 12, 0, 1, 3, 0, 0, 0, 0, 0, 1},   // (0, 3)
                                       {3, 4, 12, 0, 3, 1, 0, 0, 0, 0, 1, 0},   // (1, 3)
                                       {2, 2, 12, 0, 2, 2, 0, 0, 0, 0, 2, 2}};  // (0, 4)

}  // namespace

Patch quad_patch(const Mesh& mesh, int f, const Vec3<double>& origin) {
  const Grid P = quad_net(mesh, f);
  Grid rows;
  BicubicPatch::Net net;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k)
        if (kSpline[i][k] != 0) rows[i][j] = rows[i][j] + kSpline[i][k] * P[k][j];
    }
    for (std::size_t j = 0; j < 4; ++j) {
      Point sum;  // 36 times the point; differences from the first keep the origin's digits
      for (std::size_t k = 0; k < 4; ++k)
        if (kSpline[j][k] != 0) sum = sum + kSpline[j][k] * (rows[i][k] - 6.0 * Point(origin));
      net[i][j] = sum.rounded() / 36;
    }
  }
  return BicubicPatch(net);
}

Patch triangle_patch(const Mesh& mesh, int f, const Vec3<double>& origin) {
  constexpr int kCorner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  constexpr int kStep[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};
  Grid lattice;  // shifted by 1
  for (int k = 0; k < 3; ++k) {
    const auto [x, y] = kCorner[k];
    lattice[at(x + 1)][at(y + 1)] = mesh.point(mesh.face(f).vertex(k)) - Point(origin);
    const std::array<Point, 6> ring = triangle_ring(mesh, f, k);
    for (int i = 0; i < 6; ++i) {  // corner k's first neighbour lies in direction 2 k
      const auto& step = kStep[(i + 2 * k) % 6];
      lattice[at(x + 1 + step[0])][at(y + 1 + step[1])] = ring[at(i)] - Point(origin);
    }
  }
  std::vector<Vec<double, 4>> points;
  for (const auto& weights : kBoxSpline) {
    Point sum;
    for (std::size_t k = 0; k < 12; ++k) {
      if (weights[k] != 0)
        sum = sum + weights[k] * lattice[at(kLattice[k][0] + 1)][at(kLattice[k][1] + 1)];
    }
    points.push_back(weighted<3>(sum.rounded() / 24, 1));
  }
  return TrianglePatch(4, points);
}

}  // namespace oloid::geometry::subdivision
