#include "oloid/geometry/revolution/surface_of_revolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>

#include "laws/surface_laws.h"
#include "support/rooms.h"

namespace oloid::test::surface_of_revolution_test {

constexpr double pi = std::numbers::pi;
using Profile = std::vector<BezierCurve<2>>;

BezierCurve<2> span(const std::vector<Vec2<double>>& points, const std::vector<double>& w = {}) {
  BezierCurve<2> curve;
  for (std::size_t i = 0; i < points.size(); ++i)
    curve.points.push_back(weighted<2>(points[i], w.empty() ? 1 : w[i]));
  return curve;
}

// A circular arc about (ρ, ζ) = centre, counter-clockwise from one angle to another less than π on.
BezierCurve<2> arc(const Vec2<double>& centre, double radius, double from, double to) {
  const double half = 0.5 * (to - from), middle = 0.5 * (from + to), w = std::cos(half);
  const auto at = [&](double angle, double r) {
    return Vec2<double>(centre + r * Vec2<double>(std::cos(angle), std::sin(angle)));
  };
  return span({at(from, radius), at(middle, radius / w), at(to, radius)}, {1, w, 1});
}

Profile sphere(double r, double height = 0) {
  Profile p{arc({0, height}, r, -pi / 2, 0), arc({0, height}, r, 0, pi / 2)};
  return p;
}
Profile torus(double major, double minor) {
  Profile p;
  for (int k = 0; k < 4; ++k) p.push_back(arc({major, 0}, minor, k * pi / 2, (k + 1) * pi / 2));
  return p;
}
// Pole to pole, polynomial, G1 or less at the seams, neither even at the poles nor convex.
Profile vase() {
  return {span({{0, -1}, {0.5, -1}, {0.9, -0.8}, {0.8, -0.3}}),
          span({{0.8, -0.3}, {0.75, -0.05}, {0.3, 0.1}, {0.35, 0.5}}),
          span({{0.35, 0.5}, {0.4, 0.9}, {0.3, 1.1}, {0.2, 1.1}, {0, 1.1}})};
}
// One span from pole to pole, symmetric: an even h.
Profile egg() { return {span({{0, -1}, {0.6, -1}, {0.9, -0.5}, {0.9, 0.4}, {0.5, 1}, {0, 1}})}; }
Profile lemon(double r, double d) {
  const double alpha = std::acos(d / r);
  return {arc({-d, 0}, r, -alpha, alpha)};
}

SurfaceOfRevolution made(const Profile& profile, bool cavity = false, const AffineMap& map = {}) {
  const auto result = SurfaceOfRevolution::make(profile, cavity, map);
  EXPECT_TRUE(result.has_value()) << to_string(result.error());
  return result.value();
}

AffineMap skewed() {
  AffineMap map;
  map.O << 0.3, -0.2, 0.5;
  map.M << 1.1, 0.2, -0.1, -0.3, 0.8, 0.15, 0.2, 0.1, 1.3;
  return map;
}

// Bands within their extents even when stretched, as beyond a seam another curve begins.
SurfaceDomain domain_of(const SurfaceOfRevolution& surface, int degree) {
  SurfaceDomain domain{{}, surface.bounding_radius(), degree};
  for (int i = 0; i < surface.spans(); ++i) {
    const Extent v = surface.extent(i);
    domain.charts.push_back(
        {i, {0, 0.5 * (v.from + v.to)}, {4, 0.5 * (v.to - v.from) / kBeyond}, false});
  }
  for (const ChartId cap : {surface.cap_at_start(), surface.cap_at_end()})
    if (cap.valid()) domain.charts.push_back({cap.index, {0, 0}, {1, 1}, true});
  return domain;
}

LocalSurface<double> local(const SurfaceOfRevolution& surface, const Location& q) {
  const Jet<double, 2> c = surface.jet<2, double>(q.chart.index, q.x.head<2>());
  const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
  return local_surface(c, std::abs(n.x()) < 0.7 ? Vec3<double>::UnitX() : Vec3<double>::UnitY());
}
Vec3<double> point(const SurfaceOfRevolution& surface, const Location& q) {
  return surface.jet<0, double>(q.chart.index, q.x.head<2>()).d(0, 0);
}

TEST(SurfaceOfRevolution, KeepsTheLawsOfSurfaces) {
  for (const bool cavity : {false, true}) {
    for (const AffineMap& map : {AffineMap{}, skewed()}) {
      for (const auto& [name, profile, degree] :
           {std::tuple{"sphere", sphere(0.7, 0.2), 3},
            {"torus", torus(2, 0.5), 2},
            {"vase", vase(), 4},
            {"egg", egg(), 5},
            {"lemon", lemon(1, 0.4), 3},
            {"cylinder", Profile{span({{0.5, -1}, {0.5, 1}})}, 3}}) {
        SCOPED_TRACE(testing::Message() << name << " cavity " << cavity);
        const SurfaceOfRevolution surface = made(profile, cavity, map);
        expect_surface_laws(surface, domain_of(surface, degree));
        expect_atlas_laws(surface, domain_of(surface, degree));
      }
    }
  }
}

// Bodies of one span from pole to pole, of all degrees, with weights from 0.3 to 3: caps converge.
TEST(SurfaceOfRevolution, RandomBodiesKeepTheLawsToo) {
  for_random_cases(60, [](Random& random) {
    const int n = 3 + static_cast<int>(random(0, 5));
    std::vector<Vec2<double>> points;
    std::vector<double> weights;
    for (int i = 0; i <= n; ++i) {
      const double angle = pi * (static_cast<double>(i) / n - 0.5);
      points.emplace_back(std::cos(angle) * random(0.4, 1.6), std::sin(angle) + random(-0.2, 0.2));
      weights.push_back(random(0.3, 3));
    }
    points.front() << 0, points[1](1);
    points.back() << 0, points[static_cast<std::size_t>(n) - 1](1);
    const SurfaceOfRevolution surface = made({span(points, weights)}, random(-1, 1) < 0);
    ASSERT_TRUE(surface.cap_at_start().valid() && surface.cap_at_end().valid());
    expect_surface_laws(surface, domain_of(surface, n + 2));  // rational: as of a higher degree
    expect_atlas_laws(surface, domain_of(surface, n + 2));
  });
}

TEST(SurfaceOfRevolution, NormalPointsToTheRightOfTheProfile) {
  const Location q{ChartId{0}, {0.4, 0.7, 0}};
  EXPECT_GT(local(made(sphere(1)), q).R.col(2).dot(point(made(sphere(1)), q)), 0.99);
  EXPECT_LT(local(made(sphere(1), true), q).R.col(2).dot(point(made(sphere(1), true), q)), -0.99);
  for (const bool cavity : {false, true}) {
    const SurfaceOfRevolution ball = made(sphere(1), cavity);
    const double sign = cavity ? -1 : 1;
    EXPECT_EQ(local(ball, {ball.cap_at_start(), {0, 0, 0}}).R(2, 2), -sign);
    EXPECT_EQ(local(ball, {ball.cap_at_end(), {0, 0, 0}}).R(2, 2), sign);
  }
}

// Circles come out as circles everywhere, also at the pole and however near to it.
TEST(SurfaceOfRevolution, SpheresBendAlikeUpToThePole) {
  const double r = 0.7;
  for (const bool cavity : {false, true}) {
    const SurfaceOfRevolution ball = made(sphere(r, 0.3), cavity);
    const Mat2<double> K = (cavity ? -1 : 1) / r * Mat2<double>::Identity();
    for (const ChartId cap : {ball.cap_at_start(), ball.cap_at_end()}) {
      for (const double angle : {0.0, 0.3, 2.0, 4.5}) {
        for (const double from_pole :
             {0.0, 1e-200, 1e-31, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0}) {
          SCOPED_TRACE(testing::Message() << from_pole << " from the pole");
          const Uv<double> q = from_pole * Uv<double>(std::cos(angle), std::sin(angle));
          const LocalSurface<double> at = local(ball, {cap, {q.x(), q.y(), 0}});
          EXPECT_LE(difference(at.K, K), 1e-12 / r);
          EXPECT_NEAR((at.p - Vec3<double>(0, 0, 0.3)).norm(), r, 4 * kEps);
          // Third derivatives: of z = ∓√(r² − x² − y²) at the pole all 0, near it small.
          const Jet<double, 3> c = ball.jet<3>(cap.index, q);
          if (from_pole < 1e-2) {
            for (int j = 0; j <= 3; ++j)
              EXPECT_LE(std::abs(c.d(3 - j, j).z()), 1e-12 + 10 * from_pole);
          }
        }
      }
    }
  }
}

// The graph ζ = h(ρ) of a polynomial profile that is not even: h₂ is right at the pole.
TEST(SurfaceOfRevolution, CurvatureAtAPoleIsThatOfTheProfile) {
  const SurfaceOfRevolution surface = made(vase());
  const auto c = curve_jet<2>(surface.span(0), 0.0);
  const double bend = c[2](1) / (c[1](0) * c[1](0));  // h'' where ζ' = 0
  const LocalSurface<double> at = local(surface, {surface.cap_at_start(), {0, 0, 0}});
  EXPECT_LE(difference(at.K, bend * Mat2<double>::Identity()), 1e-13 * bend);
  for (const double from_pole : {1e-12, 1e-9, 1e-6}) {  // C2: what changes is of first order
    const LocalSurface<double> near = local(surface, {surface.cap_at_start(), {from_pole, 0, 0}});
    EXPECT_LE(difference(near.K, at.K), 1e-12 * bend + 20 * from_pole);
  }
}

// Duals of any nesting and packs at the pole itself: no 0/0.
TEST(SurfaceOfRevolution, DualsAndPacksPassThroughThePole) {
  using D = Dual<double, 2>;
  using DD = Dual<D, 2>;
  const SurfaceOfRevolution ball = made(sphere(0.7));
  const int cap = ball.cap_at_end().index;
  for (const double x : {0.0, 1e-40, 1e-15, 1e-8}) {
    const Jet<double, 3> c = ball.jet<3, double>(cap, {x, 0});
    const DD u = DD::variable(D::variable(x, 0), 0), v = DD::variable(D::variable(0, 1), 1);
    const DD z = ball.jet<0, DD>(cap, {u, v}).d(0, 0).z();
    EXPECT_NEAR(z.d[0].d[0], c.d(2, 0).z(), 1e-13);
    EXPECT_NEAR(z.d[1].d[1], c.d(0, 2).z(), 1e-13);
    EXPECT_NEAR(z.d[0].d[1], 0, 1e-13);
    const Jet<D, 2> moving = ball.jet<2, D>(cap, {D::variable(x, 0), D::variable(0, 1)});
    for (int j = 0; j <= 2; ++j) {
      EXPECT_LE(difference(derivative(moving.d(2 - j, j), 0), c.d(3 - j, j)), 1e-12);
      EXPECT_LE(difference(derivative(moving.d(2 - j, j), 1), c.d(2 - j, j + 1)), 1e-12);
    }
  }
  using P = Pack<4>;
  const P lanes = P::generate(
      [](std::size_t i) { return i == 0 ? 0.0 : std::pow(10.0, -4.0 * static_cast<double>(i)); });
  const Jet<P, 2> wide = ball.jet<2, P>(cap, {lanes, P(0.0)});
  for (int l = 0; l < 4; ++l) {
    const Jet<double, 2> one = ball.jet<2, double>(cap, {lanes[l], 0});
    EXPECT_LE(difference(lane(wide.d(2, 0), l), one.d(2, 0)), 1e-14);
  }
}

// Walks straight over the body by tangential steps; counts chart changes.
struct Walk {
  int changes = 0, least_apart = 1000000;
  double error = 0;  // jump of the point at a change [m]
};
Walk walk(const SurfaceOfRevolution& surface, Location q, Vec3<double> direction, double step,
          int steps) {
  Walk result;
  int since = 1000000;
  for (int i = 0; i < steps; ++i, ++since) {
    const LocalSurface<double> at = local(surface, q);
    direction = (direction - direction.dot(at.R.col(2)) * at.R.col(2)).normalized();
    q.x += step * (at.L * (at.R.leftCols<2>().transpose() * direction));
    if (surface.margin(q) > 0) continue;
    const ChartExit exit = surface.leave(q);
    if (!std::holds_alternative<Crossing>(exit)) {
      ADD_FAILURE() << "an open border";
      break;
    }
    const Location to = std::get<Crossing>(exit).to;
    EXPECT_GT(surface.margin(to), 0);
    result.error = std::max(result.error, (point(surface, to) - point(surface, q)).norm());
    if (result.changes > 0) result.least_apart = std::min(result.least_apart, since);
    q = to;
    ++result.changes;
    since = 0;
  }
  return result;
}

TEST(SurfaceOfRevolution, WalksOverPolesAndSeamsDoNotPingPong) {
  for (const bool cavity : {false, true}) {
    const SurfaceOfRevolution ball = made(sphere(0.7), cavity);
    for_random_cases(20, [&](Random& random) {  // about one turn
      const Vec3<double> p = 0.7 * random.direction();
      const Walk w = walk(ball, ball.near(p), random.direction(), 0.7 * 2 * pi / 2000, 2000);
      EXPECT_LE(w.changes, 8);
      EXPECT_GT(w.least_apart, 20);
      // A step beyond a seam keeps the way, not the point: quadratic in the step.
      EXPECT_LE(w.error, 2 * std::pow(0.7 * 2 * pi / 2000, 2));
    });
    // Exactly over both poles, three times.
    const Walk w = walk(ball, ball.near({0.6, 0, 0.3}), {0, 0, 1}, 0.7 * 2 * pi / 2000, 6000);
    EXPECT_EQ(w.changes, 3 * 6);  // into and out of two caps, two seams
    EXPECT_GT(w.least_apart, 20);
  }
}

// A contact that runs along a seam is moved off it by round-off only, to and fro.
TEST(SurfaceOfRevolution, RunningAlongASeamDoesNotChatter) {
  const SurfaceOfRevolution ball = made(sphere(0.7));
  for (const double v : {1.0, 0.0}) {
    Location q{ChartId{v == 1.0 ? 0 : 1}, {0, v, 0}};
    for_random_cases(100, [&](Random& random) {
      q.x(0) += 0.1;
      q.x(1) = v + random(-1e-15, 1e-15);
      EXPECT_GT(ball.margin(q), 0);
    });
    // Beyond: in the other chart by as much, and only once.
    q.x(1) = v == 1.0 ? 1 + 1.5e-10 : -1.5e-10;
    EXPECT_LT(ball.margin(q), 0);
    const Location to = std::get<Crossing>(ball.leave(q)).to;
    EXPECT_NE(to.chart, q.chart);
    EXPECT_NEAR(v == 1.0 ? to.x(1) : 1 - to.x(1), 1.5e-10, 2e-16);
    EXPECT_GT(ball.margin(to), 0);
    EXPECT_LE((point(ball, to) - point(ball, q)).norm(), 4 * kEps);
  }
}

TEST(SurfaceOfRevolution, SeamsAreMeasured) {
  const SurfaceOfRevolution ring = made(torus(2, 0.5));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ring.joint_after(i), Joint::G2);
  const Profile capsule{arc({0, -1}, 0.5, -pi / 2, 0), span({{0.5, -1}, {0.5, 1}}),
                        arc({0, 1}, 0.5, 0, pi / 2)};
  EXPECT_EQ(made(capsule).joint_after(0), Joint::G1);
  EXPECT_EQ(made(capsule).joint_after(1), Joint::G1);
  const Profile can{span({{0, -1}, {0.5, -1}}), span({{0.5, -1}, {0.5, 1}}),
                    span({{0.5, 1}, {0, 1}})};
  EXPECT_EQ(made(can).joint_after(0), Joint::G0);
  const SurfaceOfRevolution c = made(can);
  const ChartExit exit = c.leave({ChartId{0}, {0.3, 1 + 1e-12, 0}});
  ASSERT_TRUE(std::holds_alternative<Crossing>(exit));
  EXPECT_EQ(std::get<Crossing>(exit).joint, Joint::G0);
  // The pace is that of the way over the surface, spans of different length.
  EXPECT_NEAR(std::get<Crossing>(exit).to.x(1), 1e-12 * 0.5 / 2, 1e-16);
  // A closed span is joined to itself.
  const SurfaceOfRevolution loop =
      made({span({{2, -1}, {4, -1}, {3, 2}, {1, 2}, {0.5, -1}, {2, -1}})});
  const Location to = std::get<Crossing>(loop.leave({ChartId{0}, {7, -2e-13, 0}})).to;
  EXPECT_EQ(to.chart, ChartId{0});
  EXPECT_NEAR(to.x(1), 1, 1e-12);
}

