#include "oloid/geometry/core/tip.h"

#include <gtest/gtest.h>

#include "geometry/surfaces.h"
#include "laws/difference.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::tip_test {

// Places round a tip are near it, may be used, and a little nearer to it the surface ends there.
void expect_tip_laws(const Shape& shape, double size) {
  for (const Tip& tip : tips(shape)) {
    for (int k = 0; k <= 20; ++k) {
      const Location q = tip.beside(k / 20.0);
      EXPECT_GE(margin(shape, q), 0);
      const Vec3<double> e(0.48, 0.6, 0.64);
      const LocalSurface<double> at = local_surface<double>(shape, q.chart, q.x, e);
      const Vec3<double> off = at.p - tip.point;
      EXPECT_GT(off.norm(), 0);
      EXPECT_LE(off.norm(), 1e-2 * size);
      const Location nearer{q.chart, q.x - 0.1 * (at.L * (at.R.leftCols<2>().transpose() * off))};
      EXPECT_LT(margin(shape, nearer), 0);
      const ChartExit exit = leave(shape, nearer);
      ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
      EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::tip);
    }
  }
}

Shape revolution(const std::vector<Vec2<double>>& points) {
  std::vector<BezierCurve<2>> spans;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    spans.push_back({{weighted<2>(points[i], 1), weighted<2>(points[i + 1], 1)}});
  return SurfaceOfRevolution::make(spans, false).value();
}

TEST(Tip, ApexesOfConesKeepTheLaws) {
  const Shape sphericon = CircleHull::sphericon(0.7).value(),
              double_cone = revolution({{0, 0}, {0.5, 0.4}, {0, 1}}),
              one = revolution({{0, 0}, {0.5, 0}, {0, 1}});
  EXPECT_EQ(tips(sphericon).size(), 4U);
  EXPECT_EQ(tips(double_cone).size(), 2U);
  ASSERT_EQ(tips(one).size(), 1U);
  EXPECT_LE(difference(tips(one)[0].point, Vec3<double>(0, 0, 1)), 1e-15);
  for (const Shape& shape : {sphericon, double_cone, one}) expect_tip_laws(shape, 1);
}

// Patches with a side that is a point: an apex is a tip, the pole of a ball is none.
TEST(Tip, CollapsedSidesAreTipsWhereTheSurfaceIsSharp) {
  std::vector<PatchPiece> cone;
  const double r = 0.5;
  const Vec3<double> rim[] = {{r, 0, 0}, {0, r, 0}, {-r, 0, 0}, {0, -r, 0}}, apex(0, 0, 1);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3<double> a = rim[k], b = rim[(k + 1) % 4];
    cone.push_back({make_patch(PointRows{{a, apex}, {a + b, apex}, {b, apex}}).value(), "quarter"});
  }
  const Shape sharp = Patchwork::make(std::move(cone)).value();
  ASSERT_EQ(tips(sharp).size(), 1U);
  EXPECT_EQ(tips(sharp)[0].point, apex);
  EXPECT_EQ(tips(sharp)[0].around.size(), 4U);
  expect_tip_laws(sharp, 1);
  EXPECT_TRUE(tips(Patchwork::make(pieces_of(nurbs_sphere(0.7), "ball")).value()).empty());
}

TEST(Tip, OtherSurfacesHaveNone) {
  for (const Shape& shape : {Shape(Plane{}), Shape(Ellipsoid::make({1, 1, 1}).value()),
                             Shape(CircleHull::oloid(1).value())}) {
    EXPECT_TRUE(tips(shape).empty());
  }
}

// Beyond the ends of the oloid's arcs the surface goes on where they were heading.
TEST(Tip, FadingEdgesHaveNoneButGoOn) {
  const Shape shape = CircleHull::oloid(1).value();
  for (const Edge& edge : edges(shape)) {
    for (const std::size_t end : {0U, 1U}) {
      ASSERT_TRUE(edge.beyond[end]);
      const double s = static_cast<double>(end);
      const auto x = edge.curve.jet<1>(0, s);
      const Vec3<double> out = (end == 0 ? -1 : 1) * x[1].normalized();
      for (const double distance : {1e-3, 1e-2, 0.3}) {
        const Location q = edge.beyond[end]->at(distance);
        EXPECT_GE(margin(shape, q), 0);
        const Vec3<double> p = local_surface<double>(shape, q.chart, q.x, {0.48, 0.6, 0.64}).p;
        EXPECT_LE(difference(p, x[0] + distance * out), 1e-7);
      }
    }
  }
}

}  // namespace oloid::test::tip_test
