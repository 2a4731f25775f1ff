// What patches of all kinds keep and take: control points with weights.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "oloid/geometry/bezier/rational.h"

namespace oloid::geometry {

// Kept without Eigen's alignment: units for wide instruction sets read it as it is.
using StoredPoint = std::array<double, 4>;

using Weighted = Vec<double, 4>;  // weight × point, weight
using PointRows = std::vector<std::vector<Vec3<double>>>;
using WeightRows = std::vector<std::vector<double>>;

namespace detail {

inline bool weights_differ(const std::vector<Vec<double, 4>>& points) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Vec<double, 4>& p) { return p(3) != points[0](3); });
}

// Equal weights are made 1, so that the fourth number can be left alone.
inline std::vector<StoredPoint> stored(const std::vector<Vec<double, 4>>& points, bool rational) {
  std::vector<StoredPoint> result;
  result.reserve(points.size());
  for (const Vec<double, 4>& h : points) {
    const double w = rational ? 1 : h(3);
    result.push_back({h(0) / w, h(1) / w, h(2) / w, h(3) / w});
  }
  return result;
}

// A jet of homogeneous points, N = (first three), w = fourth if there is one, to the surface's.
template <int Order, int C, class S>
Jet<S, Order> projected(const std::array<Vec<S, C>, static_cast<std::size_t>(jet_size(Order))>& h) {
  Jet<S, Order> N;
  for (std::size_t i = 0; i < h.size(); ++i) N.terms[i] = h[i].template head<3>();
  if constexpr (C == 3) return N;
  ScalarJet<S, Order> w;
  for (std::size_t i = 0; i < h.size(); ++i) w[i] = h[i](C - 1);
  return quotient<Order>(N, w);
}

}  // namespace detail
}  // namespace oloid::geometry
