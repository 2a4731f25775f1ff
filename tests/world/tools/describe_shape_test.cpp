#include "oloid/world/tools/describe_shape.h"

#include <gtest/gtest.h>

#include <numbers>

#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::describe_shape_test {

using std::numbers::pi;

TEST(DescribeShape, NamesSimpleSurfaces) {
  EXPECT_EQ(describe_shape(Plane{}), "plane, unbounded");
  EXPECT_EQ(describe_shape(Ellipsoid::make({0.1, 0.1, 0.1}).value()),
            "sphere, closed, volume 0.00418879 m3");
  EXPECT_EQ(describe_shape(Ellipsoid::make({1, 1, 1}, true).value()), "sphere, closed, cavity");
  EXPECT_EQ(describe_shape(Ellipsoid::make({3, 2, 1 / (8 * pi)}).value()),
            "ellipsoid, closed, volume 1 m3");
  EXPECT_EQ(describe_shape(Superellipsoid::make({1, 1, 1}, 2, 2).value()),
            "superellipsoid, closed, volume 4.18879 m3");
  EXPECT_EQ(describe_shape(Torus::make(2, 0.5).value()), "torus, closed, volume 9.8696 m3");
  EXPECT_EQ(describe_shape(Frustum::cylinder(0.1, 2).value()), "cylinder, open");
  EXPECT_EQ(
      describe_shape(Frustum::cylinder(0.1, std::numeric_limits<double>::infinity(), true).value()),
      "cylinder, unbounded, cavity");
  EXPECT_EQ(describe_shape(Frustum::cone(0.3, 1, 2).value()), "cone, open");
}

TEST(DescribeShape, CountsTheFeaturesOfPolyhedra) {
  const auto box = ConvexPolyhedron::cuboid({1, 2, 3}).value();
  EXPECT_EQ(describe_shape(Polyhedron::make({box}).value()),
            "convex polyhedron, 6 faces, 12 edges, 8 vertices, closed, volume 6 m3");
  const auto cross = ConvexPolyhedron::cuboid({3, 2, 1}).value();
  EXPECT_EQ(
      describe_shape(Polyhedron::make({box, cross}).value()),
      "polyhedron with 2 convex parts, 12 faces, 24 edges, 16 vertices, closed, volume 10 m3");
}

TEST(DescribeShape, TellsHullsOfCircles) {
  EXPECT_EQ(
      describe_shape(CircleHull::oloid(1).value()),
      "hull of two circles, 12 strips, 2 sharp edges of 8.37758 m, closed, volume 3.05242 m3");
  EXPECT_EQ(describe_shape(CircleHull::sphericon(1).value()),
            "hull of two semicircles, 4 half cones, 2 sharp edges of 6.28319 m, closed, volume "
            "2.0944 m3");
}

TEST(DescribeShape, TellsCurves) {
  EXPECT_EQ(describe_curve(Curve::circle({0, 0, 0}, {0, 0, 1}, 0.5).value()),
            "curve, 1 piece, closed, length 3.14159 m, curvature up to 2 1/m, torsion 0 1/m");
  EXPECT_EQ(
      describe_curve(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, true).value()),
      "curve, 3 pieces, 3 corners, closed, length 3.41421 m, curvature up to 0 1/m, torsion 0 "
      "1/m");
}

TEST(DescribeShape, TellsQuadricsApart) {
  const Vec3<double> zero = Vec3<double>::Zero();
  const Mat3<double> ball = Mat3<double>::Identity(), saddle = Vec3<double>(1, -1, 0).asDiagonal();
  EXPECT_EQ(describe_shape(Quadric::make(ball, zero, -1).value()),
            "quadric, ellipsoid, closed, volume 4.18879 m3");
  EXPECT_EQ(describe_shape(Quadric::make(-ball, zero, 1).value()),
            "quadric, ellipsoid, closed, cavity");
  EXPECT_EQ(describe_shape(Quadric::make(saddle, {0, 0, 0.5}, 0).value()), "quadric, unbounded");
}

BezierCurve<2> curve(const std::vector<Vec2<double>>& points) {
  BezierCurve<2> c;
  for (const Vec2<double>& p : points) c.points.push_back(weighted<2>(p, 1));
  return c;
}

