// An axis-parallel box.
#pragma once

#include <limits>

#include "oloid/base/linalg.h"

namespace oloid::geometry {

struct Box {  // empty until something is put in
  Vec3<double> low = Vec3<double>::Constant(std::numeric_limits<double>::infinity());    // [m]
  Vec3<double> high = Vec3<double>::Constant(-std::numeric_limits<double>::infinity());  // [m]

  void add(const Vec3<double>& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void add(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  bool contains(const Vec3<double>& p, double slack = 0) const {
    return (p.array() >= low.array() - slack).all() && (p.array() <= high.array() + slack).all();
  }
  Vec3<double> centre() const { return 0.5 * (low + high); }
  Vec3<double> size() const { return high - low; }
};

// The box of a ball.
inline Box around(const Vec3<double>& centre, double radius) {
  return {centre - Vec3<double>::Constant(radius), centre + Vec3<double>::Constant(radius)};
}

// All of space, for unbounded surfaces.
inline Box everywhere() {
  const Vec3<double> far = Vec3<double>::Constant(std::numeric_limits<double>::infinity());
  return {-far, far};
}

}  // namespace oloid::geometry
