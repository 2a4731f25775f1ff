#include "oloid/geometry/revolution/recognise_revolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "laws/surface_laws.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/revolution/revolution.h"
#include "oloid/geometry/revolution/surface_of_revolution.h"
#include "support/rooms.h"

namespace oloid::test::recognise_revolution_test {

constexpr double pi = std::numbers::pi;
using Weighted = Vec<double, 4>;

struct Curve {  // plane, homogeneous (w ρ, w ζ, w)
  KnotVector knots;
  std::vector<Vec<double, 3>> points;
};

// Arcs of equal angle about a centre, from one angle to another.
Curve arcs(const Vec2<double>& centre, double radius, double from, double to, int count) {
  Curve curve;
  curve.knots = {2, {0, 0, 0}};
  const double step = (to - from) / count, w = std::cos(0.5 * step);
  const auto add = [&](double angle, double r, double weight) {
    curve.points.push_back(weighted<2>(
        Vec2<double>(centre + r * Vec2<double>(std::cos(angle), std::sin(angle))), weight));
  };
  add(from, radius, 1);
  for (int k = 0; k < count; ++k) {
    add(from + (k + 0.5) * step, radius / w, w);
    add(from + (k + 1) * step, radius, 1);
    for (int i = 0; i < 2; ++i) curve.knots.knots.push_back(k + 1);
  }
  curve.knots.knots.push_back(count);
  return curve;
}
Curve polygon(const std::vector<Vec2<double>>& points, const KnotVector& knots) {
  Curve curve{knots, {}};
  for (const auto& p : points) curve.points.push_back(weighted<2>(p, 1));
  return curve;
}
Curve sphere(double r) {  // with its poles exactly on the axis
  Curve curve = arcs({0, 0}, r, -pi / 2, pi / 2, 2);
  for (const std::size_t i : {0u, 4u}) curve.points[i](0) = 0;
  return curve;
}
Curve torus(double major, double minor) { return arcs({major, 0}, minor, 0, 2 * pi, 4); }
Curve vase() {  // clamped cubic with four spans, pole to pole
  return polygon({{0, -1}, {0.7, -1}, {1, -0.5}, {0.3, 0}, {0.5, 0.6}, {0.6, 1.1}, {0, 1.1}},
                 {3, {0, 0, 0, 0, 0.2, 0.5, 0.7, 1, 1, 1, 1}});
}

// The profile turned by the plane curve `circle` of radius 1, then mapped. u goes round.
NurbsNet revolved(const Curve& circle, const Curve& profile, const AffineMap& map) {
  NurbsNet net{circle.knots, profile.knots, {}};
  for (const auto& c : circle.points) {
    net.net.emplace_back();
    for (const auto& p : profile.points) {
      const double w = c(2) * p(2);
      const Vec3<double> x(p(0) * c(0), p(0) * c(1), p(1) * c(2));
      Weighted h;
      h << map.M * x + w * map.O, w;
      net.net.back().push_back(h);
    }
  }
  return net;
}
Curve circle(int count = 4, double from = 0) { return arcs({0, 0}, 1, from, from + 2 * pi, count); }

NurbsNet exchanged(const NurbsNet& surface) {
  NurbsNet result{surface.v, surface.u, {}};
  result.net.resize(surface.net[0].size());
  for (const auto& row : surface.net)
    for (std::size_t j = 0; j < row.size(); ++j) result.net[j].push_back(row[j]);
  return result;
}
NurbsNet u_reversed(NurbsNet surface) {
  std::reverse(surface.net.begin(), surface.net.end());
  std::reverse(surface.u.knots.begin(), surface.u.knots.end());
  for (double& knot : surface.u.knots) knot = -knot;
  return surface;
}

AffineMap random_pose(Random& random) {
  AffineMap map;
  map.M = Eigen::AngleAxisd(random(-3, 3), random.direction()).toRotationMatrix();
  map.O = random.vector<3>(-1, 1);
  return map;
}

// A point of the net with the normal c_u × c_v, by the Bezier piece over the first spans.
struct Oriented {
  Vec3<double> p, n;
};
Oriented somewhere(const NurbsNet& surface, double s, double t) {
  const Span u = spans(surface.u).front(), v = spans(surface.v).front();
  using D = Dual<double, 2>;
  const auto Bu = bernstein<0>(surface.u.degree, D::variable(s, 0))[0];
  const auto Bv = bernstein<0>(surface.v.degree, D::variable(t, 1))[0];
  Vec<D, 4> h = Vec<D, 4>::Zero();
  std::vector<std::vector<Weighted>> columns;
  for (std::size_t j = 0; j < surface.net[0].size(); ++j) {
    columns.push_back(
        bezier_piece<Weighted>(surface.u, u, [&](std::size_t i) { return surface.net[i][j]; }));
  }
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    const auto row =
        bezier_piece<Weighted>(surface.v, v, [&](std::size_t j) { return columns[j][i]; });
    for (std::size_t j = 0; j < row.size(); ++j)
      for (int k = 0; k < 4; ++k) h(k) = h(k) + D(row[j](k)) * Bu[i] * Bv[j];
  }
  Vec3<D> x;
  for (int k = 0; k < 3; ++k) x(k) = h(k) / h(3);
  const Vec3<double> n = derivative(x, 0).cross(derivative(x, 1));
  return {value(x), n.normalized()};
}

