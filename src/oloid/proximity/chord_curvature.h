// Whether bodies that touch at one place can touch at another: a number for each place of a body.
//
// Two points x, y of a surface with normal N have a chord curvature
//   κ(x, y) = −2 N(x)·(y − x) / |y − x|²,
// that of the sphere which touches the surface at x and passes through y: 1/R for every two points
// of a ball, 0 for those of a plane, and the normal curvature as y comes to x. Where bodies touch,
// at x_A and x_B, they have no other point in common if k_A + k_B > 0, with k the least of
// κ(x, y) over all y, however they are turned. docs/theory/encounters.md, "Held pairs".
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "oloid/proximity/cell_tree.h"

namespace oloid::proximity {

class FarBody;

// A part of a surface: locations of one chart.
struct Region {
  ChartId chart{0};
  Vec3<double> low = Vec3<double>::Zero(), high = Vec3<double>::Zero();
};

class ChordCurvature {
 public:
  // Both must outlive it. Without bounds little is known.
  ChordCurvature(const TouchableBody& features, const FarBody* bounds);

  // Lower bound of κ(x, y) for all x of a region, from the kind of shape alone [1/m]; −∞ if that
  // gives none.
  double of_kind(const Region& x) const;
  // Lower bound of the normal curvatures in a region [1/m]; −∞ if nothing is known. Higher levels
  // use smaller cells.
  double normal_curvature(const Region& x, int level) const;
  // Whether κ(x, y) ≥ k is proven for all x of a region and all y of the body. What has been found
  // is kept; several threads may call this at the same time.
  bool is_at_least(double k, const Region& x, int level) const;
  static constexpr int kLevels = 11;

 private:
  struct Known {
    double proven = -kInfinity, failed = kInfinity;  // [1/m]
  };
  class Scan;
  template <class Holds, class Test>
  bool all_of(const Region& x, int level, const Holds& holds, const Test& test) const;
  template <class Holds, class Test>
  bool all_below(int node, const Region& x, int splits, const Holds& holds, const Test& test) const;
  bool examine(int node, double k) const;
  bool is_beyond_cells(const Region& x) const;
  struct Parts {
    std::array<Region, 2> all;
    std::size_t count = 1;
  };
  Parts turned_back(const Region& x) const;

  const Shape* shape_;
  int angular_charts_ = 0;  // of so many charts the first coordinate is an angle; others are caps
  double smallest_ = 0;     // [m], of cells that are examined
  mutable std::mutex mutex_;
  mutable std::unique_ptr<CellView> cells_;  // none if nothing more can be proven
  std::vector<std::vector<int>> roots_;      // the largest cells, by chart
  mutable std::vector<Known> known_;         // by node
};

// Whether bodies that touch in these regions touch nowhere else.
bool touch_nowhere_else(const ChordCurvature& A, const Region& x_A, const ChordCurvature& B,
                        const Region& x_B);

}  // namespace oloid::proximity
