#include "oloid/geometry/revolution/revolution.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "oloid/geometry/core/edge.h"

namespace oloid::geometry {
namespace {

bool is_length(double x) { return x > 0 && std::isfinite(x); }

// Seeds round the axis at the given places along the meridian.
std::vector<Location> ring_seeds(const std::vector<double>& along) {
  std::vector<Location> result;
  for (int i = 0; i < kSpokes; ++i)
    for (const double v : along)
      result.push_back({ChartId{0}, {2 * std::numbers::pi * i / kSpokes, v, 0}});
  return result;
}

// Four quarter turns for each of `pieces` equal parts of the meridian.
std::vector<Tile> ring_tiles(double from, double to, int pieces) {
  std::vector<Tile> result;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < pieces; ++j) {
      const double turn = 0.5 * std::numbers::pi, part = (to - from) / pieces;
      result.push_back({ChartTile{ChartId{0}, {turn * i, from + part * j}, {turn, 0}, {0, part}}});
    }
  }
  return result;
}

double angle_of(const Vec3<double>& p, double sense) { return sense * std::atan2(p.y(), p.x()); }

}  // namespace

Result<Frustum> Frustum::cylinder(double radius, double length, bool cavity) {
  if (!is_length(radius)) {
    return refuse(fmt::format("radius is {}", radius), "must be a length in metres greater than 0");
  }
  if (!(length > 0)) {
    return refuse(fmt::format("length is {}", length), "must be a length in metres greater than 0");
  }
  const Extent extent = std::isfinite(length) ? Extent{-length / 2, length / 2} : Extent{};
  return Frustum(radius, 0, extent, cavity);
}

Result<Frustum> Frustum::cone(double half_angle, double from, double to, bool cavity) {
  if (!(half_angle > 1e-3 && half_angle < std::numbers::pi / 2 - 1e-3)) {
    return refuse(fmt::format("half angle is {} rad", half_angle),
                  "must be between 0.001 and pi/2 - 0.001");
  }
  if (!(is_length(from) && is_length(to) && from < to)) {
    return refuse(fmt::format("the cone extends from {} to {}", from, to),
                  "must be two heights above the apex in metres, 0 < from < to; the apex itself is "
                  "not part of the surface");
  }
  const double slant = 1 / std::cos(half_angle);
  return Frustum(0, half_angle, {from * slant, to * slant}, cavity);
}

Location Frustum::near(const Vec3<double>& p) const {
  const double along = sin_ * (std::hypot(p.x(), p.y()) - radius_) + cos_ * p.z();
  return {ChartId{0}, {angle_of(p, sense_), extent_.clamped(along), 0}};
}

std::vector<Location> Frustum::seeds() const {
  if (!extent_.bounded()) return ring_seeds({0});
  const double length = extent_.to - extent_.from;
  return ring_seeds(
      {extent_.from + 0.1 * length, extent_.from + 0.5 * length, extent_.from + 0.9 * length});
}

double Frustum::bounding_radius() const {
  return std::hypot(radius_ + sin_ * extent_.to, cos_ * extent_.to);
}

Box Frustum::box() const {
  if (!extent_.bounded()) return everywhere();
  const double r = radius_ + sin_ * extent_.to;  // the wider end
  return {{-r, -r, cos_ * extent_.from}, {r, r, cos_ * extent_.to}};
}

Result<Solid> Frustum::solid() const {
  return refuse("the surface is open at its ends", "specify mass and inertia instead");
}

std::vector<Tile> Frustum::tiles(double reach) const {
  return extent_.bounded() ? ring_tiles(extent_.from, extent_.to, 1) : ring_tiles(-reach, reach, 1);
}

// The surface lies to the left of its lower rim, taken along u, and of the upper one against u.
std::vector<Edge> Frustum::edges() const {
  std::vector<Edge> result;
  if (!extent_.bounded()) return result;
  for (const double along : {1.0, -1.0}) {
    const double v = along > 0 ? extent_.from : extent_.to, r = radius_ + sin_ * v;
    Winding rim{{0, 0, cos_ * v}, {r, 0, 0}, {0, r, 0}};
    rim.to *= sense_ * along;
    const ChartSegment flank{ChartId{0}, {0, v}, {along * 2 * std::numbers::pi, v}};
    result.push_back({Curve::make({rim}).value(), flank});
  }
  return result;
}

Result<Torus> Torus::make(double major, double minor) {
  if (!is_length(major) || !is_length(minor) || !(minor < major)) {
    return refuse(fmt::format("radii are {} and {}", major, minor),
                  "must satisfy 0 < minor_radius < major_radius, in metres");
  }
  return Torus(major, minor);
}

Location Torus::near(const Vec3<double>& p) const {
  const double v = std::atan2(p.z(), std::hypot(p.x(), p.y()) - major_);
  return {ChartId{0}, {angle_of(p, 1), v, 0}};
}

Box Torus::box() const {
  const double r = major_ + minor_;
  return {{-r, -r, -minor_}, {r, r, minor_}};
}

// V = 2 π² R r²; moments over V: R² + ¾ r² about the axis, ½ R² + ⅝ r² across it.
Result<Solid> Torus::solid() const {
  const double R = major_, r = minor_;
  const double V = 2 * std::numbers::pi * std::numbers::pi * R * r * r;
  const double across = R * R / 2 + 5 * r * r / 8, about = R * R + 3 * r * r / 4;
  return Solid{V, Vec3<double>::Zero(), V * Vec3<double>(across, across, about).asDiagonal()};
}

std::vector<Tile> Torus::tiles(double /*reach*/) const {
  return ring_tiles(0, 2 * std::numbers::pi, 4);
}

std::vector<Location> Torus::seeds() const {
  std::vector<double> along;
  along.reserve(8);
  for (int i = 0; i < 8; ++i) along.push_back(2 * std::numbers::pi * i / 8);
  return ring_seeds(along);
}

}  // namespace oloid::geometry
