#include "oloid/world/compile/compile_pairs.h"

namespace oloid::world {
void compile_pairs(const PairLaws& laws, Model& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < model.bodies.size(); ++j) {
      const bool first = model.bodies[i].moves;
      if (!first && !model.bodies[j].moves) continue;
      const std::size_t a = first ? i : j, b = first ? j : i;
      Pair& pair = model.pairs.emplace_back();
      pair.bodies = {BodyId{static_cast<std::int32_t>(a)}, BodyId{static_cast<std::int32_t>(b)}};
      pair.law = laws.between(i, j);
      pair.convex = model.bodies[a].proximity->search().convex() &&
                    model.bodies[b].proximity->search().convex();
    }
  }
}

}  // namespace oloid::world
