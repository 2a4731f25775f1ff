// Where two bodies are nearest, by Newton's method from the most promising of many starts: a
// search, not a certificate (far.h gives one).
//
// Overlap is described by its shallowest ways out. A pair with a negative gap counts only if the
// bodies share a place between its two points; else they merely have their backs to each other.
#pragma once

#include <optional>
#include <vector>

#include "oloid/geometry/core/ball_tree.h"
#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::proximity {

// A body with its starts.
class SearchBody {
 public:
  // The features are not copied and must outlive this.
  explicit SearchBody(const TouchableBody& features);

  struct Start {
    Spot spot;
    LocalFeature<double> at;
    Vec3<double> outward;  // unit, or 0 where there is no outward direction: wires, tips
  };
  const TouchableBody& features() const { return *features_; }
  const std::vector<Start>& starts() const { return starts_; }
  const BallTree& start_points() const { return start_points_; }
  Start start_at(const Spot& spot) const;
  // A place near a point in the body's frame: one of the starts, if these are dense.
  Start start_near(const Vec3<double>& p) const;
  // No place near a point is nearer to it than this. [m]
  double distance_at_least(const Vec3<double>& p) const;
  // Whether each line meets the body in one piece, as far as that is known.
  bool convex() const { return convex_; }
  bool bounded() const;
  // Whether it has a surface without edges and vertices.
  bool is_smooth() const;
  // The place nearest to a point in the body's frame, which is A of the pair; its gap is negative
  // inside. Not usable where none was found: at a centre of curvature there are many.
  TrackedPair nearest_to(const Vec3<double>& p) const;
  // Whether a point in the body's frame lies inside; for wires none does.
  bool encloses(const Vec3<double>& p) const;

 private:
  Vec3<double> outward(const Spot& spot, const LocalFeature<double>& at) const;

  const TouchableBody* features_;
  std::vector<Start> starts_;
  BallTree start_points_;
  bool dense_ = false;  // the nearest start serves for any place nearby
  bool convex_ = false;
};

struct SearchResult {
  // The nearest pair and all others with a gap below the threshold, nearest or deepest first. If
  // none was found, the best attempt, with a status that says why.
  std::vector<TrackedPair> pairs;
  // Whether the bodies share a place. Those that run through each other, like a ring and a bar, may
  // have no pair with a negative gap.
  bool overlap = false;
};
SearchResult search_pairs(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA,
                          double threshold);

// From fewer starts, for bodies whose motion is followed: the nearest pair and whatever others are
// found on the way, never none. A negative gap shows an overlap, if not its depth.
std::vector<TrackedPair> nearest_pairs(const SearchBody& A, const SearchBody& B,
                                       const Pose<double>& X_BA);
// The nearest pair alone, the same from starts near it. `next`, if given, becomes the next pair:
// none if none was found or the bodies are convex.
TrackedPair nearest_pair(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA,
                         std::optional<TrackedPair>* next = nullptr);

}  // namespace oloid::proximity
