#include "oloid/geometry/analytic/ellipsoid.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace oloid::geometry {

Result<Ellipsoid> Ellipsoid::make(const Vec3<double>& semi_axes, bool cavity) {
  for (int i = 0; i < 3; ++i) {
    if (!(semi_axes(i) > 0) || !std::isfinite(semi_axes(i))) {
      return refuse(fmt::format("semi-axis {} is {}", i, semi_axes(i)),
                    "semi-axes must be lengths in metres greater than 0");
    }
  }
  const double ratio = semi_axes.maxCoeff() / semi_axes.minCoeff();
  if (ratio > 1e4) {
    return refuse(fmt::format("the semi-axes differ by a factor of {:.3g}", ratio),
                  "at most 1e4 is allowed; model a disc or needle with another surface");
  }
  return Ellipsoid(semi_axes, cavity);
}

ChartExit Ellipsoid::leave(const Location& q) const {
  const Vec3<double> p =
      sphere_charts::jet<0, double>(q.chart.index, cavity_, q.x.head<2>()).d(0, 0);
  return Crossing{near(semi_axes_.cwiseProduct(p)), Joint::G2};
}

Location Ellipsoid::near(const Vec3<double>& p) const {
  Vec3<double> d = p.cwiseQuotient(semi_axes_);
  if (d.squaredNorm() == 0) d = Vec3<double>::UnitZ();
  const int chart = sphere_charts::best_chart(d);
  Location q{ChartId{chart}};
  q.x.head<2>() = sphere_charts::coordinates(chart, cavity_, d);
  return q;
}

std::vector<Location> Ellipsoid::seeds() const {
  std::vector<Location> result;
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart)
    for (double u : {-0.3, 0.0, 0.3})
      for (double v : {-0.3, 0.0, 0.3}) result.push_back({ChartId{chart}, {u, v, 0}});
  return result;
}

Result<Solid> Ellipsoid::solid() const {
  if (cavity_) {
    return refuse("the body is everything outside the surface", "specify mass and inertia instead");
  }
  const double volume = 4 * std::numbers::pi / 3 * semi_axes_.prod();
  const Vec3<double> squares = volume / 5 * semi_axes_.cwiseAbs2();  // ∫ x², ∫ y², ∫ z²
  Solid solid{volume, Vec3<double>::Zero(), {}};
  solid.inertia = (Vec3<double>::Constant(squares.sum()) - squares).asDiagonal();
  return solid;
}

// The faces of a cube about the origin, blown up along its rays; lines at equal angles.
std::vector<Tile> Ellipsoid::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  result.reserve(sphere_charts::kCharts);
  for (int side = 0; side < sphere_charts::kCharts; ++side) result.push_back({CubeTile{side}});
  return result;
}

Location Ellipsoid::on_tile(const CubeTile& tile, double s, double t) const {
  const Vec3<double> d = sphere_charts::cube_direction(tile.side, cavity_, s, t);
  Location q{ChartId{tile.side}};
  q.x.head<2>() = sphere_charts::coordinates(tile.side, cavity_, d);
  return q;
}

}  // namespace oloid::geometry
