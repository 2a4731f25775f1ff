// The half-space z ≤ 0, one chart.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

class Plane {
 public:
  template <int Order, class S>
  Jet<S, Order> jet(int /*chart*/, const Uv<S>& q) const {
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    c.d(0, 0) << q.x(), q.y(), S(0.0);
    if constexpr (Order >= 1) {
      c.d(1, 0).x() = S(1.0);
      c.d(0, 1).y() = S(1.0);
    }
    return c;
  }
  // x is the reference direction without its third component, which must not be all of it.
  template <class S>
  LocalPlane<S> local(int /*chart*/, const Vec3<S>& q, const Vec3<double>& reference) const {
    const double scale = 1 / std::sqrt(reference.head<2>().squaredNorm());
    const double x = scale * reference.x(), y = scale * reference.y();
    LocalPlane<S> at;
    at.p << q.x(), q.y(), S(0.0);
    at.R << S(x), S(-y), S(0.0),  //
        S(y), S(x), S(0.0),       //
        S(0.0), S(0.0), S(1.0);
    at.L = at.R.template leftCols<2>();
    return at;
  }
  double margin(const Location&) const { return 1; }  // never left
  ChartExit leave(const Location& q) const { return Crossing{q, Joint::G2}; }
  Location near(const Vec3<double>& p) const { return {ChartId{0}, {p.x(), p.y(), 0}}; }
  std::vector<Location> seeds() const { return {Location{}}; }
  bool is_convex() const { return true; }
  double bounding_radius() const { return std::numeric_limits<double>::infinity(); }
  Box box() const {
    Box half = everywhere();
    half.high.z() = 0;
    return half;
  }
  Result<Solid> solid() const {
    return refuse("a half-space has no volume", "specify mass and inertia instead");
  }
  std::vector<Tile> tiles(double reach) const {  // a square of ±reach
    return {{ChartTile{ChartId{0}, {-reach, -reach}, {2 * reach, 0}, {0, 2 * reach}}}};
  }
};

}  // namespace oloid::geometry
