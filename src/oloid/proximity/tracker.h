// Follows one pair of nearest points of two bodies as they move, through contact and penetration.
//
// Each update predicts the pair from the motion (velocity form) and corrects it by Newton's method
// at the new pose; where the correction is not small compared with the prediction, the motion is
// followed in parts, so that the pair does not jump to another one. It never searches globally and
// does not allocate. While the bodies overlap it stays on the local solution. A pair that vanishes
// or leaves its surfaces is reported and kept as it was, moved along with the bodies, until a new
// one is given (far.h). docs/theory/proximity.md sections 2 and 3.
#pragma once

#include <cstdint>
#include <optional>

#include "oloid/proximity/newton.h"

namespace oloid::proximity {

struct TrackerCounters {
  std::int64_t updates = 0;
  std::int64_t hits = 0, misses = 0;  // continued from the pair before, or not
  std::int64_t iterations = 0, feature_changes = 0;
  std::int64_t parts = 0;                           // of motions that had to be followed in parts
  std::int64_t vanished = 0, left = 0, failed = 0;  // pairs lost, by reason
};

class Tracker {
 public:
  // The bodies are not copied and must outlive the tracker.
  Tracker(const TouchableBody& A, const TouchableBody& B)
      : A_(&A), B_(&B), length_(pair_length(A, B)) {}

  // From a pair that is known at this pose, for example from the far phase.
  const TrackedPair& start(const Pose<double>& X_BA, const TrackedPair& pair);
  // To a new pose.
  const TrackedPair& update(const Pose<double>& X_BA);

  const TrackedPair& pair() const { return pair_; }
  // Whether the next update can continue from here. An invalid pose is reported and skipped.
  bool tracking() const { return alive_; }
  const TrackerCounters& counters() const { return counters_; }

  // Velocity form: how the pair moves on if A moves relative to B with this twist, in B's frame.
  PairStep rates(const Twist<double>& V_BA) const;

 private:
  std::optional<PairStatus> advance(const Pose<double>& X_BA);
  void lose(PairStatus why);
  void keep(const Pose<double>& X_BA);

  const TouchableBody* A_;
  const TouchableBody* B_;
  double length_;
  Pose<double> X_BA_;
  TrackedPair pair_;
  bool alive_ = false;
  PairStatus why_lost_ = PairStatus::no_convergence;
  // Of the pair, each in its own body.
  LocalFeature<double> at_A_ = local_feature<double>(Vec3<double>(0, 0, 0)), at_B_ = at_A_;
  TrackerCounters counters_;
};

}  // namespace oloid::proximity
