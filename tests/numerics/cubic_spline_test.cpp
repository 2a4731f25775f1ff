#include "oloid/numerics/cubic_spline.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/base/largest.h"
#include "support/rooms.h"

namespace oloid::test::cubic_spline_test {

using Spline = CubicSpline<3>;

struct Knots {
  std::vector<double> t;
  std::vector<Vec3<double>> x;
};
Knots random_knots(Random& random, int count) {
  Knots knots;
  knots.t.reserve(static_cast<std::size_t>(count));
  knots.x.reserve(static_cast<std::size_t>(count));
  double t = random(-1, 1);
  for (int i = 0; i < count; ++i) {
    knots.t.push_back(t);
    knots.x.push_back(random.vector<3>(-1, 1));
    t += random(0.1, 1);
  }
  return knots;
}

void expect_same(const CurvePoint<3>& a, const CurvePoint<3>& b, double tolerance) {
  EXPECT_LE(difference(a.x, b.x), tolerance);
  EXPECT_LE(difference(a.v, b.v), tolerance);
  EXPECT_LE(difference(a.a, b.a), tolerance);
}

// Passes through its points, with two continuous derivatives at inner knots.
void expect_smooth(const Spline& s, const Knots& knots, std::size_t first, std::size_t last) {
  for (std::size_t i = 0; i < knots.t.size(); ++i) {
    EXPECT_LE(difference(s.at(knots.t[i]).x, knots.x[i]), 1e-14);
  }
  for (std::size_t i = first; i <= last; ++i) {
    const double t = knots.t[i], h = 1e-9;
    const CurvePoint<3> before = s.at(t - h), after = s.at(t + h);
    EXPECT_LE(difference(before.x, after.x), 1e-6);
    EXPECT_LE(difference(before.v, after.v), 1e-5);
    EXPECT_LE(difference(before.a, after.a), 1e-4);
  }
}

TEST(CubicSpline, IsSmoothAndRestsOutside) {
  for_random_cases(50, [](Random& random) {
    const int count = 2 + static_cast<int>(random(0, 8));
    const Knots knots = random_knots(random, count);
    const Spline s = Spline::at_rest_outside(knots.t, knots.x);
    expect_smooth(s, knots, 1, knots.t.size() - 2);
    EXPECT_LE(s.at(knots.t.front() + 1e-9).v.norm(), 1e-5);
    EXPECT_LE(s.at(knots.t.back() - 1e-9).v.norm(), 1e-5);
    for (const double outside : {0.0, 1.0}) {
      expect_same(s.at(knots.t.front() - outside), {knots.x.front()}, 0);
      expect_same(s.at(knots.t.back() + outside), {knots.x.back()}, 0);
    }
  });
}

TEST(CubicSpline, DerivativesAreThoseOfTheCurve) {
  for_random_cases(50, [](Random& random) {
    const Knots knots = random_knots(random, 5);
    const Spline s = Spline::at_rest_outside(knots.t, knots.x);
    for (std::size_t i = 0; i + 1 < knots.t.size(); ++i) {
      const double h = 1e-4;
      const double t = random(knots.t[i] + 2 * h, knots.t[i + 1] - 2 * h);
      // Exact for cubics, but for rounding.
      const Vec3<double> v =
          (8 * (s.at(t + h).x - s.at(t - h).x) - (s.at(t + 2 * h).x - s.at(t - 2 * h).x)) /
          (12 * h);
      EXPECT_LE(difference(s.at(t).v, v), 1e-10);
      EXPECT_LE(difference(s.at(t).a, (s.at(t + h).v - s.at(t - h).v) / (2 * h)), 1e-9);
    }
  });
}

TEST(CubicSpline, GivesBackACubicThatStartsAndEndsAtRest) {
  const auto cubic = [](double t) { return Vec3<double>(t * t * (3 - 2 * t), 0, 1); };
  std::vector<double> times{0, 0.1, 0.35, 0.4, 0.8, 1};
  std::vector<Vec3<double>> points;
  points.reserve(times.size());
  for (const double t : times) points.push_back(cubic(t));
  const Spline s = Spline::at_rest_outside(times, points);
  for (double t = 0.05; t < 1; t += 0.05) EXPECT_LE(difference(s.at(t).x, cubic(t)), 1e-15);
}

TEST(CubicSpline, RepeatsSmoothlyAlsoWithTheOppositeSign) {
  for (const double sign : {1.0, -1.0}) {
    for_random_cases(50, [&](Random& random) {
      const int count = 3 + static_cast<int>(random(0, 8));
      Knots knots = random_knots(random, count);
      knots.x.back() = sign * knots.x.front();
      const Spline s = Spline::periodic(knots.t, knots.x, sign);
      expect_smooth(s, knots, 0, knots.t.size() - 1);
      const double period = knots.t.back() - knots.t.front();
      for (const double n : {-3.0, -1.0, 2.0, 5.0}) {
        const double t = random(knots.t.front(), knots.t.back());
        const CurvePoint<3> here = s.at(t), there = s.at(t + n * period);
        const double turned = std::fmod(n, 2) != 0 ? sign : 1;
        expect_same({turned * here.x, turned * here.v, turned * here.a}, there, 1e-10);
      }
    });
  }
}

// The error falls with the fourth power of the spacing.
TEST(CubicSpline, ApproximatesToFourthOrder) {
  const double turn = 2 * std::acos(-1.0);
  const auto circle = [](double t) { return Vec3<double>(std::cos(t), std::sin(t), 0); };
  double errors[2]{};
  for (int k = 0; k < 2; ++k) {
    const int count = 20 << k;
    std::vector<double> times;
    std::vector<Vec3<double>> points;
    times.reserve(static_cast<std::size_t>(count) + 1);
    points.reserve(static_cast<std::size_t>(count) + 1);
    for (int i = 0; i <= count; ++i) {
      times.push_back(turn * i / count);
      points.push_back(circle(times.back()));
    }
    const Spline s = Spline::periodic(times, points);
    for (double t = 0; t < turn; t += 0.01) {
      errors[k] = nan_or_max(errors[k], difference(s.at(t).x, circle(t)));
    }
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, 0.1);
}

}  // namespace oloid::test::cubic_spline_test
