// Tiles of hulls of circles: triangles between the arcs, fans of discs, and cones.
#include <algorithm>
#include <cmath>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/analytic/circle_hull.h"

namespace oloid::geometry {
namespace {

constexpr double kLongestTileArc = kPi / 6;  // of a tile

}  // namespace

// An arc is run through by its phase, from −π/2 to π/2, a whole circle from 0 to 2π: near the end
// of an arc U grows like the root of the angle, so that it is a smooth function of the phase.
double CircleHull::angle_at(const Run& run, double phase) const {
  if (run.closed) return phase;
  if (std::abs(phase) == kPi / 2) return phase < 0 ? run.from : run.to;
  return 0.5 * (run.from + run.to) + 0.5 * (run.to - run.from) * std::sin(phase);
}

// Phases that both sides of an arc divide it at.
std::vector<double> CircleHull::stations(const Run& run) const {
  const double from = run.closed ? 0 : -kPi / 2;
  const double to = run.closed ? std::copysign(2 * kPi, run.to - run.from) : kPi / 2;
  const double speed = run.closed ? 1 : 0.5 * std::abs(run.to - run.from);
  const int n = std::max(
      2, static_cast<int>(std::ceil(speed * std::abs(to - from) / kLongestTileArc - 1e-9)));
  std::vector<double> phases;
  phases.reserve(at(n) + 1);
  for (int k = 0; k < n; ++k) phases.push_back(from + (to - from) * k / n);
  phases.push_back(to);
  return phases;
}

// Between the borders of a strip lie triangles, each with one side on an arc, along which the phase
// runs evenly, and two straight ones in (U, v). Both sides of an arc have the same stations.
void CircleHull::ladder(std::size_t index, std::vector<Tile>& tiles) const {
  struct Rung {
    double from, to;    // U at both ends
    double start, end;  // the phase there
    int run;
  };
  std::array<std::vector<Rung>, 2> rungs;
  const double count = loops_[index].count;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t r = 0; r < runs_[i].size(); ++r) {
      const Run& run = runs_[i][r];
      if (at(run.loop) != index) continue;
      const std::vector<double> phases = stations(run);
      const auto U = [&](double phase) { return place(i, run, angle_at(run, phase)); };
      for (std::size_t k = 0; k + 1 < phases.size(); ++k) {
        rungs[i].push_back(
            {U(phases[k]), U(phases[k + 1]), phases[k], phases[k + 1], static_cast<int>(r)});
        // U goes on growing over the end of the loop.
        Rung& last = rungs[i].back();
        if (k > 0) last.from = rungs[i][rungs[i].size() - 2].to;
        if (last.to < last.from) last.to += count;
      }
    }
  }
  // Both borders once round, beginning with the first rung; the second border's next rung after it.
  std::size_t b = 0;
  const double start = rungs[0][0].from;
  for (std::size_t k = 0; k < rungs[1].size(); ++k) {
    const auto ahead = [&](std::size_t j) {
      return rungs[1][j].from - start - count * std::floor((rungs[1][j].from - start) / count);
    };
    if (ahead(k) < ahead(b)) b = k;
  }
  // Added to U of the second border, so that it follows the first.
  const double turn = count * -std::floor((rungs[1][b].from - start) / count);
  std::size_t i = 0, j = 0;  // rungs passed
  while (i < rungs[0].size() || j < rungs[1].size()) {
    const auto passed = [&](std::size_t side, std::size_t k) {  // the rung, and whole turns so far
      const std::size_t m = (side == 0 ? 0 : b) + k, turns = m / rungs[side].size();
      return std::pair(rungs[side][m % rungs[side].size()],
                       (side == 0 ? 0 : turn) + count * static_cast<double>(turns));
    };
    const auto [below, shift_below] = passed(0, i);
    const auto [above, shift_above] = passed(1, j);
    const bool on_first = j >= rungs[1].size() ||
                          (i < rungs[0].size() && below.to + shift_below <= above.to + shift_above);
    const std::size_t side = on_first ? 0 : 1;
    const Rung rung = on_first ? below : above;
    const double shift = on_first ? shift_below : shift_above;
    const double apex = on_first ? above.from + shift_above : below.from + shift_below;
    tiles.push_back({StripTile{static_cast<int>(side), rung.run, static_cast<int>(index),
                               rung.start, rung.end, rung.from, rung.to, shift, apex},
                     3});
    ++(on_first ? i : j);
  }
}

Location CircleHull::on_tile(const StripTile& tile, double s, double t) const {
  const bool on_first = tile.circle == 0;
  const Run& run = runs_[at(tile.circle)][at(tile.run)];
  const double part = t < 1 ? s / (1 - t) : 0;
  const double along = on_first ? part : 1 - part;
  const double angle = angle_at(run, tile.start + along * (tile.end - tile.start));
  double U = along <= 0 ? tile.from : along >= 1 ? tile.to : place(at(tile.circle), run, angle);
  const double count = loops_[at(tile.loop)].count;
  U += count * std::round((0.5 * (tile.from + tile.to) - U) / count);
  return inside(at(tile.loop), (1 - t) * (U + tile.shift) + t * tile.apex, on_first ? t : 1 - t);
}

Location CircleHull::on_tile(const SectorTile& tile, double s, double t) const {
  const double part = t < 1 ? s / (1 - t) : 0;
  const double angle = tile.from + part * (tile.to - tile.from);
  return {tile.chart, {(1 - t) * std::cos(angle), (1 - t) * std::sin(angle), 0}};
}

std::vector<Tile> CircleHull::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  for (std::size_t k = 0; k < loops_.size(); ++k) ladder(k, result);
  for (int i = 0; i < charts(); ++i) {
    if (face<HalfCone>(i)) {
      result.push_back({ChartTile{ChartId{i}, {0, 0}, {1, 0}, {0, 1}}});
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    if (disc_of_[c] < 0) continue;
    const FramedCircle& rim = face<DiscFace>(disc_of_[c])->rim;
    // Stations as on the strip, taken counter-clockwise seen from outside.
    const double sense = rim.b.dot(pair_.circles[c].b) > 0 ? 1 : -1;
    std::vector<double> angles = stations(runs_[c][0]);
    if ((angles.back() > 0) != (sense > 0)) std::reverse(angles.begin(), angles.end());
    for (std::size_t k = 0; k + 1 < angles.size(); ++k) {
      const double from = sense * angles[k], to = sense * angles[k + 1];
      result.push_back({SectorTile{ChartId{disc_of_[c]}, from, to}, 3});
    }
  }
  return result;
}

}  // namespace oloid::geometry
