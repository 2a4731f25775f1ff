#include "oloid/proximity/touchable_body.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/spatial/rotation.h"
#include "support/cages.h"
#include "support/edged_shapes.h"
#include "support/patches.h"
#include "support/rooms.h"

namespace oloid::test::features_test {

constexpr double kPi = std::numbers::pi;

Pose<double> random_pose(Random& random) {
  const auto q = random.vector<4>(-1, 1);
  return {rotation_matrix(Quat<double>{q(0), q(1), q(2), q(3)}), random.vector<3>(-1, 1)};
}

ConvexPolyhedron random_hull(Random& random, int points) {
  std::vector<Vec3<double>> all;
  for (int i = 0; i < points; ++i)
    all.push_back(random.direction().cwiseProduct(Vec3<double>(1, 0.7, 0.5)));
  return ConvexPolyhedron::hull(all).value();
}

Shape cuboid(const Vec3<double>& size) {
  return Polyhedron::make({ConvexPolyhedron::cuboid(size).value()}).value();
}

ConvexPolyhedron block(const Vec3<double>& low, const Vec3<double>& high) {
  std::vector<Vec3<double>> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(),
                         i & 4 ? high.z() : low.z());
  return ConvexPolyhedron::hull(corners).value();
}

// A tall block with a low one beside it, fronts and bottoms flush: a step.
Shape step() {
  return Polyhedron::make({block({0, 0, 0}, {1, 1, 2}), block({1, 0, 0}, {2, 1, 1})}).value();
}

SurfaceOfRevolution revolution(const std::vector<Vec2<double>>& points) {
  std::vector<BezierCurve<2>> spans;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    spans.push_back({{weighted<2>(points[i], 1), weighted<2>(points[i + 1], 1)}});
  return SurfaceOfRevolution::make(spans, false).value();
}

// A subdivided drum with a sharp ring round its waist.
Shape creased_drum() {
  const Cage cage =
      creased(drum(5, 3, 7, false), {5, 6, 7, 8, 9, 5}, std::numeric_limits<double>::infinity());
  return patchwork_of(subdivide(cage, SubdivisionScheme::catmull_clark).value()).value();
}

Shape free_patch() {
  PointRows net(4, std::vector<Vec3<double>>(4));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double x = static_cast<double>(i) / 3 - 0.5, y = static_cast<double>(j) / 3 - 0.5;
      net[i][j] = {x + 0.2 * y * y, y, -0.8 * x * x - 0.5 * y * y + 0.1 * x * y};
    }
  }
  return single_patch(net);
}

// Climbs along ν by Newton's method on each feature, or as steeply as it goes where that has no
// maximum, from feature to feature. The height gained is never lost.
struct Climb {
  Spot spot;
  double height;
  bool arrived = false;
  int changes = 0;
};
Climb climb(const TouchableBody& body, const Spot& start, const Vec3<double>& nu) {
  Climb at{start, nu.dot(body.at(start).p)};
  const double size = body.size();
  for (int i = 0; i < 400; ++i) {
    const LocalFeature<double> here = body.at(at.spot);
    const Vec2<double> slope = here.E.transpose() * nu;
    if (slope.norm() < 1e-11) {
      const auto larger = body.larger(at.spot, nu, 1e-10);
      if (!larger) {
        at.arrived = true;
        return at;
      }
      EXPECT_LE(nu.dot(here.p) - nu.dot(body.at(*larger).p), 1e-12 * size);
      ++at.changes;
      at.spot = *larger;
      continue;
    }
    const Eigen::SelfAdjointEigenSolver<Mat2<double>> bend(here.bend(nu));
    const double longest = here.dimension == 2 && here.K.norm() > 1e-9 ? 0.2 * size : 2 * size;
    Vec2<double> s = Vec2<double>::Zero();
    for (int k = 0; k < 2; ++k) {
      const Vec2<double> along = bend.eigenvectors().col(k);
      const double rise = along.dot(slope), curved = bend.eigenvalues()(k);
      const double by = curved < -1e-9 / size ? -rise / curved : 2 * size * rise / slope.norm();
      s += std::clamp(by, -longest, longest) * along;
    }
    // Halve until it is higher.
    bool higher = false;
    for (int halving = 0; halving < 40 && !higher; ++halving, s *= 0.5) {
      const auto next = body.moved(at.spot, here, s);
      if (!next) {
        ADD_FAILURE() << "left the body";
        return at;
      }
      const double height = nu.dot(body.at(*next).p);
      higher = height > at.height - 1e-14 * size;
      if (!higher) continue;
      at.changes += next->kind != at.spot.kind;
      at.spot = *next;
      at.height = height;
    }
    if (!higher) return at;
  }
  return at;
}

