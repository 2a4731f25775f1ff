#include "oloid/geometry/analytic/ellipsoid.h"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "geometry/surfaces.h"
#include "laws/tile_laws.h"
#include "support/rooms.h"

namespace oloid::test::ellipsoid_test {

using std::numbers::pi;

TEST(Ellipsoid, KeepsTheLawsOfSurfaces) {
  for (bool cavity : {false, true}) {
    for (const Ellipsoid& e : {ellipsoid(1, 1, 1, cavity), ellipsoid(0.7, 0.5, 0.4, cavity),
                               ellipsoid(0.02, 0.05, 0.03, cavity)}) {
      expect_surface_laws(e, domain_of(e));
      expect_atlas_laws(e, domain_of(e));
    }
  }
}

TEST(Ellipsoid, ASphereIsAnEllipsoidWithEqualAxes) {
  EXPECT_FALSE(ellipsoid(0.3, 0.3, 0.2).is_sphere());
  for (bool cavity : {false, true}) {
    const Ellipsoid sphere = ellipsoid(0.3, 0.3, 0.3, cavity);
    EXPECT_TRUE(sphere.is_sphere());
    for (const ChartDomain& chart : domain_of(sphere).charts) {
      const auto at = [&]<class S>(const Vec3<S>& location, const Vec3<double>& e) {
        return sphere.local_sphere(chart.chart, location, e);
      };
      for_random_cases(20, [&](Random& random) {
        const Uv<double> uv = chart.sample(random, kBeyond);
        const Vec3<double> q(uv.x(), uv.y(), 0);
        const Vec3<double> n = sphere.jet<0>(chart.chart, uv).d(0, 0).normalized();
        const Vec3<double> e = fair_reference(random, {n});
        expect_same_surface(at(q, e), sphere.local(chart.chart, q, e), 0.3);
        expect_motion_laws(at, q, e, 0.3);
      });
    }
  }
}

TEST(Ellipsoid, NormalPointsOutOfTheBody) {  // and p lies on x²/a² + y²/b² + z²/c² = 1
  for (bool cavity : {false, true}) {
    const Ellipsoid surface = ellipsoid(3, 1, 2, cavity);
    for (const ChartDomain& chart : domain_of(surface).charts) {
      for_random_cases(20, [&](Random& random) {
        const Jet<double, 2> c = surface.jet<2>(chart.chart, chart.sample(random, kBeyond));
        const Vec3<double> p = c.d(0, 0), g = p.cwiseQuotient(surface.semi_axes().cwiseAbs2());
        EXPECT_LE(difference(p.dot(g), 1.0), 8 * kEps);
        const Vec3<double> n = local_surface(c, fair_reference(random, {g.normalized()})).R.col(2);
        EXPECT_LE(difference(n, (cavity ? -1.0 : 1.0) * g.normalized()), 64 * kEps);
      });
    }
  }
}

TEST(Ellipsoid, EqualAxesBendAlikeEverywhere) {  // K = 1 / r, hollow: −1 / r
  for (bool cavity : {false, true}) {
    const Ellipsoid sphere = ellipsoid(0.3, 0.3, 0.3, cavity);
    for (const ChartDomain& chart : domain_of(sphere).charts) {
      for_random_cases(20, [&](Random& random) {
        const Jet<double, 2> c = sphere.jet<2>(chart.chart, chart.sample(random, kBeyond));
        const auto at =
            local_surface(c, fair_reference(random, {Vec3<double>(c.d(0, 0).normalized())}));
        const Mat2<double> expected = (cavity ? -1 : 1) / 0.3 * Mat2<double>::Identity();
        EXPECT_LE(difference(at.K, expected), 1e-13 / 0.3);
      });
    }
  }
}

TEST(Ellipsoid, NearKeepsPointsOfTheSurface) {
  for (bool cavity : {false, true}) {
    const Ellipsoid surface = ellipsoid(3, 1, 2, cavity);
    for_random_cases(200, [&](Random& random) {
      const Vec3<double> p = surface.semi_axes().cwiseProduct(random.direction());
      for (double scale : {1.0, 0.2, 5.0}) {  // and finds those on the same ray
        const Location q = surface.near(scale * p);
        EXPECT_GT(surface.margin(q), 0);
        const Jet<double, 0> c = surface.jet<0, double>(q.chart.index, q.x.head<2>());
        EXPECT_LE(difference(c.d(0, 0), p), 16 * kEps * 3);
      }
    });
    EXPECT_GT(surface.margin(surface.near(Vec3<double>::Zero())), 0);  // some point, not none
  }
}

// An integral over the surface, over the six faces of a cube blown up to it.
template <class Density>
double integral(const Ellipsoid& surface, const Density& density) {
  using D = Dual<double, 2>;
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  double sum = 0;
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart) {
    const auto on_cube = [&](double s, double t) {
      // (u, v) of the cube's point (1, s, t), with derivatives by (s, t).
      const D ds = D::variable(s, 0), dt = D::variable(t, 1);
      const D w = D(1) / (D(1) + sqrt(D(1) + ds * ds + dt * dt));
      const Uv<D> q(ds * w, dt * w);
      const double stretch =
          q.x().d[0] * q.y().d[1] - q.x().d[1] * q.y().d[0];  // ∂(u, v) / ∂(s, t)
      const Jet<double, 2> c = surface.jet<2>(chart, Uv<double>(q.x().v, q.y().v));
      return density(c) * c.d(1, 0).cross(c.d(0, 1)).norm() * stretch;
    };
    const auto row = [&](double s) {
      return Gauss::integrate([&](double t) { return on_cube(s, t); }, -1.0, 0.0) +
             Gauss::integrate([&](double t) { return on_cube(s, t); }, 0.0, 1.0);
    };
    sum += Gauss::integrate(row, -1.0, 0.0) + Gauss::integrate(row, 0.0, 1.0);
  }
  return sum;
}

