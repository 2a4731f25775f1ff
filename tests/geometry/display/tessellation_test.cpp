#include "oloid/geometry/display/tessellation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "geometry/surfaces.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::tessellation_test {

// Directed edges by position: what is left unpaired is a border.
std::size_t open_edges(const Mesh& mesh) {
  using Key = std::array<double, 6>;
  std::map<Key, int> balance;
  const auto key = [&](int a, int b) {
    const Vec3<double>&p = mesh.vertices[static_cast<std::size_t>(a)],
          &q = mesh.vertices[static_cast<std::size_t>(b)];
    return Key{p.x(), p.y(), p.z(), q.x(), q.y(), q.z()};
  };
  for (const auto& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      ++balance[key(t[i], t[(i + 1) % 3])];
      --balance[key(t[(i + 1) % 3], t[i])];
    }
  }
  std::size_t open = 0;
  for (const auto& [edge, count] : balance) open += count > 0 ? static_cast<std::size_t>(count) : 0;
  return open;
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    sum += p(0).dot(p(1).cross(p(2))) / 6;
  }
  return sum;
}

// Normals are unit and look the way the triangles do.
void expect_normals_fit(const Mesh& mesh) {
  ASSERT_EQ(mesh.vertices.size(), mesh.normals.size());
  for (const auto& n : mesh.normals) EXPECT_NEAR(n.norm(), 1, 1e-14);
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    const Vec3<double> flat = (p(1) - p(0)).cross(p(2) - p(0));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_GT(flat.dot(mesh.normals[static_cast<std::size_t>(t[i])]), 0);
  }
}

// Points of the triangles, by distance from the surface as the given function measures it.
template <class Distance>
double largest_distance(const Mesh& mesh, const Distance& distance) {
  double worst = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    for (int a = 0; a <= 4; ++a)
      for (int b = 0; a + b <= 4; ++b)
        worst = std::max(worst, distance(0.25 * (a * p(0) + b * p(1) + (4 - a - b) * p(2))));
  }
  return worst;
}

TEST(Tessellation, KeepsItsToleranceAndCloses) {
  const Shape ball = ellipsoid(0.7, 0.7, 0.7);
  const Shape spline = Patchwork::make(pieces_of(nurbs_sphere(0.7), "sphere")).value();
  const Shape ring = Torus::make(1, 0.3).value();
  const Shape ring_spline = Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value();
  const auto off_ball = [](const Vec3<double>& p) { return std::abs(p.norm() - 0.7); };
  const auto off_ring = [](const Vec3<double>& p) {
    return std::abs(std::hypot(std::hypot(p.x(), p.y()) - 1, p.z()) - 0.3);
  };
  for (double tolerance : {1e-2, 1e-3, 1e-4}) {
    for (const Shape& shape : {ball, spline}) {
      const Mesh mesh = tessellate(shape, {tolerance, 1}).value();
      EXPECT_EQ(open_edges(mesh), 0u);
      EXPECT_LE(largest_distance(mesh, off_ball), tolerance);
      EXPECT_GE(largest_distance(mesh, off_ball), 0.2 * tolerance);  // not much finer than asked
      EXPECT_NEAR(volume(mesh), 4 * std::numbers::pi / 3 * 0.343, 10 * tolerance);
      expect_normals_fit(mesh);
      for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        EXPECT_LE(difference(mesh.normals[i], mesh.vertices[i] / 0.7), 1e-3);  // tips: nearby
    }
    for (const Shape& shape : {ring, ring_spline}) {
      const Mesh mesh = tessellate(shape, {tolerance, 1}).value();
      EXPECT_EQ(open_edges(mesh), 0u);
      EXPECT_LE(largest_distance(mesh, off_ring), tolerance);
      expect_normals_fit(mesh);
      // V − E + F = 0: a ring.
      EXPECT_EQ(2 * mesh.vertices.size(), mesh.triangles.size());
    }
  }
}