// The same surface in all guises: u and v exchanged, u the other way round.
std::vector<NurbsNet> guises(const NurbsNet& surface) {
  return {surface, exchanged(surface), u_reversed(surface), exchanged(u_reversed(surface))};
}

// The normal is that of the NURBS surface, whose points are kept.
void expect_kept(const NurbsNet& net, const SurfaceOfRevolution& found, double size,
                 Random& random) {
  for (int k = 0; k < 20; ++k) {
    const Oriented given = somewhere(net, random(0.1, 0.9), random(0.1, 0.9));
    const Location q = found.near(given.p);
    const Jet<double, 1> c = found.jet<1, double>(q.chart.index, q.x.head<2>());
    EXPECT_LE(difference(c.d(0, 0), given.p), 1e-14 * size);
    EXPECT_LE(difference(c.d(1, 0).cross(c.d(0, 1)).normalized(), given.n), 1e-12);
  }
}

// Point, normal and curvature agree with a surface of ours, known in a frame of its own.
template <class Surface>
void expect_same(const SurfaceOfRevolution& found, const Surface& known, const AffineMap& X,
                 double sign, double size, Random& random) {
  for (const Location& seed : found.seeds()) {
    Location q = seed;
    q.x(0) += random(0, 0.1);
    q.x(1) += random(0, 0.01);
    const Vec3<double> p = found.jet<0, double>(q.chart.index, q.x.head<2>()).d(0, 0);
    const Location there = known.near(X.M.transpose() * (p - X.O));
    const Jet<double, 2> c = known.template jet<2, double>(there.chart.index, there.x.head<2>());
    const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
    const Vec3<double> e = fair_reference(random, {n});
    const LocalSurface<double> b = local_surface(c, e);
    const LocalSurface<double> a =
        local_surface(found.jet<2, double>(q.chart.index, q.x.head<2>()), X.M * e);
    EXPECT_LE(difference(a.p, X.O + X.M * b.p), 1e-14 * size);
    EXPECT_LE(difference(sign * a.R.col(2), X.M * b.R.col(2)), 1e-12);
    // The y axis turns over with the normal.
    Mat2<double> K = sign * b.K;
    if (sign < 0) K(0, 1) = -K(0, 1), K(1, 0) = -K(1, 0);
    EXPECT_LE(difference(a.K, K), 1e-10 * (1 / size + b.K.norm()));
  }
}

// Both orientations: the normal of the NURBS surface is the known one's, times the sign.
double orientation(const NurbsNet& net, const auto& known, const AffineMap& X) {
  const Oriented given = somewhere(net, 0.4, 0.6);
  const Location q = known.near(X.M.transpose() * (given.p - X.O));
  const Jet<double, 1> c = known.template jet<1, double>(q.chart.index, q.x.template head<2>());
  return given.n.dot(X.M * c.d(1, 0).cross(c.d(0, 1))) > 0 ? 1 : -1;
}

