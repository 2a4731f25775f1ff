// Surfaces to test with, and where on them.
#pragma once

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "laws/surface_laws.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/analytic/quadric.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/patches.h"
#include "support/rooms.h"

namespace oloid::test {

inline SurfaceDomain domain_of(const Ellipsoid& surface) {
  SurfaceDomain domain{{}, surface.semi_axes().maxCoeff(), 2};
  const double r = std::sqrt(sphere_charts::kRadiusSquared);
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart)
    domain.charts.push_back({chart, {0, 0}, {r, r}, true});
  return domain;
}
inline SurfaceDomain domain_of(const Patchwork& surface) {
  SurfaceDomain domain{{}, surface.bounding_radius(), 1};
  for (int i = 0; i < surface.patches(); ++i) {
    if (const auto* s_patch = std::get_if<SPatch>(&surface.patch(i))) {
      const int n = s_patch->sides();
      domain.charts.push_back({i, {0, 0}, {1, 1}, false, false, n});
      domain.degree = std::max(domain.degree, s_patch->depth() * (n - 2));  // of its polynomials
      continue;
    }
    domain.charts.push_back({i, {0.5, 0.5}, {0.5, 0.5}, false, sides(surface.patch(i)) == 3});
    domain.degree = std::max(domain.degree, degree(surface.patch(i)));
  }
  return domain;
}

inline Ellipsoid ellipsoid(double a, double b, double c, bool cavity = false) {
  return Ellipsoid::make({a, b, c}, cavity).value();
}

// The same ellipsoid as an implicit surface; as a cavity f changes sign.
inline Quadric quadric_of(const Ellipsoid& surface) {
  const double sign = surface.cavity() ? -1 : 1;
  const Mat3<double> Q = surface.semi_axes().cwiseAbs2().cwiseInverse().asDiagonal();
  return Quadric::make(sign * Q, Vec3<double>::Zero(), -sign).value();
}

inline nlohmann::json contact_vectors() {
  std::ifstream file(OLOID_TEST_DATA "/contact_evolution.json");
  return nlohmann::json::parse(file);
}
inline Vec3<double> vec3(const nlohmann::json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}
inline Vec2<double> vec2(const nlohmann::json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>()};
}
inline Mat2<double> mat2(const nlohmann::json& j) {
  Mat2<double> M;
  M << vec2(j.at(0)).transpose(), vec2(j.at(1)).transpose();
  return M;
}
using Rows = PointRows;
inline Rows rows(const nlohmann::json& j) {
  Rows net;
  for (const auto& row : j) {
    net.emplace_back();
    for (const auto& p : row) net.back().push_back(vec3(p));
  }
  return net;
}

// The points of an S-patch over its own polygon, bent at random but regular. Coordinates of ten
// sides reach 2.2 a tenth beyond them: weights that differ more would let the denominator vanish.
inline SPatch random_s_patch(Random& random, int sides, int depth, bool rational = false) {
  std::vector<Vec<double, 4>> points;
  for (const SPatch::Corners& corners : SPatch::all_corners(sides, depth)) {
    Vec3<double> p = random.vector<3>(-0.1, 0.1) / depth;
    for (const int corner : corners)
      p.head<2>() += PatchDomain::regular(sides).corner(corner) / depth;
    points.push_back(weighted<3>(p, rational ? random(0.8, 1.25) : 1));
  }
  return SPatch(sides, depth, points);
}

// S-patches of depth 3 below and above the regular polygon, at heights about ±0.5; x and y are
// those of the polygon, below with y mirrored so that normals point down.
inline std::array<SPatch, 2> prism_ends(Random& random, int sides) {
  const auto end = [&](double sign) {
    std::vector<Vec<double, 4>> points;
    for (const SPatch::Corners& corners : SPatch::all_corners(sides, 3)) {
      Vec3<double> p(0, 0, sign * 0.5 + random(-0.2, 0.2));
      for (const int corner : corners)
        p.head<2>() += PatchDomain::regular(sides).corner(corner) / 3;
      p.y() *= sign;
      points.push_back(weighted<3>(p, 1));
    }
    return SPatch(sides, 3, points);
  };
  return {end(-1), end(1)};
}

// Both ends and the walls between them.
inline std::vector<PatchPiece> prism_pieces(const std::array<SPatch, 2>& ends) {
  std::vector<PatchPiece> pieces{{ends[0], "bottom"}, {ends[1], "top"}};
  const int n = ends[0].sides();
  for (int side = 0; side < n; ++side) {
    // The mirrored side of the bottom runs the other way.
    const BezierCurve<3> low = reversed(ends[0].side_curve(n - 1 - side)),
                         high = ends[1].side_curve(side);
    std::vector<std::vector<Vec<double, 4>>> net;
    for (std::size_t i = 0; i < low.points.size(); ++i)
      net.push_back({low.points[i], high.points[i]});
    pieces.push_back({make_patch(net), "wall"});
  }
  return pieces;
}

// A patch with the given numbers of rows and columns, bent at random but regular.
inline Rows random_net(Random& random, int n_rows, int n_columns) {
  Rows net;
  for (int i = 0; i < n_rows; ++i) {
    net.emplace_back();
    for (int j = 0; j < n_columns; ++j) {
      net.back().push_back(Vec3<double>(i / (n_rows - 1.0), j / (n_columns - 1.0), 0) +
                           random.vector<3>(-0.1, 0.1));
    }
  }
  return net;
}

}  // namespace oloid::test
