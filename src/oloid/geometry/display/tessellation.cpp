#include "oloid/geometry/display/tessellation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "oloid/geometry/bezier/patch_domain.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/display/tile.h"

namespace oloid::geometry {
namespace {

constexpr int kMostSegments = 4096;  // along one side
constexpr std::size_t kMostTriangles = 10'000'000;
constexpr double kSameVertex = 1e-9;  // of the size
constexpr double kSameNormal = 1e-3;  // [rad]: less is shaded as smooth
constexpr int kTrimmedSegments = 32;  // at least, across a tile with trimmed edges

struct Sample {
  Vec3<double> p, n;
};

// The sets into which equal things fall.
class Classes {
 public:
  explicit Classes(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  // Every look halves the way for the next one.
  std::size_t of(std::size_t i) const {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t i, std::size_t j) { parent_[of(i)] = of(j); }

 private:
  mutable std::vector<std::size_t> parent_;
};

// Each tile becomes a regular grid. Opposite sides of a tile and sides that meet have equally many
// segments, so that grids fit together and every vertex of a side is one of its neighbour's.
class Tessellator {
 public:
  Tessellator(const Shape& shape, const MeshOptions& options)
      : shape_(shape),
        options_(options),
        tiles_(tiles(shape, options.reach)),
        sides_(4 * tiles_.size()),
        classes_(4 * tiles_.size()),
        corners_(4 * tiles_.size()) {}

  Result<Mesh> run();

 private:
  struct PlacedShape {
    Vec3<double> start, middle, end;
    std::size_t points = 0;  // the side whose points are used: its own or its neighbour's
    bool collapsed = false;
  };
  static std::size_t id(std::size_t tile, int side) {
    return 4 * tile + static_cast<std::size_t>(side);
  }
  const PatchDomain& domain(std::size_t tile) const {
    return tiles_[tile].sides == 4 ? PatchDomain::square() : PatchDomain::triangle();
  }
  Sample sample(std::size_t tile, const Uv<double>& q) const;
  double deviation(std::size_t tile, const Uv<double>& a, const Uv<double>& b) const;
  double worst_deviation(std::size_t tile, const Uv<double>& step) const;
  void match_sides();
  void take_neighbour(std::size_t a, std::size_t b);
  bool choose_segments();
  int segments(std::size_t tile, int side) const { return segments_[classes_.of(id(tile, side))]; }
  int vertex(std::size_t tile, const Uv<double>& q);
  int place(std::size_t tile, int side, int k, int n);
  int corner(std::size_t tile, int i);
  int shared_vertex(int place, const Sample& s);
  void fill(std::size_t tile);
  void add(const std::array<int, 3>& triangle);

  const Shape& shape_;
  const MeshOptions& options_;
  std::vector<Tile> tiles_;
  std::vector<PlacedShape> sides_;
  Classes classes_;  // of sides with equally many segments
  Classes corners_;  // of corners that are one point
  std::vector<int> segments_;
  double size_ = 0;  // [m]

