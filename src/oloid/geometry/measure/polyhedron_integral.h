// Volume, centre and inertia of what triangles enclose, exact but for rounding.
//
// A triangle a, b, c and the origin span a tetrahedron with six times the volume D = a · b × c, and
//   ∫ x dV = D/24 s,   ∫ x xᵀ dV = D/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   s = a + b + c.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

struct PolyhedronIntegral {
  Vec3<double> origin;                         // [m], from which x counts: near the body
  double volume = 0;                           // [m³]
  Vec3<double> first = Vec3<double>::Zero();   // [m⁴], ∫ x dV
  Mat3<double> second = Mat3<double>::Zero();  // [m⁵], ∫ x xᵀ dV

  explicit PolyhedronIntegral(const Vec3<double>& from) : origin(from) {}

  // One triangle, counter-clockwise seen from outside; minus takes away instead.
  void add(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, double sign = 1) {
    const Vec3<double> x = a - origin, y = b - origin, z = c - origin, s = x + y + z;
    const double D = sign * x.dot(y.cross(z));
    volume += D / 6;
    first += D / 24 * s;
    second +=
        D / 120 * (x * x.transpose() + y * y.transpose() + z * z.transpose() + s * s.transpose());
  }

  // The volume must be positive.
  Solid solid() const {
    const Vec3<double> c = first / volume;
    const Mat3<double> central = second - volume * (c * c.transpose());
    return {volume, origin + c, Mat3<double>(central.trace() * Mat3<double>::Identity() - central)};
  }
};

}  // namespace oloid::geometry
