#include "oloid/geometry/implicit/implicit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/surfaces.h"
#include "laws/tile_laws.h"
#include "oloid/geometry/analytic/superellipsoid.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/display/tessellation.h"
#include "oloid/geometry/implicit/implicit_tools.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test::implicit_test {

constexpr double kPi = std::numbers::pi;

Box cube(double half) { return {Vec3<double>::Constant(-half), Vec3<double>::Constant(half)}; }
ImplicitField field(const std::string& formula) {
  return ImplicitExpression::make(formula).value();
}
Implicit surface(const std::string& formula, double half) {
  const auto made = Implicit::make(field(formula), {cube(half)});
  EXPECT_TRUE(made.has_value()) << formula << ": " << (made ? "" : to_string(made.error()));
  return made.value();
}

const std::string kEllipsoid = "x^2/0.49 + y^2/0.25 + z^2/0.16 - 1";
const std::string kTorus = "(x^2 + y^2 + z^2 + 1 - 0.09)^2 - 4*(x^2 + y^2)";
const std::string kTorusByRoot = "(sqrt(x^2 + y^2) - 1)^2 + z^2 - 0.09";

Vec3<double> on_torus(Random& random) {
  const double a = random(-kPi, kPi), b = random(-kPi, kPi);
  const double r = 1 + 0.3 * std::cos(b);
  return {r * std::cos(a), r * std::sin(a), 0.3 * std::sin(b)};
}
Vec3<double> on_ellipsoid(Random& random) {
  return Vec3<double>(0.7, 0.5, 0.4).cwiseProduct(random.direction());
}
// A point near the surface, brought onto it.
auto on_surface_of(const ImplicitBody& body) {
  return [&body](Random& random) {
    const std::vector<Location> seeds = body.seeds();
    const auto i = static_cast<std::size_t>(random(0, static_cast<double>(seeds.size())));
    const Location& q = seeds[i];
    const Vec3<double> p = q.x + random.vector<3>(-0.02, 0.02);
    return project(body.field(q.chart.index), p, 8);
  };
}

TEST(Implicit, KeepsTheLawsOfImplicitSurfaces) {
  const Implicit ellipsoid = surface(kEllipsoid, 1);
  expect_implicit_laws(ellipsoid, on_ellipsoid, 0.7);
  expect_projection_is_quadratic(ellipsoid, on_ellipsoid, 0.7);
  for (const std::string& formula : {kTorus, kTorusByRoot}) {
    SCOPED_TRACE(formula);
    const Implicit torus = surface(formula, 1.5);
    expect_implicit_laws(torus, on_torus, 1.3);
    expect_projection_is_quadratic(torus, on_torus, 0.3);
  }
}

const std::vector<Metaballs::Ball> kBalls{
    {{-0.4, 0, 0}, 1.0}, {{0.5, 0.2, 0}, 0.9, 1.2}, {{0, 0.3, 0.4}, 0.5, -0.3}};

TEST(Implicit, MetaballsKeepTheLaws) {
  using Kernel = Metaballs::Kernel;
  for (const Kernel kernel : {Kernel::compact, Kernel::rational}) {
    const Implicit balls = Implicit::make(Metaballs::make(kBalls, 0.3, kernel).value()).value();
    EXPECT_TRUE(balls.is_certified());
    expect_implicit_laws(balls, on_surface_of(balls), 1);
    expect_projection_is_quadratic(balls, on_surface_of(balls), 0.3);
  }
}

TEST(Implicit, FunctionsKeepTheLaws) {
  const auto f = [](const auto& x, const auto& y, const auto& z) {
    return x * x / 0.49 + y * y / 0.25 + z * z / 0.16 - 1.0;
  };
  const Mat3<double> Q = Vec3<double>(1 / 0.49, 1 / 0.25, 1 / 0.16).asDiagonal();
  const ImplicitFunction functions[] = {
      ImplicitFunction::differentiate(f), ImplicitFunction::with_bounds(f),
      ImplicitFunction::make([Q](const Vec3<double>& p) { return p.dot(Q * p) - 1; },
                             [Q](const Vec3<double>& p) { return Vec3<double>(2 * Q * p); },
                             [Q](const Vec3<double>&) { return Mat3<double>(2 * Q); })};
  for (const ImplicitFunction& function : functions) {
    const Implicit body = Implicit::make(function, {cube(1)}).value();
    EXPECT_EQ(body.is_certified(), function.is_bounded());
    expect_implicit_laws(body, on_ellipsoid, 0.7);
    expect_projection_is_quadratic(body, on_ellipsoid, 0.7);
    EXPECT_LE(difference(body.solid()->volume, 4 * kPi / 3 * 0.7 * 0.5 * 0.4), 1e-12);
  }
}

