// Implicit quadric f(p) = pᵀ Q p + 2 b·p + c = 0; the body is where f < 0.
#pragma once

#include <limits>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/atlas.h"
#include "oloid/geometry/jet.h"

namespace oloid {

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

 private:
  Quadric(const Mat3<double>& Q, const Vec3<double>& b, double c);
  bool is_regular_point(const Vec3<double>& p) const;  // on the surface, and with a normal
  Mat3<double> Q_;
  Vec3<double> b_;
  double c_;
  double bounding_radius_;  // [m], infinite unless the surface is an ellipsoid
  double size_;             // [m], a length at which the surface is to be found
};

}  // namespace oloid