TEST(SurfaceOfRevolution, EndsAtTipsAndFreeEnds) {
  const SurfaceOfRevolution l = made(lemon(1, 0.4));
  EXPECT_FALSE(l.cap_at_start().valid());
  EXPECT_EQ(l.extent(0).from, 1e-3);
  const ChartExit exit = l.leave({ChartId{0}, {2, 0.5e-3, 0}});
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).at.x, Vec3<double>(2, 1e-3, 0));
  const SurfaceOfRevolution tube = made({span({{0.5, -1}, {0.5, 1}})});
  const ChartExit end = tube.leave({ChartId{0}, {2, 1.2, 0}});
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(end));
  EXPECT_EQ(std::get<OpenEdge>(end).at.x, Vec3<double>(2, 1, 0));
  EXPECT_EQ(tube.margin({ChartId{0}, {2, 1, 0}}), 0);
}

TEST(SurfaceOfRevolution, FlatDiscsAreCapsToo) {
  const SurfaceOfRevolution disc = made({span({{0, 0.4}, {0.5, 0.4}})});
  ASSERT_TRUE(disc.cap_at_start().valid());
  const LocalSurface<double> at = local(disc, {disc.cap_at_start(), {0.3, 0.2, 0}});
  EXPECT_EQ(at.p.z(), 0.4);
  EXPECT_LE(at.K.norm(), 0);
}