// --- At ------------------------------------------------------------------------------------------

TEST(TouchableBody, SurfacesAreAsContactsSeeThem) {
  Random random(3);
  const std::vector<Shape> shapes{
      Ellipsoid::make({1, 0.6, 0.3}).value(),
      Torus::make(1, 0.3).value(),
      Quadric::make(Vec3<double>(1, 2, -0.5).asDiagonal(), {0.1, 0, 0.2}, -1).value(),
      CircleHull::oloid(1).value(),
      Plane{},
      free_patch(),
      cuboid({1, 2, 3})};
  for (const Shape& shape : shapes) {
    const PlacedShape side{shape, random_pose(random)};
    const TouchableBody body(side);
    for (const Spot& spot : body.seeds()) {
      if (spot.kind != Spot::Kind::surface) continue;
      const LocalFeature<double> at = body.at(spot);
      const Vec3<double> reference = side.X_BS.R.transpose() * at.E.col(0);
      const LocalSurface<double> expected = side.at<double>({spot.at.chart, reference}, spot.at.x);
      const double scale = 1 + expected.K.norm();
      EXPECT_EQ(at.dimension, 2);
      EXPECT_LE(difference(at.p, expected.p), 1e-14);
      EXPECT_LE(difference(at.E, expected.R.leftCols<2>()), 1e-13);
      EXPECT_LE(difference(at.z, expected.R.col(2)), 1e-13);
      EXPECT_LE(difference(at.K, expected.K), 1e-11 * scale);
      EXPECT_LE(difference(at.L, expected.L), 1e-11 * (1 + expected.L.norm()));
    }
  }
}

// Tangent, and curvature vector by the formulas of Frenet.
TEST(TouchableBody, CurvesAreAsTheirJetsSay) {
  Random random(4);
  const Pose<double> X = random_pose(random);
  for (const TouchableBody& body : {TouchableBody(PlacedShape{CircleHull::oloid(0.8).value(), X}),
                                    TouchableBody(PlacedShape{creased_drum(), X}),
                                    TouchableBody(Curve::helix(0.5, 0.3, 2).value(), X)}) {
    int looks = 0;
    for (const Spot& spot : body.seeds()) {
      if (spot.kind != Spot::Kind::curve || ++looks > 200) continue;
      const LocalFeature<double> at = body.at(spot);
      EXPECT_EQ(at.dimension, 1);
      // By differences along the curve.
      const double h = 1e-4 * body.size();
      const auto ahead = body.moved(spot, at, {h, 0}), back = body.moved(spot, at, {-h, 0});
      ASSERT_TRUE(ahead && back);
      const Vec3<double> a = body.at(*ahead).p, b = body.at(*back).p;
      EXPECT_LE(difference((a - b).normalized(), at.E.col(0)), 1e-6);
      const Vec3<double> bend = 2 * ((a - at.p).normalized() - (at.p - b).normalized()) /
                                ((a - at.p).norm() + (at.p - b).norm());
      EXPECT_LE(difference(bend, Vec3<double>(-at.z)), 3e-3 * (1 + bend.norm()));
    }
    EXPECT_GT(looks, 10);
  }
}

