
#include <gtest/gtest.h>

#include "geometry/surfaces.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/revolution/recognise_revolution.h"
#include "support/rooms.h"

namespace oloid::test::shape_test {

Shape implicit(const std::vector<std::string>& formulas) {
  std::vector<ImplicitField> fields;
  for (const std::string& f : formulas) fields.emplace_back(ImplicitExpression::make(f).value());
  const ImplicitDomain domain{{Vec3<double>::Constant(-1.5), Vec3<double>::Constant(1.5)}};
  if (fields.size() == 1) return Implicit::make(fields[0], domain).value();
  return ImplicitIntersection::make(fields, domain).value();
}

bool has_points_for_locations(const Shape& shape) {
  return shape.is<Quadric>() || shape.is<Implicit>() || shape.is<ImplicitIntersection>();
}

std::vector<Shape> all_shapes() {
  Random random(7);
  return {
      Plane{},
      ellipsoid(0.7, 0.5, 0.4),
      ellipsoid(0.7, 0.5, 0.4, true),
      single_patch(random_net(random, 4, 4)),
      quadric_of(ellipsoid(0.7, 0.5, 0.4)),
      Superellipsoid::make({0.7, 0.5, 0.4}, 3, 4).value(),
      Frustum::cylinder(0.5, 2).value(),
      Torus::make(1, 0.3).value(),
      recognise_revolution(nurbs_sphere(0.7)).value(),
      Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value(),
      implicit({"x^2/0.49 + y^4/0.07 + z^2/0.16 + 0.1*x*z - 1"}),
      implicit({"x^2 + y^2 + z^2 - 1", "x + 0.2*z^2 - 0.5"}),
      Polyhedron::make({ConvexPolyhedron::cuboid({0.7, 0.5, 0.4}).value()}).value(),
      CircleHull::oloid(0.5).value(),
      CircleHull::of_circles({{0, 0, 0}, {0, 0, 1}, 0.5}, {{0, 0.1, 1}, {0, 0, 1}, 0.3}).value(),
      CircleHull::sphericon(0.5).value(),
      Patchwork::make({{random_s_patch(random, 5, 3), "the patch"}}).value(),
      Patchwork::make({{random_s_patch(random, 9, 2, true), "the patch"}}).value()};
}

// A shape behaves as a contact needs it wherever its seeds are.
TEST(Shape, EverySeedKeepsTheLawsOfMotion) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << "alternative " << shape.surface().kind.index());
    const std::vector<Location> starts = seeds(shape);
    ASSERT_FALSE(starts.empty());
    for_random_cases(20, [&](Random& random) {
      const Location q =
          starts[static_cast<std::size_t>(random(0, static_cast<double>(starts.size())))];
      EXPECT_GT(margin(shape, q), 0);
      const auto at = [&]<class S>(const Vec3<S>& location, const Vec3<double>& e) {
        return local_surface<S>(shape, q.chart, location, e);
      };
      const Vec3<double> n = at(q.x, random.direction()).R.col(2);
      const Vec3<double> e = fair_reference(random, {n});
      expect_frame_laws(at(q.x, e), e);
      expect_motion_laws(at, q.x, e, 1);
      expect_lane_laws<Pack<4>>(at, std::vector<Vec3<double>>(4, q.x), e, 1);
      EXPECT_LE(at(q.x, e).p.norm(), bounding_radius(shape) * (1 + 4 * kEps));
    });
  }
}

TEST(Shape, NearOfAPointOfTheSurfaceIsCloseToIt) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << "alternative " << shape.surface().kind.index());
    for (const Location& q : seeds(shape)) {
      const Vec3<double> e = Vec3<double>(1, 2, 3).normalized();
      const Vec3<double> p = local_surface<double>(shape, q.chart, q.x, e).p;
      const Location back = near(shape, p);
      EXPECT_GT(margin(shape, back), 0);
      const Vec3<double> p_back = local_surface<double>(shape, back.chart, back.x, e).p;
      EXPECT_LE(difference(p_back, p), 1e-14);  // seeds of a patch are its grid of starts
    }
  }
}

