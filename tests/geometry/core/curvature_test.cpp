#include "oloid/geometry/core/curvature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/surfaces.h"
#include "oloid/geometry/analytic/superellipsoid.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/revolution/revolution.h"
#include "oloid/geometry/shape.h"
#include "oloid/numerics/quadrature.h"
#include "support/rooms.h"

namespace oloid::test::curvature_test {

// ṅ along a coordinate line, by central differences, is [c_u c_v] times the shape operator.
TEST(FundamentalForms, ShapeOperatorIsTheDifferentialOfTheNormal) {
  for_random_cases(20, [](Random& random) {
    const Patchwork surface = single_patch(random_net(random, 4, 5));
    const Uv<double> q = random.vector<2>(0.1, 0.9);
    const auto f = fundamental_forms(surface.jet<2>(0, q));
    const auto normal = [&](const Uv<double>& at) {
      return fundamental_forms(surface.jet<2>(0, at)).normal;
    };
    const Jet<double, 2> c = surface.jet<2>(0, q);
    constexpr double kStep = 1e-5;
    for (int k = 0; k < 2; ++k) {
      const Uv<double> e = kStep * Uv<double>::Unit(k);
      const Vec3<double> rate = (normal(q + e) - normal(q - e)) / (2 * kStep);
      const Vec3<double> by_shape = f.shape(0, k) * c.d(1, 0) + f.shape(1, k) * c.d(0, 1);
      EXPECT_LE(difference(rate, by_shape), 1e-7 * (1 + f.shape.norm()));  // O(step²) + ε / step
    }
    EXPECT_NEAR(f.area * f.area, f.first.determinant(), 1e-12);
  });
}

TEST(PrincipalCurvatures, OfKnownSurfaces) {
  const Torus torus = Torus::make(1.0, 0.3).value();
  for (double v : {0.0, 0.7, 2.5, -1.2}) {
    const auto k = principal_curvatures(torus.jet<2>(0, Uv<double>(0.4, v)));
    const double across = std::cos(v) / (1 + 0.3 * std::cos(v));
    EXPECT_NEAR(k.largest, std::max(1 / 0.3, across), 1e-13);
    EXPECT_NEAR(k.smallest, std::min(1 / 0.3, across), 1e-13);
    EXPECT_NEAR(k.direction_largest.dot(k.direction_smallest), 0, 1e-15);
    EXPECT_NEAR(std::abs(k.direction_smallest.dot(Vec3<double>(-std::sin(0.4), std::cos(0.4), 0))),
                1, 1e-13);  // round the axis
  }
  const auto ball = principal_curvatures(ellipsoid(0.5, 0.5, 0.5).jet<2>(2, Uv<double>(0.2, 0.1)));
  EXPECT_NEAR(ball.largest, 2, 1e-13);
  EXPECT_NEAR(ball.smallest, 2, 1e-13);
}

// They do not depend on the parameterisation, and agree with the eigenvalues of the shape operator.
TEST(PrincipalCurvatures, AreEigenvaluesOfTheShapeOperator) {
  for_random_cases(20, [](Random& random) {
    const Patchwork surface = single_patch(random_net(random, 4, 4));
    const Jet<double, 2> c = surface.jet<2>(0, Uv<double>(random.vector<2>(0, 1)));
    const auto k = principal_curvatures(c);
    const auto f = fundamental_forms(c);
    const double scale = f.shape.norm() * f.shape.norm();
    EXPECT_NEAR(k.gauss(), f.shape.determinant(), 1e-12 * scale);
    EXPECT_NEAR(2 * k.mean(), f.shape.trace(), 1e-12 * f.shape.norm());
  });
}

// ∮ K dA = 2π χ over every closed surface we have.
double total_curvature(const Shape& shape) {
  const GaussRule rule = gauss_legendre(40);
  double sum = 0;
  for (const Tile& tile : tiles(shape, 1)) {
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      for (std::size_t j = 0; j < rule.points.size(); ++j) {
        const double s = rule.points[i], t = rule.points[j], h = 1e-4;
        // The tile's own area element, by differences of fourth order in (s, t).
        const auto p = [&](double ds, double dt) {
          const Location q = location(shape, tile, s + ds, t + dt);
          return local_surface<double>(shape, q.chart, q.x, {0.6, 0.64, 0.48}).p;
        };
        const auto slope = [&](double x, double y) {
          return Vec3<double>((8 * (p(x, y) - p(-x, -y)) - (p(2 * x, 2 * y) - p(-2 * x, -2 * y))) /
                              (12 * h));
        };
        const double area = slope(h, 0).cross(slope(0, h)).norm();
        const Location q = location(shape, tile, s, t);
        const auto at = local_surface<double>(shape, q.chart, q.x, {0.6, 0.64, 0.48});
        sum += rule.weights[i] * rule.weights[j] * area * at.K.determinant();
      }
    }
  }
  return sum;
}

TEST(Curvature, GaussAndBonnetAgree) {
  const double sphere = 4 * std::numbers::pi;
  EXPECT_NEAR(total_curvature(ellipsoid(0.7, 0.5, 0.4)), sphere, 1e-9);
  EXPECT_NEAR(total_curvature(quadric_of(ellipsoid(0.7, 0.5, 0.4))), sphere, 1e-9);
  EXPECT_NEAR(total_curvature(Superellipsoid::make({0.7, 0.5, 0.4}, 4, 4).value()), sphere, 1e-9);
  EXPECT_NEAR(total_curvature(Torus::make(1.0, 0.3).value()), 0, 1e-9);
}

}  // namespace oloid::test::curvature_test