// One surface in two descriptions is one surface.
template <class F>
void expect_agreement(const F& parametric, const std::vector<ChartDomain>& charts,
                      const ImplicitField& implicit) {
  for (const ChartDomain& chart : charts) {
    for_random_cases(50, [&](Random& random) {
      const Jet<double, 2> c =
          parametric.template jet<2>(chart.chart, chart.sample(random, kBeyond));
      const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
      const Vec3<double> e = fair_reference(random, {n});
      const auto a = local_surface(c, e), b = local_surface(implicit, c.d(0, 0), e);
      EXPECT_LE(difference(a.p, b.p), kLawTolerance);
      EXPECT_LE(difference(a.R, b.R), kLawTolerance);
      EXPECT_LE(difference(a.K, b.K), kLawTolerance * (1 + a.K.norm()));
      EXPECT_LE(difference(a.T, b.T), kLawTolerance * (1 + a.K.norm()));
    });
  }
}

TEST(Implicit, AgreesWithTheEllipsoidAndTheQuadric) {
  const Ellipsoid parametric = ellipsoid(0.7, 0.5, 0.4);
  const Implicit implicit = surface(kEllipsoid, 1);
  expect_agreement(parametric, domain_of(parametric).charts, implicit.field(0));
  const Quadric quadric = quadric_of(parametric);
  for_random_cases(100, [&](Random& random) {
    const Vec3<double> p = on_ellipsoid(random);
    const Vec3<double> n = quadric.implicit_jet(p).gradient.normalized();
    const Vec3<double> e = fair_reference(random, {n});
    const auto a = local_surface(quadric, p, e), b = local_surface(implicit, p, e);
    EXPECT_LE(difference(a.p, b.p), kLawTolerance);
    EXPECT_LE(difference(a.R, b.R), kLawTolerance);
    EXPECT_LE(difference(a.K, b.K), kLawTolerance * a.K.norm());
  });
  const Solid a = implicit.solid().value(), b = parametric.solid().value();
  EXPECT_LE(difference(a.volume, b.volume), kLawTolerance * b.volume);
  EXPECT_LE(difference(a.centre, b.centre), kLawTolerance);
  EXPECT_LE(difference(a.inertia, b.inertia), kLawTolerance * b.inertia.norm());
  EXPECT_TRUE(implicit.is_convex());
}

TEST(Implicit, AgreesWithTheSuperellipsoid) {
  for (const int n : {4, 8}) {
    const std::string e = "^" + std::to_string(n);
    const Implicit implicit =
        surface("(x/0.9)" + e + " + (y/0.6)" + e + " + (z/0.5)" + e + " - 1", 1.2);
    const Superellipsoid parametric = Superellipsoid::make({0.9, 0.6, 0.5}, n, n).value();
    std::vector<ChartDomain> charts;
    for (int chart = 0; chart < 6; ++chart) charts.push_back({chart, {0, 0}, {1, 1}});
    expect_agreement(parametric, charts, implicit.field(0));
    const Solid a = implicit.solid().value(), b = parametric.solid().value();
    EXPECT_LE(difference(a.volume, b.volume), kLawTolerance * b.volume);
    EXPECT_LE(difference(a.centre, b.centre), kLawTolerance);
    EXPECT_LE(difference(a.inertia, b.inertia), kLawTolerance * b.inertia.norm());
    EXPECT_TRUE(implicit.is_convex());
    EXPECT_GE(implicit.bounding_radius(), parametric.bounding_radius());
    EXPECT_LE(implicit.bounding_radius(), 1.1 * parametric.bounding_radius());
  }
  // The same to the digits of the formula itself.
  const Solid cubic = surface("x^4 + y^4 + z^4 - 1", 1.5).solid().value();
  EXPECT_LE(difference(cubic.volume, Superellipsoid::make({1, 1, 1}, 4, 4)->solid()->volume),
            1e-13 * cubic.volume);
}

TEST(Implicit, ATorusIsNotStarShaped) {
  const Implicit torus = surface(kTorus, 1.5);
  const auto solid = torus.solid();
  ASSERT_FALSE(solid.has_value());
  EXPECT_EQ(solid.error().message,
            "the body is not star-shaped: no point was found from which every ray meets the "
            "surface exactly once");
  EXPECT_EQ(solid.error().remedy, "specify mass and inertia instead");
  EXPECT_TRUE(torus.tiles(1).empty());
  EXPECT_FALSE(torus.is_convex());
  EXPECT_TRUE(torus.is_certified());
  for_random_cases(100, [&](Random& random) {
    EXPECT_TRUE(torus.box().contains(on_torus(random)));
    EXPECT_LE(on_torus(random).norm(), torus.bounding_radius());
  });
}

