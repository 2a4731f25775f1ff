// The global phase: pairs of nearest points of a tool and a model, wherever they are.
//
// A search (proximity/search.h), not a certificate.
#pragma once

#include <array>
#include <span>

#include "oloid/proximity/search.h"

namespace oloid::haptics {

inline constexpr int kMostPairs = 8;  // of a tool and its model, at a time

struct FoundPairs {
  std::array<TrackedPair, kMostPairs> pairs;  // nearest first
  int count = 0;
  std::span<const TrackedPair> all() const {
    return {pairs.data(), static_cast<std::size_t>(count)};
  }
};

// Whether two pairs are one: points and normals agree; if one is conforming, and may lie anywhere
// along the other, gaps and normals.
bool same_pair(const TrackedPair& a, const TrackedPair& b, double length);

class PairSearch {
 public:
  // The bodies are not copied and must outlive the search.
  PairSearch(const TouchableBody& A, const TouchableBody& B, double reach)
      : A_(A), B_(B), reach_(reach) {}

  // Local minima of the distance, apart or overlapping by at most the reach. A face that lies flat
  // gives one pair, conforming, also if it is tilted by less than 1e-7. Allocates.
  FoundPairs at(const Pose<double>& X_BA) const;

 private:
  bool lies_flat(const TrackedPair& pair, const Pose<double>& X_BA) const;

  SearchBody A_, B_;
  double reach_;
};

}  // namespace oloid::haptics