  // Places on sides: each has one position, and a vertex for each normal there.
  std::vector<Vec3<double>> places_;
  std::vector<std::vector<int>> vertices_at_;
  std::map<std::size_t, int> corner_places_;          // by class
  std::map<std::pair<std::size_t, int>, int> along_;  // (side, segment) to place
  Mesh mesh_;
};

Sample Tessellator::sample(std::size_t tile, const Uv<double>& q) const {
  const Location at = location(shape_, tiles_[tile], q.x(), q.y());
  // Any reference direction that is not the normal will do: only the normal is used.
  LocalSurface<double> local = local_surface<double>(shape_, at.chart, at.x, {1, 0, 0});
  if (!(std::abs(local.R(0, 2)) < 0.9))
    local = local_surface<double>(shape_, at.chart, at.x, {0, 1, 0});
  return {local.p, local.R.col(2)};
}

// How far a chord is from the surface, at places that no symmetry of the surface singles out. [m]
double Tessellator::deviation(std::size_t tile, const Uv<double>& a, const Uv<double>& b) const {
  const Vec3<double> p = sample(tile, a).p, q = sample(tile, b).p;
  double worst = 0;
  for (const double t : {0.14, 0.33, 0.5, 0.71, 0.87}) {
    const Sample at = sample(tile, a + t * (b - a));
    worst = std::max(worst, std::abs(at.n.dot(p + t * (q - p) - at.p)));
  }
  return worst;
}

void Tessellator::take_neighbour(std::size_t a, std::size_t b) {
  const auto next = [&](std::size_t side) {  // the corner where it ends
    const std::size_t tile = side / 4;
    return id(tile,
              static_cast<int>((side % 4 + 1) % static_cast<std::size_t>(tiles_[tile].sides)));
  };
  classes_.unite(a, b);
  corners_.unite(a, next(b));
  corners_.unite(next(a), b);
  sides_[std::max(a, b)].points = std::min(a, b);
}

void Tessellator::match_sides() {
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    const Tile& tile = tiles_[k];
    for (int i = 0; i < tile.sides; ++i) {
      const auto at = [&](double s) { return sample(k, domain(k).on_side(i, s)).p; };
      PlacedShape& side = sides_[id(k, i)];
      side = {at(0), at(0.5), at(1), id(k, i), false};
      size_ = std::max(
          {size_, (side.middle - sides_[0].start).norm(), (side.end - sides_[0].start).norm()});
    }
  }
  const double same = kSameVertex * size_;
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    for (int i = 0; i < tiles_[k].sides; ++i) {
      PlacedShape& side = sides_[id(k, i)];
      side.collapsed =
          std::max((side.middle - side.start).norm(), (side.end - side.start).norm()) <= same;
      if (side.collapsed) corners_.unite(id(k, i), id(k, (i + 1) % tiles_[k].sides));
      const TileSide& beyond = tiles_[k].beyond[static_cast<std::size_t>(i)];
      if (beyond.tile >= 0) {
        take_neighbour(id(k, i), id(static_cast<std::size_t>(beyond.tile), beyond.side));
      } else if (!side.collapsed) {
        open.push_back(id(k, i));
      }
    }
    // A quadrangle has as many segments on opposite sides, a triangle on all three.
    classes_.unite(id(k, 0), id(k, 2));
    classes_.unite(id(k, 1), tiles_[k].sides == 4 ? id(k, 3) : id(k, 0));
  }
  std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return sides_[a].middle.x() < sides_[b].middle.x();
  });
  for (std::size_t i = 0; i < open.size(); ++i) {
    const PlacedShape& a = sides_[open[i]];
    for (std::size_t j = i + 1; j < open.size(); ++j) {
      const PlacedShape& b = sides_[open[j]];
      if (b.middle.x() - a.middle.x() > same) break;
      if ((a.middle - b.middle).norm() <= same && (a.start - b.end).norm() <= same &&
          (a.end - b.start).norm() <= same)
        take_neighbour(open[i], open[j]);
    }
  }
}

// The largest deviation of chords that run `step` ahead in (s, t), at most kLines × kLines of them.
double Tessellator::worst_deviation(std::size_t tile, const Uv<double>& step) const {
  constexpr int kLines = 8, kMost = 64;
  const bool triangle = tiles_[tile].sides == 3;
  const auto places = [&](double h) {  // starts of chords that stay within [0, 1]
    const int all = h == 0 ? kLines : static_cast<int>(std::lround(1 / std::abs(h))) - 1;
    return std::min(all, kMost);
  };
  const auto start = [](int i, int n, double h) {
    const double from = n == 0 ? 0 : (1 - std::abs(h)) * i / n;
    return h < 0 ? from - h : from;
  };
  const int n = places(step.x()), m = places(step.y());
  double worst = 0;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= m; ++j) {
      const Uv<double> a(start(i, n, step.x()), start(j, m, step.y()));
      if (triangle && std::max(a.sum(), (a + step).sum()) > 1 + 1e-12) continue;
      worst = std::max(worst, deviation(tile, a, a + step));
    }
  }
  return worst;
}

// As many segments for each class of sides as its most curved tile needs: nearly half the tolerance
// along sides of a cell, all of it along the diagonals.
bool Tessellator::choose_segments() {
  segments_.assign(sides_.size(), 1);
  const double tolerance = options_.tolerance;
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    std::array<int, 2> n{};
    n.fill(tiles_[k].trimmed ? kTrimmedSegments : 1);
    const auto refine = [&](std::size_t i, double factor) {
      n[i] = std::max(n[i] + 1, static_cast<int>(std::ceil(n[i] * std::sqrt(factor))));
    };
    for (bool fine = false; !fine;) {
      fine = true;
      const Uv<double> h(1.0 / n[0], 1.0 / n[1]);
      std::array<double, 2> excess{worst_deviation(k, {h.x(), 0}), worst_deviation(k, {0, h.y()})};
      // A triangle has as many segments on all sides: a straight one may not hide the others.
      if (tiles_[k].sides == 3) excess.fill(std::max(excess[0], excess[1]));
      for (std::size_t i = 0; i < 2; ++i) {
        excess[i] /= 0.45 * tolerance;
        if (excess[i] > 1) refine(i, excess[i]);
        fine = fine && excess[i] <= 1;
      }
      if (fine) {
        const double across = std::max(worst_deviation(k, h), worst_deviation(k, {h.x(), -h.y()})) /
                              (0.95 * tolerance);
        for (std::size_t i = 0; i < 2 && across > 1; ++i) refine(i, across);
        fine = across <= 1;
      }
      if (!(std::max(n[0], n[1]) <= kMostSegments)) return false;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      int& segments = segments_[classes_.of(id(k, i == 0 ? 0 : 1))];
      segments = std::max(segments, n[i]);
    }
  }
  return true;
}

