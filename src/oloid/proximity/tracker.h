// Follows one pair of nearest points of two bodies as they move, through contact and penetration.
//
// Each update predicts the pair from the motion (velocity form) and corrects it by Newton's method
// at the new pose. It never searches globally and does not allocate. While the bodies overlap it
// stays on the local solution. A pair that vanishes or leaves its surfaces is reported, kept
// rigidly with the bodies, and has to be found anew (far.h) when they are apart.
#pragma once

#include <cstdint>

#include "oloid/proximity/features.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid {

// Newton's method from given spots, with feature changes; `normal` is a hint for where curves and
// vertices face each other.
TrackedPair nearest_from(const Features& A, const Features& B, const Pose<double>& X_BA,
                         const Spot& a, const Spot& b, const Vec3<double>& normal);

struct TrackerCounters {
  std::int64_t updates = 0, hits = 0, misses = 0;  // a hit: continued from the pair before
  std::int64_t iterations = 0, feature_changes = 0;
  std::int64_t vanished = 0, left = 0, failed = 0;
};

class Tracker {
 public:
  // The bodies are not copied and must outlive the tracker.
  Tracker(const Features& A, const Features& B) : A_(&A), B_(&B) {}

  // From a pair that is known, of the far phase for example.
  const TrackedPair& start(const Pose<double>& X_BA, const TrackedPair& pair);
  // To a new pose. Without a motion the difference of the poses is taken.
  const TrackedPair& update(const Pose<double>& X_BA);
  // The same, where A moves with the twist V_BA, in B's frame, over dt from the pose before.
  const TrackedPair& update(const Pose<double>& X_BA, const Twist<double>& V_BA, double dt);

  const TrackedPair& pair() const { return pair_; }
  bool tracking() const { return pair_.usable(); }
  const TrackerCounters& counters() const { return counters_; }

 private:
  const Features* A_;
  const Features* B_;
  Pose<double> X_BA_;
  TrackedPair pair_;
  TrackerCounters counters_;
};

}  // namespace oloid
