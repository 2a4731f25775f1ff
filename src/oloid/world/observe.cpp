#include "oloid/world/observe.h"

#include <cmath>

namespace oloid {
namespace {

BodyFrame body_frame(const BodyMotion& x) {
  const Mat3<double>& R = x.X_WB.R;
  return {x.X_WB.p, quaternion(R), R * x.phi.v, R * x.phi.w};
}

ContactFrame touching(const Model& model, const Hold& hold, const Instant& instant, int node) {
  const ContactInstant& at = instant.contact(node);
  const Node& joint = instant.forest[node];
  const Pose<double>& X_WB = instant.body(hold.parent).X_WB;
  const Mat3<double> R_WC = X_WB.R * joint.X_BC.R;
  ContactFrame c;
  c.mode = mode_of(hold);
  c.gap = quality(model, hold, at).gap;
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
  std::swap(c.point_A, c.point_B);
  std::swap(c.chart_A, c.chart_B);
  std::swap(c.location_A, c.location_B);
  for (Vec3<double>* v : {&c.normal, &c.slip, &c.friction, &c.moment}) *v = -*v;
  return c;
}

ContactFrame apart(const Model& model, const State& state, const Instant& instant, int pair) {
  ContactFrame c;
  const Closest near = nearest(model, state.setting, instant, pair);
  if (near.status != ClosestStatus::found) {  // no two points face each other
    c.gap = c.spin = std::nan("");
    c.point_A = c.point_B = c.normal = c.slip = Vec3<double>::Constant(std::nan(""));
    return c;
  }
  const auto& [A, B] = model.pair(pair).bodies;
  const Pose<double>& X_WB = instant.body(B).X_WB;
  c.gap = near.gap;
  c.point_A = X_WB * near.point_A;
  c.point_B = X_WB * near.point_B;
  c.normal = -(X_WB.R * near.normal_B);
  const auto velocity = [&](BodyId id, const Vec3<double>& point) -> Vec3<double> {
    const BodyMotion& x = instant.body(id);
    const Vec3<double> r = point - x.X_WB.p, w = x.X_WB.R * x.phi.w;
    return x.X_WB.R * x.phi.v + w.cross(r);
  };
  const Vec3<double> v = velocity(A, c.point_A) - velocity(B, c.point_B);
  c.slip = v - v.dot(c.normal) * c.normal;
  c.spin = (instant.body(A).X_WB.R * instant.body(A).phi.w -
            instant.body(B).X_WB.R * instant.body(B).phi.w)
               .dot(c.normal);
  c.chart_A = near.A.chart;
  c.chart_B = near.B.chart;
  c.location_A = near.A.x;
  c.location_B = near.B.x;
  return c;
}

}  // namespace

ContactQuality quality(const Model& model, const Hold& hold, const ContactInstant& c) {
  const Vec3<double> between = c.X_BA * c.pair.A.p - c.pair.B.p;
  return {between.dot(c.pair.B.R.col(2)), conformity(c.k.K_rel, model.pair(hold.pair).length)};
}

EnergyFrame energies(const Model& model, const State& state, const Instant& instant,
                     const StateVector& y) {
  EnergyFrame e;
  e.kinetic = kinetic_energy(model, instant);
  e.potential = potential_energy(model, instant);
  e.dissipated = state.booked;
  for (int i = 0; i < model.nodes(); ++i) {
    if (state.setting.hold(i).on) e.dissipated += y.segment<3>(block_at(i) + kBooked).sum();
  }
  e.work = y.tail<kWorkSize>().sum();
  return e;
}

void observe(const Model& model, const State& state, double t, const StateVector& y,
             Instant& instant, Observation& out) {
  instant.evaluate(state.setting, t, y);
  out.bodies.resize(model.bodies.size());
  for (std::size_t i = 0; i < out.bodies.size(); ++i) out.bodies[i] = body_frame(instant.bodies[i]);
  out.contacts.resize(model.pairs.size());
  for (int pair = 0; pair < static_cast<int>(model.pairs.size()); ++pair) {
    const int node = held_by(state.setting, pair);
    ContactFrame& c = out.contacts[static_cast<std::size_t>(pair)];
    if (node == kGround) {
      c = apart(model, state, instant, pair);
      continue;
    }
    c = touching(model, state.setting.hold(node), instant, node);
    if (model.pair(pair).bodies[0] != model.moving[static_cast<std::size_t>(node)]) c = swapped(c);
  }
  out.energy = energies(model, state, instant, y);
  evaluate(model, model.probes, t, out.bodies, out.contacts, out.energy, out.probes);
}

}  // namespace oloid
