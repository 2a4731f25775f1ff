#include "oloid/geometry/bezier/nurbs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::nurbs_test {

using Weighted = Vec<double, 4>;

// Cox and de Boor's recursion, 0 / 0 = 0; at the last knot the function is that from the left.
double basis(const KnotVector& k, std::size_t i, int p, double t) {
  const std::vector<double>& u = k.knots;
  if (p == 0) {
    const bool last = t == u[k.control_points()] && u[i] < t && u[i + 1] == t;
    return (u[i] <= t && t < u[i + 1]) || last ? 1 : 0;
  }
  const auto n = static_cast<std::size_t>(p);
  const auto part = [](double a, double b) { return b == 0 ? 0 : a / b; };
  return part(t - u[i], u[i + n] - u[i]) * basis(k, i, p - 1, t) +
         part(u[i + n + 1] - t, u[i + n + 1] - u[i + 1]) * basis(k, i + 1, p - 1, t);
}

std::vector<Weighted> random_points(Random& random, std::size_t count) {
  std::vector<Weighted> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double w = random(0.5, 2);
    points.push_back(weighted<3>(random.vector<3>(-1, 1), w));
  }
  return points;
}

void expect_pieces(const KnotVector& knots, const std::vector<Weighted>& points, Random& random) {
  const std::vector<Span> where = spans(knots);
  const std::vector<BezierCurve<3>> pieces = bezier_pieces<3>(knots, points);
  ASSERT_EQ(pieces.size(), where.size());
  for (std::size_t s = 0; s < pieces.size(); ++s) {
    EXPECT_EQ(pieces[s].degree(), knots.degree);
    for (const double t : {0.0, random(0, 1), random(0, 1)}) {
      const double u = where[s].from + t * (where[s].to - where[s].from);
      Weighted sum = Weighted::Zero();
      for (std::size_t i = 0; i < points.size(); ++i)
        sum += basis(knots, i, knots.degree, u) * points[i];
      EXPECT_LE(difference(homogeneous_jet<0>(pieces[s], t)[0], sum), 256 * kEps);
    }
    if (s > 0) {
      EXPECT_LE(difference(pieces[s].points.front(), pieces[s - 1].points.back()), 16 * kEps);
    }
  }
}

TEST(Nurbs, PiecesAgreeWithCoxAndDeBoor) {
  const std::vector<KnotVector> all{
      {1, {0, 0, 1, 2, 2}},
      {2, {0, 0, 0, 0.2, 0.2, 0.7, 1, 1, 1}},               // a double knot: a corner
      {3, {0, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3}},            // a triple one
      {3, {0, 0, 0, 0, 1, 1, 3.5, 4, 4, 4, 4}},             // a double one
      {3, {-3, -2, -1, 0, 1, 2, 3, 4, 5, 6}},               // unclamped
      {3, {-0.3, -0.3, 0, 0, 0.4, 1, 1, 1.2, 1.7}},         // half clamped
      {5, {0, 0, 0, 0, 0, 0, 0.1, 0.6, 1, 1, 1, 1, 1, 1}},  // quintic
      {2, {1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5}},            // as of a circle
      {kMaxDegree, uniform_knots(kMaxDegree, kMaxDegree + 3).knots},
  };
  for (const KnotVector& given : all) {
    SCOPED_TRACE(testing::Message() << "degree " << given.degree << ", " << given.knots.size());
    const auto knots = checked_knots(given, given.control_points(), "curve");
    ASSERT_TRUE(knots.has_value()) << to_string(knots.error());
    for_random_cases(given.degree > 5 ? 1 : 10, [&](Random& random) {
      expect_pieces(knots.value(), random_points(random, given.control_points()), random);
    });
  }
}

