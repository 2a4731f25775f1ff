// Integrals over a star-shaped body: every ray from inside meets its surface once, at distance r.
//   ∫ dV = ⅓ ∮ r³ dΩ,   ∫ x dV = ¼ ∮ r⁴ û dΩ,   ∫ x xᵀ dV = ⅕ ∮ r⁵ û ûᵀ dΩ
// over six gnomonic faces, dΩ = du dv / (1 + u² + v²)^(3/2) with û along (±1, u, v).
#pragma once

#include <functional>

#include "oloid/base/result.h"
#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {

struct RayHit {
  double r = 0;       // [m], where the ray meets the surface
  int face = 0;       // which smooth piece of the surface it meets
  bool fair = false;  // it does, and not from behind
};
using Rays = std::function<RayHit(const Vec3<double>& direction)>;  // a unit vector

// About the point that the rays come from. Between smooth pieces there may be edges. Refused: a ray
// that is not fair, and integrals that do not come to rest to 1e-12 of their size, with edges to
// 1e-9.
Result<SurfaceIntegral> radial_integral(const Rays& rays, bool has_edges);

}  // namespace oloid::geometry
