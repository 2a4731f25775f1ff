// Ellipsoid x²/a² + y²/b² + z²/c² = 1 in six pole-free charts; a sphere is one with equal axes. As
// a cavity its normals point inwards: the body is what lies outside.
#pragma once

#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
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
  Ellipsoid(const Vec3<double>& semi_axes, bool cavity) : semi_axes_(semi_axes), cavity_(cavity) {}
  Vec3<double> semi_axes_;
  bool cavity_;
};

}  // namespace oloid::geometry
