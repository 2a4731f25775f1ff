// The force that a ball exerts on a surface, from the surface's curvature alone.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "oloid/geometry/shape.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test {

// The centre runs on the surface at distance r, of shape operator K (1 + r K)⁻¹, so
// f_n / m = −g·n − V·K (1 + r K)⁻¹ V: at every frame, whatever the friction. The ground stands
// still in the world's axes; the ball, body A, weighs 1 kg.
inline void expect_force_of_curvature(const Memory& m, const Shape& ground, double radius,
                                      double tolerance) {
  for (const auto& frame : m.frames) {
    const ContactFrame& c = frame.contact;
    const Vec3<double> e = Vec3<double>(1, 0.1, 0.2).normalized();
    const auto at = local_surface<double>(ground, c.chart_B, c.location_B, e);
    const Vec2<double> V = at.R.leftCols<2>().transpose() * frame.body.velocity;
    const Mat2<double> K_centre = at.K * (Mat2<double>::Identity() + radius * at.K).inverse();
    const double predicted = 9.81 * at.R(2, 2) - V.dot(K_centre * V);
    EXPECT_NEAR(c.normal_force, predicted, tolerance * 9.81) << "t = " << frame.t;
  }
}

}  // namespace oloid::test