// A body away from the origin, off its own symmetry, tilted.
TEST(Implicit, MovesRigidly) {
  const Implicit still = surface("x^4 + 2*y^4 + z^2 - 0.5 + 0.1*x*z", 1.5);
  const std::string x = "(0.6*(x-1) + 0.8*(z+2))", y = "(y-0.5)", z = "(-0.8*(x-1) + 0.6*(z+2))";
  const std::string moved_formula =
      x + "^4 + 2*" + y + "^4 + " + z + "^2 - 0.5 + 0.1*" + x + "*" + z;
  const Implicit moved =
      Implicit::make(field(moved_formula), {Box{{-1, -1, -4}, {3, 2, 0}}}).value();
  Mat3<double> R;
  R << 0.6, 0, -0.8, 0, 1, 0, 0.8, 0, 0.6;
  const Vec3<double> t(1, 0.5, -2);
  const Solid a = still.solid().value(), b = moved.solid().value();
  EXPECT_LE(difference(a.volume, b.volume), 1e-12 * a.volume);
  EXPECT_LE(difference(t + R * a.centre, b.centre), 1e-12);
  EXPECT_LE(difference(R * a.inertia * R.transpose(), b.inertia), 1e-12 * a.inertia.norm());
}

// Seeds lie on the surface, inside its box, and on every part of it.
TEST(Implicit, SeedsCoverTheSurface) {
  const std::vector<std::pair<std::string, double>> bodies{
      {kEllipsoid, 1},
      {kEllipsoid, 50},  // a small body in a large box
      {kTorus, 2},
      {"x^32 + y^32 + z^32 - 1", 1.5},
      {"min((x-1)^2 + y^2 + z^2, (x+1)^2 + y^2 + z^2) - 0.04", 3},
      {"x^2 + y^2 + z^2 - 1e-8", 1}};
  for (const auto& [formula, half] : bodies) {
    SCOPED_TRACE(formula);
    const Implicit body = surface(formula, half);
    const double radius = body.bounding_radius();
    EXPECT_GE(body.seeds().size(), 50U);
    EXPECT_LE(body.seeds().size(), 216U);
    for (const Location& q : body.seeds()) {
      EXPECT_EQ(body.margin(q), 1);
      EXPECT_LE(residual(body, q.x), 1e-12 * radius);
      EXPECT_LE(q.x.norm(), radius);
      EXPECT_TRUE(body.box().contains(q.x));
    }
    for (int i = 0; i < 3; ++i) {  // on both sides
      const auto seeds = body.seeds();
      const auto less = [i](const Location& a, const Location& b) { return a.x(i) < b.x(i); };
      EXPECT_LE(std::min_element(seeds.begin(), seeds.end(), less)->x(i),
                body.box().low(i) + 0.2 * body.box().size()(i));
      EXPECT_GE(std::max_element(seeds.begin(), seeds.end(), less)->x(i),
                body.box().high(i) - 0.2 * body.box().size()(i));
    }
  }
}

TEST(Implicit, NearLiesOnTheSurface) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::string& formula :
       {kEllipsoid, kTorus, kTorusByRoot, std::string("x^64 + y^64 + z^64 - 1"),
        std::string("x^2 + y^2 + z^2 - 1 + 0.2*sin(9*x)*sin(9*y)*sin(9*z)"),
        std::string("exp(20*(x^2 + y^2 + z^2 - 1)) - 1")}) {
    SCOPED_TRACE(formula);
    const Implicit body = surface(formula, 2);
    const auto expect_on = [&](const Vec3<double>& p) {
      const Location q = body.near(p);
      ASSERT_TRUE(q.x.allFinite()) << p.transpose();
      EXPECT_LE(residual(body, q.x), 1e-10) << p.transpose();
      EXPECT_TRUE(body.box().contains(q.x, 1e-9)) << p.transpose();
    };
    for_random_cases(200, [&](Random& random) {
      expect_on(random.vector<3>(-2, 2));
      expect_on(random.vector<3>(-1e3, 1e3));
      expect_on(1e-3 * random.vector<3>(-1, 1));
    });
    expect_on(Vec3<double>::Zero());  // no gradient
    expect_on({inf, 0, 0});
    expect_on({0, std::nan(""), 0});
    expect_on({1e300, -1e300, 0});
  }
}

