#include "oloid/proximity/chord_curvature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/proximity_body.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::chord_curvature_test {

struct Body {
  ProximityBody proximity;
  explicit Body(Shape shape) : proximity(TouchableBody(PlacedShape{std::move(shape), {}})) {}
  const Shape& shape() const { return proximity.features().side()->shape; }
  const ChordCurvature& chords() const { return proximity.chords(); }
};

struct Point {
  Location at;
  Vec3<double> p, N;
};
Point point(const Shape& shape, const Location& at) {
  const LocalSurface<double> local = local_surface<double>(shape, at.chart, at.x, {1, 0.3, 0.2});
  return {at, local.p, local.R.col(2)};
}
Location some_location(Random& random, const Shape& shape) {
  Location at = random_location(random, shape);
  if (shape.is<Patchwork>()) at.x.head<2>() = random.vector<2>(0, 1);
  return at;
}
double chord(const Point& x, const Vec3<double>& y) {
  const Vec3<double> v = y - x.p;
  return -2 * x.N.dot(v) / v.squaredNorm();
}
Region region(const Location& at) { return {at.chart, at.x, at.x}; }

// Two bumps with a waist, without edges.
Shape peanut() {
  return Implicit::make(Metaballs::make({{{-0.3, 0, 0}, 0.75}, {{0.3, 0, 0}, 0.75}}, 0.5).value())
      .value();
}
// Patches that are glued: a rolling landscape with open borders.
Shape landscape(Random& random) {
  NurbsNet net;
  net.u = net.v = {3, {0, 0, 0, 0, 1, 2, 3, 3, 3, 3}};
  for (int i = 0; i < 6; ++i) {
    net.net.emplace_back();
    for (int j = 0; j < 6; ++j) net.net.back().push_back({0.4 * i, 0.4 * j, random(0, 0.25), 1});
  }
  return Patchwork::make(pieces_of(net, "land")).value();
}

// All of a surface, as far as it is of one chart.
Region around(const Location& at, double by) {
  Region x = region(at);
  x.low.head<2>().array() -= by;
  x.high.head<2>().array() += by;
  return x;
}

// Of ellipsoids and rings the least chord curvature is known for each place: none is less, and some
// pair of points comes near it. For a region no more is claimed than for any place in it.
TEST(ChordCurvature, OfARoundShapeIsTheLeastAtEachPlace) {
  Random random(7);
  const std::vector<Shape> shapes{*Ellipsoid::make({0.5, 0.3, 0.2}),
                                  *Ellipsoid::make({0.5, 0.5, 0.05}),
                                  *Ellipsoid::make({0.5, 0.3, 0.2}, true),
                                  *Ellipsoid::make({0.4, 0.4, 0.4}),
                                  *Torus::make(0.5, 0.15),
                                  *Torus::make(0.5, 0.4)};
  for (const Shape& shape : shapes) {
    const Body body(shape);
    std::vector<Vec3<double>> others;
    for (int n = 0; n < 20000; ++n) others.push_back(point(shape, some_location(random, shape)).p);
    for (int n = 0; n < 60; ++n) {
      const Point x = point(shape, some_location(random, shape));
      double least = INFINITY;
      for (const Vec3<double>& y : others)
        if ((y - x.p).norm() > 0.01) least = std::min(least, chord(x, y));
      const double k = body.chords().of_kind(region(x.at));
      EXPECT_GE(least, k - 1e-9 * std::abs(k));
      EXPECT_LE(least, k + 0.05 * std::abs(k) + 0.02) << "shape " << &shape - shapes.data();
      const double by = random(0, 0.3);
      const Region wide = around(x.at, by);
      for (int m = 0; m < 20; ++m) {
        Location in = x.at;
        in.x.head<2>() += random.vector<2>(-by, by);
        EXPECT_LE(body.chords().of_kind(wide), body.chords().of_kind(region(in)));
      }
      EXPECT_GE(body.chords().of_kind(around(x.at, 1e-9)), k - 1e-6 * std::abs(k) - 1e-7);
    }
  }
}

// The least chord curvature that a kind of shape has is that of its points: none is less, and some
// pair of points comes near it.
TEST(ChordCurvature, OfAKindIsTheLeastOfAllPairsOfPoints) {
  Random random(2);
  const std::vector<Shape> shapes{*Frustum::cylinder(0.3, 2, true),
                                  *Frustum::cone(0.4, 0.5, 1, true),
                                  *Polyhedron::make({*ConvexPolyhedron::cuboid({0.5, 0.6, 0.7})})};
  for (const Shape& shape : shapes) {
    const Body body(shape);
    double least = INFINITY;
    for (int n = 0; n < 20000; ++n) {
      const Point x = point(shape, some_location(random, shape)),
                  y = point(shape, some_location(random, shape));
      if ((x.p - y.p).norm() < 1e-3) continue;
      least = std::min(least, chord(x, y.p));
    }
    const double k = body.chords().of_kind({});
    EXPECT_GE(least, k - 1e-9 * std::abs(k) - 1e-12);
    EXPECT_LE(least, k + 0.3 * std::abs(k) + 0.01);
  }
}

