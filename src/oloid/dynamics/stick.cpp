#include "oloid/dynamics/stick.h"

#include <cmath>
#include <numbers>
#include <optional>

#include "oloid/base/root.h"

namespace oloid {

StickImpulse remove_contact_velocity(const PairGeometry<double>& pair,
                                     const BodyInertia<double>& body, const Vec3<double>& omega,
                                     const Vec3<double>& v) {
  const Mat6<double> W = contact_inverse_mass(pair, body);
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
  const Mat6<double> W = contact_inverse_mass(pair, body);
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
  const Mat3<double> R_BC = contact_axes_in_B(pair.B, contact_rotation(state.psi));
  Friction friction;
  friction.kinetic = kinetic_friction;
  friction.least_speed = INFINITY;  // hold the direction
  const auto acceleration = [&](double angle) -> Vec2<double> {
    friction.direction_B = R_BC.leftCols<2>() * unit(angle);
    return contact_rates<Law{Slip::sliding}>(pair, state, body, load, friction).w.tail<2>();
  };
  // Slip along v̂ turns at the rate (v̂ × v̇_s) / |v_s|: a stable direction is a downward zero of
  // this.
  const auto turning = [&](double angle) {
    const Vec2<double> v = unit(angle), a = acceleration(angle);
    return v.x() * a.y() - v.y() * a.x();
  };
  // On the cone itself, with equal static and kinetic friction, the slip does not accelerate yet.
  const double negligible = 1e-9 * load.f.norm() * body.inverse_mass;
  const auto try_between = [&](double lo, double hi) -> std::optional<SlipOnset> {
    const double at_lo = turning(lo), at_hi = turning(hi);
    if (!(at_lo > 0 && at_hi <= 0)) return std::nullopt;
    const Vec2<double> v = unit(find_root(turning, lo, at_lo, hi, at_hi).x);
    if (acceleration(std::atan2(v.y(), v.x())).dot(v) < -negligible) return std::nullopt;
    return SlipOnset{v, true};
  };
  // Close to the guess first, then all around, near pieces before far ones.
  for (const double reach : {1e-3, 0.03, 0.3}) {
    if (const auto onset = try_between(start - reach, start + reach)) return *onset;
  }
  constexpr int kPieces = 64;
  constexpr double kPiece = 2 * std::numbers::pi / kPieces;
  for (int i = 0; i < kPieces; ++i) {
    const double lo = start + (i % 2 == 0 ? i / 2 : -(i + 1) / 2) * kPiece;
    if (const auto onset = try_between(lo, lo + kPiece)) return *onset;
  }
  return {unit(start), false};
}

}  // namespace oloid
