// Laws of the edges of any shape.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/shape.h"
#include "support/rooms.h"

namespace oloid::test {

// The curve is where the flanks say, runs along both faces, and these lie to its left and right: a
// step into the face, seen from the edge, goes along n × t and back.
inline void expect_edge_laws(const Shape& shape, double size) {
  const auto all = edges(shape);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Edge& edge = all[i];
    SCOPED_TRACE(testing::Message() << "edge " << i);
    ASSERT_EQ(edge.curve.pieces(), 1);
    ASSERT_TRUE(edge.has(EdgeFace::left));
    for (int k = 1; k < 20; ++k) {
      const double s = k / 20.0;
      const EdgeSection at = section(shape, edge, s);
      for (const EdgeFace face : {EdgeFace::left, EdgeFace::right}) {
        if (!edge.has(face)) continue;
        const bool left = face == EdgeFace::left;
        const Location q = location(shape, edge, face, s);
        const Vec3<double> n = left ? at.left : *at.right;
        EXPECT_LE(std::abs(n.dot(at.tangent)), 1e-12);
        const Vec3<double> e = n.cross(at.tangent);  // to the left
        const LocalSurface<double> here = local_surface<double>(shape, q.chart, q.x, e);
        EXPECT_LE(difference(here.p, at.point), 1e-13 * size);
        EXPECT_LE(difference(here.R.col(2), n), 1e-13);
        // A little to the left on the surface: inside the left face, outside the right one.
        const Location aside{q.chart, q.x + 1e-6 * size * here.L.col(0)};
        EXPECT_EQ(margin(shape, aside) > 0, left) << "s = " << s;
      }
    }
  }
}

}  // namespace oloid::test
