#include "oloid/world/evaluate/evaluation.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/largest.h"

namespace oloid::world {

Vec3<double> ContactEvaluation::direction_in_B(Channel channel, const Vec2<double>& v) const {
  const Mat3<double> R_BC = X_BA.R * pair.A.R;
  if (channel == Channel::spin) return (v.x() < 0 ? -1.0 : 1.0) * R_BC.col(2);
  return (R_BC.leftCols<2>() * v).normalized();
}

Evaluation::Evaluation(const IslandIndex& group)
    : forest(group.nodes()),
      bodies(static_cast<std::size_t>(group.slots())),
      contacts(static_cast<std::size_t>(group.nodes())),
      group_(group),
      loads_(bodies.size()),
      y_(state_size(group.nodes())),
      anchorings_(contacts.size()) {
  const int channels = static_cast<int>(kChannels.size()) * group.nodes();
  starting_.reserve(static_cast<std::size_t>(channels));
  turning_lu_.reserve(channels);
  turns_.setZero(channels);
  for (std::size_t i = 0; i < group.grounds.size(); ++i)
    bodies[static_cast<std::size_t>(group.nodes()) + i] = group.body(group.grounds[i]).rest;
  for (int node = 0; node < group.nodes(); ++node) forest[node].body = group.at_node(node).inertia;
}

void Evaluation::set_topology(const DiscreteState& discrete) {
  placed_ = false;
  for (int i = 0; i < forest.size(); ++i) {
    const Contact& hold = discrete.joint(i);
    forest[i].held = hold.on;
    forest[i].parent = hold.on ? group_.node(hold.parent) : kGround;
  }
  forest.sort();
}

bool Evaluation::is_at(const DiscreteState& discrete, double time, const StateVector& y) const {
  if (!placed_ || t != time || y_ != y) return false;
  for (int node = 0; node < forest.size(); ++node) {
    const Contact& hold = discrete.joint(node);
    if (hold.on && anchorings_[static_cast<std::size_t>(node)] != anchoring_of(hold)) return false;
  }
  return true;
}

void Evaluation::kinematics(const DiscreteState& discrete, double time, const StateVector& y) {
  if (!is_at(discrete, time, y)) {
    t = time;
    y_ = y;
    for (const BodyId id : group_.model.drives)
      bodies[static_cast<std::size_t>(group_.slot(id))] = group_.body(id).motion.at(t);
    for (const int node : forest.order()) {
      const BlockVector block = y.segment<kBlock>(block_at(node));
      if (discrete.joint(node).on) {
        place_held(discrete.joint(node), node, block);
        continue;
      }
      const FreeState<double> x = unpack_free(block);
      BodyMotion& body = bodies[static_cast<std::size_t>(node)];
      body.X_WB = {rotation_matrix(x.q_WA), x.p_WA};
      body.phi = x.phi;
    }
    placed_ = true;
  }
  // Other code also solves the forest, with its own biases, so they are set again.
  for (int node = 0; node < forest.size(); ++node) {
    if (discrete.joint(node).on) forest[node].b = contact(node).bias;
  }
}

void Evaluation::place_held(const Contact& hold, int node, const BlockVector& y) {
  ContactEvaluation& c = contact(node);
  Node& joint = forest[node];
  const BodyId id = group_.id(node);
  anchorings_[static_cast<std::size_t>(node)] = anchoring_of(hold);
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
  const BodyMotion& base = body(hold.parent);
  const bool on_ground = joint.parent == kGround;
  const bool at_rest = on_ground && !group_.body(hold.parent).motion.is_moving();
  ContactEquation<double>& equation = c;
  equation = at_rest ? contact_equation(c.pair, c.state.psi, c.state.w)
                     : contact_equation(c.pair, c.state.psi, c.state.w, base);
  c.bias = stacked(c.b);
  if (on_ground && !at_rest)
    c.bias -= stacked(along_surface(c.X_BC, base.phi_rate, base.belt_rate));
  joint.X_AC = c.X_AC;
  joint.X_BC = c.X_BC;
  c.X_BA = pose_of_A_in_B(c);
  BodyMotion& moved = bodies[static_cast<std::size_t>(node)];
  moved.X_WB = base.X_WB * c.X_BA;
  moved.phi = c.phi_A;
}

bool Evaluation::evaluate(const DiscreteState& discrete, double time, const StateVector& y) {
  kinematics(discrete, time, y);
  return solve_forces(discrete);
}

bool Evaluation::solve_forest(const DiscreteState& discrete) {
  take_loads(discrete);
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
    const BodyMotion& moved = body(ground);
    power += joint.f.dot(stacked(along_surface(joint.X_BC, moved.phi, moved.belt)));
  }
  return power;
}

