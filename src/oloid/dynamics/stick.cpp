#include "oloid/dynamics/stick.h"

#include <cmath>

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
                     double kinetic_friction, const Vec2<double>& stick_force) {
  constexpr int kMaxIterations = 200;
  SlipOnset onset{-stick_force.normalized(), false, 0};
  Friction friction;
  friction.kinetic = kinetic_friction;
  friction.least_speed = INFINITY;  // hold the direction
  // On the cone itself with equal static and kinetic friction the slip does not accelerate yet; the
  // direction against the sticking force is then the limit, and iterating would follow round-off.
  const double negligible = 1e-9 * stick_force.norm() * body.inverse_mass;
  for (; onset.iterations < kMaxIterations; ++onset.iterations) {
    friction.direction = onset.direction;
    const auto rates = contact_rates<Law{Slip::sliding}>(pair, state, body, load, friction);
    const Vec2<double> acceleration = rates.w.tail<2>();
    if (!(acceleration.norm() > negligible)) {
      onset.converged = true;
      return onset;
    }
    const Vec2<double> next = (onset.direction + acceleration.normalized()).normalized();
    if (!next.allFinite()) return onset;
    const double change = (next - onset.direction).norm();
    onset.direction = next;
    if (change < 1e-14) {
      onset.converged = true;
      return onset;
    }
  }
  return onset;
}

}  // namespace oloid
