#include "oloid/world/islands/island_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oloid/dynamics/forest.h"

namespace oloid::world {
namespace {

// The place of an item of a sorted list; -1 if it is not there.
template <class T>
int place_in(const std::vector<T>& sorted, const T& item) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), item);
  return at != sorted.end() && *at == item ? static_cast<int>(at - sorted.begin()) : -1;
}

}  // namespace

IslandIndex::IslandIndex(const Model& m, std::vector<BodyId> members)
    : model(m), moving(std::move(members)), grounds(m.drives) {
  std::sort(moving.begin(), moving.end());
  length = INFINITY;
  speed = 0;
  for (int i = 0; i < nodes(); ++i) length = std::min(length, at_node(i).length);
  for (const BodyId id : moving) {
    const Twist<double>& phi = m.body(id).start.phi;
    speed = std::max(speed, phi.v.norm() + phi.w.norm() * length);
  }
  if (m.gravity_W.norm() > 0) speed = std::sqrt(m.gravity_W.norm() * length);
  if (!(speed > 0)) speed = 1;
  for (std::size_t i = 0; i < moving.size(); ++i) {
    for (std::size_t k = i + 1; k < moving.size(); ++k)
      pairs.push_back(*m.pairs.find(moving[i], moving[k]));
    for (const BodyId ground : m.grounds) pairs.push_back(*m.pairs.find(moving[i], ground));
  }
  std::sort(pairs.begin(), pairs.end());
  pair_data_.reserve(pairs.size());
  for (const int pair : pairs) pair_data_.push_back(m.pair(pair));

  const auto is_member = [&](BodyId id) { return node(id) != kGround; };
  const Loads own = m.loads.of(is_member);
  driven = own.depends_on_time();
  for (const Spring& spring : own.springs()) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      if (spring.driven[i]) pulled_by.push_back(spring.bodies[i]);
      if (!is_member(spring.bodies[i])) grounds.push_back(spring.bodies[i]);
    }
  }
  std::sort(grounds.begin(), grounds.end());
  grounds.erase(std::unique(grounds.begin(), grounds.end()), grounds.end());
  loads = own.renumbered([this](BodyId id) { return BodyId{slot(id)}; });
}

int IslandIndex::node(BodyId id) const {
  const int place = place_in(moving, id);
  return place < 0 ? kGround : place;
}

int IslandIndex::slot(BodyId id) const {
  if (const int place = place_in(moving, id); place >= 0) return place;
  const int place = place_in(grounds, id);
  return place < 0 ? -1 : nodes() + place;
}

int IslandIndex::watch_of_pair(int pair) const { return place_in(pairs, pair); }

std::vector<std::vector<BodyId>> connected(const Model& model, const std::vector<BodyId>& bodies,
                                           const std::vector<std::array<BodyId, 2>>& joints) {
  std::vector<int> leader(bodies.size());  // by place in `bodies`
  std::iota(leader.begin(), leader.end(), 0);
  const auto leader_of = [&](int i) {
    while (leader[static_cast<std::size_t>(i)] != i) i = leader[static_cast<std::size_t>(i)];
    return i;
  };
  const auto join = [&](BodyId a, BodyId b) {
    const int place_a = place_in(bodies, a), place_b = place_in(bodies, b);
    if (place_a < 0 || place_b < 0) return;
    const int i = leader_of(place_a), j = leader_of(place_b);
    leader[static_cast<std::size_t>(std::max(i, j))] = std::min(i, j);
  };
  for (const auto& [a, b] : joints) join(a, b);
  for (const Spring& spring : model.loads.springs()) join(spring.bodies[0], spring.bodies[1]);

  std::vector<std::vector<BodyId>> sets;
  std::vector<int> set_of_leader(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    int& set = set_of_leader[static_cast<std::size_t>(leader_of(static_cast<int>(i)))];
    if (set < 0) {
      set = static_cast<int>(sets.size());
      sets.emplace_back();
    }
    sets[static_cast<std::size_t>(set)].push_back(bodies[i]);
  }
  return sets;
}

}  // namespace oloid::world
