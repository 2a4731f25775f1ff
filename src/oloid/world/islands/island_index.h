// Bodies that are advanced together, numbered among themselves.
#pragma once

#include "oloid/world/model/model.h"

namespace oloid::world {

class IslandIndex {
 public:
  IslandIndex(const Model& model, std::vector<BodyId> members);

  const Model& model;
  std::vector<BodyId> moving;  // by node, in the scene's order
  std::vector<int> pairs;      // of members among themselves and with the ground, by watch
  std::vector<BodyId>
      grounds;          // ground whose motion is evaluated: it moves, or a spring ends there
  Loads loads;          // on members; bodies by their slots
  bool driven = false;  // whether a load depends on time
  std::vector<BodyId> pulled_by;  // ground that moves, by springs
  double length = 1;              // [m], ℓ: the smallest of all members
  double speed = 1;               // [m/s], √(gℓ), or from the initial motion if g = 0

  int nodes() const { return static_cast<int>(moving.size()); }
  const Body& body(BodyId id) const { return model.body(id); }
  const Body& at_node(int node) const { return body(id(node)); }
  const Pair& pair(int i) const { return pair_data_[static_cast<std::size_t>(watch_of_pair(i))]; }
  BodyId id(int node) const { return moving[static_cast<std::size_t>(node)]; }
  // The number of a member; kGround for any other body.
  int node(BodyId id) const;
  // Members, then `grounds`: the number of one of these; -1 for any other body.
  int slot(BodyId id) const;
  int slots() const { return nodes() + static_cast<int>(grounds.size()); }
  int watches() const { return static_cast<int>(pairs.size()); }
  int pair_of_watch(int watch) const { return pairs[static_cast<std::size_t>(watch)]; }
  // -1 for a pair that is not watched.
  int watch_of_pair(int pair) const;

 private:
  std::vector<Pair> pair_data_;  // by watch
};

// Bodies that move, in order, in sets whose motions depend on each other, directly or through
// others of them: `joints` are every two that are connected. Springs connect bodies, too.
std::vector<std::vector<BodyId>> connected(const Model& model, const std::vector<BodyId>& bodies,
                                           const std::vector<std::array<BodyId, 2>>& joints);

}  // namespace oloid::world