// --- What there is -------------------------------------------------------------------------------

TEST(TouchableBody, CubesHaveEightVerticesWithThreeSpokes) {
  const TouchableBody body(PlacedShape{cuboid({1, 1, 1}), {}});
  EXPECT_EQ(body.curves(), 12);
  ASSERT_EQ(body.vertices(), 8);
  EXPECT_NEAR(body.size(), std::sqrt(0.75), 1e-15);
  for (int i = 0; i < 8; ++i) {
    const Vec3<double> p = body.at({Spot::Kind::vertex, i, {}}).p;
    EXPECT_LE(difference(p.cwiseAbs(), Vec3<double>::Constant(0.5)), 1e-15);
    ASSERT_EQ(body.spokes(i).size(), 3U);
    Vec3<double> sum = Vec3<double>::Zero();
    for (const auto& spoke : body.spokes(i)) sum += spoke.direction;
    EXPECT_LE(difference(sum, -2 * p), 1e-15);
  }
}

TEST(TouchableBody, HullsHaveTheVerticesAndSpokesOfTheirPolyhedra) {
  for_random_cases(5, [](Random& random) {
    const ConvexPolyhedron hull = random_hull(random, 25);
    const TouchableBody body(PlacedShape{Polyhedron::make({hull}).value(), {}});
    EXPECT_EQ(body.curves(), hull.edges());
    ASSERT_EQ(body.vertices(), hull.vertices());
    for (int v = 0; v < hull.vertices(); ++v) {
      const Spot spot = body.near(hull.vertex(v));
      ASSERT_EQ(spot.kind, Spot::Kind::vertex);
      EXPECT_LE(difference(body.at(spot).p, hull.vertex(v)), 1e-12);
      EXPECT_EQ(body.spokes(spot.index).size(), hull.around(v).size());
    }
  });
}

TEST(TouchableBody, SmoothBodiesAndClosedCurvesHaveNoVertices) {
  EXPECT_EQ(TouchableBody(PlacedShape{Ellipsoid::make({1, 1, 1}).value(), {}}).curves(), 0);
  EXPECT_EQ(TouchableBody(PlacedShape{Ellipsoid::make({1, 1, 1}).value(), {}}).vertices(), 0);
  EXPECT_EQ(TouchableBody(Curve::circle({0, 0, 0}, {0, 0, 1}, 1).value()).vertices(), 0);
  EXPECT_EQ(TouchableBody(PlacedShape{Frustum::cylinder(1, 2).value(), {}}).vertices(), 0);
  EXPECT_EQ(TouchableBody(PlacedShape{CircleHull::oloid(1).value(), {}}).vertices(), 0);
  const TouchableBody drum(PlacedShape{creased_drum(), {}});
  int on_waist = 0;
  for (int i = 0; i < drum.curves(); ++i) on_waist += drum.section(i, 0.5)->right ? 1 : 0;
  EXPECT_GE(on_waist, 5);
  for (int i = 0; i < drum.vertices(); ++i)
    for (const auto& spoke : drum.spokes(i))
      EXPECT_FALSE(drum.section(spoke.curve, 0.5)->right.has_value());
}

TEST(TouchableBody, WiresHaveVerticesAtCornersAndEnds) {
  const TouchableBody chain(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 2, 0}}).value());
  ASSERT_EQ(chain.vertices(), 4);
  EXPECT_EQ(chain.curves(), 1);
  EXPECT_EQ(chain.side(), nullptr);
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> p = chain.at({Spot::Kind::vertex, i, {}}).p;
    const bool at_end = p.norm() < 1e-12 || (p - Vec3<double>(2, 2, 0)).norm() < 1e-12;
    EXPECT_EQ(chain.spokes(i).size(), at_end ? 1U : 2U);
  }
  EXPECT_EQ(
      TouchableBody(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, true).value()).vertices(),
      3);
  EXPECT_EQ(TouchableBody(Curve::helix(1, 0.5, 2).value()).vertices(), 2);
  // A straight chain has ends only.
  EXPECT_EQ(TouchableBody(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}).value()).vertices(),
            2);
}

