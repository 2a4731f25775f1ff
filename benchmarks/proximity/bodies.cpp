#include "proximity/bodies.h"

#include <array>
#include <cmath>
#include <numbers>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

Cage cube_cage(const Vec3<double>& half) {
  Cage cage;
  cage.vertices.reserve(8);
  for (int i = 0; i < 8; ++i)
    cage.vertices.emplace_back(
        half.cwiseProduct(Vec3<double>(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  cage.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return cage;
}

Cage octahedron_cage(const Vec3<double>& half) {
  Cage cage{
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (Vec3<double>& p : cage.vertices) p = p.cwiseProduct(half);
  return cage;
}

// An ellipsoid of eight rational biquadratic patches: a half circle turned about z, and stretched.
NurbsNet nurbs_ellipsoid(const Vec3<double>& half) {
  constexpr std::array<std::array<int, 2>, 9> circle{
      {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}}};
  constexpr std::array<std::array<int, 2>, 5> arc{{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}};
  NurbsNet surface{{2, {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}}, {2, {0, 0, 0, 1, 1, 2, 2, 2}}, {}};
  const auto weight = [](std::size_t i) { return i % 2 == 1 ? std::sqrt(0.5) : 1.0; };
  surface.net.resize(circle.size());
  for (std::size_t i = 0; i < circle.size(); ++i) {
    for (std::size_t j = 0; j < arc.size(); ++j) {
      const Vec3<double> p(arc[j][0] * circle[i][0], arc[j][0] * circle[i][1], arc[j][1]);
      surface.net[i].push_back(weighted<3>(half.cwiseProduct(p), weight(i) * weight(j)));
    }
  }
  return surface;
}

Shape implicit_body() {
  const ImplicitDomain domain{{Vec3<double>::Constant(-0.2), Vec3<double>::Constant(0.2)}};
  return *Implicit::make(*ImplicitExpression::make("(x/0.12)^2 + (y/0.11)^2 + (z/0.1)^2"
                                                   " + (x/0.12)^4 + (y*z/0.011)^2 - 1"),
                         domain);
}

}  // namespace

ConvexBody ConvexBody::sphere(double radius) {
  return {Kind::sphere, Vec3<double>::Constant(radius)};
}
ConvexBody ConvexBody::ellipsoid(const Vec3<double>& semi_axes) {
  return {Kind::ellipsoid, semi_axes};
}
ConvexBody ConvexBody::cylinder(double radius, double length) {
  return {Kind::cylinder, {radius, radius, length / 2}};
}
ConvexBody ConvexBody::box(const Vec3<double>& edges) {
  return {Kind::box, edges / 2, *ConvexPolyhedron::cuboid(edges)};
}
ConvexBody ConvexBody::hull(const std::vector<Vec3<double>>& points) {
  ConvexPolyhedron made = *ConvexPolyhedron::hull(points);
  return {Kind::hull, made.box().high, made};
}

PlacedShape side_of(const ConvexBody& body) {
  if (body.has_faces()) return {*Polyhedron::make({*body.polyhedron}), {}};
  if (body.kind == ConvexBody::Kind::cylinder)
    return {*Frustum::cylinder(body.half.x(), 2 * body.half.z()), {}};
  return {*Ellipsoid::make(body.half), {}};
}

std::vector<Vec3<double>> spread_points(int n, const Vec3<double>& semi_axes) {
  std::vector<Vec3<double>> points;
  points.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {  // a spiral that turns by the golden angle
    const double z = 1 - (2 * i + 1) / static_cast<double>(n), rho = std::sqrt(1 - z * z);
    const double angle = 2 * std::numbers::pi * i / (std::numbers::phi * std::numbers::phi);
    points.emplace_back(
        semi_axes.cwiseProduct(Vec3<double>(rho * std::cos(angle), rho * std::sin(angle), z)));
  }
  return points;
}

std::vector<NamedSide> bodies_of_all_kinds() {
  const Vec3<double> axes(0.12, 0.1, 0.08);
  return {
      {"sphere", {*Ellipsoid::make(Vec3<double>::Constant(0.1)), {}}},
      {"ellipsoid", {*Ellipsoid::make(axes), {}}},
      {"torus", {*Torus::make(0.08, 0.04), {}}},
      {"cylinder", {*Frustum::cylinder(0.08, 0.2), {}}},
      {"superellipsoid", {*Superellipsoid::make(axes, 2.5, 3), {}}},
      {"NURBS", {*Patchwork::make(pieces_of(nurbs_ellipsoid(axes), "ellipsoid")), {}}},
      {"Loop", {*patchwork_of(*subdivide(octahedron_cage(2 * axes), SubdivisionScheme::loop)), {}}},
      {"Catmull-Clark",
       {*patchwork_of(*subdivide(cube_cage(1.2 * axes), SubdivisionScheme::catmull_clark)), {}}},
      {"implicit", {implicit_body(), {}}},
      {"polyhedron", {*Polyhedron::make({*ConvexPolyhedron::hull(spread_points(40, axes))}), {}}},
  };
}

}  // namespace oloid::bench
