#include "oloid/world/tools/display_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/measure/solid.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::display_mesh_test {

constexpr BodyId kBody{0}, kGround{1};

Model compiled(const Spec& spec) {
  const auto model = compile(test::touching(spec));
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error().front()));
  return model.value();
}

// Every edge is run through once each way. Vertices at one place count as one.
void expect_watertight(const DisplayMesh& mesh) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, int> edges;
  const auto place = [&](std::int32_t i) {
    const Vec3<double>& p = mesh.vertices[static_cast<std::size_t>(i)];
    return Place{p.x(), p.y(), p.z()};
  };
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++edges[{place(t[i]), place(t[(i + 1) % 3])}];
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(edges.contains({edge.second, edge.first}));
  }
}

double volume(const DisplayMesh& mesh) {
  const auto p = [&](std::int32_t i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  double sum = 0;
  for (const auto& t : mesh.triangles) sum += p(t[0]).dot(p(t[1]).cross(p(t[2]))) / 6;
  return sum;
}

void expect_all_used(const DisplayMesh& mesh) {
  ASSERT_EQ(mesh.normals.size(), mesh.vertices.size());
  std::set<std::int32_t> used;
  for (const auto& t : mesh.triangles) used.insert(t.begin(), t.end());
  ASSERT_FALSE(used.empty());
  EXPECT_EQ(used.size(), mesh.vertices.size());
  EXPECT_EQ(*used.begin(), 0);
  EXPECT_EQ(*used.rbegin() + 1, static_cast<std::int32_t>(mesh.vertices.size()));
}

// An ellipsoid off the centre of mass and turned in its body.
Spec crooked_celt() {
  Spec spec = test::rattleback(1);
  spec.bodies[0].shape_orientation = unit(Quat<double>{0.9, 0.1, -0.3, 0.2});
  return spec;
}

TEST(DisplayMesh, LiesOnTheSurfaceInTheBodysFrame) {
  const Model model = compiled(crooked_celt());
  const auto mesh = display_mesh(model, kBody);
  ASSERT_TRUE(mesh);
  expect_all_used(*mesh);
  expect_watertight(*mesh);
  ASSERT_GT(model.body(kBody).side.X_BS.p.norm(), 0.001);
  const auto& ellipsoid = *model.body(kBody).side.shape.as<Ellipsoid>();
  const Pose<double> X_SB = inverse(model.body(kBody).side.X_BS);
  for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
    const Vec3<double> p = X_SB * mesh->vertices[i];
    EXPECT_NEAR(p.cwiseQuotient(ellipsoid.semi_axes()).squaredNorm(), 1, 1e-12);
    const Vec3<double> n = p.cwiseQuotient(ellipsoid.semi_axes().cwiseAbs2()).normalized();
    EXPECT_LE((X_SB.R * mesh->normals[i] - n).norm(), 1e-9);
  }
  // Vertices on the surface, triangles within it: less than the whole, by at most the tolerance.
  const Solid whole = ellipsoid.solid().value();
  EXPECT_LT(volume(*mesh), whole.volume);
  EXPECT_GT(volume(*mesh), 0.95 * whole.volume);
  const auto fine = display_mesh(model, kBody, 1e-5);
  ASSERT_TRUE(fine);
  expect_watertight(*fine);
  EXPECT_GT(fine->triangles.size(), 4 * mesh->triangles.size());
  EXPECT_NEAR(volume(*fine), whole.volume, 2e-3 * whole.volume);
}

TEST(DisplayMesh, IsWatertightForClosedSurfaces) {
  TorusSpec torus;
  torus.major_radius = 0.1;
  torus.minor_radius = 0.03;
  SuperellipsoidSpec box;
  box.semi_axes = Vec3<double>(0.1, 0.08, 0.05);
  box.exponents = std::vector<double>{4, 3};
  QuadricSpec quadric;
  quadric.Q = Mat3<double>(Vec3<double>(100, 120, 250).asDiagonal());
  quadric.c = -1;
  for (const ShapeSpec& shape : {ShapeSpec(torus), ShapeSpec(box), ShapeSpec(quadric)}) {
    BodySpec body = test::moving_body(shape, 1, 1e-3 * Mat3<double>::Identity());
    body.position = Vec3<double>(0, 0, 0.1);
    body.orientation = unit(Quat<double>{1, 0.2, 0.1, 0});
    const Model model = compiled(test::scene(body, test::ground(), 0, 1));
    const auto mesh = display_mesh(model, kBody);
    ASSERT_TRUE(mesh);
    expect_all_used(*mesh);
    expect_watertight(*mesh);
    const double whole = solid(model.body(kBody).side.shape).value().volume;
    EXPECT_NEAR(volume(*mesh), whole, 0.03 * whole);
  }
}

TEST(DisplayMesh, StandsWhereTheBodyStarts) {
  const Model model = compiled(test::ball_on_slope(20, 0.5, 1));
  const double tolerance = 1e-4;
  const auto ball = display_mesh(model, kBody, tolerance);
  ASSERT_TRUE(ball);
  const DisplayMesh mesh_W = moved(initial_pose(model, kBody), *ball);
  const Pose<double> X_BW = inverse(initial_pose(model, kGround));
  double lowest = 1, highest = -1;  // above the slope
  for (const Vec3<double>& p : mesh_W.vertices) {
    lowest = std::min(lowest, (X_BW * p).z());
    highest = std::max(highest, (X_BW * p).z());
  }
  EXPECT_GE(lowest, -1e-12);
  EXPECT_LE(lowest, 2 * tolerance);
  EXPECT_NEAR(highest, 0.4, 2 * tolerance);
}

