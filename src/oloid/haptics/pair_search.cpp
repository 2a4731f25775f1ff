#include "oloid/haptics/pair_search.h"

#include <algorithm>
#include <cmath>

namespace oloid {

bool same_pair(const TrackedPair& a, const TrackedPair& b, double length) {
  constexpr double kSame = 1e-4;  // parts of the length, and radians
  if ((a.normal - b.normal).norm() > kSame) return false;
  const double near = kSame * length;
  if (a.status == PairStatus::conforming && b.status == PairStatus::conforming)
    return std::abs(a.gap - b.gap) < near;
  return (a.point_A - b.point_A).norm() < near && (a.point_B - b.point_B).norm() < near;
}

FoundPairs PairSearch::at(const Pose<double>& X_BA) const {
  std::vector<TrackedPair> pairs = search_pairs(A_, B_, X_BA, reach_).pairs;
  std::erase_if(pairs, [this](const TrackedPair& pair) {
    return !pair.usable() || std::abs(pair.gap) > reach_;
  });
  std::stable_sort(pairs.begin(), pairs.end(), [](const TrackedPair& x, const TrackedPair& y) {
    return std::abs(x.gap) < std::abs(y.gap);
  });
  FoundPairs found;
  found.count = std::min(static_cast<int>(pairs.size()), kMostPairs);
  std::copy_n(pairs.begin(), found.count, found.pairs.begin());
  return found;
}

}  // namespace oloid
