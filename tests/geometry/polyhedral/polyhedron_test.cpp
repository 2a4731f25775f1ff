#include "oloid/geometry/polyhedral/polyhedron.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "laws/surface_laws.h"
#include "laws/tile_laws.h"
#include "oloid/geometry/display/tessellation.h"
#include "oloid/geometry/shape.h"
#include "support/rooms.h"

namespace oloid::test::polyhedron_test {

using Points = std::vector<Vec3<double>>;

Points corners(const Vec3<double>& low, const Vec3<double>& high) {
  Points points;
  for (int i = 0; i < 8; ++i)
    points.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(),
                        i & 4 ? high.z() : low.z());
  return points;
}
ConvexPolyhedron block(const Vec3<double>& low, const Vec3<double>& high) {
  return ConvexPolyhedron::hull(corners(low, high)).value();
}
Polyhedron cube(double side) {
  return Polyhedron::make({ConvexPolyhedron::cuboid({side, side, side}).value()}).value();
}
Vec3<double> point(const Polyhedron& body, const Location& q) {
  return body.jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0);
}
// The location of a point on a face through it with a given normal, the one it lies deepest in.
Location on_face(const Polyhedron& body, const Vec3<double>& p, const Vec3<double>& normal) {
  Location best{ChartId{-1}};
  for (int i = 0; i < body.charts(); ++i) {
    const Jet<double, 1> c = body.jet<1>(i, Uv<double>(0, 0));
    if (c.d(1, 0).cross(c.d(0, 1)).normalized().dot(normal) < 0.999) continue;
    if (std::abs((p - c.d(0, 0)).dot(normal)) > 1e-9) continue;
    Location q{ChartId{i}};
    q.x(0) = (p - c.d(0, 0)).dot(c.d(1, 0)) / c.d(1, 0).squaredNorm();
    q.x(1) = (p - c.d(0, 0)).dot(c.d(0, 1)) / c.d(0, 1).squaredNorm();
    if (!best.chart.valid() || body.margin(q) > body.margin(best)) best = q;
  }
  return best;
}

TEST(Polyhedron, KeepsTheLawsOfSurfaces) {
  for_random_cases(3, [](Random& random) {
    const Mat3<double> R = random.rotation();
    Points points;
    for (const Vec3<double>& p : corners({-1, -0.5, -0.7}, {0.4, 0.9, 1.1}))
      points.push_back(R * p);
    const auto body = Polyhedron::make({ConvexPolyhedron::hull(points).value()}).value();
    SurfaceDomain domain{{}, 1, 1};
    for (int i = 0; i < body.charts(); ++i) domain.charts.push_back({i, {0, 0}, {0.2, 0.2}});
    expect_surface_laws(body, domain);
    expect_atlas_laws(body, domain);
    // c_u and c_v are at right angles and of one length: as well conditioned as can be.
    for (int i = 0; i < body.charts(); ++i) {
      const Jet<double, 1> c = body.jet<1>(i, Uv<double>(0, 0));
      EXPECT_NEAR(c.d(1, 0).norm(), c.d(0, 1).norm(), 1e-15);
      EXPECT_NEAR(c.d(1, 0).dot(c.d(0, 1)), 0, 1e-15);
    }
  });
}

TEST(Polyhedron, TilesOfACubeCoverItOnce) {
  expect_closed_tile_laws(cube(1), 4 * std::numbers::pi);
}

TEST(Polyhedron, MarginsAreDistancesFromTheEdges) {
  const Polyhedron body = cube(2);  // the faces reach √2 from their middle: scaled by 2
  const Location top = on_face(body, {0.25, -0.5, 1}, {0, 0, 1});
  EXPECT_NEAR(body.margin(top), 0.25, 1e-15);
  EXPECT_NEAR(body.margin(on_face(body, {1.25, 0, 1}, {0, 0, 1})), -0.125, 1e-15);
  const ChartExit exit = body.leave(on_face(body, {1.25, 0.5, 1}, {0, 0, 1}));
  const auto* edge = std::get_if<OpenEdge>(&exit);
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->border, Border::edge);
  EXPECT_LE(difference(point(body, edge->at), Vec3<double>(1, 0.5, 1)), 1e-15);
}

