#include "oloid/geometry/analytic/superellipsoid.h"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "laws/surface_laws.h"
#include "laws/tile_laws.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/implicit/implicit.h"
#include "support/rooms.h"

namespace oloid::test::superellipsoid_test {

using std::numbers::pi;

Superellipsoid superellipsoid(const Vec3<double>& semi_axes, double p, double q,
                              bool cavity = false) {
  return Superellipsoid::make(semi_axes, p, q, cavity).value();
}

SurfaceDomain domain_of(const Superellipsoid& surface) {
  const double half = Superellipsoid::kReach;
  SurfaceDomain domain{{},
                       surface.semi_axes().maxCoeff(),
                       static_cast<int>(std::ceil(std::max(surface.p(), surface.q())))};
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart)
    domain.charts.push_back({chart, {0, 0}, {half, half}});
  return domain;
}

struct Exponents {
  double p, q;
};
constexpr Exponents kExponents[] = {{2, 2}, {2.5, 2.5}, {2.5, 3}, {4, 4},   {3, 6},
                                    {6, 3}, {2, 5},     {2, 4},   {8, 2.5}, {2.5, 8}};
const Vec3<double> kSemiAxes(0.7, 0.5, 0.4);

// Calls f(surface) for bodies and cavities with all these exponents.
template <class F>
void for_all(const F& f) {
  for (const auto& [p, q] : kExponents) {
    for (const bool cavity : {false, true}) {
      SCOPED_TRACE(testing::Message() << "p = " << p << ", q = " << q << ", cavity " << cavity);
      f(superellipsoid(kSemiAxes, p, q, cavity));
    }
  }
}

TEST(Superellipsoid, KeepsTheLawsOfSurfaces) {
  for_all([](const Superellipsoid& surface) {
    expect_surface_laws(surface, domain_of(surface));
    expect_atlas_laws(surface, domain_of(surface));
  });
}

TEST(Superellipsoid, KeepsTheLawsOfSurfacesWhenNearlyABox) {
  const double most = Superellipsoid::kMaxExponent;
  for (const auto& [p, q] : {Exponents{most, most}, {most, 2.5}, {2, most}, {16, 24}}) {
    SCOPED_TRACE(testing::Message() << "p = " << p << ", q = " << q);
    const Superellipsoid surface = superellipsoid({0.02, 0.05, 0.03}, p, q);
    expect_surface_laws(surface, domain_of(surface));
    expect_atlas_laws(surface, domain_of(surface));
  }
}

// The surface as the zero set of f, written down once more, with derivatives by dual numbers.
struct Implicit {
  const Superellipsoid& surface;

  template <class S>
  S value(const Vec3<S>& x) const {
    using std::pow;
    const auto power = [&](int i, double e) {
      const S t = x(i) / S(surface.semi_axes()(i));
      return pow(select(t < S(0.0), S(-t), t), e);
    };
    const double p = surface.p(), q = surface.q();
    const S f = pow(S(power(0, p) + power(1, p)), q / p) + power(2, q) - S(1.0);
    return surface.cavity() ? S(-f) : f;
  }
  ImplicitJet<double> implicit_jet(const Vec3<double>& x) const {
    using D = Dual<double, 3>;
    using DD = Dual<D, 3>;
    Vec3<DD> moving;
    for (int i = 0; i < 3; ++i) moving(i) = DD::variable(D::variable(x(i), i), i);
    const DD f = value(moving);
    ImplicitJet<double> jet;
    jet.f = f.v.v;
    for (int i = 0; i < 3; ++i) {
      jet.gradient(i) = f.d[i].v;
      for (int k = 0; k < 3; ++k) jet.hessian(i, k) = f.d[i].d[k];
    }
    return jet;
  }
};