TEST(Tessellation, ClosesForEveryClosedSurface) {
  const Mat3<double> Q = Vec3<double>(2, 3, 4).asDiagonal();
  for (const Shape& shape :
       {Shape(ellipsoid(0.7, 0.5, 0.1)), Shape(Superellipsoid::make({0.7, 0.5, 0.4}, 8, 4).value()),
        Shape(Quadric::make(Q, {0.1, 0, 0}, -1).value())}) {
    const Mesh mesh = tessellate(shape, {1e-3, 1}).value();
    EXPECT_EQ(open_edges(mesh), 0u);
    expect_normals_fit(mesh);
    EXPECT_NEAR(volume(mesh), solid(shape).value().volume, 5e-3 * volume(mesh));
    // V − E + F = 2: a ball, no vertex twice.
    EXPECT_EQ(2 * mesh.vertices.size(), mesh.triangles.size() + 4);
  }
}

// Polygons with more than four sides are fans of triangles.
TEST(Tessellation, ClosesForSPatches) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    Random random(static_cast<unsigned>(n));
    const Shape prism = Patchwork::make(prism_pieces(prism_ends(random, n))).value();
    const Mesh mesh = tessellate(prism, {1e-3, 1}).value();
    EXPECT_EQ(open_edges(mesh), 0u);
    expect_normals_fit(mesh);
    EXPECT_NEAR(volume(mesh), solid(prism).value().volume, 5e-3 * volume(mesh));
  }
}

// Where a side meets two halves no vertex lies on an edge.
TEST(Tessellation, ClosesWhereSidesMeetHalves) {
  std::vector<PatchPiece> pieces = pieces_of(nurbs_torus(1, 0.3), "torus");
  const PatchPiece whole = pieces[5];
  pieces[5].patch = sub_patch(whole.patch, {0, 0}, {1, 0.5});
  pieces.push_back({sub_patch(whole.patch, {0, 0.5}, {1, 1}), "upper half"});
  const Patchwork ring = Patchwork::make(pieces).value();
  ASSERT_TRUE(ring.closed());
  const Mesh mesh = tessellate(Shape(ring), {1e-3, 1}).value();
  EXPECT_EQ(open_edges(mesh), 0u);
  expect_normals_fit(mesh);
  EXPECT_EQ(2 * mesh.vertices.size(), mesh.triangles.size());
  const Solid exact = Torus::make(1, 0.3).value().solid().value();
  EXPECT_NEAR(ring.solid().value().volume, exact.volume, 1e-13);
}

// A wave that is point-symmetric about its middle is seen as well.
TEST(Tessellation, SeesInflections) {
  Rows net;
  for (int i = 0; i < 4; ++i) {
    const double z[4] = {0, 1, -1, 0};
    net.push_back({{i / 3.0, 0, z[i]}, {i / 3.0, 1, z[i]}});
  }
  const Patchwork wave = single_patch(net);
  const Mesh mesh = tessellate(Shape(wave), {1e-3, 1}).value();
  EXPECT_GE(mesh.triangles.size(), 40u);
  // x = u on this patch.
  EXPECT_LE(largest_distance(mesh,
                             [&](const Vec3<double>& p) {
                               const double u = std::clamp(p.x(), 0.0, 1.0);
                               const double z = 3 * u * (1 - u) * (1 - u) - 3 * u * u * (1 - u);
                               const double slope = 3 - 18 * u + 18 * u * u;
                               return std::abs(p.z() - z) / std::hypot(1, slope);
                             }),
            1e-3);
}

// Glued within a coarse tolerance it closes all the same: sides have the points of one of them.
TEST(Tessellation, ClosesWhereSidesAreGluedRoughly) {
  Random random(5);
  const auto face = [&](Vec3<double> o, Vec3<double> u, Vec3<double> v) {
    const auto near = [&](const Vec3<double>& p) {
      return Vec3<double>(p + random.vector<3>(-1e-8, 1e-8));
    };
    return PatchPiece{
        make_patch(Rows{{near(o), near(o + v)}, {near(o + u), near(o + u + v)}}).value(), "face"};
  };
  const Vec3<double> x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), o(0, 0, 0);
  Gluing rough;
  rough.tolerance = 1e-6;
  const Patchwork cube = Patchwork::make({face(o, y, x), face(z, x, y), face(o, x, z),
                                          face(y, z, x), face(o, z, y), face(x, y, z)},
                                         rough)
                             .value();
  ASSERT_TRUE(cube.closed());
  EXPECT_EQ(open_edges(tessellate(Shape(cube)).value()), 0u);
}

