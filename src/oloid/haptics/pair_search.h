// The global phase: pairs of nearest points of a tool and a model, wherever they are.
//
// Newton's method from the most promising of many starts. A search, not a certificate.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "oloid/proximity/features.h"
#include "oloid/proximity/tracked_pair.h"

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
  PairSearch(const Features& A, const Features& B, double reach);

  // Local minima of the distance, apart or overlapping by at most the reach. In overlap each point
  // of a pair must lie behind the other body's surface; other extremal pairs with a negative gap
  // are no contacts. Allocates.
  FoundPairs at(const Pose<double>& X_BA) const;

 private:
  // A place on a body, seen once and kept.
  struct Sample {
    Spot spot;
    Vec3<double> p;  // [m]
    Vec3<double> z;  // outward unit normal of a surface, else 0
  };
  struct Start {
    double score;  // little distance and opposite normals are promising
    Sample a, b;   // in B's frame
  };
  static std::vector<Sample> samples(const Features& body);
  double score(const Sample& a, const Sample& b) const;
  std::vector<Start> starts(const Pose<double>& X_BA) const;
  std::vector<Start> spread(std::vector<Start> all) const;
  static bool is_behind(const Vec3<double>& p, const Features& body,
                        const std::vector<Sample>& on_body);
  bool really_overlaps(const TrackedPair& pair, const Pose<double>& X_BA) const;

  const Features* A_;
  const Features* B_;
  double reach_, length_;
  std::vector<Sample> on_A_, on_B_;  // each in its own body
};

}  // namespace oloid
