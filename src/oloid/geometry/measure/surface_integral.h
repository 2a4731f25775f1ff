// Integrals over a body from its surface, by the divergence theorem:
//   ∫ dV = ⅓ ∮ x·n dA,   ∫ x dV = ¼ ∮ x (x·n) dA,   ∫ x xᵀ dV = ⅕ ∮ x xᵀ (x·n) dA.
#pragma once

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

struct SurfaceIntegral {
  double volume = 0;                           // [m³]
  Vec3<double> first = Vec3<double>::Zero();   // [m⁴], ∫ x dV
  Mat3<double> second = Mat3<double>::Zero();  // [m⁵], ∫ x xᵀ dV

  SurfaceIntegral& operator+=(const SurfaceIntegral& other);
  // The contribution of a piece of surface with normal × area `dA` at x.
  void add(const Vec3<double>& x, const Vec3<double>& dA);
  // What is enclosed, x counted from `origin`; refused if the surface is inside out.
  Result<Solid> solid(const Vec3<double>& origin) const;
};

// Over one patch, x counted from `origin`. Exact for polynomial patches; rational ones are divided
// until the last digit stands.
SurfaceIntegral integral(const Patch& patch, const Vec3<double>& origin);

}  // namespace oloid::geometry
