#include "oloid/spatial/turn.h"

#include <cmath>

namespace oloid::spatial {
namespace {

// Functions of a = |θ|²: s = sin|θ| / |θ|, b = (1 - cos|θ|) / a, c = (1 - s) / a, and the
// derivatives of b and c by a.
struct Coefficients {
  double s, b, c, b_rate, c_rate;
};

// Σ (-a)^k / (2k + first)!, and its derivative by a.
struct Series {
  double value, rate;
};
Series series(double a, int first) {
  constexpr int kTerms = 10;  // to the last digit for a ≤ 1
  double factor = 1;
  for (int i = 2; i <= first; ++i) factor /= i;
  Series sum{0, 0};
  double power = 0;  // a^(k-1), with 0 for k = 0
  for (int k = 0; k < kTerms; ++k) {
    sum.value += factor * (k == 0 ? 1 : power * a);
    sum.rate += factor * k * power;
    power = k == 0 ? 1 : power * a;
    factor /= -static_cast<double>((2 * k + first + 1) * (2 * k + first + 2));
  }
  return sum;
}

Coefficients coefficients(double a) {
  if (a < 1) {
    const Series s = series(a, 1), b = series(a, 2), c = series(a, 3);
    return {s.value, b.value, c.value, b.rate, c.rate};
  }
  const double angle = std::sqrt(a);
  const double s = std::sin(angle) / angle, half = std::sin(angle / 2);
  const double b = 2 * half * half / a, c = (1 - s) / a;
  return {s, b, c, (s - 2 * b) / (2 * a), (b - 3 * c) / (2 * a)};
}

Quat<double> conjugate(const Quat<double>& q) { return {q.w, -q.x, -q.y, -q.z}; }
double dot(const Quat<double>& p, const Quat<double>& q) {
  return p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
}
Vec3<double> imaginary(const Quat<double>& q) { return {q.x, q.y, q.z}; }

}  // namespace

Turn turn_by_vector(const Vec3<double>& theta, const Vec3<double>& rate, const Vec3<double>& rate2,
                    const Mat3<double>& R_0) {
  const Coefficients k = coefficients(theta.squaredNorm());
  const double a_rate = 2 * theta.dot(rate);
  const Mat3<double> X = cross_matrix(theta);
  Turn turn;
  turn.R = (Mat3<double>::Identity() + k.s * X + k.b * (X * X)) * R_0;
  const Vec3<double> u = theta.cross(rate), u_rate = theta.cross(rate2);
  const Vec3<double> w = rate + k.b * u + k.c * theta.cross(u);
  const Vec3<double> w_rate = rate2 + k.b * u_rate + k.c * (rate.cross(u) + theta.cross(u_rate)) +
                              a_rate * (k.b_rate * u + k.c_rate * theta.cross(u));
  turn.w = turn.R.transpose() * w;
  turn.w_rate = turn.R.transpose() * w_rate;
  return turn;
}

Turn turn_by_quaternion(const Quat<double>& s, const Quat<double>& rate,
                        const Quat<double>& rate2) {
  const double scale = 2 / squared_norm(s);
  Turn turn;
  turn.R = rotation_matrix(s);
  turn.w = scale * imaginary(conjugate(s) * rate);
  turn.w_rate = scale * (imaginary(conjugate(s) * rate2) - dot(s, rate) * turn.w);
  return turn;
}

}  // namespace oloid::spatial
