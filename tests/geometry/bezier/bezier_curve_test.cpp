#include "oloid/geometry/bezier/bezier_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::bezier_curve_test {

template <int Dim>
BezierCurve<Dim> random_curve(Random& random, int degree) {
  BezierCurve<Dim> curve;
  for (int i = 0; i <= degree; ++i) {
    const double w = random(0.5, 2);
    curve.points.push_back(weighted<Dim>(random.vector<Dim>(-1, 1), w));
  }
  return curve;
}

// De Casteljau's algorithm on homogeneous points.
template <int Dim>
Vec<double, Dim + 1> de_casteljau(std::vector<Vec<double, Dim + 1>> b, double t) {
  for (; b.size() > 1; b.pop_back())
    for (std::size_t i = 0; i + 1 < b.size(); ++i) b[i] = (1 - t) * b[i] + t * b[i + 1];
  return b[0];
}

TEST(Bernstein, AddUpToOneAndTheirDerivativesToZero) {
  for (int n = 0; n <= kMaxDegree; ++n) {
    for (const double t : {-0.1, 0.0, 0.3, 1.0, 1.1}) {
      const auto B = bernstein<3>(n, t);
      for (std::size_t k = 0; k <= 3; ++k) {
        double sum = 0, absolute = 0;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(n); ++i) {
          sum += B[k][i];
          absolute += std::abs(B[k][i]);
        }
        EXPECT_NEAR(sum, k == 0 ? 1 : 0, 16 * kEps * (1 + absolute));
      }
    }
  }
}

TEST(Bernstein, AreTheKnownOnes) {  // B_i^n = C(n, i) t^i (1 − t)^(n−i)
  for (int n = 1; n <= kMaxDegree; ++n) {
    const double t = 0.37;
    const auto B = bernstein<0>(n, t)[0];
    double binomial = 1;
    for (int i = 0; i <= n; ++i) {
      const double expected = binomial * std::pow(t, i) * std::pow(1 - t, n - i);
      EXPECT_NEAR(B[static_cast<std::size_t>(i)], expected, 64 * kEps * expected);
      binomial = binomial * (n - i) / (i + 1);
    }
  }
}

// Order k + 1 is the dual derivative of order k.
TEST(Bernstein, DerivativesAgreeWithDuals) {
  using D = Dual<double, 1>;
  for (int n = 0; n <= kMaxDegree; ++n) {
    for (const double t : {-0.05, 0.0, 0.2, 0.9, 1.0}) {
      const auto B = bernstein<3>(n, t);
      const auto duals = bernstein<2>(n, D::variable(t, 0));
      for (std::size_t k = 0; k <= 2; ++k) {
        for (std::size_t i = 0; i <= static_cast<std::size_t>(n); ++i) {
          const double size = std::pow(2.0 * n, k + 1);
          EXPECT_NEAR(duals[k][i].v, B[k][i], 1e-13 * (1 + size));
          EXPECT_NEAR(duals[k][i].d[0], B[k + 1][i], 1e-13 * (1 + size));
        }
      }
    }
  }
}

TEST(BezierCurve, AgreesWithDeCasteljau) {
  for_random_cases(100, [](Random& random) {
    for (const int degree : {1, 2, 3, 5, 9, 15}) {
      const BezierCurve<3> curve = random_curve<3>(random, degree);
      const double t = random(0, 1);
      const Vec<double, 4> h = de_casteljau<3>(curve.points, t);
      EXPECT_EQ(curve.degree(), degree);
      EXPECT_LE(difference(homogeneous_jet<0>(curve, t)[0], h), 8 * kEps);
      EXPECT_LE(difference(point_on(curve, t), h.head<3>() / h(3)), 16 * kEps);
      EXPECT_LE(difference(point_on(curve, 0), curve.start()), 4 * kEps);
      EXPECT_LE(difference(point_on(curve, 1), curve.end()), 4 * kEps);
    }
  });
}

TEST(BezierCurve, DerivativesAgreeWithDuals) {
  using D = Dual<double, 1>;
  for_random_cases(100, [](Random& random) {
    for (const int degree : {1, 2, 4, 8}) {
      const BezierCurve<2> curve = random_curve<2>(random, degree);
      const double t = random(-0.05, 1.05);
      const auto c = curve_jet<3>(curve, t);
      const auto duals = curve_jet<2>(curve, D::variable(t, 0));
      for (std::size_t k = 0; k <= 2; ++k) {
        const double size = 1e-13 * std::pow(4.0 * degree, k + 1);
        EXPECT_LE(difference(value(duals[k]), c[k]), size);
        EXPECT_LE(difference(derivative(duals[k], 0), c[k + 1]), size);
      }
    }
  });
}

TEST(BezierCurve, LanesOfAPackEqualScalars) {
  using P = Pack<4>;
  for_random_cases(20, [](Random& random) {
    const BezierCurve<2> curve = random_curve<2>(random, 5);
    const P t = P::generate([&](std::size_t) { return random(0, 1); });
    const auto wide = curve_jet<3>(curve, t);
    for (int l = 0; l < 4; ++l) {
      const auto one = curve_jet<3>(curve, t[l]);
      for (std::size_t k = 0; k <= 3; ++k)
        EXPECT_LE(difference(lane(wide[k], l), one[k]), 1e-12 * (1 + one[k].norm()));
    }
  });
}

TEST(BezierCurve, ElevationReversalAndSplitKeepTheCurve) {
  for_random_cases(100, [](Random& random) {
    for (const int degree : {1, 2, 3, 7, 14}) {
      const BezierCurve<2> curve = random_curve<2>(random, degree);
      const double t = random(0, 1), cut = random(0.1, 0.9);
      const Vec2<double> p = point_on(curve, t);
      EXPECT_EQ(elevated(curve).degree(), degree + 1);
      EXPECT_LE(difference(point_on(elevated(curve), t), p), 32 * kEps);
      EXPECT_LE(difference(point_on(reversed(curve), 1 - t), p), 32 * kEps);
      const CurveHalves<2> halves = split(curve, cut);
      EXPECT_EQ(halves.before.start(), curve.start());
      EXPECT_EQ(halves.before.points.back(), halves.after.points.front());
      EXPECT_EQ(halves.after.points.back(), curve.points.back());
      EXPECT_LE(difference(point_on(halves.before, t), point_on(curve, t * cut)), 32 * kEps);
      EXPECT_LE(difference(point_on(halves.after, t), point_on(curve, cut + t * (1 - cut))),
                32 * kEps);
    }
  });
}

TEST(BezierCurve, AnArcIsACircle) {
  const double w = std::sqrt(0.5);
  const BezierCurve<2> arc{
      {weighted<2>({1, 0}, 1), weighted<2>({1, 1}, w), weighted<2>({0, 1}, 1)}};
  for (int i = 0; i <= 20; ++i) {
    const auto c = curve_jet<2>(arc, i / 20.0);
    EXPECT_NEAR(c[0].norm(), 1, 2 * kEps);
    EXPECT_NEAR(c[0].dot(c[1]), 0, 8 * kEps);
    const double bend = (c[1](0) * c[2](1) - c[1](1) * c[2](0)) / std::pow(c[1].norm(), 3);
    EXPECT_NEAR(bend, 1, 32 * kEps);
  }
}

}  // namespace oloid::test::bezier_curve_test
