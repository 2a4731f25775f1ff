#include "oloid/geometry/analytic/superellipsoid.h"

#include <fmt/format.h>

#include <array>
#include <numbers>
#include <utility>

#include "oloid/geometry/analytic/ellipsoid.h"

namespace oloid::geometry {
namespace {

// ∫ X^i Y^j Z^k over the part X, Y, Z ≥ 0 of (X^p + Y^p)^(q/p) + Z^q ≤ 1. A layer at height Z is a
// figure X^p + Y^p ≤ ρ^p with ρ^q = 1 − Z^q, whose moment is ρ^n times that for ρ = 1, n = i + j +
// 2 (Dirichlet's integral); what remains over Z is a beta function.
double octant_moment(double p, double q, int i, int j, int k) {
  const auto gamma = [](double x) { return std::tgamma(x); };
  const int n = i + j + 2;
  const double layer = gamma((i + 1) / p) * gamma((j + 1) / p) / (p * p * gamma(n / p + 1));
  return layer * gamma((k + 1) / q) * gamma(n / q + 1) / (q * gamma((n + k + 1) / q + 1));
}

// The largest √(α² X² + β² Y²) with X^e + Y^e = 1: (α^f + β^f)^(1/f), f = 2e / (e − 2), by Hölder's
// inequality for X², Y²; the larger of α and β for e = 2.
double longest(double alpha, double beta, double e) {
  const double f = 2 * e / (e - 2), most = std::max(alpha, beta), least = std::min(alpha, beta);
  return most * std::pow(1 + std::pow(least / most, f), 1 / f);
}

}  // namespace

Result<Superellipsoid> Superellipsoid::make(const Vec3<double>& semi_axes, double p, double q,
                                            bool cavity) {
  const Result<Ellipsoid> same_axes = Ellipsoid::make(semi_axes);
  if (!same_axes) return Unexpected{same_axes.error()};
  for (const auto& [name, e] : {std::pair{'p', p}, std::pair{'q', q}}) {
    if (!(e >= 2)) {  // or is not a number
      return refuse(fmt::format("exponent {} is {}", name, e),
                    "must be at least 2: below 2 the surface has edges or infinite curvature");
    }
    if (e > kMaxExponent) {
      return refuse(fmt::format("exponent {} is {}", name, e),
                    fmt::format("must be at most {}: with more, edges are too sharp to be resolved",
                                kMaxExponent));
    }
  }
  // (|X|^p + |Y|^p)^(q/p) is homogeneous of degree q in (X, Y): for q = 2 its second derivatives
  // depend on the direction from which a pole is reached, unless they are constant.
  if (q == 2 && p != 2) {
    return refuse(fmt::format("with exponents p = {}, q = 2 the curvature jumps at the "
                              "poles of the z axis",
                              p),
                  "use q greater than 2, or p = q = 2 for an ellipsoid");
  }
  return Superellipsoid(semi_axes, p, q, cavity);
}

Location Superellipsoid::at_direction(const Vec3<double>& d) const {
  const int chart = sphere_charts::best_chart(d);
  const sphere_charts::Axes k = sphere_charts::axes(chart, cavity_);
  const double height = std::abs(d(k.a));
  return {ChartId{chart}, {d(k.b) / height, d(k.c) / height, 0}};
}

ChartExit Superellipsoid::leave(const Location& at) const {
  const sphere_charts::Axes k = sphere_charts::axes(at.chart.index, cavity_);
  Vec3<double> d;
  d(k.a) = k.sign;
  d(k.b) = at.x(0);
  d(k.c) = at.x(1);
  return Crossing{at_direction(d), Joint::G2};
}

Location Superellipsoid::near(const Vec3<double>& point) const {
  const Vec3<double> d = point.cwiseQuotient(semi_axes_);
  return at_direction(d.isZero(0) ? Vec3<double>(Vec3<double>::UnitZ()) : d);
}

std::vector<Location> Superellipsoid::seeds() const {
  std::vector<Location> result;
  // Off the symmetry planes, where the surface may be flat and Newton's method singular.
  constexpr std::array kSeeds{-0.9, -0.4, 0.4, 0.9};
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart)
    for (const double u : kSeeds)
      for (const double v : kSeeds) result.push_back({ChartId{chart}, {u, v, 0}});
  return result;
}

double Superellipsoid::bounding_radius() const {
  return longest(longest(semi_axes_.x(), semi_axes_.y(), p_), semi_axes_.z(), q_);
}

Result<Solid> Superellipsoid::solid() const {
  if (cavity_) {
    return refuse("the body is everything outside the surface", "specify mass and inertia instead");
  }
  const double scale = 8 * semi_axes_.prod();
  const Vec3<double> squares =  // ∫ x², ∫ y², ∫ z²
      scale * semi_axes_.cwiseAbs2().cwiseProduct(Vec3<double>(octant_moment(p_, q_, 2, 0, 0),
                                                               octant_moment(p_, q_, 0, 2, 0),
                                                               octant_moment(p_, q_, 0, 0, 2)));
  Solid solid{scale * octant_moment(p_, q_, 0, 0, 0), Vec3<double>::Zero(), {}};
  solid.inertia = (Vec3<double>::Constant(squares.sum()) - squares).asDiagonal();
  return solid;
}

std::vector<Tile> Superellipsoid::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  result.reserve(sphere_charts::kCharts);
  for (int side = 0; side < sphere_charts::kCharts; ++side) result.push_back({CubeTile{side}});
  return result;
}

// From [−1, 1] to itself. The slope at the ends, π / e, makes room for edges whose radius is about
// 1 / e of the body; for an ellipsoid spacing is that of equal angles, nearly.
Location Superellipsoid::on_tile(const CubeTile& tile, double s, double t) const {
  const double bend = 0.5 * (1 - std::numbers::pi / std::max(p_, q_));
  const auto spread = [bend](double part) {
    const double x = 2 * part - 1;
    return x + bend * x * (1 - x * x);
  };
  return {ChartId{tile.side}, {spread(s), spread(t), 0}};
}

}  // namespace oloid::geometry
