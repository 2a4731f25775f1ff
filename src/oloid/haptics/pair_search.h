// The global phase: pairs of nearest points of a tool and a model, wherever they are.
//
// A search (proximity/search.h), not a certificate.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "oloid/proximity/search.h"

namespace oloid {

inline constexpr int kMostPairs = 8;  // of a tool and its model, at a time

struct FoundPairs {
  std::array<TrackedPair, kMostPairs> pairs;  // nearest first
  int count = 0;
  std::int64_t update = 0;  // of the tool, whose pose was searched at
  std::span<const TrackedPair> all() const {
    return {pairs.data(), static_cast<std::size_t>(count)};
  }
};

// Whether two pairs are one: points and normals agree; of conforming ones, which may lie anywhere
// along each other, gaps and normals.
bool same_pair(const TrackedPair& a, const TrackedPair& b, double length);

class PairSearch {
 public:
  // The bodies are not copied and must outlive the search.
  PairSearch(const Features& A, const Features& B, double reach) : A_(A), B_(B), reach_(reach) {}

  // Local minima of the distance, apart or overlapping by at most the reach. Allocates.
  FoundPairs at(const Pose<double>& X_BA) const;

 private:
  SearchBody A_, B_;
  double reach_;
};

}  // namespace oloid
