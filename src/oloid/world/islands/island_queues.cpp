#include "oloid/world/islands/island_queues.h"

#include <algorithm>

namespace oloid::world {

void IslandQueues::take_out(const Island& island) {
  const BodyId first = first_of_island(island);
  Place& at = places_[static_cast<std::size_t>(first.index)];
  if (!std::exchange(at.queued, false)) return;
  by_reached_.erase({at.reached, first});
  by_unrecorded_.erase({at.unrecorded, first});
}

void IslandQueues::place(const Island& island) {
  double unrecorded = kInfinity;
  if (island.steps() > 0) unrecorded = island.step(0).t1;
  if (island.pending_events() > 0) unrecorded = std::min(unrecorded, island.pending_event(0).t);
  const BodyId first = first_of_island(island);
  Place& at = places_[static_cast<std::size_t>(first.index)];
  const auto move = [&](Queue& queue, double from, double to) {
    auto node = at.queued ? queue.extract({from, first}) : Queue::node_type();
    if (node.empty()) {
      queue.emplace(to, first);
    } else {
      node.value() = {to, first};
      queue.insert(std::move(node));
    }
  };
  move(by_reached_, at.reached, island.t());
  move(by_unrecorded_, at.unrecorded, unrecorded);
  at = {true, island.t(), unrecorded};
}

}  // namespace oloid::world
