// Six pole-free charts of the unit sphere: stereographic projections centred on ±x, ±y, ±z.
//
// Conformal, so |c_u| = |c_v| and c_u · c_v = 0 on the sphere itself. A chart works within 60° of
// its centre (u² + v² ≤ 1/3); the chart whose centre is nearest covers 54.7°, so a contact that has
// just changed charts is well inside the new one and cannot ping-pong.
#pragma once

#include <cmath>
#include <numbers>

#include "oloid/geometry/rational.h"

namespace oloid::sphere_charts {

inline constexpr int kCharts = 6;                    // +x, −x, +y, −y, +z, −z
inline constexpr double kRadiusSquared = 1.0 / 3.0;  // of the working domain in (u, v)

// The axes of a chart: û = (2u b + 2v c + (1 − u² − v²) a) / (1 + u² + v²), with b × c = a, or −a
// if the normal is to point inwards.
struct Axes {
  int a, b, c;  // which coordinate each axis is
  double sign;  // of a
};
constexpr Axes axes(int chart, bool inward) {
  const int a = chart / 2;
  const bool negative = chart % 2 == 1;
  const int b = (a + 1) % 3, c = (a + 2) % 3;
  return negative != inward ? Axes{a, c, b, negative ? -1.0 : 1.0}
                            : Axes{a, b, c, negative ? -1.0 : 1.0};
}

template <int Order, class S>
Jet<S, Order> jet(int chart, bool inward, const Uv<S>& q) {
  const Axes k = axes(chart, inward);
  const S u = q.x(), v = q.y(), rr = u * u + v * v;
  Jet<S, Order> N;
  ScalarJet<S, Order> w;
  for (auto& term : N.terms) term.setZero();
  for (auto& term : w) term = S(0.0);
  const S sign = S(k.sign);
  N.d(0, 0)(k.a) = sign * (S(1.0) - rr);
  N.d(0, 0)(k.b) = S(2.0) * u;
  N.d(0, 0)(k.c) = S(2.0) * v;
  w[0] = S(1.0) + rr;
  if constexpr (Order >= 1) {
    N.d(1, 0)(k.a) = S(-2.0) * sign * u;
    N.d(1, 0)(k.b) = S(2.0);
    N.d(0, 1)(k.a) = S(-2.0) * sign * v;
    N.d(0, 1)(k.c) = S(2.0);
    w[jet_index(1, 0)] = S(2.0) * u;
    w[jet_index(0, 1)] = S(2.0) * v;
  }
  if constexpr (Order >= 2) {
    N.d(2, 0)(k.a) = N.d(0, 2)(k.a) = S(-2.0) * sign;
    w[jet_index(2, 0)] = w[jet_index(0, 2)] = S(2.0);
  }
  return quotient<Order>(N, w);
}

// Positive in the working domain, 0 on its border.
template <class S>
S margin(const Uv<S>& q) {
  return S(kRadiusSquared) - q.squaredNorm();
}

// The best chart for a direction d ≠ 0 (any length) and its coordinates there.
inline int best_chart(const Vec3<double>& d) {
  int a = 0;
  if (std::abs(d(1)) > std::abs(d(a))) a = 1;
  if (std::abs(d(2)) > std::abs(d(a))) a = 2;
  return 2 * a + (d(a) < 0 ? 1 : 0);
}
inline Uv<double> coordinates(int chart, bool inward, const Vec3<double>& d) {
  const Axes k = axes(chart, inward);
  return Uv<double>(d(k.b), d(k.c)) / (d.norm() + k.sign * d(k.a));
}

// A direction (any length) through a face of the cube about the origin, (s, t) over the unit
// square, lines at equal angles; s to t turns as u to v.
inline Vec3<double> cube_direction(int face, bool inward, double s, double t) {
  const Axes k = axes(face, inward);
  const auto spread = [](double x) { return std::tan(std::numbers::pi / 4 * (2 * x - 1)); };
  Vec3<double> d;
  d(k.a) = k.sign;
  d(k.b) = spread(s);
  d(k.c) = spread(t);
  return d;
}

}  // namespace oloid::sphere_charts
