#include "oloid/geometry/revolution/revolution.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/surfaces.h"
#include "oloid/geometry/core/local_surface.h"
#include "support/rooms.h"

namespace oloid::test::revolution_test {

constexpr double pi = std::numbers::pi;

LocalSurface<double> at(const auto& surface, double u, double v) {
  return local_surface(surface.template jet<2, double>(0, {u, v}),
                       Vec3<double>(0.1, 0.2, 0.97).normalized());
}

TEST(Cylinder, KeepsTheLawsOfSurfaces) {
  for (const bool cavity : {false, true}) {
    const Frustum c = Frustum::cylinder(0.7, 3, cavity).value();
    const SurfaceDomain domain{{{0, {0, 0}, {4, 1.5}}}, 1.7, 3};
    expect_surface_laws(c, domain);
    const LocalSurface<double> local = at(c, 0.4, 0.3);
    const double sign = cavity ? -1 : 1;
    EXPECT_NEAR(local.p.head<2>().norm(), 0.7, 1e-15);
    EXPECT_NEAR(local.R.col(2).dot(local.p) * sign, 0.7, 1e-15);
    EXPECT_NEAR(local.K.trace() * sign, 1 / 0.7, 1e-14);  // one principal curvature, the other 0
    EXPECT_NEAR(local.K.determinant(), 0, 1e-14);
  }
}

TEST(Cone, KeepsTheLawsOfSurfaces) {
  for (const bool cavity : {false, true}) {
    const double alpha = 0.4;
    const Frustum c = Frustum::cone(alpha, 0.5, 2, cavity).value();
    const double slant = 1 / std::cos(alpha);
    const SurfaceDomain domain{{{0, {0, 1.25 * slant}, {4, 0.75 * slant}}}, 2.2, 3};
    expect_surface_laws(c, domain);
    const LocalSurface<double> local = at(c, 0.4, 1.1);
    const double sign = cavity ? -1 : 1;
    EXPECT_NEAR(local.p.head<2>().norm() / local.p.z(), std::tan(alpha), 1e-14);
    EXPECT_NEAR(local.R.col(2).z() * sign, -std::sin(alpha), 1e-14);
    EXPECT_NEAR(local.K.trace() * sign, 1 / (1.1 * std::tan(alpha)), 1e-13);
  }
}

TEST(Torus, KeepsTheLawsOfSurfaces) {
  const Torus t = Torus::make(2, 0.5).value();
  const SurfaceDomain domain{{{0, {0, 0}, {4, 4}}}, 2.5, 3};
  expect_surface_laws(t, domain);
  for (const double v : {0.0, 1.0, 2.5}) {
    const LocalSurface<double> local = at(t, 0.7, v);
    EXPECT_NEAR(std::hypot(local.p.head<2>().norm() - 2, local.p.z()), 0.5, 1e-15);
    // Principal curvatures 1/r and cos v / (R + r cos v).
    const double other = std::cos(v) / (2 + 0.5 * std::cos(v));
    EXPECT_NEAR(local.K.trace(), 2 + other, 1e-13);
    EXPECT_NEAR(local.K.determinant(), 2 * other, 1e-13);
  }
}

// Area 4π² R r and total curvature 0, by the trapezoidal rule, which is exact to round-off here.
TEST(Torus, AreaAndTotalCurvature) {
  const Torus t = Torus::make(2, 0.5).value();
  double area = 0, curvature = 0;
  constexpr int n = 64;
  for (int j = 0; j < n; ++j) {
    const Uv<double> q(0.3, 2 * pi * j / n);
    const Jet<double, 2> c = t.jet<2, double>(0, q);
    const double dA = c.d(1, 0).cross(c.d(0, 1)).norm() * (2 * pi) * (2 * pi / n);
    area += dA;
    curvature += local_surface(c, Vec3<double>(0.1, 0.2, 0.97).normalized()).K.determinant() * dA;
  }
  EXPECT_NEAR(area, 4 * pi * pi * 2 * 0.5, 1e-12 * area);
  EXPECT_NEAR(curvature, 0, 1e-12);
}

TEST(Revolution, NearLiesOnTheSurfaceBelowThePoint) {
  const Torus t = Torus::make(2, 0.5).value();
  const Frustum c = Frustum::cone(0.4, 0.5, 2).value();
  const Frustum y = Frustum::cylinder(0.7, 3, true).value();
  const auto beside = [](const auto& surface, const Vec3<double>& p) {
    const Location q = surface.near(p);
    const Jet<double, 1> x = surface.template jet<1, double>(0, q.x.template head<2>());
    const Vec3<double> r = p - x.d(0, 0);
    return std::abs(r.dot(x.d(1, 0))) + std::abs(r.dot(x.d(0, 1)));  // 0: nearest point
  };
  const Vec3<double> p(0.9, -0.8, 1.2);
  EXPECT_NEAR(beside(t, p), 0, 1e-14);
  EXPECT_NEAR(beside(c, p), 0, 1e-14);
  EXPECT_NEAR(beside(y, p), 0, 1e-14);
}

TEST(Revolution, BordersAreOpenAndClamped) {
  const Frustum y = Frustum::cylinder(0.7, 3).value();
  EXPECT_GT(y.margin({ChartId{0}, {9, 1.4, 0}}), 0);
  EXPECT_NEAR(y.margin({ChartId{0}, {9, 1.5, 0}}), 0, 1e-15);
  EXPECT_LT(y.margin({ChartId{0}, {9, -1.6, 0}}), 0);
  const ChartExit exit = y.leave({ChartId{0}, {9, -1.6, 0}});
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).at.x, Vec3<double>(9, -1.5, 0));
  EXPECT_EQ(Frustum::cylinder(0.7, INFINITY).value().margin({ChartId{0}, {0, 1e6, 0}}), 1);
}

TEST(Revolution, RefusesWhatIsNoSurface) {
  EXPECT_FALSE(Frustum::cylinder(0, 1));
  EXPECT_FALSE(Frustum::cylinder(1, 0));
  EXPECT_FALSE(Frustum::cylinder(NAN, 1));
  EXPECT_FALSE(Frustum::cone(0, 1, 2));
  EXPECT_FALSE(Frustum::cone(1.5707, 1, 2));
  EXPECT_FALSE(Frustum::cone(0.4, 0, 2));
  EXPECT_FALSE(Frustum::cone(0.4, 2, 1));
  EXPECT_FALSE(Torus::make(1, 1));
  EXPECT_FALSE(Torus::make(1, 0));
  EXPECT_NE(Torus::make(1, 2).error().remedy.find("minor_radius < major_radius"),
            std::string::npos);
}

}  // namespace oloid::test::revolution_test
