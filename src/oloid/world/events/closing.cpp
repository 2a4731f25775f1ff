#include "oloid/world/events/closing.h"

#include "oloid/world/events/collide.h"
#include "oloid/world/events/encounter.h"
#include "oloid/world/model/supported.h"

namespace oloid::world {
namespace {

// Bodies touch if their gap is at most this part of ℓ.
constexpr double kTouching = 1e-10;

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
        pair == met || (points.usable() && points.gap <= kTouching * group.pair(pair).length);
    if (!touch || !why_unsupported(points).empty()) continue;
    all.push_back({pair, points, approach_speed(group, instant, pair, points)});
  }
  return all;
}

bool stays_closed(const IslandIndex& group, const Evaluation& instant, const Touch& touch) {
  const Pair& pair = group.pair(touch.pair);
  if (touch.approach <= 0) return true;
  if (pair.law.restitution == 0 && pair.law.tangential_restitution == 0) return true;
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
