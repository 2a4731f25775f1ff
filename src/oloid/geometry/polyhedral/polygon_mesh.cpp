#include "oloid/geometry/polyhedral/polygon_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "oloid/base/index.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/polyhedral/orientation.h"

namespace oloid::geometry {
namespace {

FaceOfEdge faces_of_edges(const Cage& cage) {
  FaceOfEdge faces;
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    for (std::size_t i = 0; i < face.size(); ++i)
      faces.emplace(std::pair(face[i], face[(i + 1) % face.size()]), static_cast<int>(f));
  }
  return faces;
}

double distance_to_segment(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> along = b - a;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0;
  return (p - a - t * along).norm();
}

}  // namespace

PolygonPlane plane_of(const std::vector<Vec3<double>>& vertices, const std::vector<int>& face) {
  PolygonPlane plane{Vec3<double>::Zero(), Vec3<double>::Zero(), 0};
  const Vec3<double>& origin = vertices[at(face[0])];
  for (const int v : face) plane.middle += vertices[at(v)] - origin;
  plane.middle = origin + plane.middle / static_cast<double>(face.size());
  Vec3<double> sum = Vec3<double>::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    sum += exact_cross(origin, vertices[at(face[i])], vertices[at(face[i + 1])]);
  }
  const double length = sum.norm();
  plane.area = 0.5 * length;
  if (length > 0) plane.normal = sum / length;
  return plane;
}

double size_of(const std::vector<Vec3<double>>& points) {
  Box box;
  for (const Vec3<double>& p : points) box.add(p);
  return points.empty() ? 0 : box.size().maxCoeff();
}

std::string name_of_face(const Cage& cage, int face) {
  std::string name = fmt::format("face {}", face + 1);
  if (!cage.line_of_face.empty()) name += fmt::format(" (line {})", cage.line_of_face[at(face)]);
  return name;
}

// By cells as wide as the distance: what is near lies in the same cell or in one of its neighbours.
Cage welded(const Cage& cage, double distance) {
  using Cell = std::array<std::int64_t, 3>;
  std::map<Cell, std::vector<int>> cells;
  Box box;
  for (const std::vector<int>& face : cage.faces)
    for (const int v : face) box.add(cage.vertices[at(v)]);
  const auto cell_of = [&](const Vec3<double>& p) {
    Cell cell{};
    for (int i = 0; i < 3; ++i)
      cell[at(i)] = static_cast<std::int64_t>((p(i) - box.low(i)) / distance);
    return cell;
  };
  std::vector<bool> used(cage.vertices.size());
  for (const std::vector<int>& face : cage.faces)
    for (const int v : face) used[at(v)] = true;
  std::vector<int> kept(cage.vertices.size());
  for (std::size_t v = 0; v < cage.vertices.size(); ++v) {
    if (!used[v]) continue;
    const Vec3<double>& p = cage.vertices[v];
    const Cell own = cell_of(p);
    kept[v] = static_cast<int>(v);
    for (int k = 0; k < 27 && kept[v] == static_cast<int>(v); ++k) {
      const auto found =
          cells.find({own[0] + k % 3 - 1, own[1] + k / 3 % 3 - 1, own[2] + k / 9 - 1});
      if (found == cells.end()) continue;
      for (const int other : found->second)
        if ((cage.vertices[at(other)] - p).norm() <= distance) kept[v] = other;
    }
    if (kept[v] == static_cast<int>(v)) cells[own].push_back(kept[v]);
  }
  Cage result;
  result.vertices = cage.vertices;
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    std::vector<int> face;
    face.reserve(cage.faces[f].size());
    for (const int v : cage.faces[f])
      if (face.empty() || face.back() != kept[at(v)]) face.push_back(kept[at(v)]);
    while (face.size() > 1 && face.front() == face.back()) face.pop_back();
    if (face.size() < 3) continue;
    result.faces.push_back(std::move(face));
    if (!cage.line_of_face.empty()) result.line_of_face.push_back(cage.line_of_face[f]);
  }
  return result;
}

