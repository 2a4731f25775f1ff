#include "oloid/world/islands/island_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oloid/dynamics/forest.h"

namespace oloid::world {
namespace {

std::size_t index(BodyId id) { return static_cast<std::size_t>(id.index); }

}  // namespace

IslandIndex::IslandIndex(const Model& m, std::vector<BodyId> members)
    : model(m),
      moving(std::move(members)),
      node_of_body_(m.bodies.size(), kGround),
      watch_of_pair_(m.pairs.size(), -1) {
  std::sort(moving.begin(), moving.end(), [](BodyId a, BodyId b) { return a.index < b.index; });
  std::vector<bool> is_member(m.bodies.size());
  length = INFINITY;
  speed = 0;
  for (int i = 0; i < nodes(); ++i) {
    node_of_body_[index(id(i))] = i;
    is_member[index(id(i))] = true;
    length = std::min(length, at_node(i).length);
  }
  for (const BodyId id : moving) {
    const Twist<double>& phi = m.body(id).start.phi;
    speed = std::max(speed, phi.v.norm() + phi.w.norm() * length);
  }
  if (m.gravity_W.norm() > 0) speed = std::sqrt(m.gravity_W.norm() * length);
  if (!(speed > 0)) speed = 1;
  for (int i = 0; i < static_cast<int>(m.pairs.size()); ++i) {
    const auto [A, B] = m.pair(i).bodies;
    if (!is_member[index(A)] || (m.body(B).moves && !is_member[index(B)])) continue;
    watch_of_pair_[static_cast<std::size_t>(i)] = watches();
    pairs.push_back(i);
  }
  loads = m.loads.of(is_member);
  driven = loads.depends_on_time();
  for (const Spring& spring : loads.springs()) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      if (spring.driven[i]) pulled_by.push_back(spring.bodies[i]);
    }
  }
}

std::vector<std::vector<BodyId>> connected(const Model& model, const std::vector<BodyId>& bodies,
                                           const std::vector<std::array<BodyId, 2>>& joints) {
  std::vector<std::size_t> leader(model.bodies.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto leader_of = [&](BodyId id) {
    std::size_t i = index(id);
    while (leader[i] != i) i = leader[i];
    return i;
  };
  const auto join = [&](BodyId a, BodyId b) {
    if (!model.body(a).moves || !model.body(b).moves) return;
    const std::size_t i = leader_of(a), j = leader_of(b);
    leader[std::max(i, j)] = std::min(i, j);
  };
  for (const auto& [a, b] : joints) join(a, b);
  for (const Spring& spring : model.loads.springs()) join(spring.bodies[0], spring.bodies[1]);

  std::vector<std::vector<BodyId>> sets;
  std::vector<int> set_of_leader(model.bodies.size(), -1);
  for (const BodyId id : bodies) {
    int& set = set_of_leader[leader_of(id)];
    if (set < 0) {
      set = static_cast<int>(sets.size());
      sets.emplace_back();
    }
    sets[static_cast<std::size_t>(set)].push_back(id);
  }
  return sets;
}

}  // namespace oloid::world
