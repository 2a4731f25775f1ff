// Tiles of patchworks: patches, fans of triangles, and which lie side by side.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "oloid/geometry/bezier/patchwork.h"

namespace oloid::geometry {

// A patch is a tile, unless it has a side in two parts or more than four sides: then it is a fan of
// triangles from its middle, one on each part of a side. A cap is a fan too.
std::vector<Tile> Patchwork::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  std::map<std::tuple<int, int, double>, TileSide> outer;  // patch, side, where its part begins
  std::vector<std::pair<TileSide, Seam>> wanted;
  for (int i = 0; i < patches(); ++i) {
    const Chart& at = chart(i);
    const PatchDomain& unit = domain(at.patch);
    const int n = unit.sides();
    const bool whole = n <= 4 && std::all_of(at.sides.begin(), at.sides.end(),
                                             [](const Side& side) { return side.parts == 1; });
    const auto kept = [&](Tile& tile) {
      if (!at.trimming) return;
      tile.kept = [this_chart = at, map = tile.at](double s, double t) {
        const Location q = map(s, t);
        return this_chart.trimming->signed_distance(this_chart.trimming_uv(q.x.head<2>()));
      };
    };
    if (whole) {
      const Uv<double> a = unit.corner(0), b = unit.corner(1), c = unit.corner(n - 1);
      Tile tile{[=](double s, double t) {
                  Location q{ChartId{i}};
                  q.x.head<2>() = a + s * (b - a) + t * (c - a);
                  return q;
                },
                n};
      kept(tile);
      result.push_back(std::move(tile));
    }
    for (int k = 0; k < n; ++k) {
      for (int part = 0; part < at.side(k).parts; ++part) {
        const Seam& seam = at.side(k).seams[static_cast<std::size_t>(part)];
        if (!whole) {
          const Uv<double> a = unit.on_side(k, seam.from), b = unit.on_side(k, seam.to),
                           m = unit.middle();
          Tile tile{[=](double s, double t) {
                      Location q{ChartId{i}};
                      q.x.head<2>() = a + s * (b - a) + t * (m - a);
                      return q;
                    },
                    3};
          kept(tile);
          result.push_back(std::move(tile));
        }
        const TileSide own{static_cast<int>(result.size()) - 1, whole ? k : 0};
        outer[{i, k, seam.from}] = own;
        wanted.push_back({own, seam});
      }
    }
  }
  for (const auto& [own, seam] : wanted) {
    if (seam.cap >= 0) {  // one triangle of the cap's fan
      const PatchCap& disc = caps_[static_cast<std::size_t>(seam.cap)];
      const Tile& rim = result[static_cast<std::size_t>(own.tile)];
      const PatchDomain& unit = rim.sides == 4 ? PatchDomain::square() : PatchDomain::triangle();
      const auto at_rim = [this, map = rim.at, unit, side = own.side](double s) {
        const Uv<double> q = unit.on_side(side, 1 - s);
        const Location at = map(q.x(), q.y());
        return jet<0>(at.chart.index, Uv<double>(at.x.head<2>())).d(0, 0);
      };
      const Uv<double> a = disc.below(at_rim(0)), b = disc.below(at_rim(1));
      const int index = patches() + seam.cap;
      Tile tile{[=](double s, double t) {
                  Location q{ChartId{index}};
                  q.x.head<2>() = (1 - s - t) * a + s * b;
                  return q;
                },
                3};
      tile.beyond[0] = own;
      result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] = {
          static_cast<int>(result.size()), 0};
      result.push_back(std::move(tile));
      continue;
    }
    if (!seam.beyond.at.valid()) continue;
    result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] =
        outer.at({seam.beyond.at.patch, seam.beyond.at.side, seam.beyond.from});
  }
  return result;
}

}  // namespace oloid::geometry