int Tessellator::corner(std::size_t tile, int i) {
  const std::size_t one = corners_.of(id(tile, i % tiles_[tile].sides));
  const auto [known, fresh] = corner_places_.try_emplace(one, static_cast<int>(places_.size()));
  if (fresh) {
    places_.push_back(sides_[one].start);
    vertices_at_.emplace_back();
  }
  return known->second;
}

// Where along a side a vertex lies: the k-th of n segments' starts.
int Tessellator::place(std::size_t tile, int side, int k, int n) {
  const std::size_t own = id(tile, side);
  if (k == 0 || sides_[own].collapsed) return corner(tile, side);
  if (k == n) return corner(tile, side + 1);
  const std::size_t points = sides_[own].points;
  if (points != own) k = n - k;
  const auto [known, fresh] = along_.try_emplace({points, k}, static_cast<int>(places_.size()));
  if (fresh) {
    const std::size_t owner = points / 4;
    const Uv<double> q =
        domain(owner).on_side(static_cast<int>(points % 4), static_cast<double>(k) / n);
    places_.push_back(sample(owner, q).p);
    vertices_at_.emplace_back();
  }
  return known->second;
}

int Tessellator::shared_vertex(int place, const Sample& s) {
  auto& known = vertices_at_[static_cast<std::size_t>(place)];
  for (const int v : known) {
    if ((mesh_.normals[static_cast<std::size_t>(v)] - s.n).norm() <= kSameNormal) return v;
  }
  known.push_back(static_cast<int>(mesh_.vertices.size()));
  mesh_.vertices.push_back(places_[static_cast<std::size_t>(place)]);
  mesh_.normals.push_back(s.n);
  return known.back();
}

int Tessellator::vertex(std::size_t tile, const Uv<double>& q) {
  const int sides = tiles_[tile].sides;
  const Uv<double> middle = domain(tile).middle();
  Sample s = sample(tile, q);
  const auto is_on = [&](int side) { return std::abs(domain(tile).margin(side, q)) <= 1e-12; };
  for (int side = 0; side < sides; ++side) {
    // A side that is one point may have no normal of its own: take that of a place nearby.
    if (is_on(side) && sides_[id(tile, side)].collapsed)
      s.n = sample(tile, q + 1e-4 * (middle - q)).n;
  }
  for (int side = 0; side < sides; ++side) {
    if (!is_on(side)) continue;
    const int n = segments(tile, side);
    const double along = domain(tile).along_side(side, q) * n;
    return shared_vertex(place(tile, side, static_cast<int>(std::lround(along)), n), s);
  }
  mesh_.vertices.push_back(s.p);
  mesh_.normals.push_back(s.n);
  return static_cast<int>(mesh_.vertices.size()) - 1;
}

void Tessellator::add(const std::array<int, 3>& t) {
  const auto p = [&](std::size_t i) { return mesh_.vertices[static_cast<std::size_t>(t[i])]; };
  if (p(0) == p(1) || p(1) == p(2) || p(2) == p(0)) return;  // at a side that is one point
  mesh_.triangles.push_back(t);
}

// The part of a triangle that trimming keeps: its corners in order, and new ones on the trimmed
// edge where it cuts the triangle's sides.
class Clipper {
 public:
  Clipper(const Shape& shape, const Tile& tile) : shape_(shape), tile_(tile) {}

