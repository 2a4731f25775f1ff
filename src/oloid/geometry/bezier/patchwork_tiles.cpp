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
    const bool whole =
        n <= 4 && std::all_of(at.sides.begin(), at.sides.end(),
                              [](const PlacedShape& side) { return side.parts == 1; });
    const auto add = [&](int sides, const Uv<double>& a, const Uv<double>& b, const Uv<double>& c) {
      result.push_back({ChartTile{ChartId{i}, a, b - a, c - a}, sides, trimmed(i)});
    };
    if (whole) add(n, unit.corner(0), unit.corner(1), unit.corner(n - 1));
    for (int k = 0; k < n; ++k) {
      for (int part = 0; part < at.side(k).parts; ++part) {
        const Seam& seam = at.side(k).seams[static_cast<std::size_t>(part)];
        if (!whole) add(3, unit.on_side(k, seam.from), unit.on_side(k, seam.to), unit.middle());
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
      const auto at_rim = [&, side = own.side](double s) {
        const Uv<double> q = unit.on_side(side, 1 - s);
        const Location at = std::get<ChartTile>(rim.place).at(q.x(), q.y());
        return jet<0>(at.chart.index, Uv<double>(at.x.head<2>())).d(0, 0);
      };
      const Uv<double> a = disc.below(at_rim(0)), b = disc.below(at_rim(1));
      const int index = patches() + seam.cap;
      Tile tile{ChartTile{ChartId{index}, a, b - a, -a}, 3};
      tile.beyond[0] = own;
      result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] = {
          static_cast<int>(result.size()), 0};
      result.push_back(tile);
      continue;
    }
    if (!seam.beyond.at.valid()) continue;
    result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] =
        outer.at({seam.beyond.at.patch, seam.beyond.at.side, seam.beyond.from});
  }
  return result;
}

double Patchwork::kept(const Tile& tile, double s, double t) const {
  const Location q = std::get<ChartTile>(tile.place).at(s, t);
  const Chart& at = chart(q.chart.index);
  return at.trimming->signed_distance(at.trimming_uv(q.x.head<2>()));
}

}  // namespace oloid::geometry
