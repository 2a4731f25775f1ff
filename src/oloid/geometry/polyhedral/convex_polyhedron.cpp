#include "oloid/geometry/polyhedral/convex_polyhedron.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "oloid/base/index.h"
#include "oloid/geometry/measure/polyhedron_integral.h"
#include "oloid/geometry/polyhedral/convex_hull.h"
#include "oloid/geometry/polyhedral/polygon_mesh.h"

namespace oloid::geometry {
namespace {

constexpr const char* kConvexRemedy =
    "divide the body into convex parts, each in its own object (o) in the file, or use hull = true";

Error refused(std::string message, std::string remedy) {
  return refuse(std::move(message), std::move(remedy)).error;
}

// Indices that exist, numbers that are finite, faces that are polygons.
std::optional<Error> form_error(const Cage& cage) {
  for (std::size_t v = 0; v < cage.vertices.size(); ++v) {
    if (is_near(cage.vertices[v])) continue;
    return refused(fmt::format("vertex {} is not finite or too far away", v + 1),
                   "use finite numbers");
  }
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    const std::string name = name_of_face(cage, static_cast<int>(f));
    for (const int v : face) {
      if (v < 0 || at(v) >= cage.vertices.size()) {
        return refused(fmt::format("{} refers to vertex {}, which does not exist", name, v + 1),
                       fmt::format("vertices are 1 to {}", cage.vertices.size()));
      }
    }
    std::vector<int> sorted = face;
    std::sort(sorted.begin(), sorted.end());
    if (face.size() < 3 || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return refused(
          fmt::format("{} has fewer than three vertices, or the same vertex twice", name),
          "a face must be a polygon that does not touch itself");
    }
  }
  return std::nullopt;
}

std::vector<Vec3<double>> used_vertices(const Cage& cage) {
  std::vector<bool> used(cage.vertices.size());
  for (const std::vector<int>& face : cage.faces)
    for (const int v : face) used[at(v)] = true;
  std::vector<Vec3<double>> result;
  result.reserve(cage.vertices.size());
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) result.push_back(cage.vertices[v]);
  return result;
}

std::optional<Error> flatness_error(const Cage& cage, double distance) {
  double worst = distance;
  int face = -1;
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    if (cage.faces[f].size() == 3) continue;
    const PolygonPlane plane = plane_of(cage.vertices, cage.faces[f]);
    for (const int v : cage.faces[f]) {
      const double off = std::abs(plane.normal.dot(cage.vertices[at(v)] - plane.middle));
      if (off <= worst) continue;
      worst = off;
      face = static_cast<int>(f);
    }
  }
  if (face < 0) return std::nullopt;
  return refused(fmt::format("{} is not flat: a vertex is {:.3g} m from its plane",
                             name_of_face(cage, face), worst),
                 "divide it into triangles, use more digits, or raise the tolerance");
}

double volume_of(const Cage& cage) {
  PolyhedronIntegral sum(cage.vertices[at(cage.faces[0][0])]);
  for (const std::vector<int>& face : cage.faces)
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum.add(cage.vertices[at(face[0])], cage.vertices[at(face[i])],
              cage.vertices[at(face[i + 1])]);
  return sum.volume;
}

// Of a triangle seen from a point, [OosteromStrackee83]. [sr]
double solid_angle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)),
                        la * lb * lc + a.dot(b) * lc + a.dot(c) * lb + b.dot(c) * la);
}

}  // namespace

Result<ConvexPolyhedron> ConvexPolyhedron::make(const Cage& given, double tolerance) {
  if (!(tolerance > 0 && tolerance <= 1e-3)) {
    return refuse(fmt::format("tolerance is {}", tolerance),
                  "must be a fraction of the body's size, at most 1e-3");
  }
  if (auto error = form_error(given)) return Unexpected{*error};
  if (given.faces.empty()) return refuse("there are no faces", "specify at least four");
  const std::vector<Vec3<double>> used = used_vertices(given);
  const double size = size_of(used);
  double reach = 0;
  for (const Vec3<double>& p : used) reach = std::max(reach, p.cwiseAbs().maxCoeff());
  if (!(size > 1e-9 * reach) || size < 1 / kFarthest) {
    return refuse("the body is a point, or too far from its origin for its size",
                  "move it to the origin of its frame");
  }
  const double distance = std::max(tolerance * size, 0x1p-50 * reach);
  const Cage cage = welded(given, distance);
  if (auto error = form_error(cage)) return Unexpected{*error};
  if (auto error = topology_error(cage)) return Unexpected{*error};
  if (auto error = flatness_error(cage, distance)) return Unexpected{*error};
  if (!(volume_of(cage) > 0)) {
    return refuse("the mesh is inside out or has no volume",
                  "reverse the order of the vertices of all faces");
  }
  const auto whole = with_whole_faces(cage, distance);
  if (!whole) return Unexpected{whole.error()};
  if (auto error = topology_error(*whole)) return Unexpected{*error};

  ConvexPolyhedron result;
  result.size_ = size;
  if (auto error = result.set_planes(*whole, distance)) return Unexpected{*error};
  if (auto error = result.set_edges(*whole, distance)) return Unexpected{*error};
  if (auto error = result.check_convex(*whole, distance)) return Unexpected{*error};
  if (auto error = result.set_spokes()) return Unexpected{*error};
  return result;
}