TEST(Shape, SettledLeavesChartCoordinatesAlone) {
  for (const Shape& shape : all_shapes()) {
    if (has_points_for_locations(shape)) continue;
    const Location q{ChartId{0}, {0.31, 0.22, 0}};
    EXPECT_EQ(settled(shape, q).x, q.x);
    EXPECT_EQ(settled(shape, q).chart, q.chart);
  }
}

TEST(Shape, SettledPutsImplicitPointsBack) {
  for (const Shape& shape : all_shapes()) {
    if (!has_points_for_locations(shape)) continue;
    for (const Location& q : seeds(shape)) {
      for_random_cases(5, [&](Random& random) {
        const Vec3<double> off = q.x + 1e-5 * random.direction();
        const Location back = settled(shape, {q.chart, off});
        const Vec3<double> e = Vec3<double>(1, 2, 3).normalized();
        const Vec3<double> p = local_surface<double>(shape, q.chart, back.x, e).p;
        EXPECT_LE((p - back.x).norm(), 4 * kEps);   // on the surface
        EXPECT_LE((back.x - off).norm(), 1.01e-5);  // no farther than it had to
        EXPECT_LE(difference(settled(shape, back).x, back.x), 4 * kEps);
      });
    }
  }
}

// However far beside the surface a step along a tangent has led.
TEST(Shape, SettledLeavesNoGapBehind) {
  const Shape ball = Quadric::make(Mat3<double>::Identity(), Vec3<double>::Zero(), -0.01).value();
  for (const double side : {0.001, 0.03, 0.1, 0.3, 1.0}) {
    const Location back = settled(ball, {ChartId{0}, {side, 0.02, -0.1}});
    EXPECT_NEAR(back.x.norm(), 0.1, 1e-16) << side;
  }
}

TEST(Shape, LeavingLeadsWhereTheSurfaceSays) {
  const std::vector<Shape> shapes = all_shapes();
  const Location q{ChartId{0}, {0.6, 0.1, 0}};
  for (const Shape& shape : shapes) {
    const auto* patches = shape.as<Patchwork>();
    const bool open = shape.is<Frustum>() || shape.is<ImplicitIntersection>() ||
                      shape.is<Polyhedron>() || shape.is<CircleHull>() ||
                      (patches && !patches->closed());
    EXPECT_EQ(std::holds_alternative<OpenEdge>(leave(shape, q)), open);
  }
}

TEST(Shape, BoxesAndRadiiContainIt) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << "alternative " << shape.surface().kind.index());
    const Box box = bounding_box(shape);
    for (const Tile& tile : tiles(shape, 3)) {
      for_random_cases(50, [&](Random& random) {
        Uv<double> q = random.vector<2>(0, 1);
        if (tile.sides == 3) q = PatchDomain::triangle().clamped(q);
        if (kept(shape, tile, q.x(), q.y()) < 0) return;  // beyond an edge
        const Location at = location(shape, tile, q.x(), q.y());
        const Vec3<double> p = local_surface<double>(shape, at.chart, at.x, {0.6, 0.64, 0.48}).p;
        EXPECT_TRUE(box.contains(p, 1e-14));
        EXPECT_LE(p.norm(), bounding_radius(shape) * (1 + 4 * kEps));
      });
    }
  }
}

// Whether a surface is closed or not, its density question has an answer.
TEST(Shape, SolidsAreOfTheInside) {
  const double V = 4 * std::acos(-1) / 3;
  EXPECT_FALSE(solid(Plane{}));
  EXPECT_FALSE(solid(ellipsoid(0.7, 0.5, 0.4, true)));
  EXPECT_NEAR(solid(ellipsoid(0.7, 0.5, 0.4)).value().volume, V * 0.14, 1e-15);
  EXPECT_NEAR(solid(quadric_of(ellipsoid(0.7, 0.5, 0.4))).value().volume, V * 0.14, 1e-15);
  EXPECT_FALSE(solid(quadric_of(ellipsoid(0.7, 0.5, 0.4, true))));
  EXPECT_FALSE(solid(Frustum::cylinder(0.5, 2).value()));
  EXPECT_NEAR(solid(recognise_revolution(nurbs_sphere(0.7)).value()).value().volume, V * 0.343,
              1e-14);
}

}  // namespace oloid::test::shape_test