// Sharp edges have one position and several normals.
TEST(Tessellation, KeepsSharpEdgesSharp) {
  const auto face = [](Vec3<double> o, Vec3<double> u, Vec3<double> v) {
    return PatchPiece{make_patch(Rows{{o, o + v}, {o + u, o + u + v}}).value(), "face"};
  };
  const Vec3<double> x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), o(0, 0, 0);
  const Patchwork cube = Patchwork::make({face(o, y, x), face(z, x, y), face(o, x, z),
                                          face(y, z, x), face(o, z, y), face(x, y, z)})
                             .value();
  ASSERT_TRUE(cube.closed());
  const Mesh mesh = tessellate(Shape(cube)).value();
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 24u);
  EXPECT_EQ(open_edges(mesh), 0u);
  EXPECT_NEAR(volume(mesh), 1, 1e-15);
}

TEST(Tessellation, LeavesOutWhatIsTrimmed) {
  const double r = 0.3;
  const NurbsCircle circle(r);
  std::vector<Vec3<double>> points;
  for (std::size_t i = 0; i < circle.points.size(); ++i) {  // clockwise: a hole
    const Vec2<double>& p = circle.points[circle.points.size() - 1 - i];
    const double w = circle.weights[i];
    points.push_back({w * (p.x() + 0.5), w * (p.y() + 0.5), w});
  }
  const auto hole = std::make_shared<const Trimming>(
      Trimming::make({0, 1, 0, 1}, {bezier_pieces<2>(circle.knots, points)}).value());
  const Patch plate = make_patch(Rows{{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}}}).value();
  const Mesh mesh =
      tessellate(Shape(Patchwork::make({{plate, "plate", hole, {0, 1, 0, 1}}}).value())).value();
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    area += 0.5 * (p(1) - p(0)).cross(p(2) - p(0)).z();
  }
  EXPECT_NEAR(area, 1 - std::numbers::pi * r * r, 1e-3);
  for (const auto& p : mesh.vertices) {
    const double from_centre = std::hypot(p.x() - 0.5, p.y() - 0.5);
    bool used = false;
    for (const auto& t : mesh.triangles)
      for (int v : t) used = used || &mesh.vertices[static_cast<std::size_t>(v)] == &p;
    if (used) {
      EXPECT_GE(from_centre, r - 1e-12);
    }
  }
}

TEST(Tessellation, CutsOffUnboundedSurfaces) {
  const Mesh plane = tessellate(Shape(Plane{}), {1e-3, 5}).value();
  EXPECT_EQ(plane.triangles.size(), 2u);
  EXPECT_NEAR(plane.vertices[0].norm(), 5 * std::sqrt(2), 1e-14);
  const Mesh tube = tessellate(Shape(Frustum::cylinder(0.1, INFINITY).value()), {1e-3, 2}).value();
  for (const auto& p : tube.vertices) EXPECT_LE(std::abs(p.z()), 2);
}

TEST(Tessellation, RefusesWhatCannotBe) {
  const Shape ball = ellipsoid(1, 1, 1);
  EXPECT_FALSE(tessellate(ball, {0, 1}).has_value());
  EXPECT_FALSE(tessellate(ball, {-1, 1}).has_value());
  EXPECT_FALSE(tessellate(ball, {std::nan(""), 1}).has_value());
  EXPECT_EQ(tessellate(ball, {1e-12, 1}).error().message,
            "a mesh accurate to 1e-12 m would have too many triangles");
  const Mat3<double> cylinder = Vec3<double>(1, 0, 1).asDiagonal();
  EXPECT_EQ(tessellate(Shape(Quadric::make(cylinder, {0, 0, 1}, 0).value())).error().message,
            "this quadric cannot be meshed");
}

}  // namespace oloid::test::tessellation_test
