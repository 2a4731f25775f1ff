#include "oloid/world/grip.h"

#include <algorithm>
#include <cmath>

#include "oloid/dynamics/stick.h"

namespace oloid {

double least_slip_speed(const Model& model, double entry_speed) {
  return 1e-8 * std::max(entry_speed, model.speed);
}

void start_sliding(const Model& model, ContactSetting& setting, const Vec2<double>& slip) {
  setting.mode = Mode::sliding;
  setting.friction.kinetic = model.law.kinetic_friction;
  setting.friction.least_speed = least_slip_speed(model, slip.norm());
  setting.friction.direction = slip.normalized();
}

void slide_from_rest(const Model& model, ContactSetting& setting, const ContactVector& y) {
  setting.mode = Mode::rolling;
  const ContactEvaluation stuck = evaluate(model, setting, y);
  const Vec3<double> weight =
      model.inertia.mass * ((model.X_WB.R * stuck.X_BA.R).transpose() * model.gravity_W);
  const SlipOnset onset =
      slip_onset(stuck.pair, stuck.state, model.inertia, {Vec3<double>::Zero(), weight},
                 model.law.kinetic_friction, stuck.rates.f.segment<2>(3));
  start_sliding(model, setting, onset.direction);
  setting.friction.least_speed = least_slip_speed(model, 0);
}

void stick_or_slide(const Model& model, ContactSetting& setting, ContactVector& y) {
  setting.mode = Mode::rolling;
  ContactEvaluation at = evaluate(model, setting, y);
  const Vec3<double> v(at.state.w(3), at.state.w(4), 0);
  const StickImpulse stopped =
      remove_contact_velocity(at.pair, model.inertia, at.state.w.head<3>(), v);
  y.segment<5>(kW) = stopped.w;
  y(kBooked) += stopped.energy_loss;
  if (model.law.unlimited()) return;
  at = evaluate(model, setting, y);
  const double f_n = -at.rates.f(5), f_t = at.rates.f.segment<2>(3).norm();
  if (!(f_n > 0 && f_t <= model.law.static_friction * f_n)) slide_from_rest(model, setting, y);
}

}  // namespace oloid
