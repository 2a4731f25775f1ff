// Bodies that come into contact or part: which body is held on which, and in which coordinates.
#pragma once

#include "oloid/world/evaluate/evaluation.h"
#include "oloid/world/model/island_state.h"

namespace oloid::world {

// Whether two bodies are already connected: in one tree, or both on the ground.
bool joined(const IslandIndex& group, const Forest& forest, const std::array<BodyId, 2>& bodies);

// Lets a body go into free flight with the motion it has. `instant` is evaluated before, and
// its topology is set after.
void release(const IslandIndex& group, IslandState& state, Evaluation& instant, int node);

// Holds the bodies of a pair that touches with smooth surfaces together, frictionless and with the
// velocities they have; returns the node that is held, or kGround if this would close a loop.
// `instant` is evaluated before; topology and kinematics are set after.
int join(const IslandIndex& group, IslandState& state, Evaluation& instant, int pair,
         const TrackedPair& near);

}  // namespace oloid::world
