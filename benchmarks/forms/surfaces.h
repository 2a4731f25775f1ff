// Surfaces of the comparison: a ball in latitude and longitude, the same ball as f = 0, a plane,
// and bicubic bowls.
#pragma once

#include <array>
#include <cmath>

#include "oloid/geometry/bezier/bezier.h"
#include "oloid/spatial/pose.h"
#include "support/rooms.h"

namespace oloid::bench {

// c(s, t) = centre + r R (cos t cos s, cos t sin s, sin t): poles along ±R e₃, normals out.
struct LatLongBall {
  double radius = 1;  // [m]
  Pose<double> X;     // of the ball in its body

  template <int Order>
  Jet<double, Order> jet(const Uv<double>& q) const {
    const std::array<double, 4> cos_s = derivatives(std::cos(q.x()), -std::sin(q.x()));
    const std::array<double, 4> sin_s = derivatives(std::sin(q.x()), std::cos(q.x()));
    const std::array<double, 4> cos_t = derivatives(std::cos(q.y()), -std::sin(q.y()));
    const std::array<double, 4> sin_t = derivatives(std::sin(q.y()), std::cos(q.y()));
    Jet<double, Order> c;
    for (int order = 0; order <= Order; ++order) {
      for (int j = 0; j <= order; ++j) {
        const auto in_s = static_cast<std::size_t>(order - j), in_t = static_cast<std::size_t>(j);
        const Vec3<double> d(cos_t[in_t] * cos_s[in_s], cos_t[in_t] * sin_s[in_s],
                             order == j ? sin_t[in_t] : 0);
        c.d(order - j, j) = radius * (X.R * d);
      }
    }
    c.d(0, 0) += X.p;
    return c;
  }

  // Parameters of the point in direction d from the centre, in the body's axes.
  Uv<double> parameters(const Vec3<double>& d) const {
    const Vec3<double> local = (X.R.transpose() * d).normalized();
    return {std::atan2(local.y(), local.x()), std::asin(local.z())};
  }

 private:
  // f, f', −f, −f' of a function with f'' = −f.
  static std::array<double, 4> derivatives(double f, double slope) {
    return {f, slope, -f, -slope};
  }
};

// The same ball without parameters.
struct PointBall {
  double radius = 1;  // [m]
  Vec3<double> centre = Vec3<double>::Zero();

  ImplicitJet<double> implicit_jet(const Vec3<double>& p) const {
    const Vec3<double> d = p - centre;
    return {d.squaredNorm() - radius * radius, 2 * d, 2 * Mat3<double>::Identity()};
  }
};

// z = 0, normal up.
struct Ground {
  template <int Order>
  Jet<double, Order> jet(const Uv<double>& q) const {
    Jet<double, Order> c;
    for (Vec3<double>& term : c.terms) term.setZero();
    c.d(0, 0) << q, 0;
    c.d(1, 0) = Vec3<double>::UnitX();
    c.d(0, 1) = Vec3<double>::UnitY();
    return c;
  }
};

// About z = height − bend (x² + 0.7 y²), skew and a little wavy, normal up.
struct Bowl {
  BicubicPatch patch;

  Bowl(double bend, double height, double wave) : patch(net(bend, height, wave)) {}
  template <int Order>
  Jet<double, Order> jet(const Uv<double>& q) const {
    return patch.jet<Order>(q);
  }

 private:
  static BicubicPatch::Net net(double bend, double height, double wave) {
    BicubicPatch::Net net;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double x = static_cast<double>(i) / 3 - 0.5, y = static_cast<double>(j) / 3 - 0.5;
        const double h = wave * std::sin(3 * x + 2 * y);
        net[i][j] = {x + 0.2 * y + h, y - 0.5 * h, height - bend * (x * x + 0.7 * y * y) + h};
      }
    }
    return net;
  }
};

}  // namespace oloid::bench
