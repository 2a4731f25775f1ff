// Six pole-free charts of the unit sphere: stereographic projections centred on ±x, ±y, ±z.
//
// Conformal, so |c_u| = |c_v| and c_u · c_v = 0 on the sphere itself. A chart works within 60° of
// its centre (u² + v² ≤ 1/3); the chart whose centre is nearest covers 54.7°, so a contact that has
// just changed charts is well inside the new one and cannot ping-pong.
#pragma once

#include <cmath>
#include <numbers>

#include "oloid/geometry/bezier/rational.h"

namespace oloid::geometry::sphere_charts {

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

// With i = 1 / (1 + u² + v²): û = 2u i b + 2v i c + (2 i − 1) a, and for every derivative
//   ∂ᵘʲ∂ᵛᵏ (2u i) = 2u i_jk + 2j i_(j−1)k.
template <int Order, class S>
Jet<S, Order> jet(int chart, bool inward, const Uv<S>& q) {
  static_assert(Order <= 3);
  const Axes axis = axes(chart, inward);
  const S u = q.x(), v = q.y(), i = S(1.0) / (S(1.0) + u * u + v * v);
  const S ii = i * i, iii = ii * i;
  ScalarJet<S, Order> d;
  d[0] = i;
  if constexpr (Order >= 1) {
    d[jet_index(1, 0)] = S(-2.0) * u * ii;
    d[jet_index(0, 1)] = S(-2.0) * v * ii;
  }
  if constexpr (Order >= 2) {
    d[jet_index(2, 0)] = S(-2.0) * ii + S(8.0) * u * u * iii;
    d[jet_index(1, 1)] = S(8.0) * u * v * iii;
    d[jet_index(0, 2)] = S(-2.0) * ii + S(8.0) * v * v * iii;
  }
  if constexpr (Order >= 3) {
    const S iv = ii * ii;
    d[jet_index(3, 0)] = S(24.0) * u * iii - S(48.0) * u * u * u * iv;
    d[jet_index(2, 1)] = S(8.0) * v * iii - S(48.0) * u * u * v * iv;
    d[jet_index(1, 2)] = S(8.0) * u * iii - S(48.0) * u * v * v * iv;
    d[jet_index(0, 3)] = S(24.0) * v * iii - S(48.0) * v * v * v * iv;
  }
  Jet<S, Order> c;
  for (int order = 0; order <= Order; ++order) {
    for (int k = 0; k <= order; ++k) {
      const int j = order - k;
      const auto at = static_cast<std::size_t>(jet_index(j, k));
      Vec3<S>& x = c.terms[at];
      x(axis.a) = S(2.0 * axis.sign) * d[at];
      x(axis.b) = S(2.0) * u * d[at];
      x(axis.c) = S(2.0) * v * d[at];
      if (j > 0)
        x(axis.b) = x(axis.b) + S(2.0 * j) * d[static_cast<std::size_t>(jet_index(j - 1, k))];
      if (k > 0)
        x(axis.c) = x(axis.c) + S(2.0 * k) * d[static_cast<std::size_t>(jet_index(j, k - 1))];
    }
  }
  c.d(0, 0)(axis.a) = c.d(0, 0)(axis.a) - S(axis.sign);
  return c;
}

// The direction û of a location, and how the location follows it over the sphere: with
// g = 1 + u² + v² and s the sign of a,
//   û_a = s (2 − g) / g,   û_b = 2u / g,   û_c = 2v / g,   (u, v) = û_bc / (1 + s û_a)
//   u' = (û'_b − s u û'_a) g / 2,   v' = (û'_c − s v û'_a) g / 2
template <class S>
struct Direction {
  Axes axis;
  Uv<S> q;
  S g;
  Vec3<S> d;

  Direction(int chart, bool inward, const Uv<S>& at) : axis(axes(chart, inward)), q(at) {
    g = S(1.0) + q.squaredNorm();
    const S twice = S(2.0) / g;
    d(axis.a) = S(axis.sign) * (twice - S(1.0));
    d(axis.b) = twice * q.x();
    d(axis.c) = twice * q.y();
  }
  Uv<S> rate(const Vec3<S>& d_rate) const {
    const S down = S(axis.sign) * d_rate(axis.a), half = S(0.5) * g;
    return {half * (d_rate(axis.b) - q.x() * down), half * (d_rate(axis.c) - q.y() * down)};
  }
};

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

}  // namespace oloid::geometry::sphere_charts
