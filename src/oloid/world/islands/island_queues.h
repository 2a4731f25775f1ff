// The islands of a run in two orders: by how far they have advanced, and by their first step or
// event that has not been recorded. Of equal times the island with the lower first body is first.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "oloid/world/islands/islands.h"

namespace oloid::world {

class IslandQueues {
 public:
  using Queue = std::set<std::pair<double, BodyId>>;  // times, and islands by their first bodies

  explicit IslandQueues(std::size_t bodies) : places_(bodies) {}

  // To be called for every new island, and when one has advanced, gone back or been recorded.
  void place(const Island& island);
  // To be called before an island is removed or replaced by one with the same first body.
  void take_out(const Island& island);

  const Queue& by_reached() const { return by_reached_; }
  const Queue& by_unrecorded() const { return by_unrecorded_; }
  double slowest() const { return by_reached_.begin()->first; }  // [s]

 private:
  struct Place {
    bool queued = false;
    double reached = 0, unrecorded = 0;  // [s], in the two queues
  };
  Queue by_reached_, by_unrecorded_;
  std::vector<Place> places_;  // of islands, by their first bodies
};

inline BodyId first_of_island(const Island& island) { return island.group().moving.front(); }

}  // namespace oloid::world
