#include "oloid/world/evaluate/evaluation.h"

#include <algorithm>

namespace oloid::world {
namespace {

// Of C, in C.
Twist<double> motion_over_A(const ContactPath<double>& path) {
  return {path.w_AC, {path.v_A.x(), path.v_A.y(), 0}};
}

}  // namespace

Vec3<double> ContactEvaluation::direction_in_B(Channel channel, const Vec2<double>& v) const {
  const Mat3<double> R_BC = X_BA.R * pair.A.R;
  if (channel == Channel::spin) return (v.x() < 0 ? -1.0 : 1.0) * R_BC.col(2);
  return (R_BC.leftCols<2>() * v).normalized();
}

Evaluation::Evaluation(const IslandIndex& group)
    : forest(group.nodes()),
      bodies(group.model.bodies.size()),
      contacts(static_cast<std::size_t>(group.nodes())),
      group_(group),
      loads_(group.model.bodies.size()) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!group.model.bodies[i].moves) bodies[i] = group.model.bodies[i].motion.at(0);
  }
  for (int node = 0; node < group.nodes(); ++node) forest[node].body = group.at_node(node).inertia;
}

void Evaluation::set_topology(const DiscreteState& discrete) {
  for (int i = 0; i < forest.size(); ++i) {
    const Contact& hold = discrete.joint(i);
    forest[i].held = hold.on;
    forest[i].parent = hold.on ? group_.node(hold.parent) : kGround;
  }
  forest.sort();
}

void Evaluation::kinematics(const DiscreteState& discrete, double time, const StateVector& y) {
  t = time;
  for (const BodyId id : group_.model.drives)
    bodies[static_cast<std::size_t>(id.index)] = group_.body(id).motion.at(t);
  for (const int node : forest.order()) {
    const BlockVector block = y.segment<kBlock>(block_at(node));
    if (discrete.joint(node).on) {
      place_held(discrete.joint(node), node, block);
      continue;
    }
    const FreeState<double> x = unpack_free(block);
    BodyMotion& body = bodies[static_cast<std::size_t>(group_.id(node).index)];
    body.X_WB = {rotation_matrix(x.q_WA), x.p_WA};
    body.phi = x.phi;
  }
}

void Evaluation::place_held(const Contact& hold, int node, const BlockVector& y) {
  ContactEvaluation& c = contact(node);
  Node& joint = forest[node];
  const BodyId id = group_.id(node);
  const BodyMotion& base = body(hold.parent);
  c.rates = y.segment<5>(kRates);
  c.state = {y.segment<3>(kLocationA), y.segment<3>(kLocationB), y(kPsi), c.rates};
  if (group_.model.formulation == Formulation::contact_twist) {
    c.pair = {surface_at(group_.model, id, hold.A, c.state.location_A),
              surface_at(group_.model, hold.parent, hold.B, c.state.location_B)};
  } else {
    c.parametric = parametric_contact(group_.model, id, hold, c.state.location_A,
                                      c.state.location_B, c.state.psi);
    c.pair = pair_geometry(c.parametric.pair);
    c.state.w = twist_of_parameter_rates(law_of(hold), c.parametric, c.rates);
  }
  c.k = relative_curvature(c.pair, c.state.psi);
  joint.X_AC = {c.pair.A.R, c.pair.A.p};
  joint.X_BC = {contact_axes_in_B(c.pair.B, c.k.R), c.pair.B.p};
  const Mat3<double> R_BA = joint.X_BC.R * c.pair.A.R.transpose();
  c.X_BA = {R_BA, c.pair.B.p - R_BA * c.pair.A.p};

  // w is relative to B's material; what runs over its surface, relative to B's frame, is that and
  // the motion of a belt. b = −ad_η w − ad_φB (w + belt) − X_BC⁻¹ φ̇_B, η: motion of C over A.
  const Twist<double> relative{c.state.w.head<3>(), {c.state.w(3), c.state.w(4), 0}};
  BodyMotion& moved = bodies[static_cast<std::size_t>(id.index)];
  moved.X_WB = base.X_WB * c.X_BA;
  const bool still = joint.parent == kGround && !group_.body(hold.parent).motion.is_moving();
  if (still) {
    c.path = contact_path(c.pair, c.k, c.state.w);
    moved.phi = transform(joint.X_AC, relative);
    joint.b = -stacked(cross(motion_over_A(c.path), relative));
    return;
  }
  const Twist<double> phi_BC = seen_from(joint.X_BC, base.phi);
  const Twist<double> over_frame = relative + seen_from(joint.X_BC, base.belt);
  c.path = contact_path<double>(c.pair, c.k, stacked(over_frame).head<5>());
  moved.phi = transform(joint.X_AC, relative + phi_BC);
  joint.b = -stacked(cross(motion_over_A(c.path), relative) + cross(phi_BC, over_frame));
  if (joint.parent == kGround) joint.b -= stacked(seen_from(joint.X_BC, base.phi_rate));
}