// Near is not far: a point close to the surface stays.
TEST(Implicit, NearIsNear) {
  for (const std::string& formula : {kEllipsoid, kTorus}) {
    const Implicit body = surface(formula, 2);
    const auto sample = formula == kTorus ? on_torus : on_ellipsoid;
    for_random_cases(200, [&](Random& random) {
      const Vec3<double> p = sample(random) + 0.05 * random.direction();
      EXPECT_LE((body.near(p).x - p).norm(), 0.06);
    });
  }
}

TEST(Implicit, TilesCoverTheSurfaceOnce) {
  const std::string formulas[] = {kEllipsoid, "x^4 + y^4 + z^4 - 1",
                                  "x^2 + y^2 + z^2 - 1 + 0.3*x*y*z + 0.1*x"};
  for (const std::string& formula : formulas) {
    const Implicit body = surface(formula, 1.5);
    ASSERT_TRUE(body.star_centre().has_value());
    const Vec3<double> centre = *body.star_centre();
    ASSERT_EQ(body.tiles(1).size(), 6U);
    double sum = 0;
    constexpr int n = 8;
    for (const Tile& tile : body.tiles(1)) {
      const auto point = [&](int i, int j) {
        const Location q =
            body.on_tile(std::get<CubeTile>(tile.place), i / double{n}, j / double{n});
        EXPECT_LE(residual(body, q.x), 8 * kEps);
        return Vec3<double>(q.x - centre);
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const Vec3<double> a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                             d = point(i, j + 1);
          sum += solid_angle(a, b, c) + solid_angle(a, c, d);
          // s to t turns about the outward normal.
          EXPECT_GT((c - a).cross(d - b).dot(body.implicit_jet(Vec3<double>(centre + a)).gradient),
                    0);
        }
      }
    }
    EXPECT_NEAR(sum, 4 * kPi, 1e-12);
  }
}

// Never more than the true distance, and, near the surface, not much less.
template <class Distance>
void expect_distance_bounds(const ImplicitBody& body, const Distance& distance, double reach,
                            double worst) {
  for_random_cases(500, [&](Random& random) {
    const Vec3<double> p = random.vector<3>(-reach, reach);
    const double bound = body.distance_bound(p), exact = distance(p);
    EXPECT_LE(std::abs(bound), std::abs(exact)) << p.transpose();
    EXPECT_GE(bound * exact, 0) << p.transpose();
    if (std::abs(exact) < 0.1) {
      EXPECT_GE(std::abs(bound), worst * std::abs(exact)) << p.transpose();
    }
    // Over a box: no point of it is nearer.
    const Box box{p, p + random(0, 0.5) * random.vector<3>(0, 1)};
    const double over = body.distance_bound(box);
    for (int k = 0; k < 20; ++k) {
      const Vec3<double> q = box.low + box.size().cwiseProduct(random.vector<3>(0, 1));
      EXPECT_LE(std::abs(over), std::abs(distance(q)));
      EXPECT_GE(over * distance(q), 0);
    }
  });
}

TEST(Implicit, DistanceBoundsAreBounds) {
  const auto to_sphere = [](const Vec3<double>& p) { return p.norm() - 1; };
  const auto to_torus = [](const Vec3<double>& p) {
    return std::hypot(std::hypot(p.x(), p.y()) - 1, p.z()) - 0.3;
  };
  expect_distance_bounds(surface("x^2 + y^2 + z^2 - 1", 1.5), to_sphere, 3, 0.7);
  expect_distance_bounds(surface("sqrt(x^2 + y^2 + z^2) - 1", 1.5), to_sphere, 3, 0.5);
  expect_distance_bounds(surface("exp(x^2 + y^2 + z^2) - e", 1.5), to_sphere, 3, 0.4);
  expect_distance_bounds(surface(kTorus, 1.5), to_torus, 3, 0.4);
  expect_distance_bounds(surface(kTorusByRoot, 1.5), to_torus, 3, 0.4);
  // A function without bounds says nothing; with a slope it does.
  const auto norm = [](const Vec3<double>& p) { return p.norm() - 1; };
  const auto gradient = [](const Vec3<double>& p) { return Vec3<double>(p / p.norm()); };
  const auto hessian = [](const Vec3<double>& p) {
    const Vec3<double> n = p / p.norm();
    return Mat3<double>((Mat3<double>::Identity() - n * n.transpose()) / p.norm());
  };
  const Implicit unknown =
      Implicit::make(ImplicitFunction::make(norm, gradient, hessian), {cube(1.5)}).value();
  EXPECT_EQ(unknown.distance_bound(Vec3<double>(2, 0, 0)), 0);
  EXPECT_FALSE(unknown.is_certified());
  const Implicit known =
      Implicit::make(ImplicitFunction::make(norm, gradient, hessian, 1.0), {cube(1.5)}).value();
  expect_distance_bounds(known, to_sphere, 3, 0.99);
}

