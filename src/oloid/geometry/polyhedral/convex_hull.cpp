#include "oloid/geometry/polyhedral/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "oloid/base/index.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/polyhedral/orientation.h"
#include "oloid/geometry/polyhedral/polygon_mesh.h"

namespace oloid::geometry {
namespace {

constexpr double kThinnest = 1e-9;  // of the size: what is thinner counts as flat

// A number in [-1, 1] that looks random, the same for the same index.
double scattered(std::uint64_t index) {
  std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>(static_cast<std::int64_t>(x ^ (x >> 31))) * 0x1p-63;
}

class Quickhull {
 public:
  // Distinct points, brought to a size at which exact arithmetic neither overflows nor underflows.
  Quickhull(const std::vector<Vec3<double>>& points, const Box& box) : facet_after_(points.size()) {
    const double size = box.size().maxCoeff();
    const double reach = std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
    const int exponent = -std::ilogb(reach);
    points_.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      MovedPoint moved;
      const Vec3<double> off = (points[i] - box.centre()) / size;
      for (int k = 0; k < 3; ++k) {
        const double x = std::ldexp(points[i](k), exponent);
        moved.p(k) = std::abs(x) < 0x1p-200 ? 0 : x;
        const double q =
            off(k) * off.squaredNorm() + 1e-6 * scattered(3 * i + static_cast<std::uint64_t>(k));
        moved.q(k) = std::ldexp(std::nearbyint(std::ldexp(q, 60)), -60);
      }
      points_.push_back(moved);
    }
  }

  // False if the points are flat.
  bool run() {
    if (!start()) return false;
    while (!open_.empty()) {
      const int facet = open_.back();
      open_.pop_back();
      if (facets_[at(facet)].alive && !facets_[at(facet)].outside.empty()) add_farthest(facet);
    }
    return true;
  }

  std::vector<std::vector<int>> triangles() const {
    std::vector<std::vector<int>> result;
    result.reserve(facets_.size());
    for (const Facet& facet : facets_)
      if (facet.alive) result.push_back({facet.corners.begin(), facet.corners.end()});
    return result;
  }

 private:
  struct Facet {
    std::array<int, 3> corners;
    std::array<int, 3> beyond{-1, -1, -1};  // the facets across the edges from corner i to i + 1
    std::vector<int> outside{};             // points that see this facet, each in one such list
    bool alive = true;
    int looked_at = -1;  // by which new point
  };
  struct Edge {
    int from, to, beyond;
  };

  const Vec3<double>& p(int i) const { return points_[at(i)].p; }

  // Not exact: only to choose.
  Vec3<double> normal(const Facet& f) const {
    return (p(f.corners[1]) - p(f.corners[0])).cross(p(f.corners[2]) - p(f.corners[0]));
  }
  template <class Measure>
  int largest(const Measure& measure) const {
    int best = 0;
    double most = -1;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      const double m = measure(p(i));
      if (m > most) {
        most = m;
        best = i;
      }
    }
    return best;
  }
  bool sees(int point, const Facet& f) const {
    return orientation(
               {&points_[at(f.corners[0])], &points_[at(f.corners[1])], &points_[at(f.corners[2])]},
               points_[at(point)]) > 0;
  }

  // A tetrahedron of points far apart.
  bool start() {
    const int a = largest([&](const Vec3<double>& x) { return (x - p(0)).norm(); });
    const int b = largest([&](const Vec3<double>& x) { return (x - p(a)).norm(); });
    const double size = (p(b) - p(a)).norm();
    if (!(size > 0)) return false;
    const Vec3<double> along = (p(b) - p(a)) / size;
    const auto off_line = [&](const Vec3<double>& x) { return along.cross(x - p(a)).norm(); };
    const int c = largest(off_line);
    if (!(off_line(p(c)) > kThinnest * size)) return false;
    const Vec3<double> n = along.cross(p(c) - p(a)).normalized();
    const auto off_plane = [&](const Vec3<double>& x) { return std::abs(n.dot(x - p(a))); };
    const int d = largest(off_plane);
    if (!(off_plane(p(d)) > kThinnest * size)) return false;

    const Facet base{{a, b, c}};
    const std::array<int, 4> t = sees(d, base) ? std::array{a, c, b, d} : std::array{a, b, c, d};
    // Corner i is left out of facet i, which lies across from it.
    const int faces[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    for (const auto& face : faces) {
      Facet facet{{t[at(face[0])], t[at(face[1])], t[at(face[2])]}};
      for (std::size_t i = 0; i < 3; ++i) facet.beyond[i] = face[(i + 2) % 3];
      facets_.push_back(std::move(facet));
    }
    std::vector<int> all;
    all.reserve(points_.size());
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      if (std::find(t.begin(), t.end(), i) == t.end()) all.push_back(i);
    distribute(all, 0);
    return true;
  }

  // Gives each point to a facet from `first` on that it sees; who sees none is inside.
  void distribute(const std::vector<int>& points, std::size_t first) {
    for (const int point : points) {
      for (std::size_t f = first; f < facets_.size(); ++f) {
        if (!sees(point, facets_[f])) continue;
        facets_[f].outside.push_back(point);
        break;
      }
    }
    for (std::size_t f = first; f < facets_.size(); ++f)
      if (!facets_[f].outside.empty()) open_.push_back(static_cast<int>(f));
  }

  // The facets that the new point sees go; it is joined to the edges around them.
  void add_farthest(int facet) {
    const Vec3<double> n = normal(facets_[at(facet)]);
    const std::vector<int>& candidates = facets_[at(facet)].outside;
    const int apex = *std::max_element(candidates.begin(), candidates.end(),
                                       [&](int a, int b) { return n.dot(p(a)) < n.dot(p(b)); });
    std::vector<int> seen{facet}, orphans;
    std::vector<Edge> rim;
    facets_[at(facet)].looked_at = apex;
    facets_[at(facet)].alive = false;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const int from = seen[k];
      for (std::size_t i = 0; i < 3; ++i) {
        const int next = facets_[at(from)].beyond[i];
        Facet& other = facets_[at(next)];
        if (other.looked_at != apex) {
          other.looked_at = apex;
          other.alive = !sees(apex, other);
          if (!other.alive) seen.push_back(next);
        }
        if (other.alive) {
          const Facet& f = facets_[at(from)];
          rim.push_back({f.corners[i], f.corners[(i + 1) % 3], next});
        }
      }
      std::vector<int> outside = std::exchange(facets_[at(from)].outside, {});
      for (const int point : outside)
        if (point != apex) orphans.push_back(point);
    }
    const std::size_t first = facets_.size();
    for (const Edge& edge : rim) {
      facet_after_[at(edge.from)] = static_cast<int>(facets_.size());
      for (std::size_t i = 0; i < 3; ++i) {
        Facet& other = facets_[at(edge.beyond)];
        if (other.corners[i] == edge.to && other.corners[(i + 1) % 3] == edge.from)
          other.beyond[i] = static_cast<int>(facets_.size());
      }
      facets_.push_back({{edge.from, edge.to, apex}, {edge.beyond, -1, -1}});
    }
    for (std::size_t f = first; f < facets_.size(); ++f) {
      const int after = facet_after_[at(facets_[f].corners[1])];
      facets_[f].beyond[1] = after;
      facets_[at(after)].beyond[2] = static_cast<int>(f);
    }
    distribute(orphans, first);
  }

