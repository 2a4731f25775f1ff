// Unit vectors across a given one.
#pragma once

#include <cmath>

#include "oloid/base/linalg.h"
#include "oloid/base/rooms.h"

namespace oloid::geometry {

// The coordinate axis that is farthest from a direction.
inline Vec3<double> farthest_axis(const Vec3<double>& direction) {
  int least = 0;
  direction.cwiseAbs().minCoeff(&least);
  return Vec3<double>::Unit(least);
}

// The unit vector across a unit vector n that is nearest to e.
inline Vec3<double> tangent_towards(const Vec3<double>& e, const Vec3<double>& n) {
  return (e - e.dot(n) * n).normalized();
}

// Two unit vectors that make a right-handed frame with a given one, which may have any length.
struct Crosswise {
  Vec3<double> a, b;
};
inline Crosswise crosswise(const Vec3<double>& axis) {
  const Vec3<double> n = axis.normalized(), a = tangent_towards(farthest_axis(axis), n);
  return {a, n.cross(a)};
}

// Two that make a right-handed frame with a unit vector, without a root: they are as smooth in n as
// can be, but where n_z changes sign.
inline Mat<double, 3, 2> tangents(const Vec3<double>& n) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  Mat<double, 3, 2> T;
  T << 1 + sign * n.x() * n.x() * a, b,    //
      sign * b, sign + n.y() * n.y() * a,  //
      -sign * n.x(), -n.y();
  return T;
}

}  // namespace oloid::geometry