TEST(SurfaceOfRevolution, NearKeepsPointsOfTheSurface) {
  for (const AffineMap& map : {AffineMap{}, skewed()}) {
    for (const Profile& profile : {sphere(0.7, 0.2), torus(2, 0.5), vase(), egg()}) {
      for (const bool cavity : {false, true}) {
        const SurfaceOfRevolution surface = made(profile, cavity, map);
        for (const ChartDomain& chart : domain_of(surface, 3).charts) {
          for_random_cases(50, [&](Random& random) {
            const Uv<double> uv = chart.sample(random, 1);
            const Vec3<double> p = point(surface, {ChartId{chart.chart}, {uv.x(), uv.y(), 0}});
            const Location q = surface.near(p);
            EXPECT_GT(surface.margin(q), 0);
            EXPECT_LE(difference(point(surface, q), p), 8 * kEps * surface.bounding_radius());
          });
        }
        for (int i = 0; i < surface.spans(); ++i) {  // seams and poles
          for (const double v : {0.0, 1e-13, 1e-6, 0.005, 0.995, 1 - 1e-6, 1.0}) {
            const Vec3<double> p = point(surface, {ChartId{i}, {0.7, v, 0}});
            const Location q = surface.near(p);
            EXPECT_GT(surface.margin(q), 0);
            EXPECT_LE(difference(point(surface, q), p), 8 * kEps * surface.bounding_radius());
          }
        }
        EXPECT_GE(surface.margin(surface.near(map.O)), 0);
        EXPECT_GE(surface.margin(surface.near({1e3, -2e3, 5e2})), 0);
      }
    }
  }
}

