#include "oloid/world/events/closing.h"

#include <algorithm>
#include <array>

#include "oloid/world/events/collide.h"
#include "oloid/world/events/encounter.h"
#include "oloid/world/model/supported.h"

namespace oloid::world {
namespace {

// Bodies touch if their gap is at most this part of ℓ.
constexpr double kClosed = 1e-10;

bool is_in(const std::vector<int>& all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

std::vector<Touch> touching_pairs(const IslandIndex& group, const DiscreteState& discrete,
                                  Evaluation& instant, int met, const TrackedPair& near) {
  std::vector<Touch> all;
  for (int watch = 0; watch < group.watches(); ++watch) {
    const int pair = group.pair_of_watch(watch);
    const Witness& witness = discrete.witness(watch);
    if (held_by(discrete, pair) != kGround || (pair != met && witness.lost)) continue;
    const TrackedPair points =
        pair == met ? near
                    : nearest(group.model, pair, pose_of_pair(instant, group.pair(pair)), witness);
    const bool touch =
        pair == met || (points.usable() && points.gap <= kClosed * group.pair(pair).length);
    if (!touch || !why_unsupported(points).empty()) continue;
    all.push_back({pair, points, approach_speed(group, instant, pair, points)});
  }
  return all;
}

namespace {

// The body of a tree that is held by the ground or by nothing; the ground passes no impulses on.
int top_of(const Forest& forest, int node) {
  while (node != kGround && forest[node].held && forest[node].parent != kGround)
    node = forest[node].parent;
  return node;
}

}  // namespace

int keep_connected(const IslandIndex& group, const Forest& forest, int met,
                   std::vector<Touch>& touches) {
  const auto tops = [&](int pair) {
    const auto& [A, B] = group.pair(pair).bodies;
    return std::array{top_of(forest, group.node(A)), top_of(forest, group.node(B))};
  };
  std::vector<int> reached;
  const auto add = [&](int pair) {
    for (const int top : tops(pair))
      if (top != kGround && !is_in(reached, top)) reached.push_back(top);
  };
  const auto touched = [&](const Touch& touch) {
    const auto both = tops(touch.pair);
    return is_in(reached, both[0]) || is_in(reached, both[1]);
  };
  add(met);
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const Touch& touch : touches)
      if (touched(touch)) add(touch.pair);
  }
  std::erase_if(touches, [&](const Touch& touch) { return !touched(touch); });
  int held = 0;
  for (const int node : forest.contacts()) held += is_in(reached, top_of(forest, node));
  return held;
}

bool stays_closed(const IslandIndex& group, const Evaluation& instant, const Touch& touch) {
  const Pair& pair = group.pair(touch.pair);
  if (touch.approach <= 0) return true;
  if (pair.law.tangential_restitution != 0) return false;
  if (pair.law.restitution == 0) return true;
  const double rebound = pair.law.restitution * touch.approach;
  const double pressing = approach_acceleration(group, instant, touch.pair, touch.near);
  return pressing > 0 && 0.5 * rebound * rebound <= kLowestBounce * pair.length * pressing;
}

Closing close_all(const IslandIndex& group, IslandState& state, Evaluation& instant,
                  std::vector<Touch>& touches) {
  Closing closing;
  closing.approach.resize(static_cast<std::size_t>(group.nodes()));
  closing.impulse.resize(closing.approach.size());
  closing.before = twists_of(group, instant);
  const auto motion_before = [&](BodyId id) {
    BodyMotion motion = instant.body(id);
    if (const int node = group.node(id); node != kGround)
      motion.phi = closing.before[static_cast<std::size_t>(node)];
    return motion;
  };
  for (const Touch& touch : touches) join(group, state, instant, touch.pair, touch.near);
  DiscreteState& discrete = state.discrete;
  ModeSelector gripper(group, discrete, instant, state.t(), state.y.y);
  for (Touch& touch : touches) {
    const int node = touch.node = held_by(discrete, touch.pair);
    if (node == kGround) continue;  // it would close a loop
    const Node& joint = instant.forest[node];
    const BodyMotion base = motion_before(discrete.joint(node).parent);
    const Vec6<double> v =
        stacked(seen_from(joint.X_AC, closing.before[static_cast<std::size_t>(node)]) -
                along_surface(joint.X_BC, base.phi, base.belt));
    closing.approach[static_cast<std::size_t>(node)] = v(kNormalRow);
    gripper.resist(node, v.head<5>());
  }
  instant.evaluate(discrete, state.t(), state.y.y);
  return closing;
}

}  // namespace oloid::world