TEST(Polyhedron, NearIsTheNearestPoint) {
  const Polyhedron body = cube(2);
  for_random_cases(500, [&](Random& random) {
    const Vec3<double> p = random.vector<3>(-3, 3);
    if (p.cwiseAbs().maxCoeff() < 1) return;
    const Location q = body.near(p);
    EXPECT_GT(body.margin(q), 0);
    EXPECT_LE(difference(point(body, q), p.cwiseMax(-1).cwiseMin(1)), 3e-6);
  });
}

// Two blocks side by side with one top: the contact crosses from one to the other.
TEST(Polyhedron, FlushFacesAreOneSurface) {
  const auto body =
      Polyhedron::make({block({0, 0, 0}, {1, 1, 1}), block({1, -1, 0}, {3, 2, 1})}).value();
  EXPECT_FALSE(body.is_convex());
  const Vec3<double> up(0, 0, 1), x(1, 0, 0);
  for (const double direction : {1.0, -1.0}) {
    Location q = on_face(body, {1 - 0.1 * direction, 0.5, 1}, up);
    const Jet<double, 1> c = body.jet<1>(q.chart.index, Uv<double>(0, 0));
    EXPECT_GT(body.margin(q), 0);
    q.x(0) += 0.2 * direction * c.d(1, 0).dot(x) / c.d(1, 0).squaredNorm();
    q.x(1) += 0.2 * direction * c.d(0, 1).dot(x) / c.d(0, 1).squaredNorm();
    EXPECT_LT(body.margin(q), 0);
    const ChartExit exit = body.leave(q);
    const auto* crossing = std::get_if<Crossing>(&exit);
    ASSERT_TRUE(crossing);
    EXPECT_EQ(crossing->joint, Joint::G2);
    EXPECT_NE(crossing->to.chart, q.chart);
    EXPECT_GT(body.margin(crossing->to), 0);
    EXPECT_LE(difference(point(body, crossing->to), point(body, q)), 1e-15);
  }
  // What the blocks have against each other is no surface; the rest of that side is.
  EXPECT_LT(body.margin(on_face(body, {1, 0.5, 0.5}, x)), 0);
  EXPECT_LT(body.margin(on_face(body, {1, 0.5, 0.5}, -x)), 0);
  EXPECT_GT(body.margin(on_face(body, {1, 1.5, 0.5}, -x)), 0);
  EXPECT_GT(body.margin(on_face(body, {1, -0.5, 0.5}, -x)), 0);
  // A crossing from a flush face ends at edges like any other.
  const ChartExit exit = body.leave(on_face(body, {0.5, 1.25, 1}, up));
  EXPECT_TRUE(std::holds_alternative<OpenEdge>(exit));
}

// A tower on a slab: the slab's top ends where the tower stands.
TEST(Polyhedron, BuriedPartsAreNoSurface) {
  const auto body =
      Polyhedron::make({block({-2, -2, 0}, {2, 2, 1}), block({-0.5, -0.5, 0.5}, {0.5, 0.5, 3})})
          .value();
  const Vec3<double> up(0, 0, 1);
  EXPECT_GT(body.margin(on_face(body, {1, 0, 1}, up)), 0);
  EXPECT_LT(body.margin(on_face(body, {0, 0, 1}, up)), 0);
  const ChartExit exit = body.leave(on_face(body, {0.4, 0.1, 1}, up));
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::notch);
  EXPECT_LE(difference(point(body, std::get<OpenEdge>(exit).at), Vec3<double>(0.5, 0.1, 1)), 1e-15);
  for_random_cases(500, [&](Random& random) {
    const Location q = body.near(random.vector<3>(-3, 3));
    EXPECT_GT(body.margin(q), 0);
    for (const ConvexPolyhedron& part : body.parts())
      EXPECT_GE(part.height(point(body, q)), -1e-12);
  });
  for (const Location& q : body.seeds()) EXPECT_GT(body.margin(q), 0);
}