TEST(SurfaceOfRevolution, KnowsWhenItIsConvex) {
  EXPECT_TRUE(made(sphere(1)).is_convex());
  EXPECT_FALSE(made(sphere(1), true).is_convex());
  EXPECT_TRUE(made(sphere(1), false, skewed()).is_convex());
  EXPECT_TRUE(made(egg()).is_convex());
  EXPECT_TRUE(made(lemon(1, 0.4)).is_convex());
  EXPECT_TRUE(made({span({{0.5, -1}, {0.5, 1}})}).is_convex());
  EXPECT_FALSE(made(vase()).is_convex());
  EXPECT_FALSE(made(torus(2, 0.5)).is_convex());
  // A dimple at the upper end, and the same body inside out.
  EXPECT_FALSE(made({span({{0, 0}, {1, 0}, {1, 1}, {0, 0.5}})}).is_convex());
  Profile down;
  for (const auto& curve : sphere(1)) down.insert(down.begin(), reversed(curve));
  EXPECT_FALSE(made(down).is_convex());
}

Location on(const SurfaceOfRevolution& surface, const Tile& tile, double s, double t) {
  return surface.on_tile(std::get<SpanTile>(tile.place), s, t);
}

TEST(SurfaceOfRevolution, BoxAndRadiusContainTheSurfaceTightly) {
  for (const AffineMap& map : {AffineMap{}, skewed()}) {
    for (const Profile& profile : {sphere(0.7, 0.2), torus(2, 0.5), vase(), lemon(1, 0.4)}) {
      const SurfaceOfRevolution surface = made(profile, false, map);
      const Box box = surface.box();
      Box reached;
      double far = 0;
      for (const Tile& tile : surface.tiles(1)) {
        constexpr int n = 40;
        for (int i = 0; i <= n; ++i) {
          for (int j = 0; j <= n; ++j) {
            const Vec3<double> p = point(surface, on(surface, tile, i / double(n), j / double(n)));
            EXPECT_TRUE(box.contains(p, 4 * kEps * surface.bounding_radius()));
            EXPECT_LE(p.norm(), surface.bounding_radius() * (1 + 4 * kEps));
            reached.add(p);
            far = std::max(far, p.norm());
          }
        }
      }
      const double size = surface.bounding_radius();
      EXPECT_LE(difference(box.low, reached.low), 2e-3 * size);  // as finely as sampled
      EXPECT_LE(difference(box.high, reached.high), 2e-3 * size);
      EXPECT_LE(far, size);
      if (map.O.isZero()) {
        EXPECT_LE(size, far * 1.001);
      }
    }
  }
  const Box ball = made(sphere(0.7, 0.2)).box();
  EXPECT_LE(difference(ball.high, Vec3<double>(0.7, 0.7, 0.9)), 1e-12);
  EXPECT_NEAR(made(sphere(0.7)).bounding_radius(), 0.7, 2e-6);
}

