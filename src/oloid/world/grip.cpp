#include "oloid/world/grip.h"

#include <algorithm>
#include <cmath>

#include "oloid/dynamics/stick.h"

namespace oloid {

double least_slip_speed(const Model& model, double entry_speed) {
  return 1e-8 * std::max(entry_speed, model.speed);
}

void slide(const Model& model, ContactSetting& setting, const ContactVector& y) {
  const Vec2<double> slip = y.segment<2>(kW + 3);
  setting.mode = Mode::sliding;
  setting.starting = false;
  setting.friction.kinetic = model.law.kinetic_friction;
  setting.friction.least_speed = least_slip_speed(model, slip.norm());
  setting.friction.direction_B = evaluate(model, setting, y).direction_in_B(slip);
}

double friction_relaxation_rate(const Model& model, const ContactEvaluation& at) {
  const Mat6<double> W = contact_inverse_mass(at.pair, model.inertia);
  return -at.rates.f(5) * model.law.kinetic_friction * (W(3, 3) + W(4, 4)) /
         at.state.w.tail<2>().norm();
}

void slide_from_rest(const Model& model, ContactSetting& setting, const ContactVector& y) {
  setting.mode = Mode::rolling;
  setting.starting = false;
  const ContactEvaluation stuck = evaluate(model, setting, y);
  setting.mode = Mode::sliding;
  setting.starting = true;
  setting.friction.kinetic = model.law.kinetic_friction;
  setting.friction.least_speed = least_slip_speed(model, 0);
  setting.start_speed = 100 * setting.friction.least_speed;
  setting.friction.direction_B = stuck.direction_in_B(-stuck.rates.f.segment<2>(3));
}

void stick(const Model& model, ContactSetting& setting, ContactVector& y) {
  setting.mode = Mode::rolling;
  setting.starting = false;
  const ContactEvaluation at = evaluate(model, setting, y);
  const Vec3<double> v(at.state.w(3), at.state.w(4), 0);
  const StickImpulse stopped =
      remove_contact_velocity(at.pair, model.inertia, at.state.w.head<3>(), v);
  y.segment<5>(kW) = stopped.w;
  y(kBooked) += stopped.energy_loss;
}

void stick_or_slide(const Model& model, ContactSetting& setting, ContactVector& y) {
  stick(model, setting, y);
  if (model.law.unlimited()) return;
  const ContactEvaluation at = evaluate(model, setting, y);
  const double f_n = -at.rates.f(5), f_t = at.rates.f.segment<2>(3).norm();
  const double rounding = 1e-12 * model.force;  // no force at all is inside the cone
  const bool holds = f_n >= -rounding && f_t <= model.law.static_friction * f_n + rounding;
  if (!holds) slide_from_rest(model, setting, y);
}

}  // namespace oloid
