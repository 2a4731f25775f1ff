#include "oloid/world/fields.h"

#include <cmath>

#include "oloid/dynamics/stick.h"

namespace oloid {
namespace {

// A step may leave its chart by a tenth of the chart's size before it is tried again with half the
// length.
constexpr double kChartOvershoot = -0.1;

// A guard is armed above 1e-10. Seams are crossed 1e-13 of a chart beyond them, and the contact is
// inside the next chart by as much: in these units that is clearly inside.
constexpr double kChartGuard = 1e4;

Wrench<double> gravity_wrench(const Model& model, const Mat3<double>& R_WA) {
  return {Vec3<double>::Zero(), model.inertia.mass * (R_WA.transpose() * model.gravity_W)};
}

ContactRates<double> rates_of_mode(Mode mode, const PairGeometry<double>& pair,
                                   const ContactState<double>& x, const BodyInertia<double>& body,
                                   const Wrench<double>& load, const Friction& friction) {
  switch (mode) {
    case Mode::frictionless:
      return contact_rates<Law{Slip::frictionless}>(pair, x, body, load, friction);
    case Mode::sliding:
      return contact_rates<Law{Slip::sliding}>(pair, x, body, load, friction);
    default:
      return contact_rates<Law{Slip::stuck}>(pair, x, body, load, friction);
  }
}

// Positive while the mode holds its grip on what it assumes about slip.
double grip_guard(const Model& model, const ContactSetting& setting, const ContactEvaluation& at) {
  const Vec6<double>& f = at.rates.f;
  if (setting.mode == Mode::sliding && setting.starting) {
    return 1e3 * at.onset.dot(at.state.w.tail<2>()) / model.speed;  // 1: a slip of 1e-3 √(gℓ)
  }
  if (setting.mode == Mode::sliding) {
    // |v_s| above its least value, and not turned by more than a right angle within the step.
    const Vec2<double> v_s = at.state.w.tail<2>();
    const Vec3<double> v_s_B = (at.X_BA.R * at.pair.A.R).leftCols<2>() * v_s;
    const double ahead = v_s_B.dot(setting.friction.direction_B);
    return (ahead > 0 ? v_s.norm() : ahead) / setting.friction.least_speed - 1;
  }
  if (setting.mode == Mode::rolling && !model.law.unlimited()) {
    const double f_n = -f(5), mu = model.law.static_friction;
    return (mu * mu * f_n * std::abs(f_n) - f.segment<2>(3).squaredNorm()) /
           (model.force * model.force);
  }
  return 1;
}

}  // namespace

ContactEvaluation evaluate(const Model& model, const ContactSetting& setting,
                           const ContactVector& y) {
  ContactEvaluation at;
  at.state = unpack(y);
  at.pair = {model.A.at<double>(setting.A, at.state.location_A),
             model.B.at<double>(setting.B, at.state.location_B)};
  at.X_BA = pose_of_A_in_B(at.pair, at.state.psi);
  const Wrench<double> load = gravity_wrench(model, model.X_WB.R * at.X_BA.R);
  Friction friction = setting.friction;
  if (setting.starting) {
    const Mat3<double> R_BC = at.X_BA.R * at.pair.A.R;
    const Vec2<double> guess = (R_BC.transpose() * friction.direction_B).head<2>();
    const SlipOnset onset =
        slip_onset(at.pair, at.state, model.inertia, load, friction.kinetic, guess);
    at.onset = onset.direction;
    at.defined = onset.found;
    friction.direction_B = R_BC.leftCols<2>() * onset.direction;
    friction.least_speed = INFINITY;
  }
  at.rates = rates_of_mode(setting.mode, at.pair, at.state, model.inertia, load, friction);
  return at;
}

bool ContactField::rates(double /*t*/, const ContactVector& y, ContactVector& dy,
                         Vec<double, kGuards>& guards) const {
  const double margin_A = margin(model_.A.shape, {setting_.A.chart, y.segment<3>(kLocationA)});
  const double margin_B = margin(model_.B.shape, {setting_.B.chart, y.segment<3>(kLocationB)});
  if (!(margin_A > kChartOvershoot) || !(margin_B > kChartOvershoot)) return false;
  if (setting_.starting && y.segment<2>(kW + 3).norm() > 2 * setting_.start_speed) return false;
  const ContactEvaluation at = evaluate(model_, setting_, y);
  const ContactRates<double>& r = at.rates;
  dy << r.location_A, r.location_B, r.psi, r.w, r.friction_power, 0, 0;
  guards << r.denominator * model_.inertia.mass, -r.f(5) / model_.force,
      grip_guard(model_, setting_, at), kChartGuard * margin_A, kChartGuard * margin_B,
      conformity(r.K_rel, model_.length) - kConformityRefuse;
  return at.defined;
}

namespace {

Pose<double> pose_in_B(const Model& model, const FreeState<double>& body) {
  return inverse(model.X_WB) * Pose<double>{rotation_matrix(body.q_WA), body.p_WA};
}

}  // namespace

Closest nearest(const Model& model, const FlightSetting& setting, const FreeState<double>& body) {
  const Closest found =
      closest_from(model.A, model.B, pose_in_B(model, body), setting.A, setting.B);
  return found.status == ClosestStatus::found ? found : nearest_anywhere(model, body);
}

Closest nearest_anywhere(const Model& model, const FreeState<double>& body) {
  return closest_anywhere(model.A, model.B, pose_in_B(model, body), model.starts);
}

bool FlightField::rates(double /*t*/, const RootVector& y, RootVector& dy,
                        Vec<double, kGuards>& guards) const {
  const FreeState<double> x = unpack(y);
  const Inertia<double> M{model_.inertia.mass, model_.inertia.J};
  dy =
      pack(free_rates(x, M, model_.inertia.J_inv, gravity_wrench(model_, rotation_matrix(x.q_WA))));
  guards(0) = 1;
  if (!setting_.lost) {
    const Closest near = nearest(model_, setting_, x);
    if (near.status == ClosestStatus::found) guards(0) = near.gap / model_.length;
  }
  return true;
}

FreeState<double> free_state(const Model& model, const ContactEvaluation& at) {
  const Pose<double> X_WA = model.X_WB * at.X_BA;
  const Vec3<double> omega = at.state.w.head<3>();
  const Vec3<double> v(at.state.w(3), at.state.w(4), 0);
  const Vec3<double> r = at.pair.A.R.transpose() * at.pair.A.p;
  return {X_WA.p, quaternion(X_WA.R), {at.pair.A.R * omega, at.pair.A.R * (v - omega.cross(r))}};
}

}  // namespace oloid