void expect_solid(const SurfaceOfRevolution& surface, double volume, const Vec3<double>& centre,
                  const Mat3<double>& inertia, double tolerance) {
  const Result<Solid> solid = surface.solid();
  ASSERT_TRUE(solid.has_value()) << to_string(solid.error());
  EXPECT_NEAR(solid->volume, volume, tolerance * volume);
  EXPECT_LE(difference(solid->centre, centre), tolerance * surface.bounding_radius());
  EXPECT_LE(difference(solid->inertia, inertia), tolerance * inertia.norm());
}
Mat3<double> diagonal(double x, double y, double z) { return Vec3<double>(x, y, z).asDiagonal(); }

TEST(SurfaceOfRevolution, HasTheKnownVolumeCentreAndInertia) {
  const double r = 0.7, ball = 4 * pi / 3 * r * r * r;
  expect_solid(made(sphere(r, 0.3)), ball, {0, 0, 0.3},
               0.4 * ball * r * r * Mat3<double>::Identity(), 1e-14);
  // V = 2π²Rr², J_z = V (R² + ¾ r²), J_x = V (4R² + 5r²) / 8.
  const double R = 2, a = 0.5, ring = 2 * pi * pi * R * a * a;
  const double J_x = ring * (4 * R * R + 5 * a * a) / 8, J_z = ring * (R * R + 0.75 * a * a);
  expect_solid(made(torus(R, a)), ring, {0, 0, 0}, diagonal(J_x, J_x, J_z), 1e-14);
  // An ellipsoid as a sphere stretched.
  AffineMap map;
  map.M = diagonal(0.7, 0.5, 0.4);
  map.O << 1, 2, 3;
  const double V = 4 * pi / 3 * 0.7 * 0.5 * 0.4;
  expect_solid(made(sphere(1), false, map), V, map.O,
               V / 5 * diagonal(0.25 + 0.16, 0.49 + 0.16, 0.49 + 0.25), 1e-14);
  // A cone: V = π r² h / 3, centre h / 4 above the base; a can.
  expect_solid(made({span({{0, 0}, {1, 0}}), span({{1, 0}, {0, 2}})}), 2 * pi / 3, {0, 0, 0.5},
               2 * pi / 3 * diagonal(3.0 / 20 + 3.0 * 4 / 80, 3.0 / 20 + 3.0 * 4 / 80, 0.3), 1e-14);
  // The spindle ρ = √(R² − z²) − d, |z| ≤ h = √(R² − d²): with C_k = ∫ (R² − z²)^(k/2) dz,
  //   V = π (C₂ − 2 d C₁ + d² C₀)
  const double d = 0.4, h = std::sqrt(1 - d * d), asin = std::asin(h);
  const double C_1 = h * d + asin, C_2 = 2 * h - 2 * h * h * h / 3;
  const double spindle = pi * (C_2 - 2 * d * C_1 + 2 * d * d * h);
  EXPECT_NEAR(made(lemon(1, d)).solid()->volume, spindle, 1e-13 * spindle);
}

