#include "oloid/world/model/state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "oloid/world/events/grip.h"

namespace oloid::world {
namespace {

Twist<double> relative_twist(const Node& joint, const Twist<double>& A, const BodyMotion& B) {
  return seen_from(joint.X_AC, A) - along_surface(joint.X_BC, B.phi, B.belt);
}

// Which body is held on which: from the ground outward, then from a body of each floating tree.
void hang_up(const IslandIndex& group, const std::vector<StartContact>& touches,
             DiscreteState& discrete) {
  const Model& model = group.model;
  std::vector<bool> placed(static_cast<std::size_t>(group.nodes())), used(touches.size());
  const auto place = [&](BodyId id) { placed[static_cast<std::size_t>(group.node(id))] = true; };
  const auto is_placed = [&](BodyId id) {
    return !model.body(id).moves || placed[static_cast<std::size_t>(group.node(id))];
  };
  for (std::size_t left = used.size(); left > 0;) {
    const std::size_t before = left;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const StartContact& touch = touches[i];
      const auto& [A, B] = model.pair(touch.pair).bodies;
      if (used[i] || is_placed(A) == is_placed(B)) continue;
      const bool swapped = is_placed(A);
      const BodyId child = swapped ? B : A;
      const Location &a = (swapped ? touch.near.B : touch.near.A).at,
                     &b = (swapped ? touch.near.A : touch.near.B).at;
      Contact& hold = discrete.joint(group.node(child));
      hold.on = true;
      hold.key = {touch.pair};
      hold.parent = swapped ? A : B;
      hold.A = {a.chart, fresh_reference(model.body(child).side, a)};
      hold.B = {b.chart, fresh_reference(model.body(hold.parent).side, b)};
      place(child);
      used[i] = true;
      --left;
    }
    if (left < before) continue;
    const auto first =
        static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
    place(model.pair(touches[first].pair).bodies[1]);
  }
}

void coordinates_of_contact(const IslandIndex& group, const DiscreteState& discrete,
                            const StartContact& touch, int node, StateVector& y) {
  const Model& model = group.model;
  const Contact& hold = discrete.joint(node);
  const BodyId child = group.id(node);
  const bool swapped = model.pair(touch.pair).bodies[0] != child;
  const Location &a = (swapped ? touch.near.B : touch.near.A).at,
                 &b = (swapped ? touch.near.A : touch.near.B).at;
  const PairGeometry<double> pair{surface_at(model, child, hold.A, a.x),
                                  surface_at(model, hold.parent, hold.B, b.x)};
  const auto R_W = [&](BodyId id) -> Mat3<double> {
    const Body& body = model.body(id);
    return body.moves ? rotation_matrix(body.start.q_WA) : body.motion.at(0).X_WB.R;
  };
  auto block = y.segment<kBlock>(block_at(node));
  block.setZero();
  block.segment<3>(kLocationA) = a.x;
  block.segment<3>(kLocationB) = b.x;
  block(kPsi) = psi_of_pose(pair, R_W(hold.parent).transpose() * R_W(child));
}

// Makes the given twists consistent with the contacts. Contacts that open or close are released;
// those that close meet again at once. What rounding leaves of the normal velocities is removed by
// frictionless impulses, at all contacts at once. True if any close.
bool make_consistent(const IslandIndex& group, IslandState& state, Evaluation& instant) {
  DiscreteState& discrete = state.discrete;
  instant.set_topology(discrete);
  instant.kinematics(discrete, 0, state.y.y);
  Forest& forest = instant.forest;
  bool approaches = false;
  for (int i = 0; i < forest.size(); ++i) {
    Node& node = forest[i];
    node.p = {};
    if (!discrete.joint(i).on) continue;
    const Twist<double> v = relative_twist(node, group.at_node(i).start.phi,
                                           group.body(discrete.joint(i).parent).at_start());
    node.b = stacked(v);
    node.law = {};
    node.given.setZero();
    if (std::abs(v.v.z()) > 1e-9 * (group.speed + v.v.norm())) {
      discrete.joint(i).on = false;
      approaches = approaches || v.v.z() > 0;
      state.y.y.segment<kBlock>(block_at(i)) = pack_free(group.at_node(i).start);
    }
  }
  for (int i = 0; i < forest.size(); ++i) forest[i].held = discrete.joint(i).on;
  forest.sort();
  forest.solve();
  for (int i = 0; i < forest.size(); ++i) {
    auto block = state.y.y.segment<kBlock>(block_at(i));
    if (discrete.joint(i).on) {
      block.segment<5>(kRates) = instant.rates_of(discrete.joint(i), i, forest[i].w_rate.head<5>());
    } else {
      add_jump(block, forest[i].a);
    }
  }
  instant.set_topology(discrete);
  return approaches;
}

// Grips of all contacts. What slip had to be removed is noted by pair [m/s].
void grip_all(const IslandIndex& group, IslandState& state, Evaluation& instant,
              std::map<int, double>& removed) {
  DiscreteState& discrete = state.discrete;
  StateVector& y = state.y.y;
  instant.evaluate(discrete, 0, y);
  ModeSelector gripper(group, discrete, instant, 0, y);
  for (const int i : instant.forest.order()) {
    if (!discrete.joint(i).on) continue;
    const double slip = part(instant.contact(i).state.w, Channel::slip).norm();
    gripper.decide_all(i);
    const Contact& hold = discrete.joint(i);
    if (hold[Channel::slip].grip == Grip::stuck) removed[hold.key.pair] = slip;
  }
  gripper.follow_velocities();
  gripper.test_all();
  for (int i = 0; i < group.nodes(); ++i) {
    // Energy removed before the run began does not count.
    if (discrete.joint(i).on) y.segment<3>(block_at(i) + kBooked).setZero();
  }
  y.tail<kWorkSize>().setZero();
}

// Bodies that touch, directly or through others, at the start; some may part at once.
void begin(const IslandIndex& group, const std::vector<StartContact>& touches, State& state) {
  IslandState start;
  start.resize(group);
  DiscreteState& discrete = start.discrete;
  hang_up(group, touches, discrete);
  StateVector& y = start.y.y;
  for (int i = 0; i < group.nodes(); ++i)
    y.segment<kBlock>(block_at(i)) = pack_free(group.at_node(i).start);
  for (const StartContact& touch : touches) {
    coordinates_of_contact(group, discrete, touch, held_by(discrete, touch.pair), y);
  }
  Evaluation instant(group);
  const bool approaches = make_consistent(group, start, instant);
  for (const StartContact& touch : touches) {
    if (held_by(discrete, touch.pair) == kGround)
      discrete.witness(group.watch_of_pair(touch.pair)) = witness_of(touch.near);
  }
  grip_all(group, start, instant, state.removed_speed);
  // Bodies that approach meet at once, with whatever else they touch: they are not parted before.
  std::vector<std::vector<BodyId>> parts{group.moving};
  if (!approaches) parts = parts_of(group, discrete);
  for (std::vector<BodyId>& members : parts) {
    const IslandIndex own(group.model, members);
    IslandState part;
    part.resize(own);
    take_over(group, start, own, part);
    state.islands.push_back({std::move(members), std::move(part)});
  }
}

}  // namespace