bool Evaluation::evaluate(const DiscreteState& discrete, double time, const StateVector& y) {
  kinematics(discrete, time, y);
  return solve_forces(discrete);
}

bool Evaluation::solve_forest(const DiscreteState& discrete) {
  take_loads();
  for (int node = 0; node < forest.size(); ++node) {
    const Contact& hold = discrete.joint(node);
    if (!hold.on) continue;
    Node& joint = forest[node];
    joint.law = law_of(hold);
    joint.given = given_forces<double>(
        joint.law, contact(node).state.w, joint.X_BC.R,
        {hold[Channel::slip].friction, hold[Channel::spin].friction, hold[Channel::roll].friction});
  }
  const bool defined = find_all_onsets(discrete);
  forest.solve();
  return defined;
}

bool Evaluation::solve_forces(const DiscreteState& discrete) {
  const bool defined = solve_forest(discrete);
  if (group_.model.formulation == Formulation::parameter_rates) {
    for (int node = 0; node < forest.size(); ++node) {
      if (discrete.joint(node).on) solve_parametric(discrete.joint(node), node);
    }
  }
  drive_power = ground_power(discrete);
  return defined;
}

double Evaluation::ground_power(const DiscreteState& discrete) const {
  double power = 0;
  for (int node = 0; node < forest.size(); ++node) {
    const Node& joint = forest[node];
    if (!joint.held || joint.parent != kGround) continue;
    const BodyId ground = discrete.joint(node).parent;
    if (!group_.body(ground).motion.is_moving()) continue;
    power += joint.f.dot(stacked(seen_from(joint.X_BC, body(ground).phi)));
  }
  return power;
}

// The form's own equations take the place of the forest's; onsets come from the latter.
void Evaluation::solve_parametric(const Contact& hold, int node) {
  ContactEvaluation& c = contact(node);
  Node& joint = forest[node];
  Friction friction = hold[Channel::slip].friction;
  if (hold[Channel::slip].grip == Grip::starting) {
    friction.direction_B =
        c.direction_in_B(Channel::slip, c.onset[static_cast<std::size_t>(Channel::slip)]);
    friction.least_speed = INFINITY;
  }
  const auto load = [&](BodyId id) { return loads_[static_cast<std::size_t>(id.index)]; };
  const Wrench<double>& on_A = load(group_.id(node));
  const BodyMotion& base = body(hold.parent);
  const auto rates_on = [&](const auto& B) {
    return parameter_rates(joint.law, c.parametric.pair, c.state.psi, c.rates, joint.body, on_A,
                           friction, B);
  };
  if (joint.parent == kGround) {
    c.own = rates_on(DrivenBase<double>{base.phi, base.phi_rate});
  } else {
    Node& parent = forest[joint.parent];
    c.own = rates_on(FreeBase<double>{base.phi, parent.body, load(hold.parent)});
    parent.a = c.own.phi_B_rate;
  }
  joint.f = c.own.f;
  joint.denominator = c.own.denominator;
}

Vec5<double> Evaluation::rates_of(const Contact& hold, int node, const Vec5<double>& w) const {
  if (group_.model.formulation == Formulation::contact_twist) return w;
  return admissible_rates_of_twist(law_of(hold), contact(node).parametric.H, w);
}

