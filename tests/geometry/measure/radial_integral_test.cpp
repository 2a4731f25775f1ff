#include "oloid/geometry/measure/radial_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "laws/difference.h"
#include "support/rooms.h"

namespace oloid::test::radial_integral_test {

constexpr double kPi = std::numbers::pi;

TEST(RadialIntegral, OfABallSeenFromAside) {
  // |r û + c| = 1 with the centre of the ball at −c.
  const Vec3<double> c(0.2, -0.1, 0.3);
  const Rays rays = [&](const Vec3<double>& d) {
    const double b = c.dot(d);
    return RayHit{-b + std::sqrt(b * b + 1 - c.squaredNorm()), 0, true};
  };
  const SurfaceIntegral sum = radial_integral(rays, false).value();
  EXPECT_NEAR(sum.volume, 4 * kPi / 3, 1e-13);
  EXPECT_LE(difference(sum.first, -4 * kPi / 3 * c), 1e-13);
  const Mat3<double> second =
      4 * kPi / 15 * Mat3<double>::Identity() + 4 * kPi / 3 * c * c.transpose();
  EXPECT_LE(difference(sum.second, second), 1e-13);
}

TEST(RadialIntegral, OfACubeWithEdgesAnywhere) {
  // A unit cube, turned so that its edges cross the faces of the integration.
  Mat3<double> R = Mat3<double>::Identity();
  R.col(0) = Vec3<double>(2, 1, -2) / 3;
  R.col(1) = Vec3<double>(1, 2, 2) / 3;
  R.col(2) = Vec3<double>(2, -2, 1) / 3;
  const Rays rays = [&](const Vec3<double>& d) {
    const Vec3<double> e = R.transpose() * d;
    int face = 0;
    const double most = e.cwiseAbs().maxCoeff(&face);
    return RayHit{0.5 / most, 2 * face + (e(face) > 0 ? 1 : 0), true};
  };
  const SurfaceIntegral sum = radial_integral(rays, true).value();
  // Corners narrower than the samples of a line are found by halving: 1e-9 a line is promised.
  EXPECT_NEAR(sum.volume, 1, 1e-9);
  EXPECT_LE(sum.first.norm(), 1e-9);
  EXPECT_LE(difference(sum.second, Mat3<double>::Identity() / 12), 1e-9);
}

TEST(RadialIntegral, RefusesWhatHasNoEnd) {
  const auto unfair = radial_integral([](const Vec3<double>&) { return RayHit{}; }, false);
  ASSERT_FALSE(unfair.has_value());
  EXPECT_EQ(unfair.error().message, "a ray from inside does not leave the body exactly once");
  const auto rough = radial_integral(
      [](const Vec3<double>& d) {
        return RayHit{1 + 0.5 * std::sin(1e7 * d.x() * d.y()), 0, true};
      },
      false);
  ASSERT_FALSE(rough.has_value());
  EXPECT_EQ(rough.error().message,
            "the integral over the body does not converge: the surface is too sharply curved");
}

}  // namespace oloid::test::radial_integral_test