const Contact* State::hold_of(BodyId body) const {
  for (const IslandPart& part : islands) {
    for (std::size_t i = 0; i < part.members.size(); ++i) {
      if (part.members[i] == body && part.state.discrete.joints[i].on)
        return &part.state.discrete.joints[i];
    }
  }
  return nullptr;
}

State initial_state(const Model& model) {
  State state;
  for (const Body& body : model.bodies) {
    state.last_orientations.push_back(body.moves ? body.start.q_WA
                                                 : quaternion(body.motion.at(0).X_WB.R));
  }
  std::vector<std::array<BodyId, 2>> joints;
  for (const StartContact& touch : model.touches) joints.push_back(model.pair(touch.pair).bodies);
  const auto sets = connected(model, model.moving, joints);
  std::vector<std::size_t> set_of(model.bodies.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const BodyId id : sets[i]) set_of[static_cast<std::size_t>(id.index)] = i;
  }
  std::vector<std::vector<StartContact>> touches(sets.size());
  for (const StartContact& touch : model.touches)
    touches[set_of[static_cast<std::size_t>(
                model.pairs[static_cast<std::size_t>(touch.pair)][0].index)]]
        .push_back(touch);
  for (std::size_t i = 0; i < sets.size(); ++i)
    begin(IslandIndex(model, sets[i]), touches[i], state);
  return state;
}

std::vector<std::vector<BodyId>> parts_of(const IslandIndex& group, const DiscreteState& discrete) {
  std::vector<std::array<BodyId, 2>> joints;
  for (int node = 0; node < group.nodes(); ++node) {
    if (discrete.joint(node).on) joints.push_back({group.id(node), discrete.joint(node).parent});
  }
  return connected(group.model, group.moving, joints);
}

namespace {

// What has been counted since an instant: for the later one, or the larger number if it is the
// same, as of bodies that have just been in one island.
void take_later(double& since, int& count, double other_since, int other_count) {
  if (other_since < since) return;
  count = other_since > since ? other_count : std::max(count, other_count);
  since = other_since;
}

}  // namespace

void take_over(const IslandIndex& from_group, IslandState& from, const IslandIndex& to_group,
               IslandState& to) {
  to.y.t = from.y.t;
  to.y.h_next = to.y.h_next > 0 ? std::min(to.y.h_next, from.y.h_next) : from.y.h_next;
  for (int node = 0; node < to_group.nodes(); ++node) {
    const int old = from_group.node(to_group.id(node));
    if (old == kGround) continue;
    to.discrete.joint(node) = from.discrete.joint(old);
    if (!from.discrete.applied.empty())
      to.discrete.apply(node, from.discrete.applied[static_cast<std::size_t>(old)]);
    to.y.y.segment<kBlock>(block_at(node)) = from.y.y.segment<kBlock>(block_at(old));
    to.y.carry.segment<kBlock>(block_at(node)) = from.y.carry.segment<kBlock>(block_at(old));
    to.hashes[static_cast<std::size_t>(node)] = from.hashes[static_cast<std::size_t>(old)];
  }
  for (int watch = 0; watch < to_group.watches(); ++watch) {
    const int old = from_group.watch_of_pair(to_group.pair_of_watch(watch));
    if (old < 0) continue;
    to.discrete.witness(watch) = from.discrete.witness(old);
    to.waits[static_cast<std::size_t>(watch)] = from.waits[static_cast<std::size_t>(old)];
  }
  to.booked += std::exchange(from.booked, 0.0);
  to.y.y.tail<kWorkSize>() += from.y.y.tail<kWorkSize>();
  from.y.y.tail<kWorkSize>().setZero();
  to.energy_start += std::exchange(from.energy_start, 0.0);
  to.kinetic_largest = std::max(to.kinetic_largest, from.kinetic_largest);
  to.counting_since = std::max(to.counting_since, from.counting_since);
  to.steps_since = std::max(to.steps_since, from.steps_since);
  take_later(to.last_change_t, to.changes_at_once, from.last_change_t, from.changes_at_once);
  take_later(to.busy_since, to.busy_changes, from.busy_since, from.busy_changes);
  to.warned_conforming = to.warned_conforming || from.warned_conforming;
}

}  // namespace oloid::world
