#include "oloid/geometry/edge.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/surfaces.h"
#include "laws/edge_laws.h"

namespace oloid {
namespace {

constexpr double kPi = std::numbers::pi;

SurfaceOfRevolution revolution(const std::vector<Vec2<double>>& points, bool cavity = false) {
  std::vector<BezierCurve<2>> spans;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    spans.push_back({{weighted<2>(points[i], 1), weighted<2>(points[i + 1], 1)}});
  return SurfaceOfRevolution::make(spans, cavity).value();
}

// A box of six bilinear faces.
Patchwork box(double a) {
  std::vector<PatchPiece> pieces;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {a, -a}) {
      const Vec3<double> n = side * Vec3<double>::Unit(axis);
      const Vec3<double> u = a * Vec3<double>::Unit((axis + 1) % 3), v = n.cross(u) / a;
      pieces.push_back(
          {make_patch(Rows{{n - u - v, n - u + v}, {n + u - v, n + u + v}}).value(), "face"});
    }
  }
  return Patchwork::make(std::move(pieces)).value();
}

TEST(Edge, KeepsTheLawsOnEveryShape) {
  Random random(2);
  const std::vector<Shape> shapes{
      Frustum::cylinder(0.5, 2).value(),
      Frustum::cylinder(0.5, 2, true).value(),
      Frustum::cone(0.5, 0.3, 1).value(),
      revolution({{0.5, 0}, {0.7, 0.4}, {0.4, 1}}),
      revolution({{0.5, 0}, {0.7, 0.4}, {0.4, 1}}, true),
      revolution({{0, 0}, {0.7, 0}, {0.5, 1}, {0, 1}}),
      single_patch(random_net(random, 4, 4)),
      box(0.5),
      CircleHull::oloid(1).value(),
      CircleHull::sphericon(0.7).value(),
      CircleHull::of_circles({{0, 0, 0}, {0, 0, 1}, 1}, {{0.3, 0.2, 1}, {0.1, 0, 1}, 0.6}).value(),
      CircleHull::of_circles({{0, 0, 0}, {0, 0, 1}, 1}, {{0.1, 0, 0}, {1, 0, 0}, 0.5}).value()};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << "alternative " << shape.index());
    EXPECT_FALSE(edges(shape).empty());
    expect_edge_laws(shape, 1);
  }
}

TEST(Edge, SmoothShapesHaveNone) {
  for (const Shape& shape :
       std::vector<Shape>{Plane{}, ellipsoid(1, 1, 1), Torus::make(1, 0.3).value(),
                          Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value(),
                          Frustum::cylinder(0.5, INFINITY).value()}) {
    EXPECT_TRUE(edges(shape).empty());
  }
}

TEST(Edge, BoxesHaveTwelveConvexOnes) {
  const Shape shape = box(0.5);
  const auto all = edges(shape);
  ASSERT_EQ(all.size(), 12U);
  for (const Edge& edge : all) {
    const EdgeSection at = section(shape, edge, 0.3);
    EXPECT_NEAR(at.angle(), kPi / 2, 1e-15);
    EXPECT_TRUE(at.convex());
    EXPECT_TRUE(at.supports((at.left + *at.right).normalized()));
    EXPECT_TRUE(at.supports(at.left));
    EXPECT_FALSE(at.supports((at.left - 0.1 * *at.right).normalized()));
    EXPECT_FALSE(at.supports(-at.left));
    EXPECT_FALSE(at.supports(at.tangent));
    EXPECT_NEAR(edge.curve.length(), 1, 1e-15);
  }
}

// The body of revolution in the middle is waisted there.
TEST(Edge, WaistsAreConcave) {
  const Shape shape = revolution({{1, 0}, {0.5, 0.5}, {1, 1}});
  int concave = 0;
  for (const Edge& edge : edges(shape)) {
    const EdgeSection at = section(shape, edge, 0.6);
    if (!at.right) continue;
    ++concave;
    EXPECT_NEAR(at.angle(), -kPi / 2, 1e-14);
    EXPECT_FALSE(at.convex());
  }
  EXPECT_EQ(concave, 1);
  EXPECT_EQ(edges(shape).size(), 3U);
}

// A side against two halves, and sides that run at different paces along one curve.
TEST(Edge, HalvesAndPacesAreFollowed) {
  const Rows left{{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}}};
  const auto right = [](double from, double to) {
    return Rows{{{1, from, 0}, {1, to, 0}}, {{2, from, -1}, {2, to, -1}}};
  };
  const Shape halves = Patchwork::make({{make_patch(left).value(), "a"},
                                        {make_patch(right(0, 0.5)).value(), "b"},
                                        {make_patch(right(0.5, 1)).value(), "c"}})
                           .value();
  const auto bent = [](double x, double z) {
    return std::vector<Vec3<double>>{{x, 0, z}, {x, 0.3, z}, {x, 0.7, z}, {x, 1, z}};
  };
  const WeightRows weights{{1, 2, 4, 8}, {1, 2, 4, 8}};
  const Shape paces = Patchwork::make({{make_patch({bent(0, 0), bent(1, 0)}, weights).value(), "a"},
                                       {make_patch({bent(1, 0), bent(2, -1)}).value(), "b"}})
                          .value();
  int sharp = 0;
  for (const Shape& shape : {halves, paces}) {
    expect_edge_laws(shape, 1);
    for (const Edge& edge : edges(shape)) {
      if (!edge.right) continue;
      ++sharp;
      EXPECT_NEAR(section(shape, edge, 0.4).angle(), kPi / 4, 1e-14);
    }
  }
  EXPECT_EQ(sharp, 3);
}

// Its dihedral angle is largest in the middle of the arc and vanishes towards its ends.
TEST(Edge, OloidFadesAtTheEndsOfItsArcs) {
  const Shape shape = CircleHull::oloid(1).value();
  for (const Edge& edge : edges(shape)) {
    const auto angle = [&](double s) { return section(shape, edge, s).angle(); };
    // At t = 0 the planes touch the other circle where it ends: normals (0, −1, ±√3) / 2.
    EXPECT_NEAR(angle(0.5), 2 * kPi / 3, 1e-13);
    EXPECT_NEAR(angle(0.3), angle(0.7), 1e-13);
    EXPECT_LT(angle(1e-6), 1e-2);
    EXPECT_GT(angle(1e-6), 0);
    const EdgeSection at = section(shape, edge, 0.2);
    EXPECT_TRUE(at.supports((at.left + *at.right).normalized()));
  }
}

}  // namespace
}  // namespace oloid