  struct Corner {
    Uv<double> q;
    int vertex;
  };
  template <class NewVertex, class Add>
  void clip(const std::array<Corner, 3>& corners, const NewVertex& new_vertex, const Add& add) {
    std::vector<int> inner;
    for (std::size_t i = 0; i < 3; ++i) {
      const Corner &a = corners[i], &b = corners[(i + 1) % 3];
      const bool a_in = inside(a.q), b_in = inside(b.q);
      if (a_in) inner.push_back(a.vertex);
      if (a_in != b_in) inner.push_back(cut(a, b, new_vertex));
    }
    for (std::size_t i = 2; i < inner.size(); ++i) add({inner[0], inner[i - 1], inner[i]});
  }

 private:
  bool inside(const Uv<double>& q) const { return kept(shape_, tile_, q.x(), q.y()) >= 0; }
  template <class NewVertex>
  int cut(const Corner& a, const Corner& b, const NewVertex& new_vertex) {
    const auto key = std::minmax(a.vertex, b.vertex);
    if (const auto known = cuts_.find(key); known != cuts_.end()) return known->second;
    Uv<double> in = inside(a.q) ? a.q : b.q, out = inside(a.q) ? b.q : a.q;
    for (int i = 0; i < 50; ++i) {
      const Uv<double> middle = 0.5 * (in + out);
      (inside(middle) ? in : out) = middle;
    }
    return cuts_[key] = new_vertex(in);
  }
  const Shape& shape_;
  const Tile& tile_;
  std::map<std::pair<int, int>, int> cuts_;
};

void Tessellator::fill(std::size_t k) {
  const Tile& tile = tiles_[k];
  const int n = segments(k, 0), m = tile.sides == 4 ? segments(k, 1) : n;
  const auto columns = static_cast<std::size_t>(m) + 1;
  const auto q = [&](int i, int j) {
    return Uv<double>(static_cast<double>(i) / n, static_cast<double>(j) / m);
  };
  std::vector<int> grid(static_cast<std::size_t>(n + 1) * columns, -1);
  const auto at = [&](int i, int j) -> int& {
    return grid[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)];
  };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (tile.sides == 4 ? m : m - i); ++j) at(i, j) = vertex(k, q(i, j));

  Clipper clipper(shape_, tile);
  const auto emit = [&](std::array<std::array<int, 2>, 3> t) {
    std::array<Clipper::Corner, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) corners[i] = {q(t[i][0], t[i][1]), at(t[i][0], t[i][1])};
    if (!tile.trimmed) {
      add({corners[0].vertex, corners[1].vertex, corners[2].vertex});
      return;
    }
    clipper.clip(
        corners,
        [&](const Uv<double>& uv) {
          const Sample s = sample(k, uv);
          mesh_.vertices.push_back(s.p);
          mesh_.normals.push_back(s.n);
          return static_cast<int>(mesh_.vertices.size()) - 1;
        },
        [&](const std::array<int, 3>& triangle) { add(triangle); });
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < (tile.sides == 4 ? m : m - i); ++j) {
      if (tile.sides == 3) {
        emit({{{i, j}, {i + 1, j}, {i, j + 1}}});
        if (i + j + 2 <= m) emit({{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}});
      } else if ((i + j) % 2 == 0) {  // diagonals alternate: no preferred direction
        emit({{{i, j}, {i + 1, j}, {i + 1, j + 1}}});
        emit({{{i, j}, {i + 1, j + 1}, {i, j + 1}}});
      } else {
        emit({{{i, j}, {i + 1, j}, {i, j + 1}}});
        emit({{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}});
      }
    }
  }
}

Result<Mesh> Tessellator::run() {
  if (!(options_.tolerance > 0) || !(options_.reach > 0)) {
    return refuse("tolerance and reach of a mesh must be lengths greater than 0",
                  "specify them in metres");
  }
  if (tiles_.empty()) {
    return refuse("this quadric cannot be meshed", "only ellipsoids and paraboloids can");
  }
  match_sides();
  std::size_t triangles = 0;
  const bool fine = choose_segments();
  for (std::size_t k = 0; fine && k < tiles_.size(); ++k)
    triangles +=
        2 * static_cast<std::size_t>(segments(k, 0)) * static_cast<std::size_t>(segments(k, 1));
  if (!fine || triangles > kMostTriangles) {
    return refuse(
        fmt::format("a mesh accurate to {:g} m would have too many triangles", options_.tolerance),
        "use a larger tolerance");
  }
  for (std::size_t k = 0; k < tiles_.size(); ++k) fill(k);
  return std::move(mesh_);
}

}  // namespace

Result<Mesh> tessellate(const Shape& shape, const MeshOptions& options) {
  return Tessellator(shape, options).run();
}

}  // namespace oloid::geometry
