// Bodies that nothing touches: the equations of a free body against what is known of them.
#include "oloid/world/evaluate/fields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::fields_test {

Spec free_body(BodySpec body, const Vec3<double>& gravity, double duration) {
  Spec spec = scene_of({std::move(body)}, {}, duration);
  spec.gravity = gravity;
  spec.solver.rtol = 1e-13;
  return spec;
}

// Three different moments of inertia, spun near the middle axis, where a body tumbles.
TEST(FreeBody, KeepsEnergyAndAngularMomentum) {
  const Vec3<double> v(0.7, -0.4, 0.2), w(0.05, 6, -0.1);
  const Spec spec = free_body(named("body", ellipsoid({0.3, 0.2, 0.1}, 1.3), {{1, 2, 3}, v, w}),
                              Vec3<double>(0, 0, 0), 5);
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  const Momenta first = momenta(spec, f.pictures.front().bodies);
  Worst momentum, spin, energy, path;
  double upright = 1;
  for (const Film::Picture& p : f.pictures) {
    const Momenta now = momenta(spec, p.bodies);
    momentum((now.linear - first.linear).norm());
    spin((now.angular - first.angular).norm());
    energy(p.energy.kinetic - f.pictures.front().energy.kinetic);
    path((p.bodies[0].position - Vec3<double>(1, 2, 3) - p.t * v).norm());
    upright = std::min(upright, rotation_matrix(p.bodies[0].orientation)(1, 1));
  }
  EXPECT_LE(momentum.value, 1e-12);
  EXPECT_LE(spin.value, 1e-10);
  EXPECT_LE(energy.value, 1e-10);
  EXPECT_LE(path.value, 1e-12);
  EXPECT_LT(upright, -0.9);  // upside down
}

// The axis of a symmetric body goes around the angular momentum with L / I₁.
TEST(FreeBody, ASymmetricTopPrecesses) {
  const double m = 2, I1 = 0.2 * m * (0.1 * 0.1 + 0.3 * 0.3);
  const Vec3<double> w(1, 0, 4);
  const Spec spec =
      free_body(named("top", ellipsoid({0.3, 0.3, 0.1}, m), {{0, 0, 0}, {0, 0, 0}, w}),
                Vec3<double>(0, 0, 0), 3);
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  const Vec3<double> L = momenta(spec, f.pictures.front().bodies).angular;
  Worst axis;
  for (const Film::Picture& p : f.pictures) {
    const Eigen::AngleAxisd turn(L.norm() / I1 * p.t, L.normalized());
    const Vec3<double> expected = turn * Vec3<double>::UnitZ();
    axis((rotation_matrix(p.bodies[0].orientation).col(2) - expected).norm());
  }
  EXPECT_LE(axis.value, 1e-10);
}

// However it tumbles, its centre flies along a parabola.
TEST(FreeBody, FliesAlongAParabola) {
  const Vec3<double> x(1, 2, 3), v(0.7, -0.4, 5), w(3, -2, 6), g(0.5, -1, -9);
  const Spec spec = free_body(named("body", ellipsoid({0.3, 0.2, 0.1}, 1.3), {x, v, w}), g, 1);
  const Film f = film(spec);
  ASSERT_TRUE(f.ended());
  const Vec3<double> L = momenta(spec, f.pictures.front().bodies).angular - 1.3 * x.cross(v);
  Worst path, speed, spin;
  for (const Film::Picture& p : f.pictures) {
    const BodyFrame& b = p.bodies[0];
    path((b.position - x - p.t * v - 0.5 * p.t * p.t * g).norm());
    speed((b.velocity - v - p.t * g).norm());
    spin((momenta(spec, p.bodies).angular - 1.3 * b.position.cross(b.velocity) - L).norm());
  }
  EXPECT_LE(path.value, 1e-11);
  EXPECT_LE(speed.value, 1e-11);
  EXPECT_LE(spin.value, 1e-10);
  EXPECT_LE(f.drift(), 1e-11);
}

}  // namespace oloid::test::fields_test