TEST(Superellipsoid, HasPointsNormalsAndCurvatureOfItsEquation) {
  for_all([](const Superellipsoid& surface) {
    const Implicit equation{surface};
    for (const ChartDomain& chart : domain_of(surface).charts) {
      for_random_cases(40, [&](Random& random) {
        const Jet<double, 2> c = surface.jet<2>(chart.chart, chart.sample(random, kBeyond));
        const Vec3<double> p = c.d(0, 0);
        const ImplicitJet<double> f = equation.implicit_jet(p);
        const double degree = std::max(surface.p(), surface.q());
        EXPECT_LE(std::abs(f.f), 4 * degree * kEps);  // each power multiplies errors of p by it
        const Vec3<double> e = fair_reference(random, {f.gradient.normalized()});
        const LocalSurface<double> ours = local_surface(c, e),
                                   other = local_surface(equation, p, e);
        EXPECT_LE(difference(ours.R, other.R), 1e-13);
        EXPECT_LE(difference(ours.K, other.K), 1e-12 * (1 / 0.4 + ours.K.norm()));
      });
    }
  });
}

TEST(Superellipsoid, WithExponentsTwoIsAnEllipsoid) {
  for (const bool cavity : {false, true}) {
    const Superellipsoid surface = superellipsoid(kSemiAxes, 2, 2, cavity);
    const Ellipsoid same = Ellipsoid::make(kSemiAxes, cavity).value();
    EXPECT_EQ(surface.bounding_radius(), same.bounding_radius());
    for_random_cases(200, [&](Random& random) {
      const Vec3<double> p = kSemiAxes.cwiseProduct(random.direction());
      const auto at = [&](const auto& f, const Vec3<double>& e) {
        const Location q = f.near(p);
        return local_surface(f.template jet<2, double>(q.chart.index, q.x.template head<2>()), e);
      };
      const Vec3<double> n = at(same, Vec3<double>(0.3, 0.5, 0.8)).R.col(2);
      const Vec3<double> e = fair_reference(random, {n});
      const LocalSurface<double> a = at(surface, e), b = at(same, e);
      EXPECT_LE(difference(a.p, b.p), 4 * kEps);
      EXPECT_LE(difference(a.R, b.R), 32 * kEps);
      EXPECT_LE(difference(a.K, b.K), 64 * kEps * b.K.norm());
    });
  }
}

// Everything is finite on the symmetry planes, at the poles, and as near as numbers go.
template <int Order, class S, class Parts>
void expect_finite(const Superellipsoid& surface, int chart, const Uv<S>& q, const Parts& parts) {
  const Jet<S, Order> c = surface.template jet<Order>(chart, q);
  for (const Vec3<S>& term : c.terms)
    for (int i = 0; i < 3; ++i) parts(term(i));
}