TEST(DescribeShape, CountsTheSeamsOfSurfacesOfRevolution) {
  using Revolution = SurfaceOfRevolution;
  // A cylinder with discs at both ends.
  EXPECT_EQ(
      describe_shape(Revolution::make({curve({{0, -1}, {0.5, -1}, {1, -1}}),
                                       curve({{1, -1}, {1, 1}}), curve({{1, 1}, {0.5, 1}, {0, 1}})})
                         .value()),
      "surface of revolution, 3 spans, 2 sharp seams, closed, volume 6.28319 m3");
  // Two cones base to base: tips at both ends.
  EXPECT_EQ(
      describe_shape(Revolution::make({curve({{0, -1}, {1, 0}}), curve({{1, 0}, {0, 1}})}).value()),
      "surface of revolution, 2 spans, 1 sharp seam, 2 tips, closed, volume 2.0944 m3");
  // A flared pipe.
  EXPECT_EQ(
      describe_shape(
          Revolution::make({curve({{1, 0}, {1, 1}}), curve({{1, 1}, {1, 2}, {2, 3}})}).value()),
      "surface of revolution, 2 spans, 1 G1 seam, 2 free borders, open");
  // A ring with a triangular section.
  EXPECT_EQ(describe_shape(Revolution::make({curve({{1, 0}, {2, 0}}), curve({{2, 0}, {1, 1}}),
                                             curve({{1, 1}, {1, 0}})})
                               .value()),
            "surface of revolution, 3 spans, 3 sharp seams, closed, volume 4.18879 m3");
}

PatchPiece piece(const PointRows& net) { return {make_patch(net).value(), "a patch"}; }

// A rectangle of the plane z = 0, or bent along x with z = bend (x − x₀)².
PatchPiece flat(double x0, double x1, double bend = 0) {
  const double dx = x1 - x0;
  PointRows net;
  for (const double part : {0.0, 0.5, 1.0}) {
    const double z = part == 1 ? bend * dx * dx : 0;
    net.push_back({{x0 + part * dx, 0, z}, {x0 + part * dx, 1, z}});
  }
  return piece(net);
}

// The six faces of the unit cube, normals outwards, or inwards if turned.
std::vector<PatchPiece> cube(bool turned = false) {
  std::vector<PatchPiece> faces;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double at : {0.0, 1.0}) {
      const Vec3<double> a = Vec3<double>::Unit((axis + 1) % 3),
                         b = Vec3<double>::Unit((axis + 2) % 3), o = at * Vec3<double>::Unit(axis);
      const bool swapped = (at == 0) != turned;
      const Vec3<double>&u = swapped ? b : a, &v = swapped ? a : b;
      faces.push_back(piece({{o, o + v}, {o + u, o + u + v}}));
    }
  }
  return faces;
}

TEST(DescribeShape, CountsTheSeamsOfPatches) {
  EXPECT_EQ(describe_shape(Patchwork::make({flat(0, 1)}).value()), "1 patch, 4 free sides, open");
  EXPECT_EQ(describe_shape(Patchwork::make({flat(0, 1), flat(1, 2), flat(2, 3, 0.5)}).value()),
            "3 patches, 1 G2 seam, 1 G1 seam, 8 free sides, open");
  EXPECT_EQ(describe_shape(Patchwork::make(cube()).value()),
            "6 patches, 12 sharp seams, closed, volume 1 m3");
  EXPECT_EQ(describe_shape(Patchwork::make(cube(true)).value()),
            "6 patches, 12 sharp seams, closed, cavity");
}

TEST(DescribeShape, TellsOfTrimming) {
  PatchPiece disc = flat(0, 1);
  disc.trimming = std::make_shared<const Trimming>(
      Trimming::make({0, 1, 0, 1},
                     {{curve({{0.2, 0.2}, {0.8, 0.2}}), curve({{0.8, 0.2}, {0.5, 0.8}}),
                       curve({{0.5, 0.8}, {0.2, 0.2}})}})
          .value());
  EXPECT_EQ(describe_shape(Patchwork::make({disc}).value()),
            "1 patch, 4 free sides, 1 trimmed patch, open");
}

}  // namespace oloid::test::describe_shape_test