double area(const Polyhedron& body) {
  const auto mesh = tessellate(Shape(body), {1e-3, 1}).value();
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(t[i])]; };
    const Vec3<double> cross = (at(1) - at(0)).cross(at(2) - at(0));
    EXPECT_GT(cross.dot(mesh.normals[static_cast<std::size_t>(t[0])]), 0);
    sum += 0.5 * cross.norm();
  }
  return sum;
}

TEST(Polyhedron, TilesShowExactlyTheSurface) {
  EXPECT_NEAR(area(cube(2)), 24, 1e-13);
  EXPECT_EQ(tessellate(Shape(cube(2)), {1e-3, 1}).value().triangles.size(), 12U);
  EXPECT_EQ(tessellate(Shape(cube(2)), {1e-3, 1}).value().vertices.size(), 24U);
  // Side by side, a tower, one through the other, the same twice, corner in corner.
  const auto slab = block({-2, -2, 0}, {2, 2, 1});
  const auto make = [](std::vector<ConvexPolyhedron> parts) {
    return Polyhedron::make(std::move(parts)).value();
  };
  EXPECT_NEAR(area(make({block({0, 0, 0}, {1, 1, 1}), block({1, 0, 0}, {2, 1, 1})})), 10, 1e-13);
  EXPECT_NEAR(area(make({slab, block({-0.5, -0.5, 0.5}, {0.5, 0.5, 3})})), 48 + 8, 1e-12);
  EXPECT_NEAR(area(make({slab, block({-0.5, -0.5, 1}, {0.5, 0.5, 3})})), 48 + 8, 1e-12);
  EXPECT_NEAR(area(make({slab, block({-0.5, -0.5, -2}, {0.5, 0.5, 3})})), 48 + 16, 1e-12);
  EXPECT_NEAR(area(make({slab, slab, slab})), 48, 1e-12);
  EXPECT_NEAR(area(make({block({0, 0, 0}, {2, 2, 2}), block({1, 1, 1}, {3, 3, 3})})), 42, 1e-12);
  EXPECT_NEAR(area(make({slab, block({0, 0, 0}, {4, 1, 1})})), 48 + 2 * 2 * 2, 1e-12);
}

TEST(Polyhedron, PartsThatOverlapHaveTheirMassOnce) {
  const auto a = block({0, 0, 0}, {2, 2, 2}), b = block({1, 1, 1}, {3, 3, 3});
  const auto volume = [](std::vector<ConvexPolyhedron> parts) {
    return Polyhedron::make(std::move(parts)).value().solid().value().volume;
  };
  EXPECT_NEAR(volume({a}), 8, 1e-14);
  EXPECT_NEAR(volume({a, b}), 15, 1e-13);
  EXPECT_NEAR(volume({a, a, a}), 8, 1e-13);
  EXPECT_NEAR(volume({a, b, b, a}), 15, 1e-13);
  EXPECT_NEAR(volume({a, block({2, 0, 0}, {3, 2, 2})}), 12, 1e-13);  // face to face
  EXPECT_NEAR(volume({a, block({2, 2, 2}, {3, 3, 3})}), 9, 1e-13);   // corner to corner
  EXPECT_NEAR(volume({a, block({5, 0, 0}, {6, 1, 1})}), 9, 1e-13);   // apart
  // A block cut into pieces that overlap is the block.
  const Solid whole = block({0, 0, 0}, {3, 1, 1}).solid();
  for_random_cases(20, [&](Random& random) {
    std::vector<ConvexPolyhedron> parts;
    const double cuts[4] = {random(0, 1), random(1, 2), random(2, 3), 3};
    for (const double to : cuts)
      parts.push_back(block({std::max(0.0, to - 2.1), 0, 0}, {to, 1, 1}));
    const Solid solid = Polyhedron::make(parts).value().solid().value();
    EXPECT_NEAR(solid.volume, whole.volume, 1e-13);
    EXPECT_LE(difference(solid.centre, whole.centre), 1e-13);
    EXPECT_LE(difference(solid.inertia, whole.inertia), 1e-12);
  });
}