TEST(Implicit, OpenSurfacesAreUnbounded) {
  const Implicit ground = Implicit::make(field("z - 0.1*sin(3*x)"), {cube(2), true}).value();
  EXPECT_TRUE(std::isinf(ground.bounding_radius()));
  EXPECT_TRUE(std::isinf(ground.box().high.x()));
  EXPECT_FALSE(ground.is_convex());
  EXPECT_EQ(ground.solid().error().message, "the surface is open");
  EXPECT_EQ(ground.tiles(1).size(), 1u);  // a height over its box
  const auto on_ground = [](Random& random) {
    const double x = random(-2, 2);
    return Vec3<double>(x, random(-2, 2), 0.1 * std::sin(3 * x));
  };
  expect_implicit_laws(ground, on_ground, 1);
  for_random_cases(50, [&](Random& random) {  // also far from where it was looked for
    const Vec3<double> p = random.vector<3>(-20, 20), q = ground.near(p).x;
    EXPECT_LE(residual(ground, q), 1e-12);
    EXPECT_LE((q - p).norm(), 2 * std::abs(p.z()) + 1);
  });
  const Implicit cavity = Implicit::make(field("1 - x^2 - y^2 - z^2"), {cube(2), true}).value();
  EXPECT_FALSE(cavity.is_convex());
  EXPECT_GT(cavity.distance_bound(Vec3<double>::Zero()), 0.4);  // the body is outside
}

void expect_refused(const ImplicitField& f, const Box& box, const std::string& message,
                    bool open = false) {
  const auto r = Implicit::make(f, {box, open});
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Implicit, RefusesWhatIsNoSurface) {
  expect_refused(field("x^2 + y^2 + z^2 + 1"), cube(2),
                 "no zero of f exists in the box; the smallest value found is 1, at (0, 0, 0)");
  expect_refused(field("x^2 + y^2 + z^2 - 1"), {{2, 2, 2}, {3, 3, 3}},
                 "no zero of f exists in the box; the smallest value found is 11, at (2, 2, 2)");
  expect_refused(field("x^2 + y^2 + z^2"), cube(1),
                 "the surface has no normal: the gradient of f vanishes at (0, 0, 0)");
  expect_refused(field("x^2 + y^2 - z^2"), cube(2),
                 "the surface has no normal: the gradient of f vanishes at (0, 0, 0)", true);
  expect_refused(field("x^2 + y^2 + z^2 - 9"), cube(2),
                 "the body reaches the border of the box: f <= 0 at (0, 0, 2)");
  expect_refused(field("1 - x^2 - y^2 - z^2"), cube(2),
                 "the body reaches the border of the box: f <= 0 at (0, 0, 2)");
  expect_refused(field("1/x - 1"), cube(2), "f is infinite at (0, -2, -2)");
  expect_refused(field("log(x) + y"), cube(2), "f is not a number at (-2, -2, -2)");
  expect_refused(field("x^2 + y^2 + z^2 - 1"), {{-1, -1, 1}, {1, 1, -1}},
                 "invalid box from (-1, -1, 1) to (1, 1, -1)");
  expect_refused(field("x^2 + y^2 + z^2 - 1"), {{-1, -1, -1}, {1, 1, NAN}},
                 "invalid box from (-1, -1, -1) to (1, 1, nan)");
  // Zero without a slope, all over the sphere; where it is noticed first does not matter.
  const auto flat = Implicit::make(field("(x^2 + y^2 + z^2 - 1)^2"), {cube(2)});
  ASSERT_FALSE(flat.has_value());
  EXPECT_EQ(flat.error().message.substr(0, 54),
            "the surface has no normal: the gradient of f vanishes ");
  const auto crossing = Implicit::make(field("(x^2 + y^2 - 0.25) * (z - x)"), {cube(1), true});
  ASSERT_FALSE(crossing.has_value());
  EXPECT_EQ(crossing.error().message.substr(0, 54),
            "the surface has no normal: the gradient of f vanishes ");
}

