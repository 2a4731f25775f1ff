#include "oloid/world/events/joining.h"

#include "oloid/base/constants.h"

namespace oloid::world {
namespace {

int root_of(const Forest& forest, int node) {
  while (node != kGround && forest[node].held) node = forest[node].parent;
  return node;
}

void set_free(const IslandIndex& group, const Evaluation& instant, int node, StateVector& y) {
  const BodyMotion& x = instant.body(group.id(node));
  y.segment<kBlock>(block_at(node)) = pack_free({x.X_WB.p, quaternion(x.X_WB.R), x.phi});
}

// The contact that held `below` on `above` now holds `above` on `below`: theory/contact.md,
// exchange of A and B.
void turn_over(const IslandIndex& group, const Contact& hold, const ContactEvaluation& c, int below,
               int above, const BlockVector& block, DiscreteState& discrete, StateVector& y) {
  Contact& turned = discrete.joint(above);
  turned = hold;
  turned.parent = group.id(below);
  std::swap(turned.A, turned.B);
  for (const Channel channel : kChannels) {
    Vec3<double>& way = turned[channel].friction.direction_B;
    way = c.X_BA.R.transpose() * way;  // in the axes of what was A
    way = -way;
  }
  auto out = y.segment<kBlock>(block_at(above));
  out = block;
  out.segment<3>(kLocationA) = block.segment<3>(kLocationB);
  out.segment<3>(kLocationB) = block.segment<3>(kLocationA);
  out.segment<2>(kRates) = -c.k.R * block.segment<2>(kRates);
  out.segment<2>(kRates + kSlipRow) = -c.k.R * block.segment<2>(kRates + kSlipRow);
}

// Makes a node of a floating tree its root.
void make_root(const IslandIndex& group, IslandState& state, const Evaluation& instant, int node) {
  Contact hold = state.discrete.joint(node);
  BlockVector block = state.y.y.segment<kBlock>(block_at(node));
  set_free(group, instant, node, state.y.y);
  state.discrete.joint(node) = {};
  for (int below = node; hold.on;) {
    const int above = group.node(hold.parent);
    const Contact next = state.discrete.joint(above);
    const BlockVector next_block = state.y.y.segment<kBlock>(block_at(above));
    turn_over(group, hold, instant.contact(below), below, above, block, state.discrete, state.y.y);
    hold = next;
    block = next_block;
    below = above;
  }
}

}  // namespace

bool joined(const IslandIndex& group, const Forest& forest, const std::array<BodyId, 2>& bodies) {
  return root_of(forest, group.node(bodies[0])) == root_of(forest, group.node(bodies[1]));
}

void release(const IslandIndex& group, IslandState& state, Evaluation& instant, int node) {
  Contact& hold = state.discrete.joint(node);
  StateVector& y = state.y.y;
  const bool swapped = group.pair(hold.key.pair).bodies[0] != group.id(node);
  const auto spot = [&](const ChartAnchor& anchor, Eigen::Index location) -> Spot {
    return {Spot::Kind::surface, 0, {anchor.chart, y.segment<3>(block_at(node) + location)}};
  };
  Witness& witness = state.discrete.witness(group.watch_of_pair(hold.key.pair));
  witness.A = spot(hold.A, kLocationA);
  witness.B = spot(hold.B, kLocationB);
  witness.normal = instant.contact(node).pair.B.R.col(2);
  if (swapped) {
    std::swap(witness.A, witness.B);
    witness.normal = -(instant.contact(node).X_BA.R.transpose() * witness.normal);
  }
  witness.lost = false;
  witness.moved = witness.free_way = 0;
  state.booked += y.segment<3>(block_at(node) + kBooked).sum();
  set_free(group, instant, node, y);
  state.y.carry.segment<kBlock>(block_at(node)).setZero();
  hold = {};
  instant.set_topology(state.discrete);
}

int join(const IslandIndex& group, IslandState& state, Evaluation& instant, int pair,
         const TrackedPair& near) {
  const auto [A, B] = group.pair(pair).bodies;
  if (joined(group, instant.forest, {A, B})) return kGround;
  const int a = group.node(A), b = group.node(B);
  const int root_a = root_of(instant.forest, a), root_b = root_of(instant.forest, b);
  // A floating tree is held on one that does not float; if both float, A is held on B.
  const bool swapped = root_a == kGround || (root_b == b && root_a != a && root_b != kGround);
  const int child = swapped ? b : a;
  make_root(group, state, instant, child);

  Contact& hold = state.discrete.joint(child);
  hold = {};
  hold.on = true;
  hold.key = {pair};
  state.discrete.witness(group.watch_of_pair(pair)) = {};  // from now on it is of a second contact
  hold.parent = swapped ? A : B;
  const Location &on_A = near.A.at, &on_B = near.B.at;
  const ChartAnchor anchor_A{on_A.chart, fresh_reference(group.body(A).side, on_A)},
      anchor_B{on_B.chart, fresh_reference(group.body(B).side, on_B)};
  hold.A = swapped ? anchor_B : anchor_A;
  hold.B = swapped ? anchor_A : anchor_B;
  auto block = state.y.y.segment<kBlock>(block_at(child));
  block.setZero();
  block.segment<3>(kLocationA) = swapped ? on_B.x : on_A.x;
  block.segment<3>(kLocationB) = swapped ? on_A.x : on_B.x;
  const PairGeometry<double> at{surface_at(group.model, A, anchor_A, on_A.x),
                                surface_at(group.model, B, anchor_B, on_B.x)};
  block(kPsi) = psi_of_pose(at, pose_of_pair(instant, group.pair(pair)).R);
  state.y.carry.setZero();
  const BodyMotion moved = instant.body(swapped ? B : A), base = instant.body(swapped ? A : B);
  instant.set_topology(state.discrete);
  instant.kinematics(state.discrete, state.t(), state.y.y);
  const Node& joint = instant.forest[child];
  const Twist<double> v =
      seen_from(joint.X_AC, moved.phi) - along_surface(joint.X_BC, base.phi, base.belt);
  block.segment<5>(kRates) = instant.rates_of(hold, child, stacked(v).head<5>());
  return child;
}

}  // namespace oloid::world
