// Pairs of an island that touch at one instant, closed together with all contacts that are closed
// already.
#pragma once

#include <vector>

#include "oloid/world/events/joint_decision.h"

namespace oloid::world {

// A pair that is not held and whose bodies touch.
struct Touch {
  int pair;
  TrackedPair near;
  double approach;     // [m/s]
  int node = kGround;  // that it holds, once it is closed
};

// All of them that smooth surfaces touch in, `met` among them, which has just been found. `instant`
// is evaluated.
std::vector<Touch> touching_pairs(const IslandIndex& group, const DiscreteState& discrete,
                                  Evaluation& instant, int met, const TrackedPair& near);

// Leaves those that are connected with the pair `met`, by touches and contacts among bodies that
// move; returns how many contacts hold these bodies.
int keep_connected(const IslandIndex& group, const Forest& forest, int met,
                   std::vector<Touch>& touches);

// Whether a pair does not rebound: by its law, or because the bounce would be too low to follow.
bool stays_closed(const IslandIndex& group, const Evaluation& instant, const Touch& touch);

// Holds the bodies of all these pairs, as far as this closes no loop, with all channels that can
// resist moving. `instant` is placed afterwards.
Closing close_all(const IslandIndex& group, IslandState& state, Evaluation& instant,
                  std::vector<Touch>& touches);

}  // namespace oloid::world