  std::vector<MovedPoint> points_;
  std::vector<Facet> facets_;
  std::vector<int> open_;         // facets that may have points outside
  std::vector<int> facet_after_;  // scratch: the new facet whose edge of the rim starts at a vertex
};

// Only the vertices that faces use, in order.
Cage compacted(const Cage& cage) {
  std::vector<int> renumbered(cage.vertices.size(), -1);
  for (const std::vector<int>& face : cage.faces)
    for (const int v : face) renumbered[at(v)] = 0;
  Cage result;
  for (std::size_t v = 0; v < cage.vertices.size(); ++v) {
    if (renumbered[v] < 0) continue;
    renumbered[v] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(cage.vertices[v]);
  }
  result.faces = cage.faces;
  for (std::vector<int>& face : result.faces)
    for (int& v : face) v = renumbered[at(v)];
  return result;
}

Unexpected<Error> flat() {
  return refuse("the points are coplanar, collinear or coincident",
                "a body needs at least four points that are not coplanar");
}

}  // namespace

Result<Cage> convex_hull(const std::vector<Vec3<double>>& points, double tolerance) {
  if (!(tolerance >= 0 && tolerance <= 1e-3)) {
    return refuse(fmt::format("tolerance is {}", tolerance),
                  "must be a fraction of the body's size, at most 1e-3");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_near(points[i])) {
      return refuse(fmt::format("point {} is not finite or too far away", i), "use finite numbers");
    }
  }
  if (points.size() < 4) {
    return refuse(fmt::format("there are {} points", points.size()),
                  "a body needs at least four points that are not coplanar");
  }
  std::vector<Vec3<double>> distinct;
  distinct.reserve(points.size());
  for (const Vec3<double>& p : points) distinct.push_back(p + Vec3<double>::Zero());  // -0 is 0
  const auto key = [](const Vec3<double>& x) { return std::tuple(x.x(), x.y(), x.z()); };
  std::sort(distinct.begin(), distinct.end(),
            [&](const Vec3<double>& a, const Vec3<double>& b) { return key(a) < key(b); });
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Box box;
  for (const Vec3<double>& p : distinct) box.add(p);
  const double size = box.size().maxCoeff();
  const double reach = std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
  if (!(size > kThinnest * reach) || size < 1 / kFarthest) return flat();
  // No finer than the coordinates themselves.
  const double distance = std::max(tolerance * size, 0x1p-50 * reach);

  Cage hull{distinct, {}};
  for (bool again = true; again;) {
    Quickhull quickhull(hull.vertices, box);
    if (!quickhull.run()) return flat();
    hull.faces = quickhull.triangles();
    hull = compacted(hull);
    // Points that are too near to each other leave needles: once more without them.
    Cage apart = compacted(welded(hull, distance));
    again = apart.vertices.size() < hull.vertices.size();
    if (again) hull = std::move(apart);
  }
  // Where what is nearly flat cannot be made flat it stays as it is.
  for (double near = distance; near > 1e-4 * distance; near *= 0.1) {
    auto whole = with_whole_faces(hull, near);
    if (!whole) continue;
    Cage result = compacted(*whole);
    if (!topology_error(result)) return result;
  }
  return hull;
}

}  // namespace oloid::geometry