template <class Surface>
void expect_recognised(const Curve& profile, const Surface& known, double size,
                       const Mat3<double>& stretch = Mat3<double>::Identity()) {
  for_random_cases(5, [&](Random& random) {
    const AffineMap X = random_pose(random);
    AffineMap map = X;
    map.M = X.M * stretch;
    for (const int count : {3, 4, 7}) {
      const NurbsNet first = revolved(circle(count, random(0, 6)), profile, map);
      int outward = 0;
      for (const NurbsNet& net : guises(first)) {
        const auto found = recognise_revolution(net);
        ASSERT_TRUE(found.has_value());
        EXPECT_FALSE(found->cavity());
        const double sign = orientation(net, known, X);
        if (sign > 0) ++outward;
        expect_kept(net, *found, size, random);
        expect_same(*found, known, X, sign, size, random);
      }
      EXPECT_EQ(outward, 2);
    }
  });
}

TEST(RecogniseRevolution, Sphere) {
  expect_recognised(sphere(0.7), Ellipsoid::make({0.7, 0.7, 0.7}).value(), 0.7);
}
TEST(RecogniseRevolution, EllipsoidWithThreeAxes) {
  expect_recognised(sphere(1), Ellipsoid::make({0.7, 0.5, 0.4}).value(), 0.7,
                    Vec3<double>(0.7, 0.5, 0.4).asDiagonal());
}
TEST(RecogniseRevolution, Torus) {
  expect_recognised(torus(2, 0.5), Torus::make(2, 0.5).value(), 2.5);
}
TEST(RecogniseRevolution, Cylinder) {
  expect_recognised(polygon({{0.7, -1.5}, {0.7, 1.5}}, uniform_knots(1, 2)),
                    Frustum::cylinder(0.7, 3).value(), 1.5);
}
TEST(RecogniseRevolution, Cone) {
  const double tan = std::tan(0.4);
  expect_recognised(polygon({{0.5 * tan, 0.5}, {2 * tan, 2}}, uniform_knots(1, 2)),
                    Frustum::cone(0.4, 0.5, 2).value(), 2);
}

TEST(RecogniseRevolution, ConvexBodiesAreKnownToBeWhenTheirNormalsPointOutwards) {
  const NurbsNet net = revolved(circle(), sphere(0.7), {});
  EXPECT_TRUE(recognise_revolution(net)->is_convex());
  EXPECT_NEAR(recognise_revolution(net)->solid()->volume, 4 * pi / 3 * 0.343, 1e-13);
  EXPECT_FALSE(recognise_revolution(exchanged(net))->is_convex());
  EXPECT_FALSE(recognise_revolution(exchanged(net))->solid().has_value());
}

// Any profile, any affine map: what comes back is the same surface.
TEST(RecogniseRevolution, VasesAndObliqueOnes) {
  for_random_cases(20, [](Random& random) {
    AffineMap map = random_pose(random);
    Mat3<double> skew;
    skew << 1.2, 0.3, -0.1, 0.1, 0.8, 0.2, -0.2, 0.1, 1.1;
    for (const bool oblique : {false, true}) {
      if (oblique) map.M = map.M * skew;
      for (const NurbsNet& net : guises(revolved(circle(5, 1), vase(), map))) {
        const auto found = recognise_revolution(net);
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->spans(), 4);
        EXPECT_TRUE(found->cap_at_start().valid());
        EXPECT_TRUE(found->cap_at_end().valid());
        expect_kept(net, *found, 1.2, random);
      }
    }
  });
}

// A profile that closes smoothly, over periodic knots, is a ring; joints are measured.
TEST(RecogniseRevolution, RingsWithPeriodicKnots) {
  Random random(1);
  Curve profile;
  profile.knots = periodic_knots(3, {0, 1, 2, 3.5, 4, 5}, "profile").value();
  std::vector<Vec2<double>> points{{2, -1}, {3, 0}, {2.5, 1}, {1.5, 1}, {1, 0}};
  for (std::size_t i = 0; i < 3; ++i) points.push_back(points[i]);
  for (const auto& p : points) profile.points.push_back(weighted<2>(p, 1));
  const auto found = recognise_revolution(revolved(circle(), profile, random_pose(random)));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->spans(), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(found->joint_after(i), Joint::G2);
  EXPECT_TRUE(found->solid().has_value());
}