TEST(TouchableBody, PointsAreVertices) {
  const TouchableBody points({{0, 0, 0}, {2, 0, 0}});
  EXPECT_EQ(points.vertices(), 2);
  EXPECT_EQ(points.size(), 1);
  const Spot spot{Spot::Kind::vertex, 1, {}};
  EXPECT_EQ(points.at(spot).dimension, 0);
  EXPECT_FALSE(points.larger(spot, {1, 0, 0}).has_value());
  EXPECT_EQ(points.moved(spot, points.at(spot), {1, 1})->index, 1);
  EXPECT_EQ(points.near({1.5, 1, 0}).index, 1);
  EXPECT_EQ(points.seeds().size(), 2U);
}

// --- Normal cones --------------------------------------------------------------------------------

// From anywhere, the climb ends at the farthest vertex.
TEST(TouchableBody, NormalConesOfConvexPolyhedraCoverTheSphere) {
  for_random_cases(6, [](Random& random) {
    const ConvexPolyhedron hull = random_hull(random, 20);
    const Pose<double> X = random_pose(random);
    const TouchableBody body(PlacedShape{Polyhedron::make({hull}).value(), X});
    const std::vector<Spot> seeds = body.seeds();
    for (int i = 0; i < 40; ++i) {
      const Vec3<double> nu = random.direction(), in_hull = X.R.transpose() * nu;
      const auto k = static_cast<std::size_t>(random(0, static_cast<double>(seeds.size()) - 1e-9));
      const Climb top = climb(body, seeds[k], nu);
      ASSERT_TRUE(top.arrived);
      ASSERT_EQ(top.spot.kind, Spot::Kind::vertex);
      int farthest = 0;
      for (int v = 1; v < hull.vertices(); ++v)
        if (in_hull.dot(hull.vertex(v)) > in_hull.dot(hull.vertex(farthest))) farthest = v;
      EXPECT_LE(difference(body.at(top.spot).p, X * hull.vertex(farthest)), 1e-12);
    }
  });
}

// On the border of a cone the larger feature is as high.
TEST(TouchableBody, FacesAndEdgesCarryTheirOwnNormals) {
  Random random(8);
  const ConvexPolyhedron hull = random_hull(random, 15);
  const TouchableBody body(PlacedShape{Polyhedron::make({hull}).value(), {}});
  for (const Spot& start : body.seeds()) {
    for (int f = 0; f < hull.faces(); ++f)
      EXPECT_NEAR(climb(body, start, hull.face(f).normal).height, hull.face(f).offset, 1e-11);
  }
  for (int e = 0; e < body.curves(); ++e) {
    const EdgeSection at = *body.section(e, 0.5);
    const Spot spot{Spot::Kind::curve, e, {ChartId{0}, {0.5, 0, 0}}};
    for (const double part : {0.0, 0.3, 1.0})
      EXPECT_FALSE(body.larger(spot, ((1 - part) * at.left + part * *at.right).normalized()));
    const Vec3<double> off_left = (1.001 * at.left - 0.001 * *at.right).normalized();
    const auto face = body.larger(spot, off_left);
    ASSERT_TRUE(face);
    EXPECT_EQ(face->kind, Spot::Kind::surface);
    EXPECT_LE(difference(body.at(*face).z, at.left), 1e-12);
    EXPECT_LE(difference(body.at(*face).p, at.point), 1e-8);
    EXPECT_GE(margin(body.side()->shape, face->at), 0);
  }
}

