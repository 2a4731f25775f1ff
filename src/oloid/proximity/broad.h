// Which of many bodies are near each other: boxes in a grid of cells.
//
// A box lies in cells of the smallest power of two that is not smaller than it, so in at most eight
// of them; a query looks into the cells of every size in use. The cost of moving a box and of
// finding its neighbours depends on the number of neighbours, not of bodies. Results are in the
// order of the bodies' numbers, independent of what happened before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "oloid/geometry/core/box.h"

namespace oloid::proximity {

class BroadPhase {
 public:
  struct Pair {
    int a, b;  // a < b
    friend bool operator==(const Pair&, const Pair&) = default;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // Returns the body's number. Boxes are in one common frame; they may be infinite. A box that
  // contains NaN counts as all of space: the body is then near every other. An empty one is near
  // nothing.
  int add(const Box& box);
  void move(int body, const Box& box);
  int bodies() const { return static_cast<int>(boxes_.size()); }
  const Box& box(int body) const { return boxes_[static_cast<std::size_t>(body)]; }

  // The other bodies whose boxes touch that of a body, in order. Valid until the next call.
  const std::vector<int>& near(int body);
  // The same of all bodies.
  std::vector<Pair> near_pairs();

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  struct Level {  // cells of one size
    std::unordered_map<Cell, std::vector<int>, CellHash> cells;
    int bodies = 0;
  };
  // Levels of boxes that are not in any cell.
  static constexpr int kUnbounded = 1 << 20, kEmpty = kUnbounded + 1;
  static int level_of(const Box& box);
  template <class Visit>
  static void each_cell(int level, const Box& box, const Visit& visit);
  void put(int body);
  void take_out(int body);
  void look(const Level& level, int size, int body);

  std::vector<Box> boxes_;
  std::map<int, Level> levels_;
  std::vector<int> unbounded_, found_;
};

}  // namespace oloid::proximity
