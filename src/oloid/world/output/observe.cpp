#include "oloid/world/output/observe.h"

#include <cmath>
#include <optional>

#include "oloid/proximity/broad.h"

namespace oloid::world {
namespace {

ContactFrame touching(const IslandIndex& group, const Contact& hold, const Evaluation& instant,
                      int node) {
  const ContactEvaluation& at = instant.contact(node);
  const Node& joint = instant.forest[node];
  const Pose<double>& X_WB = instant.body(hold.parent).X_WB;
  const Mat3<double> R_WC = X_WB.R * joint.X_BC.R;
  ContactFrame c;
  c.pair = hold.key.pair;
  c.ordinal = hold.key.ordinal;
  c.mode = mode_of(hold);
  c.gap = quality(group, hold, at).gap;
  c.point_A = X_WB * (at.X_BA * at.pair.A.p);
  c.point_B = X_WB * at.pair.B.p;
  c.normal = R_WC.col(2);
  c.slip = R_WC.leftCols<2>() * at.state.w.tail<2>();
  c.spin = at.state.w(kSpinRow);
  c.normal_force = -joint.f(kNormalRow);
  c.friction = R_WC.leftCols<2>() * joint.f.segment<2>(kSlipRow);
  c.moment = R_WC * joint.f.head<3>();
  c.chart_A = hold.A.chart;
  c.chart_B = hold.B.chart;
  c.location_A = at.state.location_A;
  c.location_B = at.state.location_B;
  c.psi = at.state.psi;
  return c;
}

// The same contact with the names of its sides exchanged.
ContactFrame swapped(ContactFrame c) {
  std::swap(c.features[0], c.features[1]);
  std::swap(c.point_A, c.point_B);
  std::swap(c.chart_A, c.chart_B);
  std::swap(c.location_A, c.location_B);
  for (Vec3<double>* v : {&c.normal, &c.slip, &c.friction, &c.moment}) *v = -*v;
  return c;
}

}  // namespace

BodyFrame body_frame(const BodyMotion& x) {
  const Mat3<double>& R = x.X_WB.R;
  return {x.X_WB.p, quaternion(R), R * x.phi.v, R * x.phi.w};
}

ContactFeature feature_of(const Spot& spot) {
  const FeatureKind kind = spot.kind == Spot::Kind::surface ? FeatureKind::surface
                           : spot.kind == Spot::Kind::curve ? FeatureKind::edge
                                                            : FeatureKind::vertex;
  return {kind, kind == FeatureKind::surface ? 0 : spot.index};
}

void near_pairs(const Model& model, const Observation& seen, std::vector<int>& pairs) {
  pairs.clear();
  const auto origin = [&](BodyId id) -> const Vec3<double>& {
    return seen.motions[static_cast<std::size_t>(id.index)].X_WB.p;
  };
  const auto look_at = [&](int number) {
    const Pair pair = model.pair(number);
    if ((origin(pair.bodies[0]) - origin(pair.bodies[1])).norm() - pair.reach <= pair.length)
      pairs.push_back(number);
  };
  constexpr std::size_t kFewPairs = 100;
  if (model.pairs.size() <= kFewPairs) {
    for (int pair = 0; pair < static_cast<int>(model.pairs.size()); ++pair) look_at(pair);
    return;
  }
  // ℓ is the smaller radius: half of both together is at least as much.
  BroadPhase broad;
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    broad.add(around(seen.motions[i].X_WB.p, 1.5 * model.bodies[i].radius()));
  for (const BroadPhase::Pair& bodies : broad.near_pairs()) {
    if (const auto number = model.pairs.find(BodyId{bodies.a}, BodyId{bodies.b})) look_at(*number);
  }
}

ContactFrame observe_apart(const Model& model, int pair, Witness& witness,
                           const Observation& seen) {
  ContactFrame c;
  c.pair = pair;
  const Pair& p = model.pair(pair);
  const auto motion = [&](BodyId id) -> const BodyMotion& {
    return seen.motions[static_cast<std::size_t>(id.index)];
  };
  const BodyMotion &A = motion(p.bodies[0]), &B = motion(p.bodies[1]);
  // If the bodies are not convex, another pair of points may have become the nearest since then.
  const Pose<double> X_BA = inverse(B.X_WB) * A.X_WB;
  std::optional<TrackedPair> found;
  if (!p.convex) found = nearest_anywhere(model, pair, X_BA);
  const TrackedPair near = found && found->usable() ? *found : nearest(model, pair, X_BA, witness);
  witness = witness_of(near);
  if (witness.lost) {  // none were found
    c.gap = c.spin = std::nan("");
    c.point_A = c.point_B = c.normal = c.slip = Vec3<double>::Constant(std::nan(""));
    return c;
  }
  c.gap = near.gap;
  c.point_A = B.X_WB * near.point_A;
  c.point_B = B.X_WB * near.point_B;
  c.normal = -(B.X_WB.R * near.normal);
  const auto velocity = [](const BodyMotion& x, const Vec3<double>& point) -> Vec3<double> {
    const Vec3<double> r = point - x.X_WB.p, w = x.X_WB.R * x.phi.w;
    return x.X_WB.R * x.phi.v + w.cross(r);
  };
  const Vec3<double> v = velocity(A, c.point_A) - velocity(B, c.point_B);
  c.slip = v - v.dot(c.normal) * c.normal;
  c.spin = (A.X_WB.R * A.phi.w - B.X_WB.R * B.phi.w).dot(c.normal);
  c.chart_A = near.A.at.chart;
  c.chart_B = near.B.at.chart;
  c.location_A = near.A.at.x;
  c.location_B = near.B.at.x;
  c.features = {feature_of(near.A), feature_of(near.B)};
  return c;
}

ContactQuality quality(const IslandIndex& group, const Contact& hold, const ContactEvaluation& c) {
  const Vec3<double> between = c.X_BA * c.pair.A.p - c.pair.B.p;
  return {between.dot(c.pair.B.R.col(2)), conformity(c.k.K_rel, group.pair(hold.key.pair).length)};
}

EnergyFrame energies(const IslandIndex& group, const DiscreteState& discrete, double booked,
                     const Evaluation& instant, const StateVector& y) {
  EnergyFrame e;
  e.kinetic = kinetic_energy(group, instant);
  e.potential = potential_energy(group, instant);
  e.dissipated = booked;
  for (int i = 0; i < group.nodes(); ++i) {
    if (discrete.joint(i).on) e.dissipated += y.segment<3>(block_at(i) + kBooked).sum();
  }
  e.work = y.tail<kWorkSize>().sum();
  return e;
}

void observe_nothing(const Model& model, Observation& out) {
  out.bodies.resize(model.bodies.size());
  out.motions.resize(model.bodies.size());
  out.contacts.clear();
  out.energy = {};
}

void observe_one_ground(const Model& model, BodyId ground, double t, Observation& out) {
  const auto i = static_cast<std::size_t>(ground.index);
  out.motions[i] = model.body(ground).motion.at(t);
  out.bodies[i] = body_frame(out.motions[i]);
}

void observe_ground(const Model& model, double t, Observation& out) {
  observe_nothing(model, out);
  for (const BodyId id : model.grounds) observe_one_ground(model, id, t, out);
}

void observe_ended(const IslandIndex& group, const Snapshot& snapshot, const Evaluation& instant,
                   Observation& out) {
  for (const BodyId id : group.moving) {
    const auto i = static_cast<std::size_t>(id.index);
    out.motions[i] = instant.body(id);
    out.bodies[i] = body_frame(out.motions[i]);
    out.bodies[i].ended = true;
  }
  // Energy dissipated and work done until then still count.
  out.energy.dissipated += snapshot.booked;
  out.energy.work += snapshot.y.tail<kWorkSize>().sum();
}

void observe_group(const IslandIndex& group, const Snapshot& snapshot, const Evaluation& instant,
                   Observation& out) {
  for (const BodyId id : group.moving) {
    const auto i = static_cast<std::size_t>(id.index);
    out.motions[i] = instant.body(id);
    out.bodies[i] = body_frame(out.motions[i]);
  }
  for (int node = 0; node < group.nodes(); ++node) {
    const Contact& hold = snapshot.discrete.joint(node);
    if (!hold.on) continue;
    const ContactFrame c = touching(group, hold, instant, node);
    out.contacts.push_back(group.pair(hold.key.pair).bodies[0] != group.id(node) ? swapped(c) : c);
  }
  const EnergyFrame e = energies(group, snapshot.discrete, snapshot.booked, instant, snapshot.y);
  out.energy.kinetic += e.kinetic;
  out.energy.potential += e.potential;
  out.energy.dissipated += e.dissipated;
  out.energy.work += e.work;
}

}  // namespace oloid::world