TEST(DisplayMesh, CutsUnboundedSurfacesOffRoundTheContact) {
  Spec spec = test::ball_on_slope(0, 0.5, 1);  // ℓ = 0.2 m
  spec.bodies[0].position.value.x() += 30;     // far from the plane's origin
  const Model model = compiled(spec);
  const auto plane = display_mesh(model, kGround);
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->triangles.size(), 2u);
  double reach = 0;
  for (const Vec3<double>& p : plane->vertices) {
    EXPECT_EQ(p.z(), 0);
    reach = std::max(reach, p.x());
  }
  EXPECT_NEAR(reach, 30 + 20 * 0.2, 1e-9);
  for (const Vec3<double>& n : plane->normals) EXPECT_EQ(n, Vec3<double>(0, 0, 1));

  CylinderSpec bore;  // endless unless a length is given
  bore.radius = 1;
  bore.cavity = true;
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0.9, 0, 0);
  const Model in_bore = compiled(test::scene(ball, test::ground(bore), 0.3, 1));
  const auto mesh = display_mesh(in_bore, kGround);
  ASSERT_TRUE(mesh);
  for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
    const Vec3<double>& p = mesh->vertices[i];
    EXPECT_NEAR(p.head<2>().norm(), 1, 1e-12);
    EXPECT_NEAR(std::abs(p.z()), 20 * 0.1 + 1, 1e-9);
    EXPECT_LT(mesh->normals[i].dot(p), 0);  // into the hole
  }
  EXPECT_NEAR(display_options(in_bore, kGround).tolerance, 2e-4, 1e-15);
}

// The tolerance goes by the size of the surface, not by its distance from the origin of its frame.
TEST(DisplayMesh, ChoosesItsToleranceByTheSize) {
  const auto patch_at = [](double x) {
    std::vector<std::vector<Vec3<double>>> net;
    for (int i = 0; i < 3; ++i) {
      net.emplace_back();
      for (int j = 0; j < 3; ++j)
        net.back().push_back({x + i - 1, j - 1.0, i != 1 && j != 1 ? 0.5 : 0.0});
    }
    return test::one_patch(net);
  };
  const auto tolerance_at = [&](double x) {
    BodySpec ball = test::ball(0.1);
    ball.position = Vec3<double>(x, 0, 0.3);
    const Model model = compiled(test::scene(ball, test::ground(patch_at(x)), 0.3, 1));
    return display_options(model, kGround).tolerance;
  };
  EXPECT_NEAR(tolerance_at(0), 2e-3 * std::sqrt(2 + 0.25 * 0.25), 1e-4);
  EXPECT_NEAR(tolerance_at(100), tolerance_at(0), 1e-6);
}

TEST(DisplayMesh, DropsWhatTrimmingCutsAway) {
  PatchesSpec shape = test::one_patch({{{-1, -1, 0}, {-1, 1, 0}}, {{1, -1, 0}, {1, 1, 0}}});
  CurveSpec& loop = shape.patches[0].trim.emplace_back();
  loop.points = std::vector<Vec2<double>>{{0.4, 0.4}, {0.6, 0.4}, {0.6, 0.6}, {0.4, 0.6}};
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0, 0, 0.1);
  const Model model = compiled(test::scene(ball, test::ground(shape), 0.3, 1));
  const auto mesh = display_mesh(model, kGround);
  ASSERT_TRUE(mesh);
  expect_all_used(*mesh);
  for (const Vec3<double>& p : mesh->vertices) EXPECT_LE(p.cwiseAbs().maxCoeff(), 0.2 + 1e-9);
}

TEST(DisplayMesh, IsEmptyWhereThereIsNone) {
  QuadricSpec cylinder;  // endless, its highest line through the origin
  cylinder.Q = Mat3<double>(Vec3<double>(1, 0, 1).asDiagonal());
  cylinder.b = Vec3<double>(0, 0, 1);
  cylinder.c = 0;
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(0, 0, 0.1);
  Model model = compiled(test::scene(ball, test::ground(cylinder), 0.3, 1));
  const auto none = display_mesh(model, kGround);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  EXPECT_TRUE(none->vertices.empty());

  EXPECT_TRUE(model.header.meshes.empty()) << "compile must not make meshes";
  model.header.meshes = display_meshes(model);
  ASSERT_EQ(model.header.meshes.size(), 2u);
  EXPECT_FALSE(model.header.meshes[0].empty());
  EXPECT_TRUE(model.header.meshes[1].empty());
}

TEST(DisplayMesh, RefusesImpossibleTolerances) {
  const Model model = compiled(test::ball_on_slope(10, 0.5, 1));
  for (const double tolerance : {0.0, -1.0, 1e-14}) {
    const auto mesh = display_mesh(model, kBody, tolerance);
    ASSERT_FALSE(mesh) << tolerance;
    EXPECT_FALSE(mesh.error().remedy.empty());
  }
}

TEST(DisplayMesh, ComesInTheScenesOrder) {
  Spec spec = test::ball_on_slope(10, 0.5, 1);
  std::swap(spec.bodies[0], spec.bodies[1]);
  const auto model = compile(spec);
  ASSERT_TRUE(model);
  const auto meshes = display_meshes(*model);
  ASSERT_EQ(meshes.size(), 2u);
  EXPECT_EQ(meshes[0].triangles.size(), 2u);  // the plane
  EXPECT_GT(meshes[1].triangles.size(), 1000u);
  EXPECT_EQ(initial_pose(*model, BodyId{1}).p, model->bodies[1].start.p_WA);
}

}  // namespace oloid::test::display_mesh_test
