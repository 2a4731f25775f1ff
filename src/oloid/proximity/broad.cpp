#include "oloid/proximity/broad.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/contract.h"

namespace oloid::proximity {
namespace {

bool is_empty(const Box& box) { return (box.low.array() > box.high.array()).any(); }

// NaN cannot be compared: such a box counts as infinite.
Box usable(const Box& box) {
  const bool ordered = (box.low.array() <= box.high.array()).all();
  return ordered || is_empty(box) ? box : everywhere();
}

bool touch(const Box& a, const Box& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

// Cell numbers beyond this are not exact, so boxes that are farther away get larger cells.
constexpr double kFarthestCell = 1e15;

}  // namespace

std::size_t BroadPhase::CellHash::operator()(const Cell& cell) const {
  std::uint64_t h = 0;
  for (const std::int64_t x : cell)
    h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ull + (h >> 29);
  return static_cast<std::size_t>(h ^ (h >> 32));
}

int BroadPhase::level_of(const Box& box) {
  if (is_empty(box)) return kEmpty;
  const double size = box.size().maxCoeff();
  if (!std::isfinite(size) || !box.centre().allFinite()) return kUnbounded;
  const double farthest = std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
  int level = 0;
  std::frexp(std::max(size, farthest / kFarthestCell), &level);  // size ≤ 2^level
  return level;
}

template <class Visit>
void BroadPhase::each_cell(int level, const Box& box, const Visit& visit) {
  const auto index = [&](double x) {
    const double cell = std::floor(std::ldexp(x, -level));
    return static_cast<std::int64_t>(std::clamp(cell, -4 * kFarthestCell, 4 * kFarthestCell));
  };
  for (std::int64_t i = index(box.low.x()); i <= index(box.high.x()); ++i) {
    for (std::int64_t j = index(box.low.y()); j <= index(box.high.y()); ++j) {
      for (std::int64_t k = index(box.low.z()); k <= index(box.high.z()); ++k) visit(Cell{i, j, k});
    }
  }
}

int BroadPhase::add(const Box& box) {
  const int body = bodies();
  boxes_.push_back(usable(box));
  put(body);
  return body;
}

void BroadPhase::move(int body, const Box& box) {
  OLOID_EXPECT(body >= 0 && body < bodies());
  take_out(body);
  boxes_[static_cast<std::size_t>(body)] = usable(box);
  put(body);
}

void BroadPhase::put(int body) {
  const int level = level_of(box(body));
  if (level == kUnbounded) unbounded_.push_back(body);
  if (level >= kUnbounded) return;
  Level& grid = levels_[level];
  ++grid.bodies;
  each_cell(level, box(body), [&](const Cell& cell) { grid.cells[cell].push_back(body); });
}

void BroadPhase::take_out(int body) {
  const int level = level_of(box(body));
  if (level == kUnbounded) std::erase(unbounded_, body);
  if (level >= kUnbounded) return;
  const auto grid = levels_.find(level);
  each_cell(level, box(body), [&](const Cell& cell) {
    const auto at = grid->second.cells.find(cell);
    std::erase(at->second, body);
    if (at->second.empty()) grid->second.cells.erase(at);
  });
  if (--grid->second.bodies == 0) levels_.erase(grid);
}

void BroadPhase::look(const Level& level, int size, int body) {
  const Box& own = box(body);
  const auto see = [&](const std::vector<int>& cell) {
    for (const int other : cell) {
      if (other != body && touch(own, box(other))) found_.push_back(other);
    }
  };
  // If a large box covers many small cells, it is quicker to visit all cells that are in use.
  const Vec3<double> cells = own.size() * std::ldexp(1, -size) + Vec3<double>::Constant(2);
  if (!(cells.prod() < static_cast<double>(level.cells.size()))) {
    for (const auto& [cell, inside] : level.cells) see(inside);
    return;
  }
  each_cell(size, own, [&](const Cell& cell) {
    if (const auto at = level.cells.find(cell); at != level.cells.end()) see(at->second);
  });
}

const std::vector<int>& BroadPhase::near(int body) {
  found_.clear();
  if (is_empty(box(body))) return found_;
  for (const int other : unbounded_) {
    if (other != body && touch(box(body), box(other))) found_.push_back(other);
  }
  for (const auto& [size, level] : levels_) look(level, size, body);
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

std::vector<BroadPhase::Pair> BroadPhase::near_pairs() {
  std::vector<Pair> pairs;
  for (int body = 0; body < bodies(); ++body) {
    for (const int other : near(body)) {
      if (body < other) pairs.push_back({body, other});
    }
  }
  return pairs;
}

}  // namespace oloid::proximity
