#include "oloid/geometry/polyhedral/orientation.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::orientation_test {

using Exact = boost::multiprecision::cpp_rational;

int exact_orientation(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                      const Vec3<double>& p) {
  Exact m[3][3];
  const Vec3<double>* rows[3] = {&b, &c, &p};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) m[i][k] = Exact((*rows[i])(k)) - Exact(a(k));
  const Exact det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return det.sign();
}

TEST(Orientation, IsPositiveWhereTheTriangleRunsCounterClockwise) {
  const Vec3<double> o(0, 0, 0), x(1, 0, 0), y(0, 1, 0);
  EXPECT_EQ(orientation(o, x, y, {0.2, 0.2, 1e-300}), 1);
  EXPECT_EQ(orientation(o, y, x, {0.2, 0.2, 1e-30}), -1);
  EXPECT_EQ(orientation(o, x, y, {7, 9, 0}), 0);
}

// Points of a plane, rounded: the sign is that of the rounding, and double alone cannot tell.
TEST(Orientation, IsExactNearPlanes) {
  int not_zero = 0;
  for_random_cases(2000, [&](Random& random) {
    const double far = std::pow(10, random(-3, 6));
    const Vec3<double> shift = far * random.direction();
    const Vec3<double> u = random.direction(), v = random.direction();
    Vec3<double> p[4];
    for (Vec3<double>& x : p) x = shift + random(-1, 1) * u + random(-1, 1) * v;
    const int sign = orientation(p[0], p[1], p[2], p[3]);
    EXPECT_EQ(sign, exact_orientation(p[0], p[1], p[2], p[3]));
    EXPECT_EQ(orientation(p[1], p[0], p[2], p[3]), -sign);
    EXPECT_EQ(orientation(p[3], p[2], p[1], p[0]), sign);
    not_zero += sign != 0;
  });
  EXPECT_GT(not_zero, 1000);
}

TEST(Orientation, IsExactOnGridsAndFarApartScales) {
  for_random_cases(2000, [&](Random& random) {
    Vec3<double> p[4];
    for (Vec3<double>& x : p) {
      for (int k = 0; k < 3; ++k)
        x(k) = std::ldexp(std::round(random(-2, 2)), static_cast<int>(random(0, 2)) * -90);
    }
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), exact_orientation(p[0], p[1], p[2], p[3]));
  });
}

// The sign for moved points is that for a small ε, as exact arithmetic finds it.
TEST(Orientation, OfMovedPointsIsThatOfASmallMove) {
  const double epsilon = 0x1p-30;
  int degenerate = 0;
  for_random_cases(2000, [&](Random& random) {
    MovedPoint p[4];
    Vec3<double> at[4];
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) {
        p[i].p(k) = std::round(random(-1.5, 1.5));
        p[i].q(k) = std::round(random(-500, 500)) * 0x1p-9;
      }
      at[i] = p[i].p + epsilon * p[i].q;  // exact: 30 + 9 bits after the point
    }
    const int sign = orientation({&p[0], &p[1], &p[2]}, p[3]);
    EXPECT_EQ(sign, exact_orientation(at[0], at[1], at[2], at[3]));
    degenerate += orientation(p[0].p, p[1].p, p[2].p, p[3].p) == 0;
  });
  EXPECT_GT(degenerate, 500);
}

}  // namespace oloid::test::orientation_test
