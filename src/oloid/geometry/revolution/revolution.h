// Surfaces swept by a plane curve that turns about the z axis: cylinder, cone and torus.
//
// u is the angle about the axis (running the other way round where normals point inwards), v runs
// along the meridian (ρ(v), ζ(v)). Both are unbounded or end at an open border; the angle needs no
// second chart, because it may grow for ever. The axis itself is never on the surface.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

inline constexpr int kSpokes = 12;  // seeds round the axis

struct Edge;

// Derivatives of the meridian up to the given order.
template <class S, int Order>
struct Meridian {
  std::array<S, static_cast<std::size_t>(Order) + 1> rho, zeta;  // [m]
};

// x = (ρ cos θ, ρ sin θ, ζ), θ = sense · u: each u-derivative turns the circle by a right angle.
template <int Order, class S>
Jet<S, Order> revolve(const Meridian<S, Order>& meridian, const S& u, double sense) {
  using std::cos;
  using std::sin;
  const S c = cos(S(sense) * u), s = sin(S(sense) * u);
  const S turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  Jet<S, Order> x;
  double sign = 1;
  for (int i = 0; i <= Order; ++i) {
    for (int j = 0; i + j <= Order; ++j) {
      const S rho = S(sign) * meridian.rho[static_cast<std::size_t>(j)];
      x.d(i, j) << rho * turned[i][0], rho * turned[i][1],
          (i == 0 ? meridian.zeta[static_cast<std::size_t>(j)] : S(0.0));
    }
    sign *= sense;
  }
  return x;
}

// Where v may run, for surfaces with open borders.
struct Extent {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();

  bool bounded() const { return to - from < std::numeric_limits<double>::infinity(); }
  // Distance to the nearer border as a part of half the extent: 1 in the middle, 0 on a border.
  double margin(double v) const {
    return bounded() ? 2 * std::min(v - from, to - v) / (to - from) : 1;
  }
  double clamped(double v) const { return std::clamp(v, from, to); }
};

// A straight meridian: cylinder and cone. v is the length along it [m].
class Frustum {
 public:
  // Of a given length about z = 0, or endless; the ends are open borders.
  static Result<Frustum> cylinder(double radius, double length, bool cavity = false);
  // Apex at the origin, opening along +z with the given half angle, between two heights above it.
  static Result<Frustum> cone(double half_angle, double from, double to, bool cavity = false);

  template <int Order, class S>
  Jet<S, Order> jet(int /*chart*/, const Uv<S>& q) const {
    Meridian<S, Order> m;
    m.rho.fill(S(0.0));
    m.zeta.fill(S(0.0));
    m.rho[0] = S(radius_) + S(sin_) * q.y();
    m.zeta[0] = S(cos_) * q.y();
    if constexpr (Order >= 1) {
      m.rho[1] = S(sin_);
      m.zeta[1] = S(cos_);
    }
    return revolve<Order>(m, S(q.x()), sense_);
  }
  Extent extent() const { return extent_; }  // of v
  double margin(const Location& q) const { return extent_.margin(q.x(1)); }
  ChartExit leave(const Location& q) const {
    return OpenEdge{{q.chart, {q.x(0), extent_.clamped(q.x(1)), 0}}};
  }
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  bool is_convex() const { return sense_ > 0; }
  double bounding_radius() const;
  Box box() const;
  Result<Solid> solid() const;                  // none: the ends are open
  std::vector<Tile> tiles(double reach) const;  // an endless one is cut off at ±reach
  std::vector<Edge> edges() const;              // the rims

 private:
  Frustum(double radius, double half_angle, Extent extent, bool cavity)
      : radius_(radius),
        sin_(std::sin(half_angle)),
        cos_(std::cos(half_angle)),
        extent_(extent),
        sense_(cavity ? -1 : 1) {}
  double radius_;     // [m], at v = 0
  double sin_, cos_;  // of the angle between meridian and axis
  Extent extent_;
  double sense_;  // −1: normals point inwards
};

// A tube of radius `minor` round a circle of radius `major` about z; major > minor.
class Torus {
 public:
  static Result<Torus> make(double major, double minor);

  double major_radius() const { return major_; }
  double minor_radius() const { return minor_; }

  template <int Order, class S>
  Jet<S, Order> jet(int /*chart*/, const Uv<S>& q) const {
    using std::cos;
    using std::sin;
    const S c = S(minor_) * cos(q.y()), s = S(minor_) * sin(q.y());
    const S rho[4] = {c, -s, -c, s}, zeta[4] = {s, c, -s, -c};
    Meridian<S, Order> m;
    for (std::size_t i = 0; i <= Order; ++i) {
      m.rho[i] = rho[i];
      m.zeta[i] = zeta[i];
    }
    m.rho[0] = m.rho[0] + S(major_);
    return revolve<Order>(m, S(q.x()), 1);
  }
  double margin(const Location&) const { return 1; }  // never left
  ChartExit leave(const Location& q) const { return Crossing{q, Joint::G2}; }
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  double bounding_radius() const { return major_ + minor_; }
  Box box() const;
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;

 private:
  Torus(double major, double minor) : major_(major), minor_(minor) {}
  double major_, minor_;
};

}  // namespace oloid::geometry
