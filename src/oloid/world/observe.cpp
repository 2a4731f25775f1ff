#include "oloid/world/observe.h"

#include <cmath>

namespace oloid {
namespace {

BodyFrame body_frame(const FreeState<double>& x) {
  const Mat3<double> R = rotation_matrix(x.q_WA);
  return {x.p_WA, unit(x.q_WA), R * x.phi.v, R * x.phi.w};
}

EnergyFrame energies(const Model& model, const FreeState<double>& x, double dissipated) {
  const Inertia<double> M{model.inertia.mass, model.inertia.J};
  return {kinetic_energy(M, x.phi), -M.mass * model.gravity_W.dot(x.p_WA), dissipated};
}

}  // namespace

Observation observe(const Model& model, const ContactSetting& setting, const ContactVector& y) {
  const ContactEvaluation at = evaluate(model, setting, y);
  const FreeState<double> x = free_state(model, at);
  Observation o;
  o.body = body_frame(x);
  o.energy = energies(model, x, y.segment<3>(kBooked).sum());
  o.conformity = conformity(at.rates.K_rel, model.length);

  const Mat3<double> R_WC = model.X_WB.R * at.X_BA.R * at.pair.A.R;
  const Vec3<double> p_BA = at.X_BA * at.pair.A.p;
  ContactFrame& c = o.contact;
  c.mode = setting.mode;
  c.gap = (p_BA - at.pair.B.p).dot(at.pair.B.R.col(2));
  c.point_A = model.X_WB * p_BA;
  c.point_B = model.X_WB * at.pair.B.p;
  c.normal = R_WC.col(2);
  c.slip = R_WC.leftCols<2>() * at.state.w.tail<2>();
  c.spin = at.state.w(2);
  c.normal_force = -at.rates.f(5);
  c.friction = R_WC.leftCols<2>() * at.rates.f.segment<2>(3);
  c.chart_A = setting.A.chart;
  c.chart_B = setting.B.chart;
  c.location_A = at.state.location_A;
  c.location_B = at.state.location_B;
  c.psi = at.state.psi;
  return o;
}

Observation observe(const Model& model, const FlightSetting& setting, double booked,
                    const RootVector& y) {
  const FreeState<double> x = unpack(y);
  const Closest near = nearest(model, setting, x);
  Observation o;
  o.body = body_frame(x);
  o.energy = energies(model, x, booked);
  ContactFrame& c = o.contact;
  c.mode = Mode::separated;
  if (near.status != ClosestStatus::found) {  // no two points face each other
    const Vec3<double> nowhere = Vec3<double>::Constant(std::nan(""));
    c.gap = c.spin = std::nan("");
    c.point_A = c.point_B = c.normal = c.slip = nowhere;
    return o;
  }
  c.gap = near.gap;
  c.point_A = model.X_WB * near.point_A;
  c.point_B = model.X_WB * near.point_B;
  c.normal = -(model.X_WB.R * near.normal_B);
  const Vec3<double> v =
      o.body.velocity + o.body.angular_velocity.cross(Vec3<double>(c.point_A - o.body.position));
  c.slip = v - v.dot(c.normal) * c.normal;
  c.spin = o.body.angular_velocity.dot(c.normal);
  c.chart_A = near.A.chart;
  c.chart_B = near.B.chart;
  c.location_A = near.A.x;
  c.location_B = near.B.x;
  return o;
}

BodyFrame fixed_body_frame(const Model& model) {
  return {model.X_WB.p, quaternion(model.X_WB.R), Vec3<double>::Zero(), Vec3<double>::Zero()};
}

}  // namespace oloid
