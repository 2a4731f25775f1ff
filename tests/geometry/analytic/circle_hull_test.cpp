#include "oloid/geometry/analytic/circle_hull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "laws/surface_laws.h"
#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/display/tessellation.h"
#include "oloid/geometry/measure/surface_integral.h"
#include "oloid/geometry/shape.h"
#include "oloid/numerics/quadrature.h"
#include "oloid/numerics/symmetric_eigen.h"
#include "support/rooms.h"

namespace oloid::test::circle_hull_test {

constexpr double kPi = std::numbers::pi;

Circle random_circle(Random& random) {
  return {random.vector<3>(-1, 1), random.direction(), random(0.3, 1.2)};
}
std::vector<std::array<Circle, 2>> pairs() {
  std::vector<std::array<Circle, 2>> all{
      {Circle{{0, -0.5, 0}, {0, 0, 1}, 1}, Circle{{0, 0.5, 0}, {1, 0, 0}, 1}},  // oloid
      {Circle{{0, 0, 0}, {0, 0, 1}, 1}, Circle{{0, 0, 1.5}, {0, 0, 1}, 1}},     // cylinder
      {Circle{{0, 0, 0}, {0, 0, 1}, 1}, Circle{{0, 0, 1.5}, {0, 0, -1}, 0.4}},  // frustum
      {Circle{{0, 0, 0}, {0, 0, 1}, 1}, Circle{{0.7, 0.2, 1.5}, {0, 0, 1}, 0.4}},
      {Circle{{0, 0, 0}, {0, 0, 1}, 1}, Circle{{0.1, 0, 0}, {1, 0, 0}, 0.5}},  // pokes through
      {Circle{{0, 0, 0}, {0, 0, 1}, 1}, Circle{{2, 0, 0.3}, {1, 0.2, 0.1}, 0.5}}};
  return all;
}
CircleHull hull_of(const std::array<Circle, 2>& pair) {
  const auto hull = CircleHull::of_circles(pair[0], pair[1]);
  EXPECT_TRUE(hull) << (hull ? "" : hull.error().message);
  return hull.value();
}
// All hulls that are made, the sphericon last.
std::vector<CircleHull> all_hulls() {
  std::vector<CircleHull> hulls;
  for (const auto& pair : pairs()) hulls.push_back(hull_of(pair));
  hulls.push_back(CircleHull::sphericon(0.8).value());
  return hulls;
}

// Where laws can be tested: away from the ends of arcs, where the curvature is infinite, and from
// apexes.
SurfaceDomain domain_of(const CircleHull& hull) {
  SurfaceDomain domain{{}, hull.bounding_radius(), 4};
  for (int i = 0; i < hull.charts(); ++i) {
    if (hull.is_disc(i)) {
      domain.charts.push_back({i, {0, 0}, {1, 1}, true});
    } else {
      domain.charts.push_back({i, {0.5, 0.55}, {0.5, 0.35}});
    }
  }
  return domain;
}

TEST(CircleHull, KeepsTheLawsOfSurfaces) {
  for (const CircleHull& hull : all_hulls()) expect_surface_laws(hull, domain_of(hull));
}

TEST(CircleHull, KeepsTheLawsOfAtlases) {
  for (const auto& pair : pairs()) {
    const CircleHull hull = hull_of(pair);
    expect_atlas_laws(hull, domain_of(hull));
  }
}

template <class F>
double area(const F& hull) {
  const GaussRule rule = gauss_legendre(40);
  double sum = 0;
  for (int i = 0; i < hull.charts(); ++i) {
    if (hull.is_disc(i)) {
      sum += kPi * hull.template jet<1>(i, Uv<double>(0, 0)).d(1, 0).squaredNorm();
      continue;
    }
    for (std::size_t a = 0; a < 40; ++a) {
      for (std::size_t b = 0; b < 40; ++b) {
        const auto c = hull.template jet<1>(i, Uv<double>(rule.points[a], rule.points[b]));
        sum += rule.weights[a] * rule.weights[b] * c.d(1, 0).cross(c.d(0, 1)).norm();
      }
    }
  }
  return sum;
}

// The oloid of radius 1 from the closed form of its rulings [DirnboeckStachel97], over an angle φ
// with sin(t/2) = √3/2 sin φ: periodic, so that the trapezoidal rule is exact to the last digits.
SurfaceIntegral closed_form_oloid() {
  constexpr int kSteps = 400;
  using D = Dual<double, 1>;
  const GaussRule across = gauss_legendre(3);
  SurfaceIntegral sum;
  for (int i = 0; i < kSteps; ++i) {
    const D phi = D::variable(2 * kPi * i / kSteps, 0);
    const D sine = std::sqrt(0.75) * sin(phi), cosine = sqrt(1.0 - sine * sine);  // of t/2
    const D cos_t = 1.0 - 2.0 * sine * sine, sin_t = 2.0 * sine * cosine;
    const Vec3<D> A(sin_t, -0.5 - cos_t, D(0));
    const Vec3<D> B(D(0), 0.5 - cos_t / (1.0 + cos_t), std::sqrt(3) * cos(phi) / (1.0 + cos_t));
    for (std::size_t k = 0; k < 3; ++k) {
      const double v = across.points[k];
      const Vec3<D> x = D(1 - v) * A + D(v) * B;
      const Vec3<double> dA = derivative(x, 0).cross(value(Vec3<D>(B - A)));
      sum.add(value(x), across.weights[k] * 2 * kPi / kSteps * dA);
    }
  }
  return sum;
}

TEST(CircleHull, OloidHasItsAreaVolumeAndInertia) {
  const double k = std::sqrt(0.75);
  const double volume = 2 * (2 * std::comp_ellint_2(k) + std::comp_ellint_1(k)) / 3;
  const Solid exact = closed_form_oloid().solid(Vec3<double>::Zero()).value();
  EXPECT_NEAR(volume, 3.0524184684, 1e-10);
  EXPECT_NEAR(exact.volume, volume, 1e-13);
  for (const double r : {1.0, 0.03, 50.0}) {
    const CircleHull oloid = CircleHull::oloid(r).value();
    EXPECT_EQ(oloid.discs(), 0);
    EXPECT_NEAR(area(oloid) / (r * r), 4 * kPi, 1e-12);
    const Solid solid = oloid.solid().value();
    EXPECT_NEAR(solid.volume / (r * r * r), volume, 1e-13);
    EXPECT_LE(solid.centre.norm(), 1e-14 * r);
    const Mat3<double> inertia = solid.inertia / (r * r * r * r * r);
    EXPECT_LE(difference(inertia, exact.inertia), 1e-13);
    EXPECT_NEAR(inertia(0, 0) / volume, 0.476839230442, 1e-12);
    EXPECT_NEAR(inertia(1, 1) / volume, 0.250735692177, 1e-12);
  }
}

// Dirnböck & Stachel: all rulings of the oloid are √3 long, the normals and points closed forms of
// t.
TEST(CircleHull, OloidHasItsRulings) {
  const CircleHull oloid = CircleHull::oloid(1).value();
  for (int i = 0; i < oloid.charts(); ++i) {
    for (const double u : {0.1, 0.5, 0.9}) {
      const Jet<double, 1> c = oloid.jet<1>(i, Uv<double>(u, 0));
      const Vec3<double> A = c.d(0, 0), B = A + c.d(0, 1);
      EXPECT_NEAR(c.d(0, 1).norm(), std::sqrt(3), 1e-14);
      const double cos_t = -0.5 - A.y();
      EXPECT_NEAR(B.y(), 0.5 - cos_t / (1 + cos_t), 1e-13);
      EXPECT_NEAR(std::abs(B.z()), std::sqrt(1 + 2 * cos_t) / (1 + cos_t), 1e-13);
      const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
      EXPECT_NEAR(n.dot(A), (2 + cos_t) / (4 * std::sqrt((1 + cos_t) / 2)), 1e-13);
    }
  }
}

// Unrolled, an arc has the geodesic curvature √((1 + 2 cos t) / (2 (1 + cos t))) on either side.
TEST(CircleHull, OloidUnrollsAsItShould) {
  const Shape shape = CircleHull::oloid(1).value();
  for (const Edge& edge : edges(shape)) {
    for (const double s : {0.1, 0.3, 0.5, 0.8}) {
      const double cos_t = std::cos(4 * kPi / 3 * (s - 0.5));
      const Frenet<double> f = edge.curve.frenet(0, s);
      const EdgeSection at = section(shape, edge, s);
      const double exact = std::sqrt((1 + 2 * cos_t) / (2 * (1 + cos_t)));
      EXPECT_NEAR(f.curvature * f.normal.dot(at.left.cross(f.tangent)), exact, 1e-13);
      EXPECT_NEAR(f.curvature * f.normal.dot(f.tangent.cross(*at.right)), exact, 1e-13);
    }
  }
}

// Parallel circles: prismatoids, whatever their offset.
TEST(CircleHull, ParallelCirclesHaveExactVolumes) {
  const auto all = pairs();
  for (const std::size_t i : {1U, 2U, 3U}) {
    const CircleHull hull = hull_of(all[i]);
    EXPECT_EQ(hull.discs(), 2);
    const double r = all[i][0].radius, R = all[i][1].radius, h = 1.5;
    EXPECT_NEAR(hull.solid().value().volume, kPi * h / 3 * (r * r + r * R + R * R), 1e-13);
  }
  const Solid cylinder = hull_of(all[1]).solid().value();
  const double m = kPi * 1.5;
  EXPECT_LE(difference(cylinder.centre, Vec3<double>(0, 0, 0.75)), 1e-14);
  const Vec3<double> J(m * (0.25 + 2.25 / 12), m * (0.25 + 2.25 / 12), m / 2);
  EXPECT_LE(difference(cylinder.inertia, Mat3<double>(J.asDiagonal())), 1e-13);
}

// The unit double cone cut in half and turned: the inertia about x is that of both halves.
TEST(CircleHull, SphericonIsADoubleConeTurned) {
  const double r = 0.8;
  const CircleHull sphericon = CircleHull::sphericon(r).value();
  const Solid solid = sphericon.solid().value();
  const double V = 2 * kPi / 3 * r * r * r;
  EXPECT_NEAR(solid.volume, V, 1e-14);
  EXPECT_NEAR(area(sphericon), 2 * std::sqrt(2) * kPi * r * r, 1e-12);
  EXPECT_LE(solid.centre.norm(), 1e-15);
  // Double cone of radius and half height r about its axis 3/10 m r², across it 3/20 + 1/10.
  const double axial = 0.3 * V * r * r, across = 0.25 * V * r * r;
  const Vec3<double> J(across, 0.5 * (axial + across), 0.5 * (axial + across));
  EXPECT_LE(difference(solid.inertia, Mat3<double>(J.asDiagonal())), 1e-14);
}

// Every tangent plane supports both circles, every ruling is straight: it is the hull, and K = 0.
TEST(CircleHull, TangentPlanesSupportAndGaussCurvatureVanishes) {
  for (const auto& pair : pairs()) {
    const CircleHull hull = hull_of(pair);
    for_random_cases(30, [&](Random& random) {
      const int i = static_cast<int>(random(0, hull.charts()));
      if (hull.is_disc(i)) return;
      const Uv<double> q = random.vector<2>(0.02, 0.98);
      const Jet<double, 2> c = hull.jet<2>(i, q);
      const LocalSurface<double> at = local_surface(c, Vec3<double>(c.d(1, 0).normalized()));
      const PrincipalValues k = principal_values(at.K);
      EXPECT_GT(k.larger, 0);
      EXPECT_LE(std::abs(k.smaller), 1e-12 * k.larger);
      const Vec3<double> straight =
          std::cos(k.angle) * at.R.col(1) - std::sin(k.angle) * at.R.col(0);
      EXPECT_LE(straight.cross(c.d(0, 1).normalized()).norm(), 1e-12);
      const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
      double highest = -1e9;
      for (const Circle& circle : pair) {
        const Vec3<double> axis = circle.axis.normalized();
        const double reach = circle.radius * (n - n.dot(axis) * axis).norm();
        highest = std::max(highest, n.dot(circle.centre) + reach);
        EXPECT_NEAR(n.dot(circle.centre) + reach, n.dot(c.d(0, 0)), 1e-13);
      }
      EXPECT_NEAR(highest, n.dot(c.d(0, 0)), 1e-13);
    });
  }
}

TEST(CircleHull, RandomCirclesHaveHullsThatMoveWithThem) {
  int made = 0;
  for_random_cases(60, [&](Random& random) {
    const Circle a = random_circle(random), b = random_circle(random);
    const auto hull = CircleHull::of_circles(a, b);
    ASSERT_TRUE(hull) << hull.error().message;
    ++made;
    const Solid solid = hull->solid().value();
    const Eigen::AngleAxisd turn(random(0, 3), Eigen::Vector3d(random.direction()));
    const Mat3<double> R = turn.toRotationMatrix();
    const Vec3<double> shift = random.vector<3>(-2, 2);
    const double scale = random(0.1, 10);
    const auto moved = [&](const Circle& c) {
      return Circle{scale * (R * c.centre) + shift, R * c.axis, scale * c.radius};
    };
    // The second circle first: the order does not matter.
    const auto other = CircleHull::of_circles(moved(b), moved(a));
    ASSERT_TRUE(other);
    const Solid there = other->solid().value();
    const double cube = scale * scale * scale;
    EXPECT_NEAR(there.volume, cube * solid.volume, 1e-11 * cube);
    EXPECT_LE(difference(there.centre, scale * (R * solid.centre) + shift), 1e-11 * scale);
    EXPECT_LE(difference(there.inertia, cube * scale * scale * (R * solid.inertia * R.transpose())),
              1e-11 * cube * scale * scale);
    EXPECT_NEAR(area(*other), scale * scale * area(*hull), 1e-9 * scale * scale);
  });
  EXPECT_GE(made, 1);
}

TEST(CircleHull, ConesMeetSmoothlyAlongRulings) {
  const CircleHull hull = CircleHull::sphericon(1).value();
  for (int i = 0; i < 4; ++i) {
    for (const double u : {-1e-10, 1 + 1e-10}) {
      const Location q{ChartId{i}, {u, 0.3, 0}};
      EXPECT_LT(hull.margin(q), 0);
      const ChartExit exit = hull.leave(q);
      ASSERT_TRUE(std::holds_alternative<Crossing>(exit));
      const Crossing crossing = std::get<Crossing>(exit);
      EXPECT_EQ(crossing.joint, Joint::G1);
      EXPECT_GT(hull.margin(crossing.to), 0);
      const auto p = [&](const Location& at) {
        return hull.jet<0>(at.chart.index, Uv<double>(at.x.head<2>())).d(0, 0);
      };
      EXPECT_LE(difference(p(crossing.to), p(q)), 4 * kEps);
    }
    const ChartExit tip = hull.leave({ChartId{i}, {0.4, 1e-4, 0}});
    ASSERT_TRUE(std::holds_alternative<OpenEdge>(tip));
    EXPECT_EQ(std::get<OpenEdge>(tip).border, Border::tip);
  }
}

// Lengths of arcs: 240° on each circle of the oloid, half circles of the sphericon.
TEST(CircleHull, EdgesAreTheArcs) {
  const auto total = [](const CircleHull& hull) {
    double sum = 0;
    for (const Edge& edge : hull.edges()) sum += edge.curve.length();
    return sum;
  };
  const CircleHull oloid = CircleHull::oloid(1).value();
  EXPECT_EQ(oloid.edges().size(), 2U);
  EXPECT_NEAR(total(oloid), 2 * 4 * kPi / 3, 1e-13);
  EXPECT_NEAR(total(CircleHull::sphericon(1).value()), 2 * kPi, 1e-14);
  EXPECT_NEAR(total(hull_of(pairs()[1])), 4 * kPi, 1e-13);
  EXPECT_EQ(hull_of(pairs()[4]).edges().size(), 3U);  // two arcs poke through one whole circle
}

// A mesh without holes, whose volume comes near the exact one as it is refined.
TEST(CircleHull, TilesCloseTheSurface) {
  for (const CircleHull& hull : all_hulls()) {
    double before = std::numeric_limits<double>::infinity();
    for (const double tolerance : {1e-2, 1e-3}) {
      const Mesh mesh = tessellate(Shape(hull), {tolerance, 1}).value();
      std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> sides;
      double volume = 0;
      for (const auto& t : mesh.triangles) {
        const auto p = [&](std::size_t k) {
          return mesh.vertices[static_cast<std::size_t>(t[k % 3])];
        };
        volume += p(0).dot(p(1).cross(p(2))) / 6;
        for (std::size_t k = 0; k < 3; ++k) {
          const auto key = [](const Vec3<double>& x) {
            return std::array<double, 3>{x.x(), x.y(), x.z()};
          };
          ++sides[{key(p(k)), key(p(k + 1))}];
          --sides[{key(p(k + 1)), key(p(k))}];
          EXPECT_TRUE(mesh.normals[static_cast<std::size_t>(t[k])].allFinite());
        }
      }
      for (const auto& [side, count] : sides) EXPECT_EQ(count, 0);
      const double error = std::abs(volume - hull.solid().value().volume);
      EXPECT_LE(error, 0.3 * before);
      EXPECT_LE(error, tolerance * area(hull));
      before = error;
    }
  }
}

TEST(CircleHull, RefusesWhatHasNoHull) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Circle unit{{0, 0, 0}, {0, 0, 1}, 1};
  EXPECT_FALSE(CircleHull::of_circles(unit, unit));
  EXPECT_FALSE(CircleHull::of_circles(unit, {{3, 0, 0}, {0, 0, -1}, 1}));  // one plane
  EXPECT_FALSE(CircleHull::of_circles(unit, {{0, 0, 0}, {1, 0, 0}, 1}));   // they meet
  EXPECT_FALSE(CircleHull::of_circles(unit, {{2, 0, 1}, {1, 0, 0}, 1}));   // plane touches
  EXPECT_FALSE(CircleHull::of_circles(unit, {{0, 0, 1}, {0, 0, 0}, 1}));
  EXPECT_FALSE(CircleHull::of_circles(unit, {{0, 0, nan}, {0, 0, 1}, 1}));
  EXPECT_FALSE(CircleHull::of_circles(unit, {{0, 0, 1}, {0, 0, 1}, 0}));
  EXPECT_FALSE(CircleHull::of_circles(unit, {{0, 0, 1}, {0, 0, 1}, 1e-9}));
  EXPECT_FALSE(CircleHull::oloid(-1));
  EXPECT_FALSE(CircleHull::oloid(1, 0));
  EXPECT_FALSE(CircleHull::sphericon(nan));
}

}  // namespace oloid::test::circle_hull_test