// Of the hull of two circles: h(ν) = max (c·ν + r |ν − (ν·n) n|).
TEST(TouchableBody, ClimbsReachTheSupportOfTheOloid) {
  Random random(9);
  const Pose<double> X = random_pose(random);
  const TouchableBody body(PlacedShape{CircleHull::oloid(1).value(), X});
  const std::vector<Spot> seeds = body.seeds();
  int surfaces = 0, curves = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3<double> nu = random.direction(), n = X.R.transpose() * nu;
    const double support =
        std::max(-0.5 * n.y() + std::hypot(n.x(), n.y()), 0.5 * n.y() + std::hypot(n.y(), n.z()));
    const auto k = static_cast<std::size_t>(random(0, static_cast<double>(seeds.size()) - 1e-9));
    const Climb top = climb(body, seeds[k], nu);
    ASSERT_TRUE(top.arrived) << i;
    EXPECT_NEAR(top.height, nu.dot(X.p) + support, 1e-10) << i;
    surfaces += top.spot.kind == Spot::Kind::surface;
    curves += top.spot.kind == Spot::Kind::curve;
  }
  EXPECT_GT(curves, 250);  // developable: hardly any normal is a face's
  EXPECT_EQ(surfaces + curves, 300);
}

// Half circles x ≤ 0 of the plane z = 0 and x ≥ 0 of y = 0, with the apexes at their ends.
TEST(TouchableBody, ClimbsReachTheSupportOfTheSphericon) {
  Random random(10);
  const TouchableBody body(PlacedShape{CircleHull::sphericon(1).value(), {}});
  EXPECT_EQ(body.vertices(), 4);
  const std::vector<Spot> seeds = body.seeds();
  int vertices = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3<double> nu = random.direction();
    const double first = nu.x() < 0 ? std::hypot(nu.x(), nu.y()) : std::abs(nu.y());
    const double second = nu.x() > 0 ? std::hypot(nu.x(), nu.z()) : std::abs(nu.z());
    const auto k = static_cast<std::size_t>(random(0, static_cast<double>(seeds.size()) - 1e-9));
    const Climb top = climb(body, seeds[k], nu);
    ASSERT_TRUE(top.arrived) << i;
    EXPECT_NEAR(top.height, std::max(first, second), 1e-9) << i;
    vertices += top.spot.kind == Spot::Kind::vertex;
  }
  EXPECT_GT(vertices, 20);
}

// A cone over a disc: apex, rim and bottom.
TEST(TouchableBody, TipsOfRevolvedProfilesAreVertices) {
  Random random(11);
  const TouchableBody body(PlacedShape{revolution({{0, 0}, {0.5, 0}, {0, 1}}), {}});
  ASSERT_EQ(body.vertices(), 1);
  EXPECT_LE(difference(body.at({Spot::Kind::vertex, 0, {}}).p, Vec3<double>(0, 0, 1)), 1e-15);
  const std::vector<Spot> seeds = body.seeds();
  for (int i = 0; i < 200; ++i) {
    const Vec3<double> nu = random.direction();
    const double support = std::max(nu.z(), 0.5 * nu.head<2>().norm());
    const auto k = static_cast<std::size_t>(random(0, static_cast<double>(seeds.size()) - 1e-9));
    const Climb top = climb(body, seeds[k], nu);
    ASSERT_TRUE(top.arrived) << i;
    EXPECT_NEAR(top.height, support, 1e-9) << i;
  }
}

TEST(TouchableBody, BordersAndCornersOfAFreePatchCarry) {
  Random random(12);
  const TouchableBody body(PlacedShape{free_patch(), random_pose(random)});
  EXPECT_EQ(body.curves(), 4);
  ASSERT_EQ(body.vertices(), 4);
  // Outwards and up: the nearest of many points of the patch is no higher.
  for (int i = 0; i < 100; ++i) {
    Vec3<double> nu = random.direction();
    nu.z() = std::abs(nu.z()) + 0.3;
    nu = (body.side()->X_BS.R * nu).normalized();
    double highest = -INFINITY;
    for (int a = 0; a <= 40; ++a) {
      for (int b = 0; b <= 40; ++b) {
        const Spot spot{Spot::Kind::surface, 0, {ChartId{0}, {a / 40.0, b / 40.0, 0}}};
        highest = std::max(highest, nu.dot(body.at(spot).p));
      }
    }
    const Climb top = climb(body, body.near(body.side()->X_BS.p), nu);
    ASSERT_TRUE(top.arrived) << i;
    EXPECT_GE(top.height, highest - 1e-12);
    EXPECT_LE(top.height, highest + 1e-2);
  }
}

