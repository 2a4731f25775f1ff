#include "oloid/world/state.h"

#include <algorithm>

#include "oloid/world/grip.h"

namespace oloid {
namespace {

Twist<double> relative_twist(const Node& joint, const Twist<double>& A, const Twist<double>& B) {
  return seen_from(joint.X_AC, A) - seen_from(joint.X_BC, B);
}

// Who is held on whom: from the ground outward, then from a body of each floating tree.
void hang_up(const Model& model, Setting& setting) {
  std::vector<bool> placed(model.bodies.size());
  for (std::size_t i = 0; i < placed.size(); ++i) placed[i] = !model.bodies[i].moves;
  std::vector<bool> used(model.touches.size());
  const auto is_placed = [&](BodyId id) { return placed[static_cast<std::size_t>(id.index)]; };
  for (std::size_t left = used.size(); left > 0;) {
    const std::size_t before = left;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const Touch& touch = model.touches[i];
      const auto& [A, B] = model.pair(touch.pair).bodies;
      if (used[i] || is_placed(A) == is_placed(B)) continue;
      const bool swapped = is_placed(A);
      const BodyId child = swapped ? B : A;
      const Location &a = swapped ? touch.B : touch.A, &b = swapped ? touch.A : touch.B;
      Hold& hold = setting.hold(model.body(child).node);
      hold.on = true;
      hold.pair = touch.pair;
      hold.parent = swapped ? A : B;
      hold.A = {a.chart, fresh_reference(model.body(child).side, a)};
      hold.B = {b.chart, fresh_reference(model.body(hold.parent).side, b)};
      placed[static_cast<std::size_t>(child.index)] = used[i] = true;
      --left;
    }
    if (left < before) continue;
    const auto first =
        static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
    placed[static_cast<std::size_t>(model.pair(model.touches[first].pair).bodies[1].index)] = true;
  }
}

void coordinates_of_contact(const Model& model, const Setting& setting, const Touch& touch,
                            int node, StateVector& y) {
  const Hold& hold = setting.hold(node);
  const BodyId child = model.moving[static_cast<std::size_t>(node)];
  const bool swapped = model.pair(touch.pair).bodies[0] != child;
  const Location &a = swapped ? touch.B : touch.A, &b = swapped ? touch.A : touch.B;
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

// Twists as given, made consistent with the contacts: those that part are let go, approach is taken
// away by impulses without friction, at all contacts at once.
void make_consistent(const Model& model, State& state, Instant& instant) {
  const auto twist_of = [&](BodyId id) {
    const Body& body = model.body(id);
    return body.moves ? body.start.phi : body.motion.at(0).phi;
  };
  Setting& setting = state.setting;
  instant.arrange(setting);
  instant.place(setting, 0, state.y.y);
  Forest& forest = instant.forest;
  for (int i = 0; i < forest.size(); ++i) {
    Node& node = forest[i];
    node.p = {};
    if (!setting.hold(i).on) continue;
    const Twist<double> v =
        relative_twist(node, model.at_node(i).start.phi, twist_of(setting.hold(i).parent));
    node.b = stacked(v);
    node.law = {};
    node.given.setZero();
    // v_z > 0 is approach, because z points out of A.
    if (-v.v.z() > 1e-9 * (model.speed + v.v.norm())) {
      setting.hold(i).on = false;
      state.y.y.segment<kBlock>(block_at(i)) = pack_free(model.at_node(i).start);
    } else {
      state.removed_normal_speed = std::max(state.removed_normal_speed, std::abs(v.v.z()));
    }
  }
  for (int i = 0; i < forest.size(); ++i) forest[i].held = setting.hold(i).on;
  forest.sort();
  forest.solve();
  for (int i = 0; i < forest.size(); ++i) {
    auto block = state.y.y.segment<kBlock>(block_at(i));
    if (setting.hold(i).on) {
      block.segment<5>(kRates) = instant.rates_of(setting.hold(i), i, forest[i].w_rate.head<5>());
    } else {
      add_jump(block, forest[i].a);
    }
  }
  instant.arrange(setting);
}

}  // namespace

State initial_state(const Model& model) {
  State state;
  const int nodes = model.nodes(), pairs = static_cast<int>(model.pairs.size());
  const int guards = kBodyGuards * nodes + pairs;
  Setting& setting = state.setting;
  setting.holds.resize(static_cast<std::size_t>(nodes));
  setting.watches.resize(static_cast<std::size_t>(pairs));
  for (Watch& watch : setting.watches) watch.lost = true;
  state.y.resize(state_size(nodes), guards);
  state.armed.resize(state_size(nodes), guards);
  state.unchecked_path.assign(static_cast<std::size_t>(pairs), INFINITY);
  for (const Body& body : model.bodies) {
    state.last_orientations.push_back(body.moves ? body.start.q_WA
                                                 : quaternion(body.motion.at(0).X_WB.R));
  }

  hang_up(model, setting);
  StateVector& y = state.y.y;
  for (int i = 0; i < nodes; ++i)
    y.segment<kBlock>(block_at(i)) = pack_free(model.at_node(i).start);
  for (const Touch& touch : model.touches) {
    setting.watch(touch.pair) = {touch.A, touch.B, false};
    coordinates_of_contact(model, setting, touch, held_by(setting, touch.pair), y);
  }
  Instant instant(model);
  make_consistent(model, state, instant);
  for (int pair = 0; pair < pairs; ++pair) {
    if (!setting.watch(pair).lost) continue;
    const Closest near = nearest_anywhere(model, instant, pair);
    setting.watch(pair) = {near.A, near.B, near.status != ClosestStatus::found};
  }

  instant.evaluate(setting, 0, y);
  Gripper gripper(model, setting, instant, 0, y);
  for (const int i : instant.forest.order()) {
    if (!setting.hold(i).on) continue;
    const double slip = part(instant.contact(i).state.w, Channel::slip).norm();
    gripper.decide_all(i);
    if (setting.hold(i)[Channel::slip].grip == Grip::stuck)
      state.removed_slip_speed = std::max(state.removed_slip_speed, slip);
  }
  for (const int i : instant.forest.order()) {
    if (!setting.hold(i).on) continue;
    gripper.test(i);
    y.segment<3>(block_at(i) + kBooked).setZero();  // removed before the run began
  }
  y.tail<kWorkSize>().setZero();
  return state;
}

}  // namespace oloid
