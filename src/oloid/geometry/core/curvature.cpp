#include "oloid/geometry/core/curvature.h"

#include <cmath>

#include "oloid/geometry/core/local_surface.h"

namespace oloid::geometry {

// In an orthonormal tangent frame the shape operator is symmetric; one turn makes it diagonal.
PrincipalCurvatures principal_curvatures(const Jet<double, 2>& c) {
  const LocalSurface<double> at = local_surface(c, Vec3<double>(c.d(1, 0).normalized()));
  const double mean = 0.5 * (at.K(0, 0) + at.K(1, 1));
  const double half = 0.5 * (at.K(0, 0) - at.K(1, 1)), mixed = 0.5 * (at.K(0, 1) + at.K(1, 0));
  const double radius = std::hypot(half, mixed), angle = 0.5 * std::atan2(mixed, half);
  const Vec3<double> x = at.R.col(0), y = at.R.col(1);
  return {mean + radius, mean - radius, std::cos(angle) * x + std::sin(angle) * y,
          std::cos(angle) * y - std::sin(angle) * x};
}

}  // namespace oloid::geometry