// The same by an integral over all tiles, which so cover the surface exactly once, turned right:
//   ∫ dV = ⅓ ∮ x·dA,  ∫ x dV = ½ ∮ x² dA
TEST(SurfaceOfRevolution, TilesCoverTheSurfaceOnce) {
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  for (const bool cavity : {false, true}) {
    for (const AffineMap& map : {AffineMap{}, skewed()}) {
      for (Profile profile : {sphere(0.7, 0.2), torus(2, 0.5), vase(), egg()}) {
        if (cavity) {
          std::reverse(profile.begin(), profile.end());
          for (auto& curve : profile) curve = reversed(curve);
        }
        const SurfaceOfRevolution surface = made(profile, cavity, map);
        const Solid solid = surface.solid().value();
        double volume = 0;
        Vec3<double> first = Vec3<double>::Zero();
        for (const Tile& tile : surface.tiles(1)) {
          EXPECT_EQ(tile.sides, 4);
          const auto add = [&](double s, double t, double weight) {
            // x_s × x_t by central differences of high order would cost digits: use the chart.
            const Location q = on(surface, tile, s, t);
            EXPECT_GE(surface.margin(q), 0);
            const Jet<double, 1> c = surface.jet<1, double>(q.chart.index, q.x.head<2>());
            const double e = 1e-6;
            const Vec3<double> x_s = (point(surface, on(surface, tile, s + e, t)) -
                                      point(surface, on(surface, tile, s - e, t))) /
                                     (2 * e);
            const Vec3<double> x_t = (point(surface, on(surface, tile, s, t + e)) -
                                      point(surface, on(surface, tile, s, t - e))) /
                                     (2 * e);
            const Vec3<double> dA = weight * x_s.cross(x_t), x = c.d(0, 0);
            EXPECT_GT(dA.dot(c.d(1, 0).cross(c.d(0, 1))), 0);  // s to t turns as u to v
            volume += x.dot(dA) / 3;
            first += 0.5 * x.cwiseAbs2().cwiseProduct(dA);
          };
          for (const double s_from : {0.0, 0.5}) {
            for (const double t_from : {0.0, 0.5}) {
              for (std::size_t i = 0; i < 20; ++i) {
                for (std::size_t j = 0; j < 20; ++j) {
                  const auto node = [](std::size_t k) {
                    const double x = Gauss::abscissa()[k / 2];
                    return 0.5 * (1 + (k % 2 == 0 ? x : -x));
                  };
                  add(s_from + 0.5 * node(i), t_from + 0.5 * node(j),
                      Gauss::weights()[i / 2] * Gauss::weights()[j / 2] / 16);
                }
              }
            }
          }
        }
        // Differences with a step of 1e-6 leave 1e-10.
        EXPECT_NEAR(volume, solid.volume, 1e-9 * solid.volume);
        EXPECT_LE(difference(first / volume, solid.centre), 1e-9 * surface.bounding_radius());
      }
    }
  }
}