// A circle of higher degree, its arcs raised: the knots then repeat more often.
TEST(RecogniseRevolution, CirclesOfHigherDegree) {
  Random random(1);
  const Curve low = circle(4, 0.3);
  Curve high;
  high.knots = {4, {0, 0, 0, 0, 0}};
  high.points.push_back(low.points.front());
  for (const auto& piece : bezier_pieces<2>(low.knots, low.points)) {
    const BezierCurve<2> raised = elevated(elevated(piece));
    high.points.insert(high.points.end(), raised.points.begin() + 1, raised.points.end());
  }
  for (int k = 1; k <= 4; ++k)
    for (int i = 0; i < 4; ++i) high.knots.knots.push_back(k);
  high.knots.knots.push_back(4);
  const NurbsNet net = revolved(high, vase(), random_pose(random));
  const auto found = recognise_revolution(net);
  ASSERT_TRUE(found.has_value());
  expect_kept(net, *found, 1.2, random);
}

TEST(RecogniseRevolution, OneControlPointMovedIsEnoughNotToBe) {
  Random random(1);
  for (const Curve& profile : {sphere(0.7), torus(2, 0.5), vase()}) {
    const NurbsNet net = revolved(circle(), profile, random_pose(random));
    ASSERT_TRUE(recognise_revolution(net).has_value());
    for (std::size_t i = 0; i < net.net.size(); ++i) {
      for (std::size_t j = 0; j < net.net[i].size(); ++j) {
        NurbsNet moved = net;
        moved.net[i][j].head<3>() += 1e-6 * net.net[i][j](3) * random.direction();
        EXPECT_FALSE(recognise_revolution(moved).has_value()) << i << ", " << j;
        NurbsNet heavier = net;
        heavier.net[i][j] *= 1 + 1e-6;
        // At a pole or a seam the weight does not show, unless the point is one of several.
        const auto found = recognise_revolution(heavier);
        if (found) expect_kept(heavier, *found, 2.5, random);
      }
    }
  }
}

TEST(RecogniseRevolution, OtherSurfacesAreNone) {
  const Curve half = arcs({0, 0}, 1, 0, pi, 2), most = arcs({0, 0}, 1, 0, 1.9 * pi, 4);
  EXPECT_FALSE(recognise_revolution(revolved(half, vase(), {})).has_value());
  EXPECT_FALSE(recognise_revolution(revolved(most, vase(), {})).has_value());
  EXPECT_FALSE(
      recognise_revolution(revolved(arcs({0, 0}, 1, 0, 4 * pi, 8), vase(), {})).has_value());
  // There and back again: closed, but no turn.
  Curve back = half;
  back.points.insert(back.points.end(), half.points.rbegin() + 1, half.points.rend());
  back.knots = circle(4).knots;
  EXPECT_FALSE(recognise_revolution(revolved(back, vase(), {})).has_value());
  // Once round with a detour.
  Curve detour = arcs({0, 0}, 1, 0, 3 * pi, 6);
  const Curve home = arcs({0, 0}, 1, 3 * pi, 2 * pi, 2);
  detour.points.insert(detour.points.end(), home.points.begin() + 1, home.points.end());
  detour.knots = circle(8).knots;
  EXPECT_FALSE(recognise_revolution(revolved(detour, vase(), {})).has_value());
  // Translational, flat, and a square section.
  NurbsNet plane{uniform_knots(1, 2), uniform_knots(1, 2), {}};
  plane.net = {{{0, 0, 0, 1}, {1, 0, 0, 1}}, {{0, 1, 0, 1}, {1, 1, 0.2, 1}}};
  EXPECT_FALSE(recognise_revolution(plane).has_value());
  const Curve square = polygon({{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}}, uniform_knots(1, 5));
  EXPECT_FALSE(recognise_revolution(revolved(square, vase(), {})).has_value());
  NurbsNet bent = revolved(circle(), polygon({{1, 0}, {1, 1}, {1, 2}}, uniform_knots(2, 3)), {});
  for (auto& row : bent.net) row[1](0) += 0.3 * row[1](3);  // swept along a parabola
  EXPECT_FALSE(recognise_revolution(bent).has_value());
}

}  // namespace oloid::test::recognise_revolution_test