std::optional<Error> topology_error(const Cage& cage) {
  const auto refused = [](std::string message, std::string remedy) {
    return refuse(std::move(message), std::move(remedy)).error;
  };
  if (cage.faces.empty())
    return refused("there are no faces", "specify at least four, or use hull = true");
  const FaceOfEdge faces = faces_of_edges(cage);
  std::size_t corners = 0;
  std::vector<bool> used(cage.vertices.size());
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    corners += face.size();
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      used[at(a)] = true;
      const int other = faces.at({a, b});
      if (other != static_cast<int>(f)) {
        return refused(
            fmt::format("{} and {} both run from vertex {} to {}", name_of_face(cage, other),
                        name_of_face(cage, static_cast<int>(f)), a + 1, b + 1),
            "all faces must run counter-clockwise seen from outside, without duplicates; or use "
            "hull = true");
      }
    }
  }
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      if (!faces.contains({b, a})) {
        return refused(fmt::format("the mesh is open at the edge from vertex {} to {} of {}", a + 1,
                                   b + 1, name_of_face(cage, static_cast<int>(f))),
                       "close it with more faces, or use hull = true");
      }
    }
  }
  // In one piece?
  std::vector<int> open{0};
  std::vector<bool> reached(cage.faces.size());
  reached[0] = true;
  std::size_t count = 1;
  while (!open.empty()) {
    const std::vector<int>& face = cage.faces[at(open.back())];
    open.pop_back();
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int next = faces.at({face[(i + 1) % face.size()], face[i]});
      if (reached[at(next)]) continue;
      reached[at(next)] = true;
      ++count;
      open.push_back(next);
    }
  }
  if (count < cage.faces.size()) {
    const auto lost = std::find(reached.begin(), reached.end(), false) - reached.begin();
    return refused(fmt::format("the mesh has several pieces: {} is not connected to face 1",
                               name_of_face(cage, static_cast<int>(lost))),
                   "put each convex part in its own object (o) or group (g) in the file");
  }
  const auto vertices = std::count(used.begin(), used.end(), true);
  const auto euler = vertices - static_cast<std::ptrdiff_t>(corners / 2) +
                     static_cast<std::ptrdiff_t>(cage.faces.size());
  if (euler != 2) {
    return refused(
        fmt::format(
            "the mesh has handles or touches itself: vertices - edges + faces is {} instead of 2",
            euler),
        "divide it into convex parts, or use hull = true");
  }
  return std::nullopt;
}

namespace {

class Regions {
 public:
  Regions(const Cage& cage, double distance)
      : cage_(cage),
        distance_(distance),
        neighbours_(faces_of_edges(cage)),
        taken_(cage.faces.size(), false),
        seen_(cage.faces.size(), 0) {}

  // Largest first: slivers have no plane of their own.
  void grow() {
    std::vector<PolygonPlane> planes;
    planes.reserve(cage_.faces.size());
    for (const std::vector<int>& face : cage_.faces)
      planes.push_back(plane_of(cage_.vertices, face));
    std::vector<int> order(planes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return planes[at(a)].area > planes[at(b)].area; });
    for (const int seed : order) {
      if (taken_[at(seed)]) continue;
      // What is only nearly flat may leave a ragged outline: then less of it becomes one face.
      std::vector<int> found, outline;
      for (double distance = distance_; distance > 1e-4 * distance_; distance *= 0.1) {
        found = around(seed, planes, distance);
        outline = outline_of(found);
        if (is_convex(outline, planes[at(seed)].normal)) break;
        found.clear();
      }
      if (found.empty()) {
        found = {seed};
        outline = cage_.faces[at(seed)];
      }
      for (const int face : found) taken_[at(face)] = true;
      seeds_.push_back(seed);
      outlines_.push_back(std::move(outline));
    }
  }

  // Vertices between only two faces go where they lie straight between the next that have more.
  Result<Cage> straightened() const {
    Cage cage;
    cage.vertices = cage_.vertices;
    cage.faces = outlines_;
    for (const int seed : seeds_)
      if (!cage_.line_of_face.empty()) cage.line_of_face.push_back(cage_.line_of_face[at(seed)]);
    std::vector<int> meeting(cage.vertices.size(), 0);
    for (const std::vector<int>& face : cage.faces)
      for (const int v : face) ++meeting[at(v)];
    for (std::size_t f = 0; f < cage.faces.size(); ++f) {
      std::vector<int>& face = cage.faces[f];
      const auto corner =
          std::find_if(face.begin(), face.end(), [&](int v) { return meeting[at(v)] > 2; });
      if (corner == face.end()) return degenerate(f);
      std::rotate(face.begin(), corner, face.end());
      std::vector<int> kept;
      kept.reserve(face.size());
      for (std::size_t from = 0; from < face.size();) {
        std::size_t to = from + 1;
        while (to < face.size() && meeting[at(face[to])] <= 2) ++to;
        // In the order of the indices, so that both faces of an edge come to the same answer.
        const auto [low, high] = std::minmax(face[from], face[to % face.size()]);
        const Vec3<double>&a = cage.vertices[at(low)], &b = cage.vertices[at(high)];
        const auto first = face.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                   last = face.begin() + static_cast<std::ptrdiff_t>(to);
        const bool straight = std::all_of(first, last, [&](int v) {
          return distance_to_segment(cage.vertices[at(v)], a, b) <= kStraight * distance_;
        });
        kept.push_back(face[from]);
        if (!straight) kept.insert(kept.end(), first, last);
        from = to;
      }
      if (kept.size() < 3) return degenerate(f);
      face = std::move(kept);
    }
    return cage;
  }

