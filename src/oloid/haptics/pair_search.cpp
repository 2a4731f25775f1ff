#include "oloid/haptics/pair_search.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oloid/proximity/newton.h"

namespace oloid::haptics {

bool same_pair(const TrackedPair& a, const TrackedPair& b, double length) {
  constexpr double kSame = 1e-4;  // parts of the length, and radians
  if ((a.normal - b.normal).norm() > kSame) return false;
  const double near = kSame * length;
  if (a.status == PairStatus::conforming || b.status == PairStatus::conforming)
    return std::abs(a.gap - b.gap) < near;
  return (a.point_A - b.point_A).norm() < near && (a.point_B - b.point_B).norm() < near;
}

// An edge or vertex beside which the body hardly rises, so that others like it are as near.
bool PairSearch::lies_flat(const TrackedPair& pair, const Pose<double>& X_BA) const {
  constexpr double kFlat = 1e-7;  // [rad]
  return A_.features().larger(pair.A, -(X_BA.R.transpose() * pair.normal), -kFlat) ||
         B_.features().larger(pair.B, pair.normal, -kFlat);
}

FoundPairs PairSearch::at(const Pose<double>& X_BA) const {
  const double length = pair_length(A_.features(), B_.features());
  std::vector<TrackedPair> pairs;
  for (TrackedPair pair : search_pairs(A_, B_, X_BA, reach_).pairs) {
    if (!pair.usable() || std::abs(pair.gap) > reach_) continue;
    if (pair.status != PairStatus::found || lies_flat(pair, X_BA))
      pair.status = PairStatus::conforming;
    const auto same = [&](const TrackedPair& other) { return same_pair(pair, other, length); };
    if (std::none_of(pairs.begin(), pairs.end(), same)) pairs.push_back(pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const TrackedPair& x, const TrackedPair& y) {
    return std::abs(x.gap) < std::abs(y.gap);
  });
  FoundPairs found;
  found.count = std::min(static_cast<int>(pairs.size()), kMostPairs);
  std::copy_n(pairs.begin(), found.count, found.pairs.begin());
  return found;
}

}  // namespace oloid::haptics
