// Implicit quadric f(p) = pᵀ Q p + 2 b·p + c = 0; the body is where f < 0.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

class Quadric {
 public:
  // Q symmetric; refused if f = 0 is empty or has nowhere a normal (a point, a line, a double
  // plane).
  static Result<Quadric> make(const Mat3<double>& Q, const Vec3<double>& b, double c);

  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const {
    const Vec3<S> Qp_b = Q_.template cast<S>() * p + b_.template cast<S>();
    return {p.dot(Qp_b) + b_.template cast<S>().dot(p) + S(c_), S(2.0) * Qp_b,
            S(2.0) * Q_.template cast<S>()};
  }

  double margin(const Location&) const { return 1; }  // never left
  ChartExit leave(const Location& q) const { return Crossing{q, Joint::G2}; }
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  double bounding_radius() const { return bounding_radius_; }
  // The rest only if the surface is an ellipsoid, box is infinite otherwise; tiles also of
  // paraboloids.
  Box box() const;
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;
  Location on_tile(const CubeTile& tile, double s, double t) const;
  Location on_tile(const HeightTile& tile, double s, double t) const;

 private:
  struct Ball {  // a unit ball, moved and stretched: p = centre + axes û
    Vec3<double> centre;
    Mat3<double> axes;
  };
  std::optional<Ball> ball() const;
  Quadric(const Mat3<double>& Q, const Vec3<double>& b, double c);
  bool is_regular_point(const Vec3<double>& p) const;  // on the surface, and with a normal
  Mat3<double> Q_;
  Vec3<double> b_;
  double c_;
  double bounding_radius_;  // [m], infinite unless the surface is an ellipsoid
  double size_;             // [m], a length at which the surface is to be found
};

}  // namespace oloid::geometry
