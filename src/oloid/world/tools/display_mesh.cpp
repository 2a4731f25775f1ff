#include "oloid/world/tools/display_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/display/surface_lines.h"

namespace oloid::world {
namespace {

constexpr double kFineness = 2e-3;  // of the size
constexpr double kReach = 20;       // lengths
constexpr double kOwnReach = 2;     // of a moving unbounded body: about what its inertia suggests

// A point of the shape near which something happens: its first contact, or where other bodies are.
Vec3<double> point_of_interest(const Model& model, BodyId body) {
  const PlacedShape& side = model.body(body).side;
  for (const StartContact& touch : model.touches) {
    const auto& [A, B] = model.pair(touch.pair).bodies;
    if (body != A && body != B) continue;
    const Location& at = (body == A ? touch.near.A : touch.near.B).at;
    return local_surface<double>(side.shape, at.chart, at.x, fresh_reference(side, at)).p;
  }
  const Pose<double> X_WS = initial_pose(model, body) * side.X_BS;
  Vec3<double> farthest = Vec3<double>::Zero();
  for (const BodyId other : model.moving) {
    const Vec3<double> p = inverse(X_WS) * initial_pose(model, other).p;
    if (p.norm() > farthest.norm()) farthest = p;
  }
  return farthest;
}

// Half the extent of the shape, wherever its origin is. [m]
double size_of(const Shape& shape) {
  const double radius = bounding_radius(shape);
  return std::isfinite(radius) ? std::min(radius, 0.5 * bounding_box(shape).size().norm()) : radius;
}

// Trimming leaves vertices that no triangle uses: viewers would count them as part of the body's
// size.
DisplayMesh without_unused_vertices(Mesh mesh) {
  std::vector<std::int32_t> renumbered(mesh.vertices.size(), -1);
  DisplayMesh result;
  result.triangles = std::move(mesh.triangles);
  for (auto& triangle : result.triangles) {
    for (std::int32_t& corner : triangle) {
      const auto old = static_cast<std::size_t>(corner);
      if (renumbered[old] < 0) {
        renumbered[old] = static_cast<std::int32_t>(result.vertices.size());
        result.vertices.push_back(mesh.vertices[old]);
        result.normals.push_back(mesh.normals[old]);
      }
      corner = renumbered[old];
    }
  }
  return result;
}

bool are_same_ellipsoid(const PlacedShape& a, const PlacedShape& b) {
  const auto *x = a.shape.as<Ellipsoid>(), *y = b.shape.as<Ellipsoid>();
  return x && y && x->semi_axes() == y->semi_axes() && x->cavity() == y->cavity() &&
         a.X_BS.R == b.X_BS.R && a.X_BS.p == b.X_BS.p;
}

}  // namespace

MeshOptions display_options(const std::vector<BodyForm>& forms, const BodyForm& form) {
  double length = std::numeric_limits<double>::infinity(), away = 0;
  const auto size = [](const BodyForm& body) {
    const auto* shape = std::get_if<Shape>(&body.form);
    return shape ? size_of(*shape) : 0.5 * std::get<Curve>(body.form).box().size().norm();
  };
  for (const BodyForm& body : forms) {
    length = std::min(length, size(body));
    away = std::max(away, (body.X_WS.p - form.X_WS.p).norm());
  }
  if (!std::isfinite(length)) length = 1;
  const double own = size(form);
  return {kFineness * (std::isfinite(own) ? own : length), kReach * length + away};
}

MeshOptions display_options(const Model& model, BodyId body) {
  const double size = size_of(model.body(body).side.shape);
  return {kFineness * (std::isfinite(size) ? size : model.length),
          (model.body(body).moves ? kOwnReach : kReach) * model.length +
              point_of_interest(model, body).norm()};
}

Result<DisplayMesh> display_mesh(const Shape& shape, const MeshOptions& options) {
  if (tiles(shape, options.reach).empty()) return DisplayMesh{};
  auto mesh = tessellate(shape, options);
  if (!mesh) return Unexpected{mesh.error()};
  DisplayMesh result = without_unused_vertices(*std::move(mesh));
  SurfaceLines lines = surface_lines(shape, options);
  result.borders = std::move(lines.borders);
  result.parameter_lines = std::move(lines.parameters);
  return result;
}

Result<DisplayMesh> display_mesh(const Model& model, BodyId body, std::optional<double> tolerance) {
  const PlacedShape& side = model.body(body).side;
  MeshOptions options = display_options(model, body);
  if (tolerance) options.tolerance = *tolerance;
  auto mesh = display_mesh(side.shape, options);
  if (!mesh) return mesh;
  return moved(side.X_BS, *std::move(mesh));
}

std::vector<DisplayMesh> display_meshes(const Model& model) {
  std::vector<DisplayMesh> result;
  std::vector<std::size_t> different;  // balls and ellipsoids: a scene may have many
  for (std::size_t i = 0; i < model.header.bodies.size(); ++i) {
    const PlacedShape& side = model.bodies[i].side;
    const auto like = std::find_if(different.begin(), different.end(), [&](std::size_t other) {
      return are_same_ellipsoid(side, model.bodies[other].side);
    });
    if (like != different.end()) {
      result.push_back(result[*like]);
      continue;
    }
    if (side.shape.is<Ellipsoid>()) different.push_back(i);
    auto mesh = display_mesh(model, BodyId{static_cast<std::int32_t>(i)});
    result.push_back(mesh ? *std::move(mesh) : DisplayMesh{});
  }
  return result;
}

Pose<double> initial_pose(const Model& model, BodyId id) {
  const Body& body = model.body(id);
  if (!body.moves) return body.motion.at(0).X_WB;
  return {rotation_matrix(body.start.q_WA), body.start.p_WA};
}

}  // namespace oloid::world
