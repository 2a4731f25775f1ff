#include "oloid/io/mesh/simplify_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/rooms.h"

namespace oloid::test::simplify_mesh_test {

using Key = std::array<double, 3>;
Key key(const Vec3<double>& p) { return {p.x(), p.y(), p.z()}; }

// A cube's surface, each face a grid of n × n squares with vertices of its own; pushed onto a
// sphere it has one normal at each place.
DisplayMesh cube(int n, bool round) {
  DisplayMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int sign : {-1, 1}) {
      const auto first = static_cast<std::int32_t>(mesh.vertices.size());
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          Vec3<double> p, normal = Vec3<double>::Zero();
          p(axis) = sign;
          p((axis + 1) % 3) = sign * (2.0 * i / n - 1);
          p((axis + 2) % 3) = 2.0 * j / n - 1;
          normal(axis) = sign;
          if (round) p.normalize(), normal = p;
          mesh.vertices.push_back(p);
          mesh.normals.push_back(normal);
        }
      }
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const std::int32_t a = first + i * (n + 1) + j, b = a + n + 1;
          mesh.triangles.push_back({a, b, a + 1});
          mesh.triangles.push_back({b, b + 1, a + 1});
        }
      }
    }
  }
  return mesh;
}

// Sides of triangles that have no partner, by place.
int open_sides(const DisplayMesh& mesh) {
  std::map<std::pair<Key, Key>, int> count;
  const auto place = [&](std::int32_t i) {
    return key(mesh.vertices[static_cast<std::size_t>(i)]);
  };
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      ++count[{place(t[k]), place(t[(k + 1) % 3])}];
      --count[{place(t[(k + 1) % 3]), place(t[k])}];
    }
  }
  int open = 0;
  for (const auto& [side, balance] : count) open += std::abs(balance);
  return open;
}

double volume(const DisplayMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
    sum += p(0).dot(p(1).cross(p(2))) / 6;
  }
  return sum;
}

TEST(SimplifiedMesh, LeavesSmallOnesAsTheyAre) {
  const DisplayMesh mesh = cube(4, false);
  const SimplifiedMesh same = simplified(mesh, mesh.vertices.size());
  EXPECT_EQ(same.moved, 0);
  EXPECT_EQ(same.mesh.vertices, mesh.vertices);
  EXPECT_EQ(same.mesh.triangles, mesh.triangles);
}

TEST(SimplifiedMesh, KeepsWhatIsClosedClosed) {
  for (const bool round : {false, true}) {
    const DisplayMesh mesh = cube(60, round);
    for (const std::size_t most : {8000u, 2000u, 500u}) {
      const SimplifiedMesh less = simplified(mesh, most);
      EXPECT_LE(less.mesh.vertices.size(), most);
      EXPECT_GE(less.mesh.vertices.size(), most / 4);
      EXPECT_EQ(open_sides(less.mesh), 0);
      EXPECT_NEAR(volume(less.mesh), volume(mesh), 3 * less.moved * 24);
      EXPECT_GT(volume(less.mesh), 0.5 * volume(mesh));
    }
  }
}

TEST(SimplifiedMesh, KeepsSharpEdgesSharp) {
  const SimplifiedMesh less = simplified(cube(60, false), 2000);
  for (const Vec3<double>& n : less.mesh.normals) EXPECT_EQ(n.cwiseAbs().maxCoeff(), 1);
}

// Vertices that stay are vertices that were there.
TEST(SimplifiedMesh, StaysOnTheSurface) {
  const SimplifiedMesh less = simplified(cube(60, true), 1000);
  EXPECT_GT(less.moved, 0);
  for (const Vec3<double>& p : less.mesh.vertices) EXPECT_NEAR(p.norm(), 1, 1e-15);
}

}  // namespace oloid::test::simplify_mesh_test
