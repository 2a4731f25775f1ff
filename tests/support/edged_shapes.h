// Shapes whose edges are neither sides of patches nor lines of charts: trimmed patches and
// intersections of implicit bodies.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/implicit/implicit.h"
#include "oloid/geometry/shape.h"
#include "support/rooms.h"

namespace oloid::test {

inline Shape intersection_of(const std::vector<std::string>& formulas, double half) {
  std::vector<ImplicitField> faces;
  for (const std::string& formula : formulas)
    faces.emplace_back(ImplicitExpression::make(formula).value());
  const Box box{Vec3<double>::Constant(-half), Vec3<double>::Constant(half)};
  return ImplicitIntersection::make(std::move(faces), {box}).value();
}
// Two balls: one edge, a circle of radius √3 / 2 in z = 0.
inline Shape lens() {
  return intersection_of({"x^2 + y^2 + (z - 0.5)^2 - 1", "x^2 + y^2 + (z + 0.5)^2 - 1"}, 1.5);
}
// A cylinder between planes: two circles.
inline Shape can() { return intersection_of({"x^2 + y^2 - 0.49", "z - 0.3", "-z - 0.5"}, 1.5); }
// An eighth of a ball, as seen from a point inside it: three plane faces, a round one, four
// corners.
inline Shape eighth_of_a_ball() {
  return intersection_of(
      {"(x + 0.3)^2 + (y + 0.3)^2 + (z + 0.3)^2 - 1", "-x - 0.3", "-y - 0.3", "-z - 0.3"}, 1.5);
}
// A bent, skew body without a circle in it.
inline Shape bent_wedge() {
  return intersection_of(
      {"x^2 + 2*y^2 + z^2 + 0.3*x*y*z - 1", "z - 0.3*x^2 - 0.2*y", "x + 0.4*y - 0.3*z - 0.5"}, 1.6);
}

// A circle in the plane as four rational quadratic curves; clockwise ones are holes.
inline TrimmingLoop circle_loop(const Uv<double>& centre, double radius, bool clockwise) {
  const double w = std::sqrt(0.5), turn = clockwise ? -1 : 1;
  const Uv<double> corners[] = {{1, 0},      {1, turn},  {0, turn},  {-1, turn}, {-1, 0},
                                {-1, -turn}, {0, -turn}, {1, -turn}, {1, 0}};
  const auto at = [&](std::size_t i) {
    return weighted<2>(centre + radius * corners[i], i % 2 == 0 ? 1.0 : w);
  };
  TrimmingLoop loop;
  for (std::size_t k = 0; k < 8; k += 2) loop.push_back({{at(k), at(k + 1), at(k + 2)}});
  return loop;
}

// A hill over the unit square, in spans × spans pieces of degree 2, without what loops cut off.
inline Shape trimmed_hill(std::vector<TrimmingLoop> loops, int spans) {
  KnotVector knots{2, {0, 0, 0}};
  for (int k = 1; k < spans; ++k) knots.knots.push_back(static_cast<double>(k) / spans);
  for (int k = 0; k < 3; ++k) knots.knots.push_back(1);
  const std::size_t n = knots.control_points();
  NurbsNet net{knots, knots, {}};
  for (std::size_t i = 0; i < n; ++i) {
    net.net.emplace_back();
    for (std::size_t j = 0; j < n; ++j) {
      const double x = static_cast<double>(i) / static_cast<double>(n - 1),
                   y = static_cast<double>(j) / static_cast<double>(n - 1);
      net.net.back().push_back(
          weighted<3>(Vec3<double>(x, y, 0.6 * x * (1 - x) + 0.3 * y * (1 - y)), 1));
    }
  }
  const auto trimming =
      std::make_shared<const Trimming>(Trimming::make({0, 1, 0, 1}, std::move(loops)).value());
  return Patchwork::make(pieces_of(net, "hill", trimming)).value();
}
inline Shape hill_with_hole(int spans) {
  return trimmed_hill({circle_loop({0.45, 0.55}, 0.25, true)}, spans);
}
// Its outer loop runs along one side of the square, leaves it at two corners and has a reflex one.
inline Shape notched_hill(int spans) {
  return trimmed_hill(
      {polygon_loop({{0, 0}, {0.9, 0}, {0.8, 0.7}, {0.5, 0.4}, {0.4, 0.9}, {0, 0.8}})}, spans);
}

}  // namespace oloid::test