// The parameter-rate equations replace those of the forest; onsets come from the forest.
void Evaluation::solve_parametric(const Contact& hold, int node) {
  ContactEvaluation& c = contact(node);
  Node& joint = forest[node];
  Friction friction = hold[Channel::slip].friction;
  if (hold[Channel::slip].grip == Grip::starting) {
    friction.direction_B =
        c.direction_in_B(Channel::slip, c.onset[static_cast<std::size_t>(Channel::slip)]);
    friction.least_speed = INFINITY;
  }
  const auto load = [&](BodyId id) { return loads_[static_cast<std::size_t>(group_.slot(id))]; };
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
  joint.regularity = gives_forces(joint.law) ? joint.denominator * joint.body.mass : 1;
}

Vec5<double> Evaluation::rates_of(const Contact& hold, int node, const Vec5<double>& w) const {
  if (group_.model.formulation == Formulation::contact_twist) return w;
  return admissible_rates_of_twist(law_of(hold), contact(node).parametric.H, w);
}

void Evaluation::take_loads(const DiscreteState& discrete) {
  if (!group_.loads.empty()) std::fill(loads_.begin(), loads_.end(), Wrench<double>{});
  for (int node = 0; node < forest.size(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    loads_[i] = {Vec3<double>::Zero(), group_.at_node(node).inertia.mass *
                                           (bodies[i].X_WB.R.transpose() * group_.model.gravity_W)};
  }
  load_power = 0;
  if (!group_.loads.empty()) group_.loads.add(t, bodies, loads_, load_power);
  for (std::size_t i = 0; i < discrete.applied.size(); ++i) {
    const Mat3<double> R_BW = bodies[i].X_WB.R.transpose();
    const Wrench<double> applied{R_BW * discrete.applied[i].t, R_BW * discrete.applied[i].f};
    loads_[i].t += applied.t;
    loads_[i].f += applied.f;
    load_power += power(applied, bodies[i].phi);
  }
  for (int node = 0; node < forest.size(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    const BodyInertia<double>& inertia = group_.at_node(node).inertia;
    const Inertia<double> M{inertia.mass, inertia.J};
    const Wrench<double> g = driving_wrench(M, loads_[i], bodies[i].phi);
    forest[node].p = {-g.t, -g.f};
  }
}

// The direction of a channel that has just begun to move follows from the accelerations. Channels
// that start at the same time depend on each other.
bool Evaluation::find_all_onsets(const DiscreteState& discrete) {
  starting_.clear();
  for (int node = 0; node < forest.size(); ++node) {
    const Contact& hold = discrete.joint(node);
    if (!hold.on) continue;
    for (const Channel channel : kChannels) {
      if (hold[channel].grip != Grip::starting) continue;
      const Friction& friction = hold[channel].friction;
      const Vec3<double> last = forest[node].X_BC.R.transpose() * friction.direction_B;
      const Vec2<double> guess =
          channel == Channel::spin ? Vec2<double>(last.z(), 0) : Vec2<double>(last.head<2>());
      const bool rests =
          part(contact(node).state.w, channel).norm() == 0;  // what sticks has no velocity
      const OnsetFrom from = rests ? OnsetFrom::rest : OnsetFrom::under_way;
      starting_.push_back({node, channel, friction.kinetic, guess, from});
    }
  }
  if (starting_.size() == 1) find_onset(starting_.front());
  if (starting_.size() > 1) find_onsets_together();
  return std::all_of(starting_.begin(), starting_.end(), [&](const Starting& x) {
    return contact(x.node).onset_found[static_cast<std::size_t>(x.channel)];
  });
}

void Evaluation::set_direction(Starting& x, const Vec2<double>& direction) {
  x.direction = direction;
  contact(x.node).onset[static_cast<std::size_t>(x.channel)] = direction;
  set_part(forest[x.node].given, x.channel, -x.kinetic * direction);
}

void Evaluation::find_onset(Starting& x) {
  const Node& joint = forest[x.node];
  const Onset way = onset(response_at(forest, x.node), joint.law, joint.given, x.channel, x.kinetic,
                          x.direction, x.from);
  set_direction(x, way.direction);
  contact(x.node).onset_found[static_cast<std::size_t>(x.channel)] = way.found;
}

// How fast the direction turns, times the speed: 0 where the direction stays constant.
double Evaluation::turning(const Starting& x) const {
  const Vec2<double> a = part(forest[x.node].w_rate, x.channel);
  return x.direction.x() * a.y() - x.direction.y() * a.x();
}

// Compared with the terms that cancel while nothing accelerates yet.
bool Evaluation::speeds_up(const Starting& x) const {
  const Node& joint = forest[x.node];
  const Vec6<double> terms = joint.W.cwiseAbs() * joint.f.cwiseAbs();
  const double negligible = 1e-9 * part(terms, x.channel).norm();
  return part(joint.w_rate, x.channel).dot(x.direction) >= -negligible;
}

// Newton's method on all directions, with differences for derivatives, from those of the last step.
void Evaluation::find_onsets_together() {
  constexpr int kMostSteps = 20;
  constexpr double kDifference = 1e-7, kLargestTurn = 0.3, kSettled = 1e-14;
  const auto n = static_cast<int>(starting_.size());
  const auto at = [&](int k) -> Starting& { return starting_[static_cast<std::size_t>(k)]; };
  const auto turned = [](const Vec2<double>& v, double angle) {
    return Vec2<double>(v.x() * std::cos(angle) - v.y() * std::sin(angle),
                        v.x() * std::sin(angle) + v.y() * std::cos(angle));
  };
  for (Starting& x : starting_) {
    const bool is_spin = x.channel == Channel::spin;
    set_direction(x, is_spin ? Vec2<double>(x.direction.x() < 0 ? -1 : 1, 0)
                             : Vec2<double>(x.direction.normalized()));
    x.last = x.direction;
  }
  bool settled = false;
  for (int step = 0; step < kMostSteps && !settled; ++step) {
    forest.solve();
    for (int k = 0; k < n; ++k) turns_(k) = -turning(at(k));
    for (int k = 0; k < n; ++k) {
      const Vec2<double> direction = at(k).direction;
      if (at(k).channel == Channel::spin) {  // cannot turn
        for (int i = 0; i < n; ++i) turning_lu_.A(i, k) = 0;
        continue;
      }
      set_direction(at(k), turned(direction, kDifference));
      forest.solve();
      for (int i = 0; i < n; ++i) turning_lu_.A(i, k) = (turning(at(i)) + turns_(i)) / kDifference;
      set_direction(at(k), direction);
    }
    for (int k = 0; k < n; ++k) {
      if (at(k).channel != Channel::spin) continue;
      for (int i = 0; i < n; ++i) turning_lu_.A(k, i) = 0;
      turning_lu_.A(k, k) = 1;
      turns_(k) = 0;
    }
    turning_lu_.factor(n);
    turning_lu_.solve(turns_);
    double largest = 0;
    for (int k = 0; k < n; ++k) {
      const double turn = std::clamp(turns_(k), -kLargestTurn, kLargestTurn);
      largest = nan_or_max(largest, std::abs(turns_(k)));
      set_direction(at(k), turned(at(k).direction, turn).normalized());
    }
    settled = largest < kSettled;
    if (step >= 3 && largest < 1e-12) settled = true;  // only round-off is left
  }
  const auto under_way = [](const Starting& x) { return x.from == OnsetFrom::under_way; };
  if (!settled && std::all_of(starting_.begin(), starting_.end(), under_way)) {
    for (Starting& x : starting_) set_direction(x, x.last);
    settled = true;
  }
  forest.solve();
  for (const Starting& x : starting_)
    contact(x.node).onset_found[static_cast<std::size_t>(x.channel)] =
        settled && (under_way(x) || speeds_up(x));
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