TEST(Implicit, RefusesWrongDerivatives) {
  const auto value = [](const Vec3<double>& p) { return p.squaredNorm() - 1; };
  const auto gradient = [](const Vec3<double>& p) { return Vec3<double>(2 * p); };
  const auto hessian = [](const Vec3<double>&) {
    return Mat3<double>(2 * Mat3<double>::Identity());
  };
  const auto wrong_gradient = [](const Vec3<double>& p) { return Vec3<double>(2.01 * p); };
  const auto wrong_hessian = [](const Vec3<double>&) {
    return Mat3<double>(Mat3<double>::Identity());
  };
  EXPECT_TRUE(
      Implicit::make(ImplicitFunction::make(value, gradient, hessian), {cube(2)}).has_value());
  const auto a = Implicit::make(ImplicitFunction::make(value, wrong_gradient, hessian), {cube(2)});
  ASSERT_FALSE(a.has_value());
  EXPECT_NE(a.error().message.find("is not its derivative"), std::string::npos);
  const auto b = Implicit::make(ImplicitFunction::make(value, gradient, wrong_hessian), {cube(2)});
  ASSERT_FALSE(b.has_value());
  EXPECT_NE(b.error().message.find("is not the derivative of the gradient"), std::string::npos);
}

// Convexity is claimed only where it is proved.
// Two balls as one, with a kink between them, and a cut ball are refused; away from the surface
// anything may change over.
TEST(Implicit, RefusesKinksOnTheSurface) {
  for (const char* formula :
       {"min((x-0.5)^2, (x+0.5)^2) + y^2 + z^2 - 1", "x^2 + y^2 + z^2 - abs(x) - 1",
        "max(x^2 + y^2 + z^2 - 1, z - 0.4)", "abs(x) + abs(y) + abs(z) - 1"}) {
    const auto made = Implicit::make(field(formula), {cube(2)});
    ASSERT_FALSE(made.has_value()) << formula;
    EXPECT_NE(made.error().message.find("f has a kink on the surface, near ("), std::string::npos);
  }
  EXPECT_NEAR(surface("max(x^2 + y^2 + z^2, 0.1) - 1", 2).solid()->volume, 4 * kPi / 3, 1e-10);
  EXPECT_TRUE(Implicit::make(field("z + 0.1*abs(x - 5)"), {cube(2), true}).has_value());
}

// Balls that do not touch are no body with a mass of its own.
TEST(Implicit, PiecesApartHaveNoVolume) {
  const Implicit apart =
      Implicit::make(Metaballs::make({{{0, 0, 0}, 1}, {{5, 0, 0}, 1}}, 0.5).value()).value();
  EXPECT_FALSE(apart.solid().has_value());
}

TEST(Implicit, ConvexIfProved) {
  EXPECT_TRUE(surface(kEllipsoid, 1).is_convex());
  EXPECT_TRUE(surface("x^2 + y^2 + z^2 + x*y + 0.5*y*z - 1", 2).is_convex());
  EXPECT_TRUE(surface("x^4 + y^4 + z^4 - 1", 1.5).is_convex());
  EXPECT_TRUE(surface("exp(x) + exp(-x) + y^2 + z^2 - 3", 2).is_convex());
  EXPECT_FALSE(surface(kTorus, 1.5).is_convex());
  EXPECT_FALSE(surface("x^4 - x^2 + y^2 + z^2 - 0.1", 2).is_convex());  // a peanut
  const Mat3<double> two = 2 * Mat3<double>::Identity();
  const Implicit unknown =
      Implicit::make(
          ImplicitFunction::make([](const Vec3<double>& p) { return p.squaredNorm() - 1; },
                                 [](const Vec3<double>& p) { return Vec3<double>(2 * p); },
                                 [two](const Vec3<double>&) { return two; }),
          {cube(2)})
          .value();
  EXPECT_FALSE(unknown.is_convex());
}

// Intersections.

ImplicitIntersection intersection(const std::vector<std::string>& formulas, double half) {
  std::vector<ImplicitField> faces;
  for (const std::string& formula : formulas) faces.push_back(field(formula));
  const auto made = ImplicitIntersection::make(std::move(faces), {cube(half)});
  EXPECT_TRUE(made.has_value()) << (made ? "" : to_string(made.error()));
  return made.value();
}
ImplicitIntersection can() {
  return intersection({"x^2 + y^2 - 0.49", "z - 0.3", "-z - 0.5"}, 1.5);
}
double to_can(const Vec3<double>& p) {  // exact
  const double r = std::hypot(p.x(), p.y()) - 0.7, z = std::max(p.z() - 0.3, -p.z() - 0.5);
  return r > 0 && z > 0 ? std::hypot(r, z) : std::max(r, z);
}