// --- Moving --------------------------------------------------------------------------------------

// Over an edge, and back into the face on the side from where it came.
TEST(TouchableBody, MovesAcrossAnEdgeAndBackReturn) {
  Random random(13);
  for (const Shape& shape :
       {cuboid({1, 0.7, 0.4}), creased_drum(), step(), Shape(CircleHull::sphericon(1).value()),
        free_patch(), hill_with_hole(1), hill_with_hole(3), notched_hill(2), lens(), can(),
        eighth_of_a_ball(), bent_wedge()}) {
    const TouchableBody body(PlacedShape{shape, random_pose(random)});
    for (int e = 0; e < body.curves(); ++e) {
      for (const double s : {0.31, 0.5, 0.77}) {
        const EdgeSection at = *body.section(e, s);
        if (at.right && !at.convex()) continue;
        const Spot spot{Spot::Kind::curve, e, {ChartId{0}, {s, 0, 0}}};
        const Vec3<double> way = at.left.cross(at.tangent);
        const Vec3<double> nu = (way + 0.8 * at.left).normalized();
        const auto face = body.larger(spot, nu);
        ASSERT_TRUE(face && face->kind == Spot::Kind::surface);
        const LocalFeature<double> here = body.at(*face);
        EXPECT_LE(difference(here.z, at.left), 1e-6);
        const double step = 1e-4 * body.size();
        const auto inside = body.moved(*face, here, here.E.transpose() * (step * way));
        ASSERT_TRUE(inside && inside->kind == Spot::Kind::surface);
        const LocalFeature<double> there = body.at(*inside);
        EXPECT_NEAR((there.p - at.point).norm() / step, 1, 2e-2);
        const auto back = body.moved(*inside, there, there.E.transpose() * (-2 * step * way));
        ASSERT_TRUE(back);
        ASSERT_EQ(back->kind, Spot::Kind::curve) << "edge " << e << " s " << s;
        // Charts that are skew to their border are left along their own lines.
        EXPECT_LE(difference(body.at(*back).p, at.point), 0.5 * step);
      }
    }
  }
}

// Once round a closed chain of smooth edges, and round a circle.
TEST(TouchableBody, SmoothChainsOfEdgesAreRunThrough) {
  const TouchableBody drum(PlacedShape{creased_drum(), {}}),
      ring(Curve::circle({1, 2, 3}, {0, 1, 1}, 0.5).value()),
      rim(PlacedShape{Frustum::cylinder(0.5, 2).value(), {}});
  for (const TouchableBody* body : {&drum, &ring, &rim}) {
    Spot spot;
    for (const Spot& seed : body->seeds()) {
      if (seed.kind != Spot::Kind::curve) continue;
      if (body == &drum && !body->section(seed.index, 0.5)->right) continue;
      spot = seed;
      break;
    }
    ASSERT_EQ(spot.kind, Spot::Kind::curve);
    const LocalFeature<double> start = body->at(spot);
    const double h = 1e-2 * body->size();
    Vec3<double> along = start.E.col(0);
    double length = 0, nearest = INFINITY;
    for (int i = 0; i < 2000; ++i) {
      const LocalFeature<double> at = body->at(spot);
      const double sign = at.E.col(0).dot(along) < 0 ? -1 : 1;
      along = sign * at.E.col(0);
      const auto next = body->moved(spot, at, {sign * h, 0});
      ASSERT_TRUE(next);
      ASSERT_EQ(next->kind, Spot::Kind::curve);
      // As far back as ahead: to second order.
      const LocalFeature<double> there = body->at(*next);
      const double back_sign = there.E.col(0).dot(along) < 0 ? 1 : -1;
      const auto back = body->moved(*next, there, {back_sign * h, 0});
      ASSERT_TRUE(back);
      EXPECT_LE((body->at(*back).p - at.p).norm(), 0.1 * h);
      length += (there.p - at.p).norm();
      spot = *next;
      if (length > 4 * h) nearest = std::min(nearest, (there.p - start.p).norm());
      if (nearest < 0.6 * h) break;
    }
    EXPECT_LE(nearest, 0.6 * h);
    if (body == &ring) {
      EXPECT_NEAR(length, kPi, 3 * h);
    }
  }
}

