#include "oloid/contact/placed_shape.h"

#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/core/tangents.h"

namespace oloid::contact {

std::optional<Jet<double, 3>> third_order_jet(const PlacedShape& side, const Location& location) {
  return visit(
      [&]<class F>(const F& surface) -> std::optional<Jet<double, 3>> {
        if constexpr (ParametricSurface<F>) {
          return side.placed(
              surface.template jet<3>(location.chart.index, Uv<double>(location.x.head<2>())));
        } else {
          return std::nullopt;
        }
      },
      side.shape);
}

Vec3<double> fresh_reference(const PlacedShape& side, const Location& location) {
  // The normal does not depend on the reference; take any first, then the axis farthest from n.
  const Vec3<double> trial = Vec3<double>(1, 2, 3).normalized();
  const Vec3<double> n =
      local_surface<double>(side.shape, location.chart, location.x, trial).R.col(2);
  return tangent_towards(farthest_axis(n), n);
}

bool reference_is_stale(const LocalSurface<double>& local, const PlacedShape& side,
                        const ChartAnchor& anchor) {
  return std::abs(local.R.col(2).dot(side.X_BS.R * anchor.reference)) > 0.2;
}

Vec3<double> renewed_reference(const LocalSurface<double>& local, const PlacedShape& side) {
  return (side.X_BS.R.transpose() * local.R.col(0)).normalized();
}

}  // namespace oloid::contact
