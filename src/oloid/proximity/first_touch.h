// How far a body can be moved along a line until it touches another.
//
// Conservative advancement: a body whose nearest point is d away may be moved by d in any
// direction, and if both are convex by d / (-n·u) along u, n being the normal from the other body
// to it: the slab between them is free. So the first touch is never passed. The last part of the
// way, when d has become small compared with the bodies, is found by Newton's method on the gap of
// each pair that is near, χ' = n·u.
#pragma once

#include <span>

#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

// Distances to a body without bounds are found, not certified.
struct Obstacle {
  const ProximityBody* body;
  Pose<double> X_WB;
};

struct FirstTouch {
  enum class Status {
    touches,
    overlap,  // at the start, with `other`
    never,    // it runs past all others, or along them
    lost,     // no nearest pair was found on the way, or it grazes `other`
  };
  Status status = Status::never;
  double way = 0;          // [m], along the direction
  std::size_t other = 0;   // which of the others
  TrackedPair pair;        // at the touch, A's frame moved; B is the other body
  bool certified = false;  // it is proven that nothing was touched before
  int queries = 0;         // of distances
};

// Translation of A along a unit direction in world axes.
FirstTouch first_touch(const ProximityBody& A, const Pose<double>& X_WA,
                       const Vec3<double>& direction, std::span<const Obstacle> others);

}  // namespace oloid::proximity
