#include "oloid/world/islands/islands.h"

#include <algorithm>

namespace oloid::world {

Island& Islands::add(std::vector<BodyId> members) {
  auto made = std::make_unique<Island>(model_, std::move(members));
  Island& island = *made;
  for (const BodyId id : island.group().moving)
    of_body_[static_cast<std::size_t>(id.index)] = &island;
  std::unique_ptr<Island>& place = by_first_[island.group().moving.front()];
  if (place) replaced_.push_back(std::move(place));
  place = std::move(made);
  return island;
}

std::unique_ptr<Island> Islands::remove(const Island& island) {
  std::unique_ptr<Island> gone;
  const auto held = by_first_.find(island.group().moving.front());
  if (held != by_first_.end() && held->second.get() == &island) {
    gone = std::move(held->second);
    by_first_.erase(held);
  } else {
    const auto old = std::find_if(replaced_.begin(), replaced_.end(),
                                  [&](const auto& other) { return other.get() == &island; });
    OLOID_EXPECT(old != replaced_.end());
    gone = std::move(*old);
    replaced_.erase(old);
  }
  for (const BodyId id : gone->group().moving) {
    Island*& place = of_body_[static_cast<std::size_t>(id.index)];
    if (place == gone.get()) place = nullptr;
  }
  return gone;
}

}  // namespace oloid::world