TEST(ImplicitIntersection, FacesKeepTheLaws) {
  const ImplicitIntersection body = can();
  ASSERT_EQ(body.faces(), 3);
  const auto on_side = [](Random& random) {
    const double a = random(-kPi, kPi);
    return Vec3<double>(0.7 * std::cos(a), 0.7 * std::sin(a), random(-0.5, 0.3));
  };
  expect_implicit_laws(body.field(0), on_side, 0.7);
  expect_projection_is_quadratic(body.field(0), on_side, 0.7);
  EXPECT_EQ(body.implicit_jet(1, Vec3<double>(0, 0, 0.3)).f, 0);
}

TEST(ImplicitIntersection, SeedsAndNearLieOnTheirFaces) {
  const ImplicitIntersection body = can();
  std::vector<int> count(3, 0);
  for (const Location& q : body.seeds()) {
    ++count[static_cast<std::size_t>(q.chart.index)];
    EXPECT_GT(body.margin(q), 0);
    EXPECT_LE(residual(body.field(q.chart.index), q.x), 1e-14);
    EXPECT_LE(std::abs(to_can(q.x)), 1e-14);
  }
  for (const int n : count) EXPECT_GE(n, 10);
  for_random_cases(200, [&](Random& random) {
    const Vec3<double> p = random.vector<3>(-1.5, 1.5);
    const Location q = body.near(p);
    EXPECT_LE(std::abs(to_can(q.x)), 1e-12);
    EXPECT_GE(body.margin(q), 0);
    EXPECT_LE((q.x - p).norm(), 2 * std::abs(to_can(p)) + 0.5);
  });
}

TEST(ImplicitIntersection, MarginIsTheDistanceToTheEdge) {
  const ImplicitIntersection body = can();
  const double size = 0.5 * body.box().size().norm();
  for (const double z : {-0.45, 0.0, 0.2, 0.29, 0.3, 0.35}) {
    const Location q{ChartId{0}, {0.7, 0, z}};
    EXPECT_NEAR(body.margin(q), std::min(0.3 - z, z + 0.5) / size, 1e-12);
  }
  // Beyond the edge: back to the nearest point of it.
  for_random_cases(50, [&](Random& random) {
    const double a = random(-kPi, kPi);
    const Location q{ChartId{0}, {0.7 * std::cos(a), 0.7 * std::sin(a), 0.3 + random(0, 0.05)}};
    EXPECT_LE(body.margin(q), 0);
    const ChartExit exit = body.leave(q);
    const auto* edge = std::get_if<OpenEdge>(&exit);
    ASSERT_NE(edge, nullptr);
    EXPECT_EQ(edge->at.chart.index, 0);
    EXPECT_LE(difference(edge->at.x, Vec3<double>(q.x.x(), q.x.y(), 0.3)), 1e-13);
    EXPECT_LE(std::abs(body.margin(edge->at)), 1e-13);
  });
}

TEST(ImplicitIntersection, SolidsOfKnownVolume) {
  const Solid cylinder = can().solid().value();
  const double volume = kPi * 0.49 * 0.8;
  EXPECT_NEAR(cylinder.volume, volume, 1e-11);
  EXPECT_LE(difference(cylinder.centre, Vec3<double>(0, 0, -0.1)), 1e-11);
  const double across = volume * (0.49 / 4 + 0.64 / 12), along = volume * 0.49 / 2;
  EXPECT_LE(
      difference(cylinder.inertia, Mat3<double>(Vec3<double>(across, across, along).asDiagonal())),
      1e-11);
  const Solid lens =
      intersection({"x^2 + y^2 + (z-0.5)^2 - 1", "x^2 + y^2 + (z+0.5)^2 - 1"}, 1.5).solid().value();
  EXPECT_NEAR(lens.volume, 5 * kPi / 12, 1e-11);
  const Solid steinmetz = intersection({"x^2 + y^2 - 1", "y^2 + z^2 - 1"}, 1.5).solid().value();
  EXPECT_NEAR(steinmetz.volume, 16.0 / 3, 1e-11);
  const Solid three =
      intersection({"x^2 + y^2 - 1", "y^2 + z^2 - 1", "x^2 + z^2 - 1"}, 1.5).solid().value();
  EXPECT_NEAR(three.volume, 8 * (2 - std::sqrt(2.0)), 1e-9);
  // A cube on its edge: corners where no line of the integration expects them.
  const Solid box =
      intersection({"0.6*x + 0.8*z - 0.5", "-0.6*x - 0.8*z - 0.5", "0.8*x - 0.6*z - 0.5",
                    "-0.8*x + 0.6*z - 0.5", "y - 0.5", "-y - 0.5"},
                   1.5)
          .solid()
          .value();
  EXPECT_NEAR(box.volume, 1, 1e-9);
  EXPECT_LE(difference(box.inertia, Mat3<double>::Identity() / 6), 1e-9);
}

