// Superellipsoid (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1: from ellipsoids (p = q = 2) to boxes and
// cylinders with rounded edges. As a cavity its normals point inwards: the body is what lies
// outside.
//
// Six pole-free charts, the faces of a cube about the origin blown up along its rays. With d =
// (±1, u, v), each coordinate scaled by its semi-axis, and F the left side of the equation, which
// is homogeneous of degree q,
//   x = F(d)^(−1/q) d
// The surface is C² everywhere. Where an exponent e exceeds 2 it is flat across its symmetry plane:
// curvature falls as |t|^(e−2) with the distance t to it, the third derivative goes as |t|^(e−3);
// for e ≤ 3 that is infinite or jumps on the plane itself, where jets have 0, as symmetry wants.
// The same holds at the poles z = ±c for e = q.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/scalar_jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

class Superellipsoid {
 public:
  // Half the width of a chart's working domain. A contact leaves a face when it is 10 % beyond the
  // edge and is then on the right side of the new face's edges: no ping-pong.
  static constexpr double kReach = 1.1;
  static constexpr double kMaxExponent = 64;

  static Result<Superellipsoid> make(const Vec3<double>& semi_axes, double p, double q,
                                     bool cavity = false);

  const Vec3<double>& semi_axes() const { return semi_axes_; }
  double p() const { return p_; }
  double q() const { return q_; }
  bool cavity() const { return cavity_; }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& uv) const;
  double margin(const Location& at) const {
    return 1 - std::max(std::abs(at.x(0)), std::abs(at.x(1))) / kReach;
  }
  ChartExit leave(const Location& at) const;
  Location near(const Vec3<double>& point) const;
  std::vector<Location> seeds() const;
  bool is_convex() const { return !cavity_; }
  double bounding_radius() const;
  Box box() const { return {-semi_axes_, semi_axes_}; }
  Result<Solid> solid() const;                  // of the inside; none for a cavity
  std::vector<Tile> tiles(double reach) const;  // reach is for unbounded surfaces
  Location on_tile(const CubeTile& tile, double s, double t) const;

 private:
  Superellipsoid(const Vec3<double>& semi_axes, double p, double q, bool cavity)
      : semi_axes_(semi_axes), p_(p), q_(q), cavity_(cavity) {}
  template <int Order, class S>
  ScalarJet<S, Order> form(const sphere_charts::Axes& k, const Uv<S>& uv) const;
  Location at_direction(const Vec3<double>& d) const;

  Vec3<double> semi_axes_;  // [m]
  double p_, q_;
  bool cavity_;
};

namespace detail {

// Adds |d_i|^e, for coordinate i of d = (±1, u, v), to a function of (u, v).
template <int Order, class S>
void add_power(ScalarJet<S, Order>& sum, const sphere_charts::Axes& k, const Uv<S>& uv, int i,
               double e) {
  if (i == k.a) {
    sum[0] = sum[0] + S(1.0);
    return;
  }
  const Derivatives<S, Order> f = even_power<Order>(i == k.b ? uv.x() : uv.y(), e);
  for (int n = 0; n <= Order; ++n) {
    const auto at = static_cast<std::size_t>(i == k.b ? jet_index(n, 0) : jet_index(0, n));
    sum[at] = sum[at] + f[static_cast<std::size_t>(n)];
  }
}

}  // namespace detail

// F(d) = s^(q/p) + |d_z|^q with s = |d_x|^p + |d_y|^p.
template <int Order, class S>
ScalarJet<S, Order> Superellipsoid::form(const sphere_charts::Axes& k, const Uv<S>& uv) const {
  using std::pow;
  ScalarJet<S, Order> F;
  F.fill(S(0.0));
  if (p_ == q_) {
    for (int i = 0; i < 3; ++i) detail::add_power<Order>(F, k, uv, i, p_);
    return F;
  }
  // At the poles s → 0 and its negative powers overflow. Homogeneity helps: with m = max(|u|, |v|)
  //   s(u, v)^(q/p) = m^q s(u/m, v/m)^(q/p),  1 ≤ s(u/m, v/m) ≤ 2
  // whose n-th derivatives are m^(q−n) those of s^(q/p) at (u/m, v/m).
  const bool polar = k.a == 2;
  S m(1.0);
  if (polar) {
    const S u = select(uv.x() < S(0.0), S(-uv.x()), uv.x());
    const S v = select(uv.y() < S(0.0), S(-uv.y()), uv.y());
    const S larger = select(u < v, v, u);
    m = select(larger < S(kTinyBase), S(1.0), larger);
  }
  const Uv<S> scaled = polar ? Uv<S>(uv.x() / m, uv.y() / m) : uv;
  ScalarJet<S, Order> s;
  s.fill(S(0.0));
  for (int i = 0; i < 2; ++i) detail::add_power<Order>(s, k, scaled, i, p_);
  F = compose<Order>(power<Order>(s[0], q_ / p_), s);
  if (polar) {
    S scale = pow(m, q_ - Order);
    for (int order = Order; order >= 0; --order) {
      for (int j = 0; j <= order; ++j) {
        const auto at = static_cast<std::size_t>(jet_index(order - j, j));
        F[at] = scale * F[at];
      }
      if (order > 0) scale = scale * m;
    }
  }
  detail::add_power<Order>(F, k, uv, 2, q_);
  return F;
}

template <int Order, class S>
Jet<S, Order> Superellipsoid::jet(int chart, const Uv<S>& uv) const {
  const sphere_charts::Axes k = sphere_charts::axes(chart, cavity_);
  const ScalarJet<S, Order> F = form<Order>(k, uv);
  const ScalarJet<S, Order> r = compose<Order>(power<Order>(F[0], -1 / q_), F);
  const S a(k.sign * semi_axes_(k.a)), b(semi_axes_(k.b)), c(semi_axes_(k.c));
  const auto r_at = [&](int i, int j) { return r[static_cast<std::size_t>(jet_index(i, j))]; };
  Jet<S, Order> x;
  for (int i = 0; i <= Order; ++i) {
    for (int j = 0; i + j <= Order; ++j) {  // Leibniz' rule for r, u r and v r
      S ur = uv.x() * r_at(i, j), vr = uv.y() * r_at(i, j);
      if (i > 0) ur = ur + S(i) * r_at(i - 1, j);
      if (j > 0) vr = vr + S(j) * r_at(i, j - 1);
      x.d(i, j)(k.a) = a * r_at(i, j);
      x.d(i, j)(k.b) = b * ur;
      x.d(i, j)(k.c) = c * vr;
    }
  }
  return x;
}

}  // namespace oloid::geometry