 private:
  static constexpr double kStraight = 8;  // distances: where two planes meet is less certain

  Unexpected<Error> degenerate(std::size_t region) const {
    return refuse(fmt::format("{} has fewer than three corners at which three or more faces meet",
                              name_of_face(cage_, seeds_[region])),
                  "the body is not convex: divide it into convex parts, or use hull = true");
  }

  // The faces about a seed that are not taken yet and lie in one plane, as far as they hang
  // together. Once more with the plane of all that was found: it is better than that of one piece.
  std::vector<int> around(int seed, const std::vector<PolygonPlane>& planes, double distance) {
    PolygonPlane plane = planes[at(seed)];
    Vec3<double> sum = Vec3<double>::Zero(), middle = Vec3<double>::Zero();
    double area = 0;
    for (const int face : around(seed, plane, distance)) {
      const PolygonPlane& own = planes[at(face)];
      sum += own.area * own.normal;
      middle += own.area * (own.middle - plane.middle);
      area += own.area;
    }
    if (area > 0 && sum.norm() > 0) {
      plane.middle += middle / area;
      plane.normal = sum.normalized();
    }
    return around(seed, plane, distance);
  }
  std::vector<int> around(int seed, const PolygonPlane& plane, double distance) {
    std::vector<int> found{seed};
    ++round_;
    seen_[at(seed)] = round_;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::vector<int>& face = cage_.faces[at(found[k])];
      for (std::size_t i = 0; i < face.size(); ++i) {
        const int next = neighbours_.at({face[(i + 1) % face.size()], face[i]});
        if (seen_[at(next)] == round_ || taken_[at(next)]) continue;
        seen_[at(next)] = round_;
        if (lies_in(plane, cage_.faces[at(next)], distance)) found.push_back(next);
      }
    }
    return found;
  }

  // The vertices round faces that hang together; none if these leave a hole.
  std::vector<int> outline_of(const std::vector<int>& faces) {
    ++round_;
    for (const int face : faces) seen_[at(face)] = round_;
    std::map<int, int> next;
    for (const int f : faces) {
      const std::vector<int>& face = cage_.faces[at(f)];
      for (std::size_t i = 0; i < face.size(); ++i) {
        const int a = face[i], b = face[(i + 1) % face.size()];
        if (seen_[at(neighbours_.at({b, a}))] == round_) continue;
        if (!next.emplace(a, b).second) return {};
      }
    }
    if (next.empty()) return {};
    std::vector<int> outline;
    outline.reserve(next.size());
    const int start = next.begin()->first;
    int v = start;
    do {
      outline.push_back(v);
      const auto found = next.find(v);
      if (found == next.end() || outline.size() > next.size()) return {};
      v = found->second;
    } while (v != start);
    if (outline.size() != next.size()) return {};
    return outline;
  }

  // No corner lies farther inside the line between its neighbours than straight ones may.
  bool is_convex(const std::vector<int>& outline, const Vec3<double>& normal) const {
    const std::size_t n = outline.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3<double>&a = cage_.vertices[at(outline[i])],
            &b = cage_.vertices[at(outline[(i + 1) % n])],
            &c = cage_.vertices[at(outline[(i + 2) % n])];
      if (normal.dot((b - a).cross(c - b)) < -distance_ * (c - a).norm()) return false;
    }
    return n >= 3;
  }

  bool lies_in(const PolygonPlane& plane, const std::vector<int>& face, double distance) const {
    return std::all_of(face.begin(), face.end(), [&](int v) {
      return std::abs(plane.normal.dot(cage_.vertices[at(v)] - plane.middle)) <= distance;
    });
  }

  const Cage& cage_;
  double distance_;  // [m]
  FaceOfEdge neighbours_;
  std::vector<bool> taken_;
  std::vector<int> seeds_;  // the largest of each region
  std::vector<std::vector<int>> outlines_;
  std::vector<int> seen_;  // in which round
  int round_ = 0;
};

}  // namespace

Result<Cage> with_whole_faces(const Cage& closed, double distance) {
  Regions regions(closed, distance);
  regions.grow();
  return regions.straightened();
}

}  // namespace oloid::geometry
