// Surfaces of patches to test with.
#pragma once

#include <cmath>
#include <vector>

#include "oloid/geometry/patchwork.h"

namespace oloid {

// A Bezier patch alone.
inline Patchwork single_patch(const PointRows& net, const WeightRows& weights = {}) {
  return Patchwork::make({{make_patch(net, weights).value(), "the patch"}}).value();
}

// n bilinear quadrangles of the plane z = 0 that meet at the origin, within a circle of radius 1.
inline std::vector<PointRows> fan(int n) {
  const auto at = [n](double k, double r) {
    const double angle = 2 * std::acos(-1.0) * k / n + 0.1;
    return Vec3<double>(r * std::cos(angle), r * std::sin(angle), 0);
  };
  std::vector<PointRows> nets;
  for (int k = 0; k < n; ++k) {
    nets.push_back({{{0, 0, 0}, at(k + 1, 0.7)}, {at(k, 0.7), at(k + 0.5, 1)}});
  }
  return nets;
}

// Circles as rational quadratic splines: control points and weights of a full turn, from angle 0.
struct NurbsCircle {
  std::vector<Vec2<double>> points;
  std::vector<double> weights;
  KnotVector knots{2, {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}};

  explicit NurbsCircle(double r)
      : points{{r, 0}, {r, r}, {0, r}, {-r, r}, {-r, 0}, {-r, -r}, {0, -r}, {r, -r}, {r, 0}} {
    for (int i = 0; i < 9; ++i) weights.push_back(i % 2 == 1 ? std::sqrt(0.5) : 1);
  }
};

// A meridian (distance from the axis, z) turned about z.
inline NurbsNet turned(const std::vector<Vec2<double>>& points, const std::vector<double>& weights,
                       const KnotVector& knots) {
  const NurbsCircle circle(1);
  NurbsNet surface{circle.knots, knots, {}};
  for (std::size_t i = 0; i < circle.points.size(); ++i) {
    surface.net.emplace_back();
    for (std::size_t j = 0; j < points.size(); ++j) {
      const Vec2<double> xy = points[j].x() * circle.points[i];
      surface.net.back().push_back(
          weighted<3>(Vec3<double>(xy.x(), xy.y(), points[j].y()), circle.weights[i] * weights[j]));
    }
  }
  return surface;
}
inline NurbsNet nurbs_sphere(double r) {
  const double w = std::sqrt(0.5);
  return turned({{0, -r}, {r, -r}, {r, 0}, {r, r}, {0, r}}, {1, w, 1, w, 1},
                {2, {0, 0, 0, 1, 1, 2, 2, 2}});
}
inline NurbsNet nurbs_torus(double major, double minor) {
  NurbsCircle tube(minor);
  for (Vec2<double>& p : tube.points) p.x() += major;
  return turned(tube.points, tube.weights, tube.knots);
}
inline NurbsNet nurbs_cylinder(double r, double length) {
  return turned({{r, -length / 2}, {r, length / 2}}, {1, 1}, {1, {0, 0, 1, 1}});
}

}  // namespace oloid
