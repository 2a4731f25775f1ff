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
#include "oloid/numerics/symmetric_eigen.h"
#include "support/rooms.h"

namespace oloid::test::curvature_test {

PrincipalValues principal(const Jet<double, 2>& c) {
  return principal_values(local_surface(c, Vec3<double>(c.d(1, 0).normalized())).K);
}

TEST(Curvature, OfKnownSurfaces) {
  const Torus torus = Torus::make(1.0, 0.3).value();
  for (double v : {0.0, 0.7, 2.5, -1.2}) {
    const PrincipalValues k = principal(torus.jet<2>(0, Uv<double>(0.4, v)));
    const double across = std::cos(v) / (1 + 0.3 * std::cos(v));
    EXPECT_NEAR(k.larger, std::max(1 / 0.3, across), 1e-13);
    EXPECT_NEAR(k.smaller, std::min(1 / 0.3, across), 1e-13);
  }
  const PrincipalValues ball = principal(ellipsoid(0.5, 0.5, 0.5).jet<2>(2, Uv<double>(0.2, 0.1)));
  EXPECT_NEAR(ball.larger, 2, 1e-13);
  EXPECT_NEAR(ball.smaller, 2, 1e-13);
}

// They do not depend on the parameterisation: the eigenvalues of −(first form)⁻¹ (second form).
TEST(Curvature, IsThatOfTheFundamentalForms) {
  for_random_cases(20, [](Random& random) {
    const Patchwork surface = single_patch(random_net(random, 4, 4));
    const Jet<double, 2> c = surface.jet<2>(0, Uv<double>(random.vector<2>(0, 1)));
    const PrincipalValues k = principal(c);
    Mat2<double> first;
    const double mixed = c.d(1, 0).dot(c.d(0, 1));
    first << c.d(1, 0).squaredNorm(), mixed, mixed, c.d(0, 1).squaredNorm();
    const Mat2<double> shape = -(inverse(first) * second_form(c, unit_normal(c)));
    EXPECT_NEAR(k.larger * k.smaller, shape.determinant(), 1e-12 * shape.squaredNorm());
    EXPECT_NEAR(k.larger + k.smaller, shape.trace(), 1e-12 * shape.norm());
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
