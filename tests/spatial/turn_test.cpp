#include "oloid/spatial/turn.h"

#include <gtest/gtest.h>

#include <numbers>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"
#include "support/time_derivative.h"

namespace oloid::test::turn_test {

// A path x + t v + t² a / 2 + t³ j / 6, and its derivatives.
template <int N>
struct Path {
  Vec<double, N> x, v, a, j;
  Vec<double, N> at(double t) const { return x + t * (v + t * (a / 2 + t * (j / 6))); }
  Vec<double, N> rate(double t) const { return v + t * (a + t * (j / 2)); }
  Vec<double, N> rate2(double t) const { return a + t * j; }
};
template <int N>
Path<N> random_path(Random& random, const Vec<double, N>& x) {
  Path<N> path;
  path.x = x;
  path.v = random.vector<N>(-1, 1);
  path.a = random.vector<N>(-1, 1);
  path.j = random.vector<N>(-1, 1);
  return path;
}

// ω and ω̇ against differences of R and ω.
template <class F>
void expect_derivatives(const F& turn, double t, double tolerance) {
  const Turn now = turn(t);
  EXPECT_LE(difference(Mat3<double>(now.R * now.R.transpose()), Mat3<double>::Identity()), 1e-14);
  const Mat3<double> R_rate = test::time_derivative([&](double s) { return turn(s).R; }, t);
  EXPECT_LE(difference(Mat3<double>(now.R.transpose() * R_rate), cross_matrix(now.w)), tolerance);
  const Vec3<double> w_rate = test::time_derivative([&](double s) { return turn(s).w; }, t);
  EXPECT_LE(difference(now.w_rate, w_rate), tolerance);
}

TEST(Turn, ByVectorHasTheAngularVelocityOfItsRotation) {
  for_random_cases(200, [](Random& random) {
    // Small, ordinary, near one and near many whole turns.
    const double angles[] = {0, 1e-8, 1e-3, 0.5, 1, 3, 2 * std::numbers::pi, 40};
    for (const double angle : angles) {
      const Vec3<double> start = angle * random.direction();
      const Path<3> theta = random_path<3>(random, start);
      const Mat3<double> R_0 = axis_angle(random.direction(), random(0, 3));
      const auto turn = [&](double t) {
        return turn_by_vector(theta.at(t), theta.rate(t), theta.rate2(t), R_0);
      };
      expect_derivatives(turn, 0, 1e-9);
    }
  });
}

TEST(Turn, ByVectorIsATurnAboutItsAxis) {
  for_random_cases(100, [](Random& random) {
    const Vec3<double> axis = random.direction();
    const double angle = random(-7, 7), rate = random(-2, 2);
    const Turn turn =
        turn_by_vector(angle * axis, rate * axis, Vec3<double>::Zero(), Mat3<double>::Identity());
    EXPECT_LE(difference(turn.R, axis_angle(axis, angle)), 1e-14);
    EXPECT_LE(difference(turn.w, rate * axis), 1e-14);
    EXPECT_LE(turn.w_rate.norm(), 1e-14);
  });
}

TEST(Turn, ByQuaternionHasTheAngularVelocityOfItsRotation) {
  for_random_cases(200, [](Random& random) {
    const Vec<double, 4> start = random.vector<4>(0.3, 1);
    const Path<4> path = random_path<4>(random, start);
    const auto quat = [](const Vec<double, 4>& q) { return Quat<double>{q(0), q(1), q(2), q(3)}; };
    const auto turn = [&](double t) {
      return turn_by_quaternion(quat(path.at(t)), quat(path.rate(t)), quat(path.rate2(t)));
    };
    expect_derivatives(turn, 0, 1e-9);
  });
}

}  // namespace oloid::test::turn_test