// Three bodies in any position: volume and centre by counting points.
TEST(Polyhedron, MassOfUnionsAgreesWithCounting) {
  for_random_cases(5, [](Random& random) {
    std::vector<ConvexPolyhedron> parts;
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> middle = random.vector<3>(-0.3, 0.3);
      Points points;
      for (int i = 0; i < 12; ++i) points.push_back(middle + 0.7 * random.direction());
      parts.push_back(ConvexPolyhedron::hull(points).value());
    }
    const Solid solid = Polyhedron::make(parts).value().solid().value();
    constexpr int n = 200'000;
    int inside = 0;
    Vec3<double> sum = Vec3<double>::Zero();
    for (int i = 0; i < n; ++i) {
      const Vec3<double> p = random.vector<3>(-1, 1);
      bool in = false;
      for (const ConvexPolyhedron& part : parts) in = in || part.height(p) < 0;
      inside += in;
      if (in) sum += p;
    }
    EXPECT_NEAR(solid.volume, 8.0 * inside / n, 5 * 8 * 0.4 / std::sqrt(n));
    EXPECT_LE(difference(solid.centre, sum / inside), 5 * 0.5 / std::sqrt(inside));
  });
}

TEST(Polyhedron, ReadsPartsOfACage) {
  Cage cage;
  for (const double x : {0.0, 2.0})
    for (const Vec3<double>& p : corners({x, 0, 0}, {x + 1, 1, 1})) cage.vertices.push_back(p);
  const std::vector<std::vector<int>> faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const int part : {0, 1}) {
    for (std::vector<int> face : faces) {
      for (int& v : face) v += 8 * part;
      cage.faces.push_back(face);
      cage.part_of_face.push_back(part);
    }
  }
  cage.parts = {"left", "right"};
  const auto body = Polyhedron::make(cage);
  ASSERT_TRUE(body) << to_string(body.error());
  EXPECT_EQ(body->parts().size(), 2U);
  EXPECT_NEAR(body->solid().value().volume, 2, 1e-14);
  cage.faces.pop_back();
  cage.part_of_face.pop_back();
  const auto open = Polyhedron::make(cage);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message,
            "part \"right\": the mesh is open at the edge from vertex 13 to 15 of face 1");
  EXPECT_TRUE(Polyhedron::make(cage, true));  // their hulls
  EXPECT_FALSE(Polyhedron::make(std::vector<ConvexPolyhedron>{}));
}

// Two cubes through each other, one turned: wherever they are, they share the same.
TEST(Polyhedron, UnionsFarAwayHaveTheSameVolume) {
  const Mat3<double> R =
      Eigen::AngleAxisd(0.7, Vec3<double>(1, 2, 3).normalized()).toRotationMatrix();
  const auto volume = [&](const Vec3<double>& away) {
    std::vector<Vec3<double>> straight, turned;
    for (int i = 0; i < 8; ++i) {
      const Vec3<double> corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
      straight.push_back(corner + away);
      turned.push_back(R * corner + Vec3<double>(0.3, 0.2, 0.1) + away);
    }
    return Polyhedron::make(
               {ConvexPolyhedron::hull(straight).value(), ConvexPolyhedron::hull(turned).value()})
        .value()
        .solid()
        .value()
        .volume;
  };
  const double here = volume({0, 0, 0});
  EXPECT_GT(here, 8);
  EXPECT_LT(here, 16);
  for (const double far : {10.0, 300.0, 1e3, 1e5})
    EXPECT_NEAR(volume({far, -0.5 * far, 0.25 * far}), here, 1e-14 * far * 100);
}

}  // namespace oloid::test::polyhedron_test