TEST(Superellipsoid, IsFiniteOnSymmetryPlanesAndPoles) {
  using D = Dual<double, 2>;
  using DD = Dual<D, 2>;
  const std::vector<double> kPlaces{0.0,      -0.0,   5e-324, 1e-300, -1e-160, 1e-101,
                                    1.1e-100, -1e-60, 1e-30,  1e-9,   0.5,     -1.0};
  const auto number = [](double x) { EXPECT_TRUE(std::isfinite(x)); };
  const auto dual = [&](const D& x) {
    number(x.v);
    for (const double d : x.d) number(d);
  };
  const auto nested = [&](const DD& x) {
    dual(x.v);
    for (const D& d : x.d) dual(d);
  };
  for_all([&](const Superellipsoid& surface) {
    for (int chart = 0; chart < sphere_charts::kCharts; ++chart) {
      for (const double u : kPlaces) {
        for (const double v : kPlaces) {
          SCOPED_TRACE(testing::Message() << "chart " << chart << ", (" << u << ", " << v << ")");
          const Uv<D> q(D::variable(u, 0), D::variable(v, 1));
          const Uv<DD> qq(DD::variable(q.x(), 0), DD::variable(q.y(), 1));
          expect_finite<3>(surface, chart, Uv<double>(u, v), number);
          expect_finite<0>(surface, chart, q, dual);
          expect_finite<2>(surface, chart, q, dual);
          expect_finite<3>(surface, chart, q, dual);
          expect_finite<0>(surface, chart, qq, nested);
          expect_finite<2>(surface, chart, qq, nested);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  });
}

// On the planes u = 0 and v = 0 and at the centre, jets agree with dual numbers and, as second
// derivatives are continuous, with places nearby.
TEST(Superellipsoid, KeepsTheLawsOnSymmetryPlanes) {
  for_all([](const Superellipsoid& surface) {
    const double size = domain_of(surface).size;
    const int degree = domain_of(surface).degree;
    for (int chart = 0; chart < sphere_charts::kCharts; ++chart) {
      for (const Uv<double>& q : {Uv<double>(0, 0), {0, 0.6}, {-0.3, 0}}) {
        SCOPED_TRACE(testing::Message() << "chart " << chart << ", (" << q.transpose() << ")");
        expect_jet_law<0>(surface, chart, q, size, degree);
        expect_jet_law<1>(surface, chart, q, size, degree);
        expect_jet_law<2>(surface, chart, q, size, degree);
        const Jet<double, 2> here = surface.jet<2>(chart, q);
        const Jet<double, 2> beside =
            surface.jet<2>(chart, Uv<double>(q + Uv<double>(2e-20, 1e-20)));
        for (std::size_t k = 0; k < here.terms.size(); ++k)  // |t|^(e − 2) for e = 2.5
          EXPECT_LE(difference(here.terms[k], beside.terms[k]), 50 * 1e-10);
      }
    }
  });
}

TEST(Superellipsoid, IsFlatAtThePolesUnlessAnEllipsoid) {
  for_all([](const Superellipsoid& surface) {
    const auto K = [&](int chart) {
      return local_surface(surface.jet<2>(chart, Uv<double>(0, 0)), Vec3<double>(0.6, 0.64, 0.48))
          .K;
    };
    for (const int chart : {4, 5}) {
      if (surface.q() > 2) {
        EXPECT_EQ(K(chart), Mat2<double>(Mat2<double>::Zero()));
      }
    }
    for (const int chart : {0, 1, 2, 3}) {
      if (surface.p() > 2) {
        EXPECT_EQ(K(chart), Mat2<double>(Mat2<double>::Zero()));
      }
    }
  });
}

// Near a pole x = c (1 − h / q + …) with h homogeneous of degree q: ten decades nearer, derivatives
// of order n are 10^(−10 (q − n)) times as large, with all their digits.
TEST(Superellipsoid, KeepsItsDigitsNearThePoles) {
  for_all([](const Superellipsoid& surface) {
    const Uv<double> q(0.6, -0.35);
    for (const int chart : {4, 5}) {
      const Jet<double, 3> far = surface.jet<3>(chart, Uv<double>(1e-10 * q));
      const Jet<double, 3> near = surface.jet<3>(chart, Uv<double>(1e-20 * q));
      for (int order = 1; order <= 3; ++order) {
        if (surface.q() == 2 && order == 3) continue;  // h has none
        const double nearer = std::pow(1e-10, surface.q() - order);
        double size = 0;  // of that order: h_uv is 0 for p = q, and what follows h is left
        for (int j = 0; j <= order; ++j) size = std::max(size, std::abs(far.d(order - j, j).z()));
        for (int j = 0; j <= order; ++j) {
          EXPECT_NEAR(near.d(order - j, j).z(), nearer * far.d(order - j, j).z(),
                      1e-13 * nearer * size);
        }
      }
    }
  });
}

TEST(Superellipsoid, NearKeepsPointsOfTheSurface) {
  for_all([](const Superellipsoid& surface) {
    for (const ChartDomain& chart : domain_of(surface).charts) {
      for_random_cases(20, [&](Random& random) {
        const Vec3<double> p = surface.jet<0>(chart.chart, chart.sample(random, 3)).d(0, 0);
        for (const double scale : {1.0, 0.2, 5.0}) {  // and finds those on the same ray
          const Location q = surface.near(scale * p);
          EXPECT_GT(surface.margin(q), 0.09);
          const Jet<double, 0> c = surface.jet<0, double>(q.chart.index, q.x.head<2>());
          EXPECT_LE(difference(c.d(0, 0), p), 16 * kEps);
        }
      });
    }
    EXPECT_GT(surface.margin(surface.near(Vec3<double>::Zero())), 0);  // some point, not none
  });
}

TEST(Superellipsoid, MarginIsOneInTheMiddleAndZeroOnTheBorder) {
  const Superellipsoid surface = superellipsoid(kSemiAxes, 3, 4);
  EXPECT_EQ(surface.margin({ChartId{2}, {0, 0, 0}}), 1);
  EXPECT_EQ(surface.margin({ChartId{2}, {0.3, -1.1, 0}}), 0);
  EXPECT_NEAR(surface.margin({ChartId{2}, {1.21, 0, 0}}), -0.1, 1e-15);
}

// A path around the body changes charts a few times; each change leaves room, so that it is not
// followed by another at once.
TEST(Superellipsoid, APathAroundTheBodyDoesNotPingPong) {
  for (const bool cavity : {false, true}) {
    const Superellipsoid surface = superellipsoid(kSemiAxes, 4, 3, cavity);
    for_random_cases(200, [&](Random& random) {
      const Vec3<double> a = random.direction(), b = a.cross(random.direction()).normalized();
      Location q = surface.near(kSemiAxes.cwiseProduct(a));
      int changes = 0, since = 10000;
      for (int i = 0; i <= 10000; ++i, ++since) {  // one great circle, stretched
        const double t = 2 * pi * i / 10000;
        const Vec3<double> d = std::cos(t) * a + std::sin(t) * b;
        const sphere_charts::Axes k = sphere_charts::axes(q.chart.index, cavity);
        ASSERT_GT(k.sign * d(k.a), 0);
        q.x << d(k.b) / std::abs(d(k.a)), d(k.c) / std::abs(d(k.a)), 0;
        if (surface.margin(q) > 0) continue;
        q = std::get<Crossing>(surface.leave(q)).to;
        EXPECT_GE(surface.margin(q), 0.09);
        EXPECT_GT(since, 70);  // 2.6° of 360°: from the edge to 10 % beyond it
        ++changes;
        since = 0;
      }
      EXPECT_LE(changes, 8);
      EXPECT_GE(changes, 3);
    });
  }
}

// Straight on in the coordinates of a chart, which is a plane section of the body; directions along
// the borders and into the corners too.
TEST(Superellipsoid, StraightWalksDoNotPingPong) {
  const Superellipsoid surface = superellipsoid(kSemiAxes, 3, 4);
  for_random_cases(500, [&](Random& random) {
    Location q{ChartId{static_cast<int>(random(0, 6))}};
    q.x.head<2>() = random.vector<2>(-1.1, 1.1);
    const auto into_corner = [&](const Vec2<double>& d) {
      return random(0, 1) < 0.3 ? Vec2<double>(d.cwiseSign() + 0.01 * d) : d;
    };
    Vec2<double> way = into_corner(random.vector<2>(-1, 1)).normalized();
    double since = 1;
    for (int changes = 0; changes < 20;) {
      q.x.head<2>() += 1e-3 * way;
      since += 1e-3;
      if (surface.margin(q) > 0) continue;
      const Location to = std::get<Crossing>(surface.leave(q)).to;
      EXPECT_NE(to.chart, q.chart);
      EXPECT_GE(surface.margin(to), 0.09);
      EXPECT_GT(since, 0.09);
      // The same way on the surface: (u, v) rates of the new chart by least squares.
      const Jet<double, 1> c = surface.jet<1, double>(q.chart.index, q.x.head<2>());
      const Jet<double, 1> c_to = surface.jet<1, double>(to.chart.index, to.x.head<2>());
      Mat<double, 3, 2> A, A_to;
      A << c.d(1, 0), c.d(0, 1);
      A_to << c_to.d(1, 0), c_to.d(0, 1);
      const Mat2<double> AA = A_to.transpose() * A_to;
      way = (inverse(AA) * (A_to.transpose() * (A * way))).normalized();
      q = to;
      ++changes;
      since = 0;
    }
  });
}

// ∫ f(x) · n dA over the faces of the cube. The cubes of w_u, w_v as parameters smooth out what
// exponents like 2.5 leave at the symmetry planes.
template <class Field>
double flux(const Superellipsoid& surface, const Field& field) {
  using Gauss = boost::math::quadrature::gauss<double, 60>;
  double sum = 0;
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart) {
    const auto cell = [&](double s, double t) {
      const Jet<double, 1> c = surface.jet<1>(chart, Uv<double>(s * s * s, t * t * t));
      return field(c.d(0, 0)).dot(c.d(1, 0).cross(c.d(0, 1))) * 9 * s * s * t * t;
    };
    const auto row = [&](double s) {
      return Gauss::integrate([&](double t) { return cell(s, t); }, -1.0, 0.0) +
             Gauss::integrate([&](double t) { return cell(s, t); }, 0.0, 1.0);
    };
    sum += Gauss::integrate(row, -1.0, 0.0) + Gauss::integrate(row, 0.0, 1.0);
  }
  return sum;
}

TEST(Superellipsoid, SolidIsWhatTheSurfaceEncloses) {  // by the divergence theorem
  for (const auto& [p, q] : kExponents) {
    SCOPED_TRACE(testing::Message() << "p = " << p << ", q = " << q);
    const Superellipsoid surface = superellipsoid(kSemiAxes, p, q);
    const Solid solid = surface.solid().value();
    const double volume = flux(surface, [](const Vec3<double>& x) { return Vec3<double>(x / 3); });
    EXPECT_NEAR(solid.volume, volume, 1e-12 * volume);
    EXPECT_EQ(solid.centre, Vec3<double>(Vec3<double>::Zero()));
    Vec3<double> squares;
    for (int i = 0; i < 3; ++i) {
      squares(i) = flux(surface, [i](const Vec3<double>& x) {
        return Vec3<double>(x(i) * x(i) * x(i) / 3 * Vec3<double>::Unit(i));
      });
    }
    const Mat3<double> inertia = (Vec3<double>::Constant(squares.sum()) - squares).asDiagonal();
    EXPECT_LE(difference(solid.inertia, inertia), 1e-12 * inertia.norm());
  }
}

TEST(Superellipsoid, SolidOfAnEllipsoidAndNearlyOfABox) {
  const Solid solid = superellipsoid(kSemiAxes, 2, 2).solid().value();
  const Solid same = Ellipsoid::make(kSemiAxes).value().solid().value();
  EXPECT_NEAR(solid.volume, same.volume, 8 * kEps * same.volume);
  EXPECT_LE(difference(solid.inertia, same.inertia), 8 * kEps * same.inertia.norm());
  const double box = 8 * kSemiAxes.prod();
  EXPECT_NEAR(superellipsoid(kSemiAxes, 64, 64).solid().value().volume, box, 2e-3 * box);
  // A cylinder with rims of exponent 64.
  const double cylinder = 2 * pi * 0.25 * 0.4;
  EXPECT_NEAR(superellipsoid({0.5, 0.5, 0.4}, 2, 64).solid().value().volume, cylinder,
              2e-3 * cylinder);
}

TEST(Superellipsoid, BoxAndRadiusAreTight) {
  for_all([](const Superellipsoid& surface) {
    const Box box = surface.box();
    Box seen;
    double farthest = 0;
    constexpr int n = 60;
    for (int chart = 0; chart < sphere_charts::kCharts; ++chart) {
      for (int i = -n; i <= n; ++i) {
        for (int j = -n; j <= n; ++j) {
          const Vec3<double> p =
              surface.jet<0>(chart, Uv<double>(double(i) / n, double(j) / n)).d(0, 0);
          EXPECT_TRUE(box.contains(p, 2 * kEps));
          EXPECT_LE(p.norm(), surface.bounding_radius() * (1 + 4 * kEps));
          farthest = std::max(farthest, p.norm());
          seen.add(p);
        }
      }
    }
    EXPECT_LE(difference(seen.low, box.low), 2 * kEps);
    EXPECT_LE(difference(seen.high, box.high), 2 * kEps);
    // Half a step away from the farthest point the distance is less by degree · (1 / 2n)², or so.
    const double missed = domain_of(surface).degree / (4.0 * n * n);
    EXPECT_GT(farthest, surface.bounding_radius() * (1 - 2 * missed));
  });
}

TEST(Superellipsoid, TilesCoverItOnce) {
  for_all([](const Superellipsoid& surface) {
    expect_closed_tile_laws(surface, surface.cavity() ? -4 * pi : 4 * pi);
  });
}

void expect_refused(const Vec3<double>& semi_axes, double p, double q, const std::string& message,
                    const std::string& remedy) {
  const Result<Superellipsoid> r = Superellipsoid::make(semi_axes, p, q);
  ASSERT_FALSE(r.has_value()) << semi_axes.transpose() << ", " << p << ", " << q;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy.find(remedy), std::string::npos) << r.error().remedy;
}

TEST(Superellipsoid, RefusesWhatIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_refused({0, 1, 1}, 2, 2, "semi-axis 0 is 0", "greater than 0");
  expect_refused({1, -2, 1}, 2, 2, "semi-axis 1 is -2", "greater than 0");
  expect_refused({1, 1, std::nan("")}, 2, 2, "semi-axis 2 is nan", "greater than 0");
  expect_refused({1, inf, 1}, 2, 2, "semi-axis 1 is inf", "greater than 0");
  expect_refused({1, 1, 1e-5}, 2, 2, "the semi-axes differ by a factor of 1e+05", "at most 1e4");
  expect_refused({1, 1, 1}, 1.9, 3, "exponent p is 1.9", "must be at least 2");
  expect_refused({1, 1, 1}, 3, -3, "exponent q is -3", "must be at least 2");
  expect_refused({1, 1, 1}, std::nan(""), 3, "exponent p is nan", "must be at least 2");
  expect_refused({1, 1, 1}, 3, 65, "exponent q is 65", "must be at most 64");
  expect_refused({1, 1, 1}, inf, 3, "exponent p is inf", "must be at most 64");
  expect_refused({1, 1, 1}, 4, 2,
                 "with exponents p = 4, q = 2 the curvature jumps at the poles of the z axis",
                 "q greater than 2");
  EXPECT_TRUE(Superellipsoid::make({1, 1, 1e-3}, 4, 2.1).has_value());
}

TEST(Superellipsoid, ACavityEnclosesNoSolid) {
  const Result<Solid> none = superellipsoid(kSemiAxes, 3, 3, true).solid();
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "the body is everything outside the surface");
  EXPECT_EQ(none.error().remedy, "specify mass and inertia instead");
}

TEST(Superellipsoid, RemembersWhatItWasMadeOf) {
  const Superellipsoid surface = superellipsoid(kSemiAxes, 3, 4, true);
  EXPECT_EQ(surface.semi_axes(), kSemiAxes);
  EXPECT_EQ(surface.p(), 3);
  EXPECT_EQ(surface.q(), 4);
  EXPECT_TRUE(surface.cavity());
  EXPECT_FALSE(surface.is_convex());
  EXPECT_TRUE(superellipsoid(kSemiAxes, 3, 4).is_convex());
}

}  // namespace oloid::test::superellipsoid_test
