// A tool that someone holds, over a model that stands still: pose in, force out, a thousand or ten
// thousand times a second. docs/haptics.md; [NelsonJohnsonCohen99].
//
// Pairs of nearest points are followed locally, through contact and overlap; each overlapping one
// pushes the tool along its normal. New pairs come from a search that runs elsewhere
// (pair_finder.h) and are taken one at an update. While a pair overlaps, it stays what it is: no
// search replaces it. A pair that is lost fades.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "oloid/haptics/force_law.h"
#include "oloid/haptics/handover.h"
#include "oloid/haptics/pair_search.h"
#include "oloid/haptics/proxy.h"
#include "oloid/proximity/tracker.h"

namespace oloid::haptics {

enum class HapticStatus {
  searching,     // no pair is known, no force
  apart,         // pairs are followed, none overlaps
  touching,      // at least one overlaps
  fading,        // contact was lost, what is left of its force fades
  invalid_pose,  // numbers that are not finite, no rotation, or no time step: no force
};
const char* name(HapticStatus);

// One overlapping or nearby pair, to be drawn.
struct HapticContact {
  Vec3<double> point{0, 0, 0};   // [m], on the tool, in B's frame
  Vec3<double> normal{0, 0, 1};  // from the model to the tool, in B's frame
  double gap = 0;                // [m], negative when they overlap
  double force = 0;              // [N]
};

struct HapticCounters {
  std::int64_t updates = 0, invalid = 0;
  std::int64_t searches = 0;           // whose pairs have arrived
  std::int64_t taken = 0, known = 0;   // pairs of searches: new ones, and those followed already
  std::int64_t refused = 0;            // because they came up in overlap, or did not converge
  std::int64_t lost = 0, dropped = 0;  // ended on a surface, vanished; farther than the reach
  std::int64_t jumped = 0;             // pairs that went farther than the motion can have led them
  std::int64_t retried = 0;            // Newton's method from scratch after the tracker lost one
  std::int64_t iterations = 0;         // of Newton's method, while tracking
};

struct HapticOutput {
  HapticStatus status = HapticStatus::searching;
  Phase phase = Phase::far;
  // On the tool: force, and moment about the tool's origin, both along the axes of B.
  Wrench<double> wrench;
  bool limited = false;  // the largest force was reached
  // X_BA of the tool as it should be drawn: not overlapping, if `proxy_depth` is 0.
  Pose<double> proxy;
  double proxy_depth = 0;  // [m]
  std::array<HapticContact, kMostPairs> contacts;
  int pairs = 0, touching = 0, fading = 0;  // contacts: the first `pairs`
  HapticCounters counters;
};

// What the servo thread and the search thread hand each other.
struct PairExchange {
  Handover<Pose<double>> places;  // tool → search
  Handover<FoundPairs> pairs;     // search → tool
};

class HapticTool {
 public:
  // The bodies are not copied and must outlive the tool: A, the tool, and B, the model.
  static Result<HapticTool> make(const TouchableBody& A, const TouchableBody& B,
                                 const ForceLaw& law);
  HapticTool(HapticTool&&) = default;  // not copied: one tool writes to an exchange
  HapticTool& operator=(HapticTool&&) = default;

  // The tool's pose, its motion and the time since the update before, > 0. The twist is that of A
  // relative to B in B's frame; without one, damping goes by differences of the gap. Neither waits
  // nor allocates.
  const HapticOutput& update(const Pose<double>& X_BA, const Twist<double>& V_BA, double dt);
  const HapticOutput& update(const Pose<double>& X_BA, double dt);

  const HapticOutput& output() const { return out_; }
  const ForceLaw& law() const { return law_; }
  const TouchableBody& tool() const { return *A_; }
  const TouchableBody& model() const { return *B_; }
  const std::shared_ptr<PairExchange>& exchange() const { return exchange_; }

 private:
  struct Contact {
    Tracker tracker;
    double limit;      // [N], grows by the ramp until it is no longer needed; then infinite
    double gap;        // [m], in the update before
    double force = 0;  // [N]
    const TrackedPair& pair() const { return tracker.pair(); }
  };
  // A pair that is no longer followed: its points stay where they were on their bodies.
  struct Echo {
    Vec3<double> a_A, b_B;  // [m], each in its own body
    Vec3<double> normal;    // in B's frame
    double gap;             // [m]
    double limit;           // [N], falls by the ramp
    double force;           // [N]
  };

  HapticTool(const TouchableBody& A, const TouchableBody& B, const ForceLaw& law);
  const HapticOutput& advance(const Pose<double>& X_BA, const Twist<double>* V_BA, double dt);
  const HapticOutput& refuse_input();
  void follow(const Pose<double>& X_BA);
  bool follow(Contact& contact, const Pose<double>& X_BA, bool& retry);
  bool has_jumped(const TrackedPair& before, const TrackedPair& now,
                  const Pose<double>& X_BA) const;
  void fade(const TrackedPair& pair, double force);
  void take_found(const Pose<double>& X_BA);
  bool may_take(const TrackedPair& found, const TrackedPair& now) const;
  void take(const Pose<double>& X_BA, const TrackedPair& pair);
  void drop_copies();
  void push(const Pose<double>& X_BA, const Twist<double>* V_BA, double dt);
  void add(const Vec3<double>& point, const Vec3<double>& force, const Pose<double>& X_BA);
  void describe(const Pose<double>& X_BA);
  bool overlaps() const;

  const TouchableBody* A_;
  const TouchableBody* B_;
  ForceLaw law_;
  double length_;
  std::shared_ptr<PairExchange> exchange_;
  std::vector<Contact> contacts_;  // reserved once, as are the echoes
  std::vector<Echo> echoes_;
  Pose<double> X_BA_;        // of the update before
  int next_found_ = 0;       // of the latest search, the first that was not looked at
  bool began_apart_ = true;  // nothing overlapped when the latest search arrived
  HapticOutput out_;
};

}  // namespace oloid::haptics
