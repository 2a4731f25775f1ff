#include "oloid/geometry/implicit/implicit_primitives.h"

#include <gtest/gtest.h>

#include "geometry/surfaces.h"
#include "oloid/geometry/analytic/superellipsoid.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/implicit/implicit.h"
#include "support/rooms.h"

namespace oloid::test::implicit_primitives_test {

// Where the parametric surface is, f is 0, its gradient points out and the curvature is the same.
template <class F>
void expect_same_surface(const F& parametric, const std::vector<ChartDomain>& charts,
                         const ImplicitField& field) {
  for (const ChartDomain& chart : charts) {
    for_random_cases(50, [&](Random& random) {
      const Jet<double, 2> c = parametric.template jet<2>(chart.chart, chart.sample(random, 1));
      const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
      const Vec3<double> e = fair_reference(random, {n});
      const auto a = local_surface(c, e), b = local_surface(field, c.d(0, 0), e);
      EXPECT_LE(difference(a.p, b.p), kLawTolerance);
      EXPECT_LE(difference(a.R, b.R), kLawTolerance);
      EXPECT_LE(difference(a.K, b.K), kLawTolerance * (1 + a.K.norm()));
    });
  }
}

TEST(ImplicitPrimitives, AreTheSurfacesTheyAreNamedAfter) {
  const Vec3<double> axes(0.7, 0.5, 0.4);
  const Ellipsoid oval = ellipsoid(0.7, 0.5, 0.4), ball = ellipsoid(0.6, 0.6, 0.6);
  const auto charts = domain_of(oval).charts;
  expect_same_surface(oval, charts, ellipsoid_field(axes).value());
  expect_same_surface(ball, charts, ball_field({0, 0, 0}, 0.6).value());
  expect_same_surface(oval, charts, superellipsoid_field(axes, 2, 2).value());
  const Mat3<double> Q = axes.cwiseAbs2().cwiseInverse().asDiagonal();
  expect_same_surface(oval, charts, quadric_field(Q, Vec3<double>::Zero(), -1).value());
  std::vector<ChartDomain> faces;
  for (int chart = 0; chart < 6; ++chart) faces.push_back({chart, {0, 0}, {1, 1}});
  expect_same_surface(Superellipsoid::make(axes, 4, 6).value(), faces,
                      superellipsoid_field(axes, 4, 6).value());
}

TEST(ImplicitPrimitives, QuadricsAreTheClassOfThatName) {
  for_random_cases(50, [](Random& random) {
    Mat3<double> Q = Mat3<double>::NullaryExpr([&](auto, auto) { return random(-1, 1); });
    Q = (Q + Q.transpose()).eval();
    const Vec3<double> b = random.vector<3>(-1, 1);
    const auto quadric = Quadric::make(Q, b, 0.1);
    const auto field = quadric_field(Q, b, 0.1);
    ASSERT_EQ(quadric.has_value(), field.has_value());
    if (!field) return;
    const Vec3<double> p = random.vector<3>(-2, 2);
    const auto f = quadric->implicit_jet(p), g = field->implicit_jet(p);
    EXPECT_LE(difference(f.f, g.f), 1e-13);
    EXPECT_LE(difference(f.gradient, g.gradient), 1e-13);
    EXPECT_LE(difference(f.hessian, g.hessian), 1e-13);
  });
}

// A lens: a ball of radius 1 below a plane at height h is a cap of volume π (1 + h)² (2 − h) / 3.
TEST(ImplicitPrimitives, AreFacesOfIntersections) {
  for (const double h : {-0.3, 0.0, 0.4}) {
    const auto body = ImplicitIntersection::make(
        {ball_field({0, 0, 0}, 1).value(), half_space_field({0, 0, 3}, h).value()},
        {{Vec3<double>::Constant(-1.5), Vec3<double>::Constant(1.5)}});
    ASSERT_TRUE(body.has_value());
    EXPECT_TRUE(body->is_certified());
    EXPECT_TRUE(body->is_convex());
    const double volume = std::numbers::pi * (1 + h) * (1 + h) * (2 - h) / 3;
    EXPECT_LE(difference(body->solid().value().volume, volume), 1e-10);
  }
}

TEST(ImplicitPrimitives, RefuseWhatIsNoBody) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(half_space_field({0, 0, 0}, 1).has_value());
  EXPECT_FALSE(half_space_field({0, 0, 1}, nan).has_value());
  EXPECT_FALSE(ball_field({0, 0, nan}, 1).has_value());
  EXPECT_FALSE(ball_field({0, 0, 0}, -1).has_value());
  EXPECT_FALSE(ellipsoid_field({1, 0, 1}).has_value());
  EXPECT_FALSE(superellipsoid_field({1, 1, 1}, 1.5, 2).has_value());
  EXPECT_FALSE(quadric_field(Mat3<double>::Zero(), Vec3<double>::Zero(), 1).has_value());
}

}  // namespace oloid::test::implicit_primitives_test