TEST(TouchableBody, CurvesEndAtVertices) {
  const TouchableBody chain(Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}).value());
  const Spot spot{Spot::Kind::curve, 0, {ChartId{0}, {0.5, 0, 0}}};
  const auto corner = chain.moved(spot, chain.at(spot), {0.8, 0});
  ASSERT_TRUE(corner && corner->kind == Spot::Kind::vertex);
  EXPECT_LE(difference(chain.at(*corner).p, Vec3<double>(1, 0, 0)), 1e-15);
  EXPECT_FALSE(chain.larger(*corner, Vec3<double>(1, -1, 0.5).normalized()));
  const auto second = chain.larger(*corner, Vec3<double>(0.1, 1, 0).normalized());
  ASSERT_TRUE(second && second->kind == Spot::Kind::curve);
  EXPECT_EQ(second->at.chart.index, 1);
  EXPECT_NEAR(second->at.x(0), 0, 1e-5);
  const auto first = chain.moved(spot, chain.at(spot), {-0.8, 0});
  ASSERT_TRUE(first && first->kind == Spot::Kind::vertex);
  EXPECT_LE(difference(chain.at(*first).p, Vec3<double>(0, 0, 0)), 1e-15);
}

// Where the oloid's edges fade out, the surface goes on along the ruling.
TEST(TouchableBody, FadingEdgesGoOverIntoTheSurface) {
  const TouchableBody body(PlacedShape{CircleHull::oloid(1).value(), {}});
  for (int e = 0; e < body.curves(); ++e) {
    for (const bool at_end : {false, true}) {
      const Spot spot{Spot::Kind::curve, e, {ChartId{0}, {at_end ? 0.999 : 0.001, 0, 0}}};
      const LocalFeature<double> at = body.at(spot);
      const double step = 0.1;
      const auto next = body.moved(spot, at, {at_end ? step : -step, 0});
      ASSERT_TRUE(next);
      ASSERT_EQ(next->kind, Spot::Kind::surface);
      const Vec3<double> ahead = at.p + (at_end ? step : -step) * at.E.col(0);
      EXPECT_LE((body.at(*next).p - ahead).norm(), 2e-3);
      EXPECT_GE(margin(body.side()->shape, next->at), 0);
    }
  }
}

TEST(TouchableBody, ValleysAndNotchesCarryNothing) {
  // From the upper cone of a waisted body down to its waist.
  const TouchableBody waisted(PlacedShape{revolution({{1, 0}, {0.5, 0.5}, {1, 1}}), {}});
  const Spot upper{Spot::Kind::surface, 0, {ChartId{1}, {0.3, 0.1, 0}}};
  const LocalFeature<double> at = waisted.at(upper);
  EXPECT_FALSE(waisted.moved(upper, at, at.E.transpose() * Vec3<double>(0, 0, -0.3)));
  EXPECT_TRUE(waisted.moved(upper, at, at.E.transpose() * Vec3<double>(0, 0, 0.05)));
  // Along the top of the low block into the wall of the tall one; and over its other end.
  const TouchableBody stepped(PlacedShape{step(), {}});
  const Spot low = stepped.near({1.5, 0.5, 1});
  ASSERT_EQ(low.kind, Spot::Kind::surface);
  const LocalFeature<double> top = stepped.at(low);
  EXPECT_FALSE(stepped.moved(low, top, top.E.transpose() * Vec3<double>(-1, 0, 0)));
  const auto rim = stepped.moved(low, top, top.E.transpose() * Vec3<double>(1, 0, 0));
  ASSERT_TRUE(rim && rim->kind == Spot::Kind::curve);
  EXPECT_LE(difference(stepped.at(*rim).p, Vec3<double>(2, 0.5, 1)), 1e-9);
}

