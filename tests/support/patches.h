// Surfaces of patches to test with.
#pragma once

#include <cmath>
#include <vector>

#include "oloid/geometry/bezier/patchwork.h"
#include "support/rooms.h"

namespace oloid::test {

// A Bezier patch alone.
inline Patchwork single_patch(const PointRows& net, const WeightRows& weights = {}) {
  return Patchwork::make({{make_patch(net, weights).value(), "the patch"}}).value();
}

// The rows of the S-patch of depth 3 that is z = f(x, y), a cubic, over a convex polygon: its
// points are values of f's polar form at corners. With four corners it is a bicubic patch.
template <class Polar>
PointRows graph_over(const std::vector<Vec2<double>>& polygon, const Polar& polar) {
  PointRows net(polygon.size());
  const auto corner = [&](int i) { return polygon[static_cast<std::size_t>(i)]; };
  for (const auto& list : SPatch::all_corners(static_cast<int>(polygon.size()), 3)) {
    const Vec2<double> p = corner(list[0]), q = corner(list[1]), r = corner(list[2]);
    const Vec2<double> mean = (p + q + r) / 3;
    net[static_cast<std::size_t>(list[0])].push_back({mean.x(), mean.y(), polar(p, q, r)});
  }
  return net;
}

// Polygons of the plane: a regular one, and quadrangles around it.
inline std::vector<std::vector<Vec2<double>>> ring_of_quadrangles(int n, double inner,
                                                                  double outer) {
  const auto at = [&](int k, double r) -> Vec2<double> {
    const double angle = 2 * std::acos(-1.0) * (k % n) / n;
    return {r * std::cos(angle), r * std::sin(angle)};
  };
  std::vector<std::vector<Vec2<double>>> polygons(1);
  for (int k = 0; k < n; ++k) {
    polygons[0].push_back(at(k, inner));
    polygons.push_back({at(k + 1, inner), at(k, inner), at(k, outer), at(k + 1, outer)});
  }
  return polygons;
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

}  // namespace oloid::test
