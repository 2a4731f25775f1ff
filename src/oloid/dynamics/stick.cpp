#include "oloid/dynamics/stick.h"

#include <cmath>
#include <numbers>

#include "oloid/base/root.h"

namespace oloid {
namespace {

struct AtContact {
  Mat6<double> W;
  AtContact(const PairGeometry<double>& pair, const BodyInertia<double>& body)
      : W(contact_inverse_mass<double>(body.inverse_mass,
                                       pair.A.R.transpose() * body.J_inv * pair.A.R,
                                       pair.A.R.transpose() * pair.A.p)) {}
};

}  // namespace

StickImpulse remove_contact_velocity(const PairGeometry<double>& pair,
                                     const BodyInertia<double>& body, const Vec3<double>& omega,
                                     const Vec3<double>& v) {
  const Mat6<double> W = AtContact(pair, body).W;
  const Mat3<double> W_vv = W.bottomRightCorner<3, 3>();
  const Vec3<double> P = Ldlt<double, 3>(W_vv).solve(-v);
  StickImpulse out;
  out.w << omega + W.topRightCorner<3, 3>() * P, 0, 0;
  out.energy_loss = -0.5 * v.dot(P);
  return out;
}

StickImpulse remove_normal_velocity(const PairGeometry<double>& pair,
                                    const BodyInertia<double>& body, const Vec3<double>& omega,
                                    const Vec3<double>& v) {
  const Mat6<double> W = AtContact(pair, body).W;
  const double P = -v.z() / W(5, 5);
  StickImpulse out;
  out.w << omega + W.block<3, 1>(0, 5) * P, v.head<2>() + W.block<2, 1>(3, 5) * P;
  out.energy_loss = -0.5 * v.z() * P;
  return out;
}

SlipOnset slip_onset(const PairGeometry<double>& pair, const ContactState<double>& state,
                     const BodyInertia<double>& body, const Wrench<double>& load,
                     double kinetic_friction, const Vec2<double>& guess) {
  const double start = std::atan2(guess.y(), guess.x());
  const auto unit = [](double angle) { return Vec2<double>(std::cos(angle), std::sin(angle)); };
  Friction friction;
  friction.kinetic = kinetic_friction;
  friction.least_speed = INFINITY;  // hold the direction
  // Slip along v̂ turns at the rate (v̂ × v̇_s) / |v_s|: a stable direction is a downward zero of this.
  const auto turning = [&](double angle) {
    friction.direction = unit(angle);
    const Vec2<double> a =
        contact_rates<Law{Slip::sliding}>(pair, state, body, load, friction).w.tail<2>();
    return friction.direction.x() * a.y() - friction.direction.y() * a.x();
  };
  // Away from the guess on both sides, until the zero is between.
  double lo = start, hi = start;
  for (double reach = 1e-3; reach < std::numbers::pi; reach = std::min(4 * reach, reach + 0.1)) {
    lo = start - reach;
    hi = start + reach;
    const double at_lo = turning(lo), at_hi = turning(hi);
    if (at_lo > 0 && at_hi <= 0) return {unit(find_root(turning, lo, at_lo, hi, at_hi).x), true};
  }
  return {unit(start), false};
}

}  // namespace oloid