// Over the edge of a lens, however far; round its edge, which has no vertex.
TEST(TouchableBody, IntersectionsOfImplicitBodiesHaveEdges) {
  const TouchableBody body(PlacedShape{lens(), {}});
  EXPECT_EQ(body.vertices(), 0);
  const Spot spot = body.near({0, 0, 0.5});
  const LocalFeature<double> at = body.at(spot);
  for (const double far : {1.8, 2.5, 4.0}) {
    const auto rim = body.moved(spot, at, {far, 0});
    ASSERT_TRUE(rim && rim->kind == Spot::Kind::curve) << far;
    const Vec3<double> p = body.at(*rim).p;
    EXPECT_NEAR(p.norm(), std::sqrt(0.75), 1e-12);
    EXPECT_NEAR(p.z(), 0, 1e-12);
  }
  EXPECT_TRUE(body.moved(spot, at, {0.1, 0}));
  Spot round = *body.moved(spot, at, {2, 0});
  const Vec3<double> start = body.at(round).p;
  for (int k = 0; k < 100; ++k) {
    const auto next = body.moved(round, body.at(round), {2 * kPi / 100 * std::sqrt(0.75), 0});
    ASSERT_TRUE(next && next->kind == Spot::Kind::curve);
    round = *next;
  }
  EXPECT_LE((body.at(round).p - start).norm(), 0.1);
}

TEST(TouchableBody, CornersOfImplicitBodiesAndTrimmingLoopsAreVertices) {
  const TouchableBody eighth(PlacedShape{eighth_of_a_ball(), {}});
  ASSERT_EQ(eighth.vertices(), 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(eighth.spokes(i).size(), 3U);
  EXPECT_EQ(TouchableBody(PlacedShape{can(), {}}).vertices(), 0);
  EXPECT_EQ(TouchableBody(PlacedShape{hill_with_hole(1), {}}).vertices(), 4);
  EXPECT_EQ(TouchableBody(PlacedShape{hill_with_hole(3), {}}).vertices(), 4);
  EXPECT_EQ(TouchableBody(PlacedShape{notched_hill(1), {}}).vertices(), 6);
  EXPECT_EQ(TouchableBody(PlacedShape{notched_hill(2), {}}).vertices(), 6);
}

TEST(TouchableBody, SeedsAreFoundAgain) {
  Random random(14);
  for (const Shape& shape :
       {cuboid({1, 0.7, 0.4}), step(), Shape(CircleHull::oloid(1).value()), free_patch()}) {
    const TouchableBody body(PlacedShape{shape, random_pose(random)});
    for (const Spot& spot : body.seeds()) {
      const Vec3<double> p = body.at(spot).p;
      EXPECT_LE((body.at(body.near(p)).p - p).norm(), 0.3 * body.size());
      EXPECT_TRUE(spot.kind != Spot::Kind::vertex || body.near(p).kind == Spot::Kind::vertex);
    }
  }
}

TEST(TouchableBody, StepsThatAreNoNumbersLeadNowhere) {
  const TouchableBody body(PlacedShape{Ellipsoid::make({1, 1, 1}).value(), {}});
  const Spot spot = body.seeds().front();
  EXPECT_FALSE(body.moved(spot, body.at(spot), {NAN, 0}));
  EXPECT_FALSE(body.moved(spot, body.at(spot), {0, INFINITY}));
}

}  // namespace oloid::test::features_test
