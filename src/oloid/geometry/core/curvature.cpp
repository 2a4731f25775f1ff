#include "oloid/geometry/core/curvature.h"

#include <cmath>

#include "oloid/geometry/core/local_surface.h"
#include "oloid/numerics/symmetric_eigen.h"

namespace oloid::geometry {

// In an orthonormal tangent frame the shape operator is symmetric; one turn makes it diagonal.
PrincipalCurvatures principal_curvatures(const Jet<double, 2>& c) {
  const LocalSurface<double> at = local_surface(c, Vec3<double>(c.d(1, 0).normalized()));
  const PrincipalValues k = principal_values(at.K);
  const Vec3<double> x = at.R.col(0), y = at.R.col(1);
  return {k.larger, k.smaller, std::cos(k.angle) * x + std::sin(k.angle) * y,
          std::cos(k.angle) * y - std::sin(k.angle) * x};
}

}  // namespace oloid::geometry
