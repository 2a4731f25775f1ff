#include "oloid/world/model/island_state.h"

#include "oloid/world/evaluate/fields.h"

namespace oloid::world {

void IslandState::resize(const IslandIndex& group) {
  const auto nodes = static_cast<std::size_t>(group.nodes());
  const int size = state_size(group.nodes()), guards = kBodyGuards * group.nodes();
  discrete.joints.assign(nodes, {});
  discrete.witnesses.assign(group.pairs.size(), {});
  y.resize(size, guards);
  armed.resize(size, guards);
  waits.assign(group.pairs.size(), {});
  hashes.assign(nodes, kHashStart);
}

}  // namespace oloid::world