Result<ConvexPolyhedron> ConvexPolyhedron::hull(const std::vector<Vec3<double>>& points,
                                                double tolerance) {
  const auto cage = convex_hull(points, tolerance);
  if (!cage) return Unexpected{cage.error()};
  return make(
      *cage, std::min(4 * tolerance, 1e-3));  // the same faces, measured from their own mean planes
}

Result<ConvexPolyhedron> ConvexPolyhedron::cuboid(const Vec3<double>& size) {
  if (!is_near(size) || !(size.minCoeff() > 0) || size.maxCoeff() > 1e9 * size.minCoeff()) {
    return refuse(fmt::format("the box has sides [{}, {}, {}] m", size.x(), size.y(), size.z()),
                  "sides must be greater than 0 and differ by at most a factor of 1e9");
  }
  Cage cage;
  for (int i = 0; i < 8; ++i)
    cage.vertices.emplace_back((i & 1 ? 0.5 : -0.5) * size.x(), (i & 2 ? 0.5 : -0.5) * size.y(),
                               (i & 4 ? 0.5 : -0.5) * size.z());
  cage.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return make(cage, 1e-12);
}

// Vertices that are used, faces with their planes: pushed out until no vertex of theirs is beyond.
std::optional<Error> ConvexPolyhedron::set_planes(const Cage& cage, double distance) {
  std::vector<int> renumbered(cage.vertices.size(), -1);
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const PolygonPlane plane = plane_of(cage.vertices, cage.faces[f]);
    double longest = 0;
    for (const int v : cage.faces[f])
      longest = std::max(longest, (cage.vertices[at(v)] - plane.middle).norm());
    if (!(plane.area > distance * longest)) {
      return refused(fmt::format("{} has no area", name_of_face(cage, static_cast<int>(f))),
                     "remove it and merge its neighbours, or use hull = true");
    }
    Face face{plane.normal, plane.normal.dot(plane.middle), static_cast<int>(corners_.size()),
              static_cast<int>(cage.faces[f].size())};
    for (const int v : cage.faces[f]) {
      int& own = renumbered[at(v)];
      if (own < 0) {
        own = static_cast<int>(vertices_.size());
        vertices_.push_back(cage.vertices[at(v)]);
      }
      corners_.push_back(own);
      face.offset = std::max(face.offset, plane.normal.dot(cage.vertices[at(v)]));
    }
    faces_.push_back(face);
  }
  return std::nullopt;
}

std::optional<Error> ConvexPolyhedron::set_edges(const Cage& cage, double distance) {
  std::map<std::pair<int, int>, std::pair<int, std::size_t>> runs;  // face, and where its side is
  for (int f = 0; f < faces(); ++f) {
    const auto own = corners(f);
    for (std::size_t i = 0; i < own.size(); ++i)
      runs[{own[i], own[(i + 1) % own.size()]}] = {f, at(face(f).first) + i};
  }
  sides_.resize(corners_.size());
  double worst = distance;
  int bad_face = -1, bad_vertex = -1;
  for (const auto& [ends, run] : runs) {
    const auto back = runs.at({ends.second, ends.first});
    const int f = run.first, g = back.first;
    for (const int v : corners(g)) {
      const double beyond = face(f).normal.dot(vertex(v)) - face(f).offset;
      if (beyond <= worst) continue;
      worst = beyond;
      bad_face = f;
      bad_vertex = v;
    }
    if (ends.first > ends.second) continue;
    const Vec3<double>&m = face(f).normal, &n = face(g).normal;
    const double turn = std::atan2(m.cross(n).norm(), m.dot(n));
    sides_[run.second] = sides_[back.second] = edges();
    edges_.push_back({{ends.first, ends.second}, {f, g}, std::numbers::pi - turn});
  }
  if (bad_face < 0) return std::nullopt;
  const Vec3<double>& p = vertex(bad_vertex);
  return refused(
      fmt::format(
          "the body is not convex: vertex ({:.6g}, {:.6g}, {:.6g}) lies {:.3g} m outside the "
          "plane of {}",
          p.x(), p.y(), p.z(), worst, name_of_face(cage, bad_face)),
      kConvexRemedy);
}

