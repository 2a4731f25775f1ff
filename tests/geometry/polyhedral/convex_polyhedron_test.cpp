#include "oloid/geometry/polyhedral/convex_polyhedron.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/geometry/polyhedral/convex_hull.h"
#include "support/rooms.h"

namespace oloid::test::convex_polyhedron_test {

using Points = std::vector<Vec3<double>>;

Points dodecahedron() {
  const double g = std::numbers::phi;
  Points points;
  for (const double x : {-1, 1})
    for (const double y : {-1, 1}) {
      for (const double z : {-1, 1}) points.emplace_back(x, y, z);
      points.emplace_back(0, x / g, y * g);
      points.emplace_back(x / g, y * g, 0);
      points.emplace_back(x * g, 0, y / g);
    }
  return points;
}

Points random_points(Random& random, int n) {
  Points points;
  for (int i = 0; i < n; ++i) points.push_back(random.vector<3>(-1, 1));
  return points;
}

// Features hang together, and normals and angles are those of the faces.
void expect_structure(const ConvexPolyhedron& body) {
  EXPECT_EQ(body.vertices() - body.edges() + body.faces(), 2);
  for (int e = 0; e < body.edges(); ++e) {
    const ConvexPolyhedron::Edge& edge = body.edge(e);
    EXPECT_GT(edge.dihedral_angle, 0);
    EXPECT_LT(edge.dihedral_angle, std::numbers::pi);
    const Vec3<double> along = body.vertex(edge.vertices[1]) - body.vertex(edge.vertices[0]);
    const Vec3<double>&m = body.face(edge.faces[0]).normal, &n = body.face(edge.faces[1]).normal;
    EXPECT_NEAR(std::cos(edge.dihedral_angle), -m.dot(n), 1e-14);
    EXPECT_GT(m.cross(n).dot(along), 0);  // the body is convex there
  }
  for (int f = 0; f < body.faces(); ++f) {
    EXPECT_NEAR(body.face(f).normal.norm(), 1, 4 * kEps);
    const auto corners = body.corners(f), sides = body.sides(f);
    ASSERT_EQ(corners.size(), sides.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const int a = corners[i], b = corners[(i + 1) % corners.size()];
      const ConvexPolyhedron::Edge& edge = body.edge(sides[i]);
      const bool first = edge.faces[0] == f;
      EXPECT_EQ(edge.faces[first ? 0 : 1], f);
      EXPECT_EQ(edge.vertices[first ? 0 : 1], a);
      EXPECT_EQ(edge.vertices[first ? 1 : 0], b);
    }
    for (int v = 0; v < body.vertices(); ++v)
      EXPECT_LE(body.face(f).normal.dot(body.vertex(v)), body.face(f).offset + 1e-9 * body.size());
  }
  for (int v = 0; v < body.vertices(); ++v) {
    const auto around = body.around(v);
    EXPECT_GE(around.size(), 3U);
    double turned = 0;
    for (std::size_t i = 0; i < around.size(); ++i) {
      const ConvexPolyhedron::Spoke &here = around[i], &next = around[(i + 1) % around.size()];
      const std::set<int> ends(body.edge(here.edge).vertices.begin(),
                               body.edge(here.edge).vertices.end());
      EXPECT_EQ(ends, (std::set<int>{v, here.vertex}));
      for (const int e : {here.edge, next.edge}) {
        const auto& faces = body.edge(e).faces;
        EXPECT_TRUE(faces[0] == here.face || faces[1] == here.face);
      }
      // Counter-clockwise seen from outside.
      const Vec3<double> a = body.vertex(here.vertex) - body.vertex(v),
                         b = body.vertex(next.vertex) - body.vertex(v);
      EXPECT_GT(a.cross(b).dot(body.face(here.face).normal), 0);
      turned += std::atan2(a.cross(b).norm(), a.dot(b));
    }
    EXPECT_LT(turned, 2 * std::numbers::pi);
  }
}

TEST(ConvexPolyhedron, KnowsItsFeatures) {
  expect_structure(ConvexPolyhedron::cuboid({1, 2, 3}).value());
  const auto body = ConvexPolyhedron::hull(dodecahedron()).value();
  expect_structure(body);
  EXPECT_EQ(body.faces(), 12);
  EXPECT_EQ(body.edges(), 30);
  EXPECT_EQ(body.vertices(), 20);
  for (int e = 0; e < body.edges(); ++e)
    EXPECT_NEAR(body.edge(e).dihedral_angle, 2 * std::atan(std::numbers::phi), 1e-14);
  for_random_cases(30, [](Random& random) {
    const auto hull = ConvexPolyhedron::hull(random_points(random, 60));
    ASSERT_TRUE(hull) << to_string(hull.error());
    expect_structure(*hull);
  });
}

struct KnownSolid {
  Points points;
  double volume;
  Vec3<double> centre;
  Mat3<double> inertia;  // about the centre
};

// Tetrahedron with right angles at the origin, box, octahedron and dodecahedron.
std::vector<KnownSolid> known_solids() {
  std::vector<KnownSolid> solids;
  {
    const double a = 1.5, b = 0.75, c = 2, V = a * b * c / 6;
    Mat3<double> J;  // ∫ x² dV about the centre is 3/80 V a², ∫ x y dV is − V a b / 80
    J << 3 * (b * b + c * c), a * b, a * c, a * b, 3 * (a * a + c * c), b * c, a * c, b * c,
        3 * (a * a + b * b);
    solids.push_back(
        {{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, V, {a / 4, b / 4, c / 4}, V / 80 * J});
  }
  {
    const Vec3<double> s(0.5, 2, 3);
    Points points;
    for (int i = 0; i < 8; ++i)
      points.emplace_back(i & 1 ? s.x() : 0, i & 2 ? s.y() : 0, i & 4 ? s.z() : 0);
    const double V = 3;
    const Vec3<double> J(s.y() * s.y() + s.z() * s.z(), s.x() * s.x() + s.z() * s.z(),
                         s.x() * s.x() + s.y() * s.y());
    solids.push_back({points, V, 0.5 * s, Mat3<double>((V / 12 * J).asDiagonal())});
  }
  {
    const double r = 1.25, V = 4.0 / 3 * r * r * r;  // edge a = √2 r, J = a²/10 per mass
    solids.push_back({{{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}},
                      V,
                      {0, 0, 0},
                      V * 2 * r * r / 10 * Mat3<double>::Identity()});
  }
  {
    const double g = std::numbers::phi, a = 2 / g;
    const double V = (15 + 7 * std::sqrt(5)) / 4 * a * a * a;
    solids.push_back(
        {dodecahedron(), V, {0, 0, 0}, V * (39 * g + 28) / 150 * a * a * Mat3<double>::Identity()});
  }
  return solids;
}

void expect_solid(const Solid& solid, double volume, const Vec3<double>& centre,
                  const Mat3<double>& inertia, double centre_error) {
  EXPECT_NEAR(solid.volume, volume, 1e-14 * volume);
  EXPECT_LE(difference(solid.centre, centre), centre_error);
  EXPECT_LE(difference(solid.inertia, inertia), 1e-14 * inertia.norm());
}

TEST(ConvexPolyhedron, VolumeCentreAndInertiaAreExact) {
  for (const KnownSolid& known : known_solids()) {
    const auto body = ConvexPolyhedron::hull(known.points).value();
    expect_solid(body.solid(), known.volume, known.centre, known.inertia, 1e-15);
    for_random_cases(50, [&](Random& random) {
      const Mat3<double> R = random.rotation();
      Points turned;
      for (const Vec3<double>& p : known.points) turned.push_back(R * p);
      expect_solid(ConvexPolyhedron::hull(turned).value().solid(), known.volume, R * known.centre,
                   R * known.inertia * R.transpose(), 2e-15);
    });
  }
}

// Far from the origin, with coordinates that are not rounded by the move.
TEST(ConvexPolyhedron, MassPropertiesDoNotSufferFromDistance) {
  const Vec3<double> far(0x1p20, -0x1p21, 0x1p22);
  for (const KnownSolid& known : known_solids()) {
    if (known.points.size() == 20) continue;
    Points moved;
    for (const Vec3<double>& p : known.points) moved.push_back(far + p);
    expect_solid(ConvexPolyhedron::hull(moved).value().solid(), known.volume, far + known.centre,
                 known.inertia, 4e-10);  // the centre's own rounding
  }
}

Cage cube() {
  Cage cage;
  for (int i = 0; i < 8; ++i) cage.vertices.emplace_back(i & 1, (i & 2) / 2, (i & 4) / 4);
  cage.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return cage;
}

TEST(ConvexPolyhedron, JoinsTrianglesOfAFaceAndSplitVertices) {
  Cage triangles = cube();
  triangles.faces.clear();
  for (const std::vector<int>& f : cube().faces) {
    triangles.faces.push_back({f[0], f[1], f[2]});
    triangles.faces.push_back({f[0], f[2], f[3]});
  }
  Cage split;  // each face with vertices of its own, as some programs write them
  for (const std::vector<int>& f : triangles.faces) {
    std::vector<int> own;
    for (const int v : f) {
      own.push_back(static_cast<int>(split.vertices.size()));
      split.vertices.push_back(cube().vertices[static_cast<std::size_t>(v)]);
    }
    split.faces.push_back(own);
  }
  for (const Cage& cage : {cube(), triangles, split}) {
    const auto body = ConvexPolyhedron::make(cage);
    ASSERT_TRUE(body) << to_string(body.error());
    expect_structure(*body);
    EXPECT_EQ(body->faces(), 6);
    EXPECT_EQ(body->edges(), 12);
    EXPECT_EQ(body->vertices(), 8);
    EXPECT_NEAR(body->solid().volume, 1, 1e-15);
  }
}

TEST(ConvexPolyhedron, OfItsHullIsItself) {
  for_random_cases(50, [](Random& random) {
    const Points points = random_points(random, 40);
    const auto hull = convex_hull(points).value();
    const auto body = ConvexPolyhedron::make(hull, 1e-12).value();
    EXPECT_EQ(body.faces(), static_cast<int>(hull.faces.size()));
    EXPECT_EQ(body.vertices(), static_cast<int>(hull.vertices.size()));
    for (const Vec3<double>& p : points) EXPECT_LE(body.height(p), 1e-12);
  });
}

std::string refusal(const Cage& cage) {
  const auto body = ConvexPolyhedron::make(cage);
  EXPECT_FALSE(body);
  if (body) return "";
  EXPECT_FALSE(body.error().remedy.empty());
  return body.error().message;
}

TEST(ConvexPolyhedron, SaysWhatIsWrong) {
  EXPECT_EQ(refusal({}), "there are no faces");
  Cage cage = cube();
  cage.faces.pop_back();
  EXPECT_EQ(refusal(cage), "the mesh is open at the edge from vertex 5 to 7 of face 1");
  cage.line_of_face = {9, 10, 11, 12, 13};
  EXPECT_EQ(refusal(cage), "the mesh is open at the edge from vertex 5 to 7 of face 1 (line 9)");
  cage = cube();
  std::swap(cage.faces[2][1], cage.faces[2][3]);
  EXPECT_EQ(refusal(cage), "face 1 and face 3 both run from vertex 1 to 5");
  cage = cube();
  for (std::vector<int>& face : cage.faces) std::reverse(face.begin(), face.end());
  EXPECT_EQ(refusal(cage), "the mesh is inside out or has no volume");
  cage = cube();
  cage.vertices[7].z() = 1.25;
  EXPECT_EQ(refusal(cage), "face 6 is not flat: a vertex is 0.0615 m from its plane");
  cage = cube();
  cage.vertices[7].x() = std::nan("");
  EXPECT_EQ(refusal(cage), "vertex 8 is not finite or too far away");
  cage = cube();
  cage.faces[0][2] = 8;
  EXPECT_EQ(refusal(cage), "face 1 refers to vertex 9, which does not exist");
  cage.faces[0][2] = 0;
  EXPECT_EQ(refusal(cage), "face 1 has fewer than three vertices, or the same vertex twice");
  // A roof pressed in: four triangles down to a point within the cube.
  cage = cube();
  cage.vertices.emplace_back(0.5, 0.5, 0.75);
  cage.faces.back() = {4, 5, 8};
  cage.faces.insert(cage.faces.end(), {{5, 7, 8}, {7, 6, 8}, {6, 4, 8}});
  EXPECT_EQ(refusal(cage).substr(0, 27), "the body is not convex: ver");
  cage.vertices.back().z() = 1.25;
  EXPECT_TRUE(ConvexPolyhedron::make(cage));
  // Two cubes in one mesh.
  cage = cube();
  for (const Vec3<double>& p : cube().vertices) cage.vertices.emplace_back(p.x() + 3, p.y(), p.z());
  for (const std::vector<int>& face : cube().faces) {
    cage.faces.push_back(face);
    for (int& v : cage.faces.back()) v += 8;
  }
  EXPECT_EQ(refusal(cage), "the mesh has several pieces: face 7 is not connected to face 1");
}

TEST(ConvexPolyhedron, RefusesBoxesWithoutVolume) {
  EXPECT_FALSE(ConvexPolyhedron::cuboid({1, 0, 1}));
  EXPECT_FALSE(ConvexPolyhedron::cuboid({1, -1, 1}));
  EXPECT_FALSE(ConvexPolyhedron::cuboid({1, std::nan(""), 1}));
  EXPECT_FALSE(ConvexPolyhedron::cuboid({1, 1, INFINITY}));
  EXPECT_TRUE(ConvexPolyhedron::cuboid({1, 1e6, 1}));
}

}  // namespace oloid::test::convex_polyhedron_test