double gauss_curvature(const Jet<double, 2>& c) {
  const Vec3<double> e = c.d(1, 0).normalized();
  return local_surface(c, e).K.determinant();
}

TEST(Ellipsoid, TotalCurvatureIsThatOfASphere) {  // Gauss and Bonnet: ∫ det K dA = 4 π
  for (bool cavity : {false, true}) {
    EXPECT_NEAR(integral(ellipsoid(1, 1, 1, cavity), gauss_curvature), 4 * pi, 1e-10);
    EXPECT_NEAR(integral(ellipsoid(0.7, 0.5, 0.4, cavity), gauss_curvature), 4 * pi, 1e-10);
    EXPECT_NEAR(integral(ellipsoid(2, 1, 1, cavity), gauss_curvature), 4 * pi, 1e-10);
  }
}

TEST(Ellipsoid, HasTheKnownArea) {
  const auto one = [](const Jet<double, 2>&) { return 1.0; };
  EXPECT_NEAR(integral(ellipsoid(0.3, 0.3, 0.3), one), 4 * pi * 0.09, 1e-12);
  // Prolate, a > b = c: 2 π b² (1 + a / (b e) asin e), e² = 1 − b² / a².
  const double e = std::sqrt(0.75);
  EXPECT_NEAR(integral(ellipsoid(2, 1, 1), one), 2 * pi * (1 + 2 / e * std::asin(e)), 1e-10);
}

TEST(Ellipsoid, HasTheSolidItEncloses) {  // divergence theorem: ∫ div f dV = ∫ f · n dA
  for (const Ellipsoid& e : {ellipsoid(0.3, 0.3, 0.3), ellipsoid(0.7, 0.5, 0.4)}) {
    const auto flux = [&](const auto& field) {
      return integral(e, [&](const Jet<double, 2>& c) {
        return field(c.d(0, 0)).dot(c.d(1, 0).cross(c.d(0, 1)).normalized());
      });
    };
    const Solid solid = e.solid().value();
    const double volume = flux([](const Vec3<double>& x) { return Vec3<double>(x / 3); });
    EXPECT_NEAR(solid.volume, volume, 1e-12 * volume);
    EXPECT_EQ(solid.centre, Vec3<double>(Vec3<double>::Zero()));
    Vec3<double> squares;
    for (int i = 0; i < 3; ++i) {
      squares(i) = flux([i](const Vec3<double>& x) {
        return Vec3<double>(x(i) * x(i) * x(i) / 3 * Vec3<double>::Unit(i));
      });
    }
    const Mat3<double> inertia = (Vec3<double>::Constant(squares.sum()) - squares).asDiagonal();
    EXPECT_LE(difference(solid.inertia, inertia), 1e-12 * inertia.norm());
  }
}

TEST(Ellipsoid, ACavityEnclosesNoSolid) {
  const Result<Solid> none = ellipsoid(3, 1, 2, true).solid();
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "the body is everything outside the surface");
  EXPECT_EQ(none.error().remedy, "specify mass and inertia instead");
}

TEST(Ellipsoid, BoxIsTight) {
  const Ellipsoid surface = ellipsoid(3, 1, 2);
  Box seen;
  for (const ChartDomain& chart : domain_of(surface).charts) {
    seen.add(surface.jet<0>(chart.chart, Uv<double>(0, 0)).d(0, 0));
    for_random_cases(20, [&](Random& random) {
      const Jet<double, 0> c = surface.jet<0>(chart.chart, chart.sample(random, kBeyond));
      EXPECT_TRUE(surface.box().contains(c.d(0, 0), 8 * kEps));
    });
  }
  EXPECT_EQ(seen.low, surface.box().low);
  EXPECT_EQ(seen.high, surface.box().high);
}

TEST(Ellipsoid, TilesCoverItOnce) {
  expect_closed_tile_laws(ellipsoid(3, 1, 2), 4 * pi);
  expect_closed_tile_laws(ellipsoid(3, 1, 2, true), -4 * pi);
}

void expect_refused(const Vec3<double>& semi_axes, const std::string& message) {
  const Result<Ellipsoid> r = Ellipsoid::make(semi_axes);
  ASSERT_FALSE(r.has_value()) << semi_axes.transpose();
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Ellipsoid, RefusesWhatIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_refused({0, 1, 1}, "semi-axis 0 is 0");
  expect_refused({1, -2, 1}, "semi-axis 1 is -2");
  expect_refused({1, 1, std::nan("")}, "semi-axis 2 is nan");
  expect_refused({1, inf, 1}, "semi-axis 1 is inf");
  expect_refused({1, 1, 1e-5}, "the semi-axes differ by a factor of 1e+05");
  EXPECT_TRUE(Ellipsoid::make({1, 1, 1e-3}).has_value());
}

TEST(Ellipsoid, RemembersWhatItWasMadeOf) {
  const Ellipsoid e = ellipsoid(3, 1, 2, true);
  EXPECT_EQ(e.semi_axes(), Vec3<double>(3, 1, 2));
  EXPECT_TRUE(e.cavity());
  EXPECT_FALSE(ellipsoid(1, 1, 1).cavity());
  EXPECT_EQ(e.bounding_radius(), 3);
}

}  // namespace oloid::test::ellipsoid_test