// All edges bend inwards. If moreover the surface, seen from a point inside, covers each direction
// once, and its faces are convex, then so is the body.
std::optional<Error> ConvexPolyhedron::check_convex(const Cage& cage, double distance) const {
  Vec3<double> inside = Vec3<double>::Zero();
  for (const Vec3<double>& p : vertices_) inside += (p - vertices_[0]) / vertices();
  inside += vertices_[0];
  double angle = 0;
  for (int f = 0; f < faces(); ++f) {
    const auto own = corners(f);
    bool good = face(f).normal.dot(inside) < face(f).offset;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Vec3<double>&a = vertex(own[i]), &b = vertex(own[(i + 1) % own.size()]),
            &c = vertex(own[(i + 2) % own.size()]);
      const double across = face(f).normal.dot((b - a).cross(c - b));
      // The corner b lies outside of the line from a to c, or on it within the tolerance.
      good = good && across >= -8 * distance * (c - a).norm();
      if (i + 2 < own.size())
        angle += solid_angle(vertex(own[0]) - inside, vertex(own[i + 1]) - inside,
                             vertex(own[i + 2]) - inside);
    }
    if (!good) {
      return refused(fmt::format("the body is not convex at {}", name_of_face(cage, f)),
                     kConvexRemedy);
    }
  }
  if (std::abs(angle - 4 * std::numbers::pi) < 0.1) return std::nullopt;
  return refused("the mesh intersects itself", kConvexRemedy);
}

// Counter-clockwise round v: a face runs ... u, v, w, ...; it lies between the edges to w and u.
std::optional<Error> ConvexPolyhedron::set_spokes() {
  std::map<std::pair<int, int>, Spoke> leaving;  // by the edge from v to w
  std::map<std::pair<int, int>, int> before;     // (v, w) to u
  std::vector<int> some(vertices_.size(), -1), count(vertices_.size(), 0);
  for (int f = 0; f < faces(); ++f) {
    const auto own = corners(f), edge = sides(f);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const int v = own[i], w = own[(i + 1) % own.size()];
      leaving[{v, w}] = {w, edge[i], f};
      before[{v, w}] = own[(i + own.size() - 1) % own.size()];
      if (some[at(v)] < 0) some[at(v)] = w;
      ++count[at(v)];
    }
  }
  first_spoke_.push_back(0);
  for (int v = 0; v < vertices(); ++v) {
    int w = some[at(v)];
    int steps = 0;
    do {
      spokes_.push_back(leaving.at({v, w}));
      w = before.at({v, w});
    } while (w != some[at(v)] && ++steps < count[at(v)]);
    first_spoke_.push_back(static_cast<int>(spokes_.size()));
    if (first_spoke_[at(v) + 1] - first_spoke_[at(v)] != count[at(v)]) {
      return refused(fmt::format("the mesh touches itself at vertex ({:.6g}, {:.6g}, {:.6g})",
                                 vertex(v).x(), vertex(v).y(), vertex(v).z()),
                     kConvexRemedy);
    }
  }
  return std::nullopt;
}

std::span<const int> ConvexPolyhedron::corners(int f) const {
  return std::span(corners_).subspan(at(face(f).first), at(face(f).count));
}
std::span<const int> ConvexPolyhedron::sides(int f) const {
  return std::span(sides_).subspan(at(face(f).first), at(face(f).count));
}
std::span<const ConvexPolyhedron::Spoke> ConvexPolyhedron::around(int v) const {
  const int first = first_spoke_[at(v)];
  return std::span(spokes_).subspan(at(first), at(first_spoke_[at(v) + 1] - first));
}

double ConvexPolyhedron::height(const Vec3<double>& p) const {
  double most = -std::numeric_limits<double>::infinity();
  for (const Face& face : faces_) most = std::max(most, face.normal.dot(p) - face.offset);
  return most;
}

Solid ConvexPolyhedron::solid() const {
  PolyhedronIntegral sum(box().centre());
  for (int f = 0; f < faces(); ++f) {
    const auto own = corners(f);
    for (std::size_t i = 1; i + 1 < own.size(); ++i)
      sum.add(vertex(own[0]), vertex(own[i]), vertex(own[i + 1]));
  }
  return sum.solid();
}

Box ConvexPolyhedron::box() const {
  Box box;
  for (const Vec3<double>& p : vertices_) box.add(p);
  return box;
}

double ConvexPolyhedron::bounding_radius() const {
  double r = 0;
  for (const Vec3<double>& p : vertices_) r = std::max(r, p.norm());
  return r;
}

}  // namespace oloid::geometry
