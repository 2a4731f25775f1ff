// A rotation that runs with time, and its angular velocity and acceleration.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/spatial/rotation.h"

namespace oloid::spatial {

struct Turn {
  Mat3<double> R = Mat3<double>::Identity();   // R_WB
  Vec3<double> w = Vec3<double>::Zero();       // [rad/s], of B in W, body axes
  Vec3<double> w_rate = Vec3<double>::Zero();  // [rad/s²], rate of these components
};

// R = exp([θ]) R₀ from θ and its first two derivatives. With a = |θ|², s(a) = sin|θ| / |θ|,
// b(a) = (1 - cos|θ|) / a and c(a) = (1 - s) / a:
//   exp([θ]) = 1 + s [θ] + b [θ]²
//   ω_W      = θ̇ + b θ × θ̇ + c θ × (θ × θ̇)
//   ω̇_W      = the derivative of that; ω = Rᵀ ω_W and ω̇ = Rᵀ ω̇_W in body axes.
// Smooth everywhere, also at θ = 0 and at whole turns.
Turn turn_by_vector(const Vec3<double>& theta, const Vec3<double>& rate, const Vec3<double>& rate2,
                    const Mat3<double>& R_0);

// The rotation of s / |s| from s and its first two derivatives:
//   ω = 2 Im(s* ṡ) / |s|²,   ω̇ = (2 Im(s* s̈) - 2 (s·ṡ) ω) / |s|²  in body axes.
Turn turn_by_quaternion(const Quat<double>& s, const Quat<double>& rate, const Quat<double>& rate2);

}  // namespace oloid::spatial