// What is claimed for a place holds for all pairs of points there; and something is claimed.
TEST(ChordCurvature, ClaimsNoMoreThanPairsOfPointsHave) {
  Random random(4);
  const std::vector<Shape> shapes{*Torus::make(0.5, 0.15), peanut(), landscape(random),
                                  random_patch(random, 0.6),
                                  *recognise_revolution(nurbs_sphere(0.4))};
  int claimed = 0, possible = 0;
  for (const Shape& shape : shapes) {
    const Body body(shape);
    std::vector<Vec3<double>> others;
    for (int n = 0; n < 4000; ++n) others.push_back(point(shape, some_location(random, shape)).p);
    for (int n = 0; n < 40; ++n) {
      const Point x = point(shape, some_location(random, shape));
      double least = INFINITY;
      for (const Vec3<double>& y : others)
        if ((y - x.p).norm() > 1e-6) least = std::min(least, chord(x, y));
      const double size = bounding_radius(shape);
      for (const double below : {-0.5, 0.02, 0.5, 2.0}) {
        const double k = least - below / size;
        for (int level = 0; level < ChordCurvature::kLevels; ++level) {
          if (!body.chords().is_at_least(k, region(x.at), level)) continue;
          EXPECT_GE(below, 0) << "shape " << &shape - shapes.data() << " level " << level;
          ++claimed;
          break;
        }
        possible += below > 0.3 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(claimed, 0.3 * possible);
}

// A ring lies in a ball about its middle: its outer equator touches a table once, however often it
// has been round. A ball that is too large for the hole touches it all around.
TEST(ChordCurvature, KnowsWhoTouchesOnce) {
  const Body ring(*Torus::make(0.5, 0.15)), plane(Shape{Plane{}}),
      large(*Ellipsoid::make({0.36, 0.36, 0.36}));
  const Region outside{ChartId{0}, {1, -0.01, 0}, {1.02, 0.01, 0}},
      inside{ChartId{0}, {1, kPi - 0.01, 0}, {1.02, kPi + 0.01, 0}},
      turned{ChartId{0}, {1 + 20 * kPi, -0.01 - 6 * kPi, 0}, {1.02 + 20 * kPi, 0.01 - 6 * kPi, 0}},
      top{ChartId{0}, {1, kPi / 2 - 0.01, 0}, {1.02, kPi / 2 + 0.01, 0}}, any;
  const auto once = [&](const Region& x, const Body& other) {
    return touch_nowhere_else(ring.chords(), x, other.chords(), any) &&
           touch_nowhere_else(other.chords(), any, ring.chords(), x);
  };
  EXPECT_TRUE(once(outside, plane));
  EXPECT_TRUE(once(outside, large));
  EXPECT_FALSE(once(top, plane));  // all around the top circle
  EXPECT_FALSE(once(inside, plane));
  EXPECT_TRUE(once(turned, plane));
  EXPECT_FALSE(once(inside, large));
}

// Two balls 0.6 m apart in one body: a table that touches one of them touches both where the
// normal is across the line between them.
TEST(ChordCurvature, SeesTheOtherHalfOfABody) {
  const Body body(peanut()), plane(Shape{Plane{}});
  const auto once = [&](double angle) {
    const Vec3<double> up(std::sin(angle), 0, -std::cos(angle));
    Location at = near(body.shape(), Vec3<double>(0.3, 0, 0) + up);
    // Newton's way to where the normal is `up`, by the largest height.
    double best = -INFINITY;
    for (double u = -1.5; u < 1.5; u += 1e-3) {
      const Vec3<double> d(std::sin(u), 0, -std::cos(u));
      const Location q =
          settled(body.shape(), near(body.shape(), Vec3<double>(0.3, 0, 0) + 0.45 * d));
      if (q.x.x() > 0.1 && q.x.dot(up) > best) {
        best = q.x.dot(up);
        at = q;
      }
    }
    return touch_nowhere_else(body.chords(), region(at), plane.chords(), {});
  };
  EXPECT_FALSE(once(0.0));
  EXPECT_FALSE(once(-0.2));
}

}  // namespace oloid::test::chord_curvature_test
