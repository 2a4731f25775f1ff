#include "oloid/world/state.h"

#include "oloid/dynamics/stick.h"
#include "oloid/world/grip.h"

namespace oloid {

State initial_state(const Model& model) {
  State state;
  const Start& start = model.start;
  ContactSetting& setting = state.contact_setting;
  setting.A = {start.A.chart, fresh_reference(model.A, start.A)};
  setting.B = {start.B.chart, fresh_reference(model.B, start.B)};
  const PairGeometry<double> pair{model.A.at<double>(setting.A, start.A.x),
                                  model.B.at<double>(setting.B, start.B.x)};
  const Mat3<double> R_BA = model.X_WB.R.transpose() * rotation_matrix(start.body.q_WA);

  state.last_orientation = start.body.q_WA;

  // Twist at the contact, in C; v_z > 0 is approach, because z points out of A.
  const Mat3<double> R_CA = pair.A.R.transpose();
  const Vec3<double> omega = R_CA * start.body.phi.w;
  const Vec3<double> v = R_CA * (start.body.phi.v + start.body.phi.w.cross(pair.A.p));
  if (-v.z() > 1e-9 * (model.speed + v.norm())) {  // they part at once
    state.mode = Mode::separated;
    state.flight.y = pack(start.body);
    state.flight_setting = {start.A, start.B, false};
    return state;
  }
  // Approach is taken away by an impulse without friction.
  const StickImpulse touched = remove_normal_velocity(pair, model.inertia, omega, v);
  const ContactState<double> x{start.A.x, start.B.x, psi_of_pose(pair, R_BA), touched.w};
  state.contact.y = pack(x, 0);
  state.removed_normal_speed = std::abs(v.z());
  const double slip = x.w.tail<2>().norm();
  if (model.law.frictionless()) {
    setting.mode = Mode::frictionless;
  } else if (model.law.unlimited() || slip <= least_slip_speed(model, 0)) {
    state.removed_slip_speed = slip;
    stick_or_slide(model, setting, state.contact.y);
    state.contact.y(kBooked) = 0;  // removed before the run began
  } else {
    slide(model, setting, state.contact.y);
  }
  state.mode = setting.mode;
  return state;
}

}  // namespace oloid
