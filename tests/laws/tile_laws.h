// Laws of the tiles of a closed surface that encloses its origin.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "laws/difference.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/shape.h"
#include "support/rooms.h"

namespace oloid::test {

// Seen from the origin, signed (van Oosterom & Strackee).
inline double solid_angle(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return 2 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                               b.dot(c) * a.norm() + c.dot(a) * b.norm());
}

// Four-sided tiles cover the surface once, turn as its charts do, and each side is the side of
// exactly one other tile, passed at the same pace. `total` is ±4π, by the sense of the normals.
template <class F>
void expect_closed_tile_laws(const F& surface, double total) {
  constexpr int n = 8;
  using Side = std::array<Vec3<double>, n + 1>;
  std::vector<Side> sides;
  const Shape shape = surface;
  double sum = 0;
  for (const Tile& tile : surface.tiles(1)) {
    ASSERT_EQ(tile.sides, 4);
    const auto jet = [&](double s, double t) {
      const Location q = location(shape, tile, s, t);
      return surface.template jet<1>(q.chart.index, Uv<double>(q.x.template head<2>()));
    };
    const auto point = [&](int i, int j) {
      return Vec3<double>(jet(i / double(n), j / double(n)).d(0, 0));
    };
    std::array<Side, 4> around;
    for (int i = 0; i <= n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      around[0][k] = point(i, 0);
      around[1][k] = point(n, i);
      around[2][k] = point(n - i, n);
      around[3][k] = point(0, n - i);
      EXPECT_GE(surface.margin(location(shape, tile, i / double(n), 0.0)), 0);
    }
    sides.insert(sides.end(), around.begin(), around.end());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vec3<double> a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                           d = point(i, j + 1);
        sum += solid_angle(a, b, c) + solid_angle(a, c, d);
        const Jet<double, 1> middle = jet((i + 0.5) / n, (j + 0.5) / n);
        EXPECT_GT((c - a).cross(d - b).dot(middle.d(1, 0).cross(middle.d(0, 1))), 0);
      }
    }
  }
  EXPECT_NEAR(sum, total, 1e-12);
  for (const Side& side : sides) {
    const auto matches = [&](const Side& other, bool reversed) {
      double apart = 0;
      for (std::size_t i = 0; i <= n; ++i)
        apart = std::max(apart, difference(side[i], other[reversed ? n - i : i]));
      return apart <= 8 * kEps * surface.bounding_radius();
    };
    int neighbours = 0;
    for (const Side& other : sides)
      if (&other != &side && (matches(other, true) || matches(other, false))) ++neighbours;
    EXPECT_EQ(neighbours, 1);
  }
}

}  // namespace oloid::test