void Evaluation::take_loads() {
  if (!group_.loads.empty()) std::fill(loads_.begin(), loads_.end(), Wrench<double>{});
  for (const BodyId id : group_.moving) {
    const auto i = static_cast<std::size_t>(id.index);
    loads_[i] = {Vec3<double>::Zero(), group_.body(id).inertia.mass *
                                           (bodies[i].X_WB.R.transpose() * group_.model.gravity_W)};
  }
  load_power = 0;
  if (!group_.loads.empty()) group_.loads.add(t, bodies, loads_, load_power);
  for (int node = 0; node < forest.size(); ++node) {
    const auto i = static_cast<std::size_t>(group_.id(node).index);
    const BodyInertia<double>& inertia = group_.model.bodies[i].inertia;
    const Inertia<double> M{inertia.mass, inertia.J};
    const Wrench<double> g = driving_wrench(M, loads_[i], bodies[i].phi);
    forest[node].p = {-g.t, -g.f};
  }
}

// Channels that start at the same time depend on each other: again until nothing changes.
bool Evaluation::find_all_onsets(const DiscreteState& discrete) {
  constexpr int kMostPasses = 30;
  int starting = 0;
  for (int node = 0; node < forest.size(); ++node) {
    const Contact& hold = discrete.joint(node);
    for (const Channel channel : kChannels)
      starting += hold.on && hold[channel].grip == Grip::starting ? 1 : 0;
  }
  Onsets pass;
  for (int i = 0; i < (starting > 1 ? kMostPasses : starting); ++i) {
    pass = {};
    for (int node = 0; node < forest.size(); ++node) find_onsets(discrete, node, pass);
    if (pass.found && pass.change < 1e-14) break;
  }
  return pass.found;
}

// The direction of a channel that has just begun to move follows from the accelerations.
void Evaluation::find_onsets(const DiscreteState& discrete, int node, Onsets& pass) {
  for (const Channel channel : kChannels) {
    const Contact& hold = discrete.joint(node);
    if (!hold.on || hold[channel].grip != Grip::starting) continue;
    Node& joint = forest[node];
    ContactEvaluation& c = contact(node);
    const Friction& friction = hold[channel].friction;
    const Mat3<double> R_CB = joint.X_BC.R.transpose();
    const Vec3<double> last = R_CB * friction.direction_B;
    const Vec2<double> guess =
        channel == Channel::spin ? Vec2<double>(last.z(), 0) : Vec2<double>(last.head<2>());
    const Onset way =
        onset(response_at(forest, node), joint.law, joint.given, channel, friction.kinetic, guess);
    const Vec2<double> before = part(joint.given, channel);
    c.onset[static_cast<std::size_t>(channel)] = way.direction;
    c.onset_found[static_cast<std::size_t>(channel)] = way.found;
    set_part(joint.given, channel, -friction.kinetic * way.direction);
    if (friction.kinetic > 0) {
      const double turned = (part(joint.given, channel) - before).norm() / friction.kinetic;
      pass.change = std::max(pass.change, turned);
    }
    pass.found = pass.found && way.found;
  }
}

Pose<double> pose_of_pair(const Evaluation& instant, const Pair& pair) {
  return inverse(instant.body(pair.bodies[1]).X_WB) * instant.body(pair.bodies[0]).X_WB;
}

double kinetic_energy(const IslandIndex& group, const Evaluation& instant) {
  double sum = 0;
  for (const BodyId id : group.moving) {
    const BodyInertia<double>& M = group.body(id).inertia;
    sum += kinetic_energy(Inertia<double>{M.mass, M.J}, instant.body(id).phi);
  }
  return sum;
}

double potential_energy(const IslandIndex& group, const Evaluation& instant) {
  double sum = group.loads.empty() ? 0 : group.loads.potential(instant.bodies);
  for (const BodyId id : group.moving)
    sum -= group.body(id).inertia.mass * group.model.gravity_W.dot(instant.body(id).X_WB.p);
  return sum;
}

}  // namespace oloid::world