TEST(Nurbs, PeriodicCurvesClose) {
  for (const int degree : {1, 2, 3, 4}) {
    const auto p = static_cast<std::size_t>(degree);
    const std::vector<double> period{0, 1, 1.5, 2.5, 3, 4, 5.5};
    const auto knots = periodic_knots(degree, period, "ring");
    ASSERT_TRUE(knots.has_value());
    EXPECT_EQ(knots->control_points(), 6 + p);
    const auto checked = checked_knots(knots.value(), 6 + p, "ring");
    ASSERT_TRUE(checked.has_value()) << to_string(checked.error());
    ASSERT_EQ(spans(*knots).size(), 6u);
    EXPECT_EQ(spans(*knots).front().from, 0);
    EXPECT_EQ(spans(*knots).back().to, 5.5);
    for_random_cases(10, [&](Random& random) {
      std::vector<Weighted> points = random_points(random, 6);
      for (std::size_t i = 0; i < p; ++i) points.push_back(points[i]);
      expect_pieces(*knots, points, random);
      // All derivatives up to degree − 1 agree where it closes, in the parameter itself.
      const auto pieces = bezier_pieces<3>(*knots, points);
      const auto end = homogeneous_jet<3>(pieces.back(), 1.0);
      const auto start = homogeneous_jet<3>(pieces.front(), 0.0);
      const double h_end = spans(*knots).back().to - spans(*knots).back().from;
      const double h_start = spans(*knots).front().to - spans(*knots).front().from;
      for (int k = 0; k < degree; ++k) {
        const auto i = static_cast<std::size_t>(k);
        EXPECT_LE(difference(end[i] / std::pow(h_end, k), start[i] / std::pow(h_start, k)), 1e-13);
      }
    });
  }
}

TEST(Nurbs, UniformKnotsAreClamped) {
  EXPECT_EQ(uniform_knots(2, 5).knots, (std::vector<double>{0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1}));
  EXPECT_EQ(uniform_knots(3, 4).knots, (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(uniform_knots(3, 4).control_points(), 4u);
}

TEST(Nurbs, SpansAreThoseOfPositiveLength) {
  const std::vector<Span> all = spans({2, {0, 0, 0, 1, 1, 3, 3, 3}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].from, 0);
  EXPECT_EQ(all[0].to, 1);
  EXPECT_EQ(all[0].index, 2u);
  EXPECT_EQ(all[1].index, 4u);
}

void expect_refused(const Result<KnotVector>& result, const std::string& message) {
  ASSERT_FALSE(result.has_value()) << message;
  EXPECT_EQ(result.error().message, message);
  EXPECT_NE(result.error().remedy, "");
}

TEST(Nurbs, RefusesWrongKnots) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto check = [](int degree, const std::vector<double>& knots, std::size_t points) {
    return checked_knots({degree, knots}, points, "net in u");
  };
  expect_refused(check(0, {0, 1}, 1), "net in u has degree 0");
  expect_refused(check(16, {}, 20), "net in u has degree 16");
  expect_refused(check(2, {0, 0, 0, 1, 1}, 2), "net in u has 2 control points");
  expect_refused(check(2, {0, 0, 0, 1, 1}, 3), "net in u has 5 knots");
  expect_refused(check(1, {0, 0, inf, 1}, 2), "knot 2 of net in u is not finite");
  expect_refused(check(1, {0, std::nan(""), 1, 1}, 2), "knot 1 of net in u is not finite");
  expect_refused(check(1, {0, 1, 0.5, 2}, 2),
                 "knot 2 of net in u is 0.5, less than the previous one, 1");
  expect_refused(check(1, {0, 1, 1, 2}, 2), "net in u has no span: its knots are all 1");
  expect_refused(check(2, {0, 0, 0, 1, 1, 1, 2, 2, 2}, 6),
                 "knot 1 of net in u occurs more than 2 times");
  expect_refused(periodic_knots(3, {}, "ring"), "ring has 0 knots over one period");
  expect_refused(periodic_knots(3, {0}, "ring"), "ring has 1 knots over one period");
  expect_refused(periodic_knots(3, {0, 1, 2, 3}, "ring"), "ring has 4 knots over one period");
  // p equal knots inside are a corner, p + 1 at the ends a clamp.
  EXPECT_TRUE(check(2, {0, 0, 0, 1, 1, 2, 2, 2}, 5).has_value());
}

// Knots that differ by round-off, as programs write them, are one.
TEST(Knots, NearlyEqualOnesAreMadeEqual) {
  const auto knots =
      checked_knots({2, {0, 0, 0, 0.5, 0.5 + 1e-10, 1, 1, 1}}, 5, "the curve").value();
  EXPECT_EQ(knots.knots[4], knots.knots[3]);
  EXPECT_EQ(spans(knots).size(), 2u);
}

}  // namespace oloid::test::nurbs_test
