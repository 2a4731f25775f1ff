#include "oloid/geometry/display/surface_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "oloid/geometry/bezier/patch_domain.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/display/tile.h"

namespace oloid::geometry {
namespace {

using Chain = std::vector<Vec3<double>>;

constexpr int kMostLines = 96;         // inside all tiles together, in each direction, if it can be
constexpr int kLinesInATile = 7;       // at most
constexpr int kFewestSegments = 4;     // of a line across a tile
constexpr int kMostLinePieces = 256;   // likewise
constexpr double kSameEnd = 1e-6;      // of the size
constexpr double kLeastExtent = 0.01;  // of the size

class LineDrawer {
 public:
  LineDrawer(const Shape& shape, const MeshOptions& options)
      : shape_(shape),
        tolerance_(options.tolerance),
        least_(kLeastExtent * std::min(bounding_radius(shape), options.reach)),
        tiles_(tiles(shape, options.reach)) {}

  SurfaceLines run() {
    for (const Edge& edge : edges(shape_)) lines_.borders.push_back(edge.curve.outline(tolerance_));
    std::erase_if(tiles_, [&](const Tile& tile) { return is_tiny(tile); });
    const bool of_patches = shape_.is<Patchwork>();
    const int across = std::clamp(
        static_cast<int>(kMostLines / std::max<std::size_t>(tiles_.size(), 1)), 1, kLinesInATile);
    for (const Tile& tile : tiles_) {
      if (of_patches) draw_sides(tile);
      draw_inside(tile, across);
    }
    return std::move(lines_);
  }

 private:
  Vec3<double> point(const Tile& tile, const Uv<double>& q) const {
    const Location at = location(shape_, tile, q.x(), q.y());
    return local_surface<double>(shape_, at.chart, at.x, {1, 0, 0}).p;
  }

  bool is_tiny(const Tile& tile) const {
    const Vec3<double> p = point(tile, {0, 0}), q = point(tile, {1, 0}), r = point(tile, {0, 1});
    return std::max({(q - p).norm(), (r - p).norm(), (q - r).norm()}) < least_ &&
           (point(tile, {0.5, 0.5}) - p).norm() < least_;
  }

  // The straight line from a to b in a tile's parameters, without what is trimmed away.
  void draw(const Tile& tile, const Uv<double>& a, const Uv<double>& b,
            std::vector<Chain>& to) const {
    const auto q = [&](int i, int n) -> Uv<double> {
      return a + (static_cast<double>(i) / n) * (b - a);
    };
    const auto coarse = [&](int n) {
      for (int i = 0; i < n; ++i) {
        const Vec3<double> middle = point(tile, q(2 * i + 1, 2 * n));
        const Vec3<double> chord = 0.5 * (point(tile, q(i, n)) + point(tile, q(i + 1, n)));
        if ((middle - chord).norm() > tolerance_) return true;
      }
      return false;
    };
    int n = kFewestSegments;
    while (n < kMostLinePieces && (coarse(n) || (tile.trimmed && n < kMostLinePieces / 4))) n *= 2;
    Chain chain;
    const auto finish = [&] {
      double extent = 0;  // a side may have shrunk to a point
      for (const Vec3<double>& p : chain) extent = std::max(extent, (p - chain.front()).norm());
      if (extent > least_) to.push_back(std::move(chain));
      chain.clear();
    };
    for (int i = 0; i <= n; ++i) {
      if (!(kept(shape_, tile, q(i, n).x(), q(i, n).y()) > 0)) {
        finish();
      } else {
        chain.push_back(point(tile, q(i, n)));
      }
    }
    finish();
  }

  void draw_sides(const Tile& tile) {
    const PatchDomain& domain = tile.sides == 4 ? PatchDomain::square() : PatchDomain::triangle();
    for (int i = 0; i < tile.sides; ++i) {
      const Uv<double> a = domain.on_side(i, 0), b = domain.on_side(i, 1);
      if (seen_.insert(key(point(tile, domain.on_side(i, 0.5)))).second)
        draw(tile, a, b, lines_.borders);
    }
  }

  void draw_inside(const Tile& tile, int count) {
    for (int i = 1; i <= count; ++i) {
      const double s = static_cast<double>(i) / (count + 1);
      const double end = tile.sides == 4 ? 1 : 1 - s;
      draw(tile, {s, 0}, {s, end}, lines_.parameters);
      draw(tile, {0, s}, {end, s}, lines_.parameters);
    }
  }

  // Sides of two tiles that are one line have the same middle.
  std::array<long, 3> key(const Vec3<double>& p) const {
    const double unit = kSameEnd * bounding_radius(shape_);
    return {std::lround(p.x() / unit), std::lround(p.y() / unit), std::lround(p.z() / unit)};
  }

  const Shape& shape_;
  double tolerance_;
  double least_;  // [m], extent of a line
  std::vector<Tile> tiles_;
  std::set<std::array<long, 3>> seen_;
  SurfaceLines lines_;
};

}  // namespace

SurfaceLines surface_lines(const Shape& shape, const MeshOptions& options) {
  return LineDrawer(shape, options).run();
}

}  // namespace oloid::geometry
