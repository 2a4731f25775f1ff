// Ellipsoid x²/a² + y²/b² + z²/c² = 1 in six pole-free charts; a sphere is one with equal axes. As
// a cavity its normals point inwards: the body is what lies outside.
#pragma once

#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

class Ellipsoid {
 public:
  static Result<Ellipsoid> make(const Vec3<double>& semi_axes, bool cavity = false);

  const Vec3<double>& semi_axes() const { return semi_axes_; }
  bool cavity() const { return cavity_; }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    Jet<S, Order> c = sphere_charts::jet<Order>(chart, cavity_, q);
    for (auto& term : c.terms)
      for (int i = 0; i < 3; ++i) term(i) = S(semi_axes_(i)) * term(i);
    return c;
  }
  // With û the direction of the location and D the semi-axes: p = D û, n ~ D⁻¹ û, and K of the
  // implicit form pᵀ D⁻² p = 1.
  template <class S>
  LocalSurface<S> local(int chart, const Vec3<S>& q, const Vec3<double>& reference) const {
    using std::sqrt;
    const sphere_charts::Direction<S> at(chart, cavity_, Uv<S>(q.template head<2>()));
    const Vec3<S> gradient = over_axes(at.d);
    const S scale = S(cavity_ ? -1.0 : 1.0) / sqrt(gradient.squaredNorm());
    LocalSurface<S> out;
    S e_n, e_x;
    out.p = semi_axes_.template cast<S>().cwiseProduct(at.d);
    out.R = detail::reference_frame(Vec3<S>(scale * gradient), reference, e_n, e_x);
    const Vec3<S> x = over_axes(Vec3<S>(out.R.col(0))), y = over_axes(Vec3<S>(out.R.col(1)));
    const S mixed = scale * x.dot(y);
    out.K << scale * x.squaredNorm(), mixed, mixed, scale * y.squaredNorm();
    out.T = detail::turning(out.K, e_n, e_x);
    set_location_rates(at, x, y, out);
    return out;
  }
  // The same where all axes are equal: n = ±û, K = ±1/r.
  bool is_sphere() const { return (semi_axes_.array() == semi_axes_(0)).all(); }
  template <class S>
  LocalSurface<S> local_sphere(int chart, const Vec3<S>& q, const Vec3<double>& reference) const {
    const sphere_charts::Direction<S> at(chart, cavity_, Uv<S>(q.template head<2>()));
    const double sign = cavity_ ? -1.0 : 1.0;
    LocalSurface<S> out;
    S e_n, e_x;
    out.p = S(semi_axes_(0)) * at.d;
    out.R = detail::reference_frame(Vec3<S>(S(sign) * at.d), reference, e_n, e_x);
    const S k(sign * inverse_axes_(0));
    out.K << k, S(0.0), S(0.0), k;
    out.T << S(0.0), -(k * e_n / e_x);
    set_location_rates(at, Vec3<S>(S(inverse_axes_(0)) * out.R.col(0)),
                       Vec3<S>(S(inverse_axes_(0)) * out.R.col(1)), out);
    return out;
  }
  double margin(const Location& q) const { return sphere_charts::margin<double>(q.x.head<2>()); }
  ChartExit leave(const Location& q) const;
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  bool is_convex() const { return !cavity_; }
  double bounding_radius() const { return semi_axes_.maxCoeff(); }
  Box box() const { return {-semi_axes_, semi_axes_}; }
  Result<Solid> solid() const;                  // of the inside; none for a cavity
  std::vector<Tile> tiles(double reach) const;  // reach is for unbounded surfaces
  Location on_tile(const CubeTile& tile, double s, double t) const;

 private:
  Ellipsoid(const Vec3<double>& semi_axes, bool cavity)
      : semi_axes_(semi_axes), inverse_axes_(semi_axes.cwiseInverse()), cavity_(cavity) {}
  template <class S>
  Vec3<S> over_axes(const Vec3<S>& v) const {
    return inverse_axes_.template cast<S>().cwiseProduct(v);
  }
  // L, from the rates of û for unit speed along x and along y.
  template <class S>
  static void set_location_rates(const sphere_charts::Direction<S>& at, const Vec3<S>& x,
                                 const Vec3<S>& y, LocalSurface<S>& out) {
    out.L.template topRows<2>() << at.rate(x), at.rate(y);
    out.L.row(2).setConstant(S(0.0));
  }

  Vec3<double> semi_axes_, inverse_axes_;  // [m], [1/m]
  bool cavity_;
};

}  // namespace oloid::geometry