TEST(SurfaceOfRevolution, TilesShrinkToAPointAtPolesAndMeetTheirNeighbours) {
  const SurfaceOfRevolution ball = made(sphere(0.7));
  const std::vector<Tile> tiles = ball.tiles(1);
  ASSERT_EQ(tiles.size(), 8u);
  for (const double s : {0.0, 0.3, 1.0}) {
    EXPECT_EQ(on(ball, tiles[0], s, 0).chart, ball.cap_at_start());
    EXPECT_EQ(point(ball, on(ball, tiles[0], s, 0)), Vec3<double>(0, 0, -0.7));
    EXPECT_EQ(on(ball, tiles[5], s, 1).chart, ball.cap_at_end());
    EXPECT_LE(
        difference(point(ball, on(ball, tiles[0], 1, s)), point(ball, on(ball, tiles[1], 0, s))),
        kEps);
    EXPECT_LE(
        difference(point(ball, on(ball, tiles[3], 1, s)), point(ball, on(ball, tiles[0], 0, s))),
        kEps);
    EXPECT_LE(
        difference(point(ball, on(ball, tiles[2], s, 1)), point(ball, on(ball, tiles[6], s, 0))),
        kEps);
  }
}

TEST(SurfaceOfRevolution, SolidRefusesOpenAndInsideOut) {
  const auto message = [](const Profile& profile, bool cavity = false) {
    const Result<Solid> solid = made(profile, cavity).solid();
    EXPECT_FALSE(solid.has_value());
    EXPECT_NE(solid.error().remedy, "");
    return solid.error().message;
  };
  EXPECT_EQ(message({span({{0.5, -1}, {0, 1}})}),
            "the surface is open at the start of its profile, (0.5, -1)");
  EXPECT_EQ(message({span({{0, -1}, {0.5, 1}})}),
            "the surface is open at the end of its profile, (0.5, 1)");
  EXPECT_EQ(message(sphere(1), true),
            "the surface is inside out: its normals point into the 4.18879 m3 it encloses");
  Profile down;
  for (const auto& curve : sphere(1)) down.insert(down.begin(), reversed(curve));
  EXPECT_EQ(message(down),
            "the surface is inside out: its normals point into the 4.18879 m3 it encloses");
  EXPECT_NEAR(made(down, true).solid()->volume, 4 * pi / 3, 1e-14);  // outside in, twice
}

