// Bodies that are advanced together, numbered among themselves.
#pragma once

#include "oloid/world/model/model.h"

namespace oloid::world {

class IslandIndex {
 public:
  IslandIndex(const Model& model, std::vector<BodyId> members);

  const Model& model;
  std::vector<BodyId> moving;     // by node, in the scene's order
  std::vector<int> pairs;         // of members among themselves and with the ground, by watch
  Loads loads;                    // on members
  bool driven = false;            // whether a load depends on time
  std::vector<BodyId> pulled_by;  // ground that moves, by springs
  double length = 1;              // [m], ℓ: the smallest of all members
  double speed = 1;               // [m/s], √(gℓ), or from the initial motion if g = 0

  int nodes() const { return static_cast<int>(moving.size()); }
  const Body& body(BodyId id) const { return model.body(id); }
  const Body& at_node(int node) const { return body(id(node)); }
  const Pair& pair(int i) const { return model.pair(i); }
  BodyId id(int node) const { return moving[static_cast<std::size_t>(node)]; }
  // The number of a member; kGround for any other body.
  int node(BodyId id) const { return node_of_body_[static_cast<std::size_t>(id.index)]; }
  int watches() const { return static_cast<int>(pairs.size()); }
  int pair_of_watch(int watch) const { return pairs[static_cast<std::size_t>(watch)]; }
  int watch_of_pair(int pair) const { return watch_of_pair_[static_cast<std::size_t>(pair)]; }

 private:
  std::vector<int> node_of_body_, watch_of_pair_;
};

// The bodies that move, in sets whose motions depend on each other: `joined` calls its argument
// with every two that are connected. Springs connect bodies, too.
std::vector<std::vector<BodyId>> connected(const Model& model, const std::vector<BodyId>& bodies,
                                           const std::vector<std::array<BodyId, 2>>& joints);

}  // namespace oloid::world