TEST(ImplicitIntersection, DistanceBoundsAreBounds) {
  expect_distance_bounds(can(), to_can, 1.5, 0.3);
  EXPECT_TRUE(can().is_convex());
  EXPECT_TRUE(can().is_certified());
}

// What is kept of the tiles is the surface, every part of it: seen from inside, all directions.
TEST(ImplicitIntersection, TilesAreTrimmedAtEdges) {
  const ImplicitIntersection body = can();
  const Vec3<double> centre = body.star_centre().value();
  const std::vector<Tile> tiles = body.tiles(1);
  EXPECT_LE(tiles.size(), 18U);
  double sum = 0;
  constexpr int n = 64;
  for (const Tile& tile : tiles) {
    const auto kept = [&](double i, double j) { return body.kept(tile, i / n, j / n) >= 0; };
    const auto point = [&](double i, double j) {
      const Location q = body.on_tile(std::get<CubeTile>(tile.place), i / n, j / n);
      if (kept(i, j)) {
        EXPECT_LE(std::abs(to_can(q.x)), 1e-14);
        EXPECT_LE(residual(body.field(q.chart.index), q.x), 1e-14);
      }
      return Vec3<double>(q.x - centre);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (!kept(i + 0.5, j + 0.5)) continue;
        const Vec3<double> a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                           d = point(i, j + 1);
        sum += solid_angle(a, b, c) + solid_angle(a, c, d);
      }
    }
  }
  EXPECT_NEAR(sum, 4 * kPi, 0.01 * 4 * kPi);  // cells across an edge count whole or not at all
}

TEST(ImplicitIntersection, RefusesFacesWithoutSurface) {
  const auto refusal = [](std::vector<ImplicitField> faces) {
    const auto r = ImplicitIntersection::make(std::move(faces), {cube(1.5)});
    return r ? std::string() : r.error().message;
  };
  EXPECT_EQ(refusal({}), "no function is given");
  EXPECT_EQ(refusal({field("x^2 + y^2 + z^2 - 1"), field("x - 2")}),
            "face 1 contributes no part of the surface");
  EXPECT_EQ(refusal({field("x^2 + y^2 - 1"), field("z - 1")}),
            "the body reaches the border of the box: f <= 0 at (0, 0, -1.5)");
  EXPECT_EQ(refusal({field("x^2 + y^2 + z^2 - 1"), field("x + 2")}).substr(0, 30),
            "no zero of f exists in the box");
}

// A trough, a hill and a saddle, upside down and on their side: triangles on the surface, inside
// the box, that see its outside.
TEST(Implicit, OpenHeightsHaveTriangles) {
  for (const char* formula : {"x^2/1.44 + y^2/0.4 - z", "z - 0.3*cos(2*x)*cos(3*y)",
                              "0.2*(x^2 - y^2) - z", "y - 0.2*x*z - 0.1"}) {
    const Box box{{-1, -0.8, -0.5}, {1, 0.8, 0.5}};
    const auto made = Implicit::make(field(formula), {box, true});
    ASSERT_TRUE(made) << formula;
    const auto mesh = tessellate(*made, {1e-2, 1});
    ASSERT_TRUE(mesh) << formula;
    ASSERT_GT(mesh->triangles.size(), 10u) << formula;
    for (const auto& t : mesh->triangles) {
      const auto p = [&](std::size_t k) { return mesh->vertices[static_cast<std::size_t>(t[k])]; };
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(made->implicit_jet(p(k)).f, 0, 1e-9) << formula;
        EXPECT_TRUE(implicit_tools::grown(box, 1e-9).contains(p(k))) << formula;
      }
      const Vec3<double> flat = (p(1) - p(0)).cross(p(2) - p(0));
      EXPECT_GT(flat.dot(made->implicit_jet(Vec3<double>((p(0) + p(1) + p(2)) / 3)).gradient), 0);
    }
  }
}

}  // namespace oloid::test::implicit_test
