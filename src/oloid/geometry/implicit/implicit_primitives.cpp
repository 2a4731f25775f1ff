#include "oloid/geometry/implicit/implicit_primitives.h"

#include <fmt/format.h>

#include <cmath>

#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/analytic/quadric.h"
#include "oloid/geometry/analytic/superellipsoid.h"

namespace oloid::geometry {

Result<ImplicitField> half_space_field(const Vec3<double>& normal, double offset) {
  const double length = normal.norm();
  if (!std::isfinite(length) || !(length > 0) || !std::isfinite(offset)) {
    return refuse("the half-space has no direction, or a number that is not finite",
                  "use a nonzero normal and a finite offset");
  }
  const Vec3<double> n = normal / length;
  return ImplicitField(
      ImplicitFunction::with_bounds([n, offset](const auto& x, const auto& y, const auto& z) {
        return n(0) * x + n(1) * y + n(2) * z - offset;
      }));
}

Result<ImplicitField> ball_field(const Vec3<double>& centre, double radius) {
  const auto checked = Ellipsoid::make(Vec3<double>::Constant(radius));
  if (!checked) return Unexpected{checked.error()};
  if (!centre.allFinite()) return refuse("the centre is not finite", "use finite numbers");
  return ImplicitField(
      ImplicitFunction::with_bounds([centre, radius](const auto& x, const auto& y, const auto& z) {
        const auto square = [](const auto& a) { return whole_power(a, 2); };
        return (square(x - centre(0)) + square(y - centre(1)) + square(z - centre(2))) /
                   (radius * radius) -
               1.0;
      }));
}

Result<ImplicitField> ellipsoid_field(const Vec3<double>& semi_axes) {
  const auto checked = Ellipsoid::make(semi_axes);
  if (!checked) return Unexpected{checked.error()};
  const Vec3<double> a = semi_axes;
  return ImplicitField(
      ImplicitFunction::with_bounds([a](const auto& x, const auto& y, const auto& z) {
        return whole_power(x / a(0), 2) + whole_power(y / a(1), 2) + whole_power(z / a(2), 2) - 1.0;
      }));
}

Result<ImplicitField> superellipsoid_field(const Vec3<double>& semi_axes, double p, double q) {
  const auto checked = Superellipsoid::make(semi_axes, p, q);
  if (!checked) return Unexpected{checked.error()};
  const Vec3<double> a = semi_axes;
  return ImplicitField(
      ImplicitFunction::with_bounds([a, p, q](const auto& x, const auto& y, const auto& z) {
        using std::abs, std::pow;
        const auto across = pow(abs(x / a(0)), p) + pow(abs(y / a(1)), p);
        return pow(across, q / p) + pow(abs(z / a(2)), q) - 1.0;
      }));
}

Result<ImplicitField> quadric_field(const Mat3<double>& Q, const Vec3<double>& b, double c) {
  const auto checked = Quadric::make(Q, b, c);
  if (!checked) return Unexpected{checked.error()};
  return ImplicitField(ImplicitFunction::with_bounds([Q, b, c](const auto& x, const auto& y,
                                                               const auto& z) {
    return Q(0, 0) * whole_power(x, 2) + Q(1, 1) * whole_power(y, 2) + Q(2, 2) * whole_power(z, 2) +
           2 * (Q(0, 1) * x * y + Q(0, 2) * x * z + Q(1, 2) * y * z) +
           2 * (b(0) * x + b(1) * y + b(2) * z) + c;
  }));
}

}  // namespace oloid::geometry