void expect_refused(const Profile& profile, const std::string& message, const AffineMap& map = {}) {
  const auto result = SurfaceOfRevolution::make(profile, false, map);
  ASSERT_FALSE(result.has_value()) << message;
  EXPECT_EQ(result.error().message, message);
  EXPECT_NE(result.error().remedy, "");
}

TEST(SurfaceOfRevolution, RefusesWhatIsNoSurface) {
  const BezierCurve<2> fine = span({{1, 0}, {1, 1}});
  expect_refused({}, "the profile has no spans");
  expect_refused({fine, span({{1, 1}})}, "span 1 of the profile has degree 0");
  expect_refused({span(std::vector<Vec2<double>>(17, {1, 1}))},
                 "span 0 of the profile has degree 16");
  expect_refused({span({{1, 0}, {NAN, 1}})},
                 "control point 1 of span 0 of the profile is not finite");
  expect_refused({fine, span({{1, 1}, {1, INFINITY}})},
                 "control point 1 of span 1 of the profile is not finite");
  expect_refused({span({{1, 0}, {1, 1}}, {1, 0})}, "weight 1 of span 0 of the profile is 0");
  expect_refused({span({{1, 0}, {1, 1}}, {1, -2})}, "weight 1 of span 0 of the profile is -2");
  expect_refused({span({{0, 0}, {0, 0}})}, "the profile is a single point");
  expect_refused({fine, span({{1, 1.01}, {1, 2}})},
                 "span 1 of the profile starts at (1, 1.01), but span 0 ends at (1, 1)");
  expect_refused({span({{1, 0}, {1, 0}, {1, 1}})},
                 "span 0 of the profile has zero speed at t = 0 (a cusp)");
  expect_refused({span({{1, 0}, {2, 1}, {1, 1}, {2, 0}})},
                 "span 0 of the profile has zero speed at t = 0.5 (a cusp)");
  expect_refused({span({{1, 0}, {-1, 1}})}, "span 0 of the profile has rho = -1 at t = 1");
  expect_refused({span({{1, 0}, {-1, 1}, {1, 2}})}, "span 0 of the profile has rho = 0 at t = 0.5");
  expect_refused({span({{1, 0}, {0, 1}}), span({{0, 1}, {1, 2}})},
                 "span 0 of the profile has rho = 0 at t = 1");
  expect_refused({span({{0, 0}, {0, 1}})}, "span 0 of the profile has rho = 0 at t = 0");
  expect_refused({span({{0, 0}, {0, 0.5}, {1, 1}})}, "span 0 of the profile has rho = 0 at t = 0");
  AffineMap map;
  map.M = -Mat3<double>::Identity();
  expect_refused({fine}, "the affine map has determinant -1", map);
  map.M(0, 0) = NAN;
  expect_refused({fine}, "the affine map is not finite", map);
  EXPECT_TRUE(SurfaceOfRevolution::make({span({{1, 0}, {0.1, 1}, {1, 2}})}).has_value());
}

// Ends 1e-10 of the size off are moved together; the surface has no step then.
TEST(SurfaceOfRevolution, ClosesSmallGaps) {
  Profile profile = sphere(1);
  profile[0].points[0](0) += 1e-10;
  profile[0].points[1](1) += 1e-10;
  profile[1].points[0](1) -= 3e-10;
  const SurfaceOfRevolution ball = made(profile);
  EXPECT_TRUE(ball.cap_at_start().valid());
  EXPECT_EQ(ball.span(0).start()(0), 0);
  EXPECT_EQ(ball.span(0).end(), ball.span(1).start());
}

}  // namespace oloid::test::surface_of_revolution_test
