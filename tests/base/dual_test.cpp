#include "oloid/base/dual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/generators.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::dual_test {

using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
    std::hypot, std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan,
    std::tanh;
using D1 = Dual<double, 1>;
using D2 = Dual<double, 2>;

// f and its first two derivatives, written by hand, against duals and nested duals. All are
// evaluated in a few operations on numbers of order 1, so a few units of round-off remain.
template <class F, class Slope, class Bend>
void expect_derivatives(F f, Slope slope, Bend bend) {
  for_random_cases(50, [&](Random& random) {
    const double x = random(0.3, 3);
    const auto expect_close = [x](double actual, double expected) {
      EXPECT_LE(difference(actual, expected), 32 * kEps * (1 + std::abs(expected))) << "x = " << x;
    };
    const D1 once = f(D1::variable(x, 0));
    const Dual<D1, 1> twice = f(Dual<D1, 1>::variable(D1::variable(x, 0), 0));
    expect_close(once.v, f(x));
    expect_close(once.d[0], slope(x));
    EXPECT_EQ(twice.v.v, once.v);
    expect_close(twice.v.d[0], slope(x));
    expect_close(twice.d[0].v, slope(x));
    expect_close(twice.d[0].d[0], bend(x));
  });
}

#define F(expression) []([[maybe_unused]] auto x) { return expression; }

TEST(Dual, DerivativesOfSums) {
  expect_derivatives(F(-x), F(-1.0), F(0.0));
  expect_derivatives(F(x + x), F(2.0), F(0.0));
  expect_derivatives(F(x + 3.0), F(1.0), F(0.0));
  expect_derivatives(F(3.0 + x), F(1.0), F(0.0));
  expect_derivatives(F(x - 3.0), F(1.0), F(0.0));
  expect_derivatives(F(3.0 - x), F(-1.0), F(0.0));
}

TEST(Dual, DerivativesOfProductsAndQuotients) {
  expect_derivatives(F(x * x), F(2 * x), F(2.0));
  expect_derivatives(F(3.0 * x), F(3.0), F(0.0));
  expect_derivatives(F(x * 3.0), F(3.0), F(0.0));
  expect_derivatives(F(x * x * x), F(3 * x * x), F(6 * x));
  expect_derivatives(F(1.0 / x), F(-1 / (x * x)), F(2 / (x * x * x)));
  expect_derivatives(F(x / 3.0), F(1 / 3.0), F(0.0));
  expect_derivatives(F(x / (1.0 + x * x)), F((1 - x * x) / ((1 + x * x) * (1 + x * x))),
                     F(2 * x * (x * x - 3) / ((1 + x * x) * (1 + x * x) * (1 + x * x))));
}

TEST(Dual, DerivativesOfFunctions) {
  expect_derivatives(F(sqrt(x)), F(0.5 / sqrt(x)), F(-0.25 / (x * sqrt(x))));
  expect_derivatives(F(sin(x)), F(cos(x)), F(-sin(x)));
  expect_derivatives(F(cos(x)), F(-sin(x)), F(-cos(x)));
  expect_derivatives(F(sin(x) * sin(x) + cos(x) * cos(x)), F(0.0), F(0.0));
  expect_derivatives(F(sin(sqrt(x))), F(0.5 * cos(sqrt(x)) / sqrt(x)),
                     F(-0.25 * (sin(sqrt(x)) / x + cos(sqrt(x)) / (x * sqrt(x)))));
  expect_derivatives(F(pow(x, 2.5)), F(2.5 * x * sqrt(x)), F(3.75 * sqrt(x)));
  expect_derivatives(F(pow(x, -1.0)), F(-1 / (x * x)), F(2 / (x * x * x)));
  expect_derivatives(F(pow(x, 1.0)), F(1.0), F(0.0));
  expect_derivatives(F(pow(x, 0.0)), F(0.0), F(0.0));
  expect_derivatives(F(exp(x)), F(exp(x)), F(exp(x)));
  expect_derivatives(F(log(x)), F(1 / x), F(-1 / (x * x)));
  expect_derivatives(F(tan(x / 2.2)), F((1 + pow(tan(x / 2.2), 2)) / 2.2),
                     F(2 * tan(x / 2.2) * (1 + pow(tan(x / 2.2), 2)) / (2.2 * 2.2)));
  expect_derivatives(F(asin(x / 4.0)), F(1 / sqrt(16 - x * x)), F(x / pow(16 - x * x, 1.5)));
  expect_derivatives(F(acos(x / 4.0)), F(-1 / sqrt(16 - x * x)), F(-x / pow(16 - x * x, 1.5)));
  expect_derivatives(F(atan(x)), F(1 / (1 + x * x)), F(-2 * x / ((1 + x * x) * (1 + x * x))));
  expect_derivatives(F(sinh(x)), F(cosh(x)), F(sinh(x)));
  expect_derivatives(F(cosh(x)), F(sinh(x)), F(cosh(x)));
  expect_derivatives(F(tanh(x)), F(1 / pow(cosh(x), 2)), F(-2 * tanh(x) / pow(cosh(x), 2)));
  expect_derivatives(F(hypot(x, 2 * x)), F(sqrt(5.0)), F(0.0));
  expect_derivatives(F(hypot(x, x * x)), F((1 + 2 * x * x) / sqrt(1 + x * x)),
                     F(x * (2 * x * x + 3) / pow(1 + x * x, 1.5)));
  expect_derivatives(F(atan2(x, 1 + 0 * x)), F(1 / (1 + x * x)),
                     F(-2 * x / ((1 + x * x) * (1 + x * x))));
  expect_derivatives(F(atan2(1 + 0 * x, x)), F(-1 / (1 + x * x)),
                     F(2 * x / ((1 + x * x) * (1 + x * x))));
  expect_derivatives(F(pow(x, x)), F(pow(x, x) * (log(x) + 1)),
                     F(pow(x, x) * (1 / x + pow(log(x) + 1, 2))));
}

TEST(Dual, DerivativesOfFunctionsThatBendSharply) {
  expect_derivatives(F(abs(1 - x) * (x - 1)), F(2 * abs(x - 1)), F(x < 1 ? -2.0 : 2.0));
  expect_derivatives(F(min(x * x, x)), F(x < 1 ? 2 * x : 1), F(x < 1 ? 2.0 : 0.0));
  expect_derivatives(F(max(x * x, x)), F(x < 1 ? 1 : 2 * x), F(x < 1 ? 0.0 : 2.0));
}

TEST(Dual, DerivativesOfWholePowers) {
  expect_derivatives(F(whole_power(x, 0)), F(0.0), F(0.0));
  expect_derivatives(F(whole_power(x, 1)), F(1.0), F(0.0));
  expect_derivatives(F(whole_power(x, 2)), F(2 * x), F(2.0));
  expect_derivatives(F(whole_power(x, 7)), F(7 * pow(x, 6)), F(42 * pow(x, 5)));
  expect_derivatives(F(whole_power(-x, 3)), F(-3 * x * x), F(-6 * x));
  expect_derivatives(F(whole_power(x, -1)), F(-1 / (x * x)), F(2 / (x * x * x)));
  expect_derivatives(F(whole_power(x, -3)), F(-3 / pow(x, 4)), F(12 / pow(x, 5)));
}

#undef F

TEST(Dual, WholePowersOfZeroAreThoseOfAPolynomial) {
  using D3 = Dual<Dual<D1, 1>, 1>;
  for (int e = 0; e <= 4; ++e) {
    const D3 y = pow(D3::variable(Dual<D1, 1>::variable(D1::variable(0, 0), 0), 0), e);
    EXPECT_EQ(y.v.v.v, e == 0 ? 1 : 0);
    EXPECT_EQ(y.d[0].v.v, e == 1 ? 1 : 0);
    EXPECT_EQ(y.d[0].d[0].v, e == 2 ? 2 : 0);
    EXPECT_EQ(y.d[0].d[0].d[0], e == 3 ? 6 : 0);
  }
}

TEST(WholePower, IsRepeatedMultiplication) {
  for (const double x : {-3.0, -1.0, 0.0, 2.0}) {  // exact in double
    double product = 1;
    for (int n = 0; n <= 20; ++n) {
      EXPECT_EQ(whole_power(x, n), product);
      if (x != 0) {
        EXPECT_EQ(whole_power(x, -n), 1 / product);
      }
      product *= x;
    }
  }
  for_random_cases(50, [](Random& random) {  // each product rounds once
    const double x = random(-2, 2);
    const int n = static_cast<int>(random(-30, 30));
    EXPECT_LE(difference(whole_power(x, n) / std::pow(x, n), 1), 32 * kEps) << x << " ^ " << n;
  });
  using D3 = Dual<Dual<D1, 1>, 1>;
  for (int e = 0; e <= 4; ++e) {
    const D3 y = whole_power(D3::variable(Dual<D1, 1>::variable(D1::variable(0, 0), 0), 0), e);
    EXPECT_EQ(y.v.v.v, e == 0 ? 1 : 0);
    EXPECT_EQ(y.d[0].v.v, e == 1 ? 1 : 0);
    EXPECT_EQ(y.d[0].d[0].v, e == 2 ? 2 : 0);
    EXPECT_EQ(y.d[0].d[0].d[0], e == 3 ? 6 : 0);
  }
}

TEST(Dual, PlainNumbersAreConstants) {
  const D2 a = D2::variable(1.7, 0), c(-0.6);
  const auto expect_same = [](const D2& x, const D2& y) {
    // Quotients of duals multiply by the inverse.
    EXPECT_LE(difference(x.v, y.v), 4 * kEps);
    for (int k = 0; k < 2; ++k) EXPECT_LE(difference(x.d[k], y.d[k]), 4 * kEps);
  };
  expect_same(a + -0.6, a + c);
  expect_same(-0.6 + a, c + a);
  expect_same(a - -0.6, a - c);
  expect_same(-0.6 - a, c - a);
  expect_same(a * -0.6, a * c);
  expect_same(-0.6 * a, c * a);
  expect_same(a / -0.6, a / c);
  expect_same(-0.6 / a, c / a);
}

TEST(Dual, CompoundAssignmentIsTheOperation) {
  const D2 a = D2::variable(1.7, 0), b = D2::variable(-0.6, 1);
  const auto expect_same = [](const D2& x, const D2& y) {
    EXPECT_EQ(x.v, y.v);
    EXPECT_EQ(x.d[0], y.d[0]);
    EXPECT_EQ(x.d[1], y.d[1]);
  };
  D2 x = a;
  expect_same(x += b, a + b);
  x = a;
  expect_same(x -= b, a - b);
  x = a;
  expect_same(x *= b, a * b);
  x = a;
  expect_same(x /= b, a / b);
  const D2& itself = x;
  x = a;
  expect_same(x *= itself, a * a);
  x = a;
  expect_same(x /= itself, a / a);
}

RC_GTEST_PROP(Dual, GradientAndHessianOfTwoVariables, ()) {
  using DD = Dual<D2, 2>;
  const double x = *real(2), y = 3 + *real(2);
  // g = x² y + sin(x) / y
  const auto g = [](const auto& a, const auto& b) { return a * a * b + sin(a) / b; };
  DD a = DD::variable(D2::variable(x, 0), 0), b = DD::variable(D2::variable(y, 1), 1);
  const DD z = g(a, b);
  const double tolerance = 64 * kEps * 20;  // a few operations, terms up to 20
  const double s = std::sin(x), c = std::cos(x);
  RC_ASSERT(difference(z.v.v, g(x, y)) <= tolerance);
  RC_ASSERT(difference(z.d[0].v, 2 * x * y + c / y) <= tolerance);
  RC_ASSERT(difference(z.d[1].v, x * x - s / (y * y)) <= tolerance);
  RC_ASSERT(difference(z.d[0].d[0], 2 * y - s / y) <= tolerance);
  RC_ASSERT(difference(z.d[0].d[1], 2 * x - c / (y * y)) <= tolerance);
  RC_ASSERT(difference(z.d[1].d[0], z.d[0].d[1]) <= tolerance);
  RC_ASSERT(difference(z.d[1].d[1], 2 * s / (y * y * y)) <= tolerance);
}

TEST(Dual, ComparesByValue) {
  const D1 a = D1::variable(1, 0), b(2.0), same_as_a(1.0);
  EXPECT_TRUE(a < b && b > a && a <= b && b >= a && a != b);
  EXPECT_TRUE(a == same_as_a && a <= same_as_a && a >= same_as_a);
  EXPECT_FALSE(a > b || b < a || a == b || a != same_as_a);
}

TEST(Dual, SelectTakesValueAndDerivatives) {
  const D2 a = D2::variable(1, 0), b = D2::variable(2, 1);
  const D2 least = select(a < b, a, b), greatest = select(a < b, b, a);
  EXPECT_EQ(least.v, 1);
  EXPECT_EQ(least.d[0], 1);
  EXPECT_EQ(least.d[1], 0);
  EXPECT_EQ(greatest.v, 2);
  EXPECT_EQ(greatest.d[0], 0);
  EXPECT_EQ(greatest.d[1], 1);
}

TEST(Dual, ConstantsHaveNoDerivative) {
  const D2 a = 3.0;
  EXPECT_EQ(a.v, 3);
  EXPECT_EQ(a.d[0], 0);
  EXPECT_EQ(a.d[1], 0);
  const Dual<D2, 1> b = D2::variable(3, 1);  // constant outside, variable inside
  EXPECT_EQ(b.v.d[1], 1);
  EXPECT_EQ(b.d[0].v, 0);
}

template <class P>
class DualOfPack : public testing::Test {};
using Packs = testing::Types<Pack<2>, Pack<4>, PortablePack<4>>;
TYPED_TEST_SUITE(DualOfPack, Packs);

TYPED_TEST(DualOfPack, EqualsTheScalarLaneByLane) {
  using P = TypeParam;
  for_random_cases(50, [](Random& random) {
    constexpr int n = P::size();
    const Vec<double, n> xs = random.vector<n>(0.1, 2), ys = random.vector<n>(0.1, 2);
    const auto f = []<class S>(const S& a, const S& b) {
      const S c = (a * b - S(2) * a) / (b + S(1));
      const S d = exp(-a) + log(b) * tanh(a) + atan2(a, b) * hypot(a, b) + pow(a, b) + abs(c);
      return select(a < b, sqrt(a) - c, sin(b) * cos(c) - pow(a, 1.7)) + d * max(a, b) - min(c, d);
    };
    const auto lanes_of = [](const Vec<double, n>& v) {
      return P::generate([&](std::size_t i) { return v(static_cast<int>(i)); });
    };
    const auto wide =
        f(Dual<P, 2>::variable(lanes_of(xs), 0), Dual<P, 2>::variable(lanes_of(ys), 1));
    for (int i = 0; i < n; ++i) {
      const D2 single = f(D2::variable(xs(i), 0), D2::variable(ys(i), 1)), one = lane(wide, i);
      EXPECT_EQ(one.v, single.v);
      EXPECT_EQ(one.d[0], single.d[0]);
      EXPECT_EQ(one.d[1], single.d[1]);
    }
  });
}

RC_GTEST_PROP(Dual, RunsThroughMatrices, ()) {  // (A b)' = A' b + A b'
  const Mat3<double> A = *matrix<3, 3>(), dA = *matrix<3, 3>();
  const Vec3<double> b = *matrix<3>(), db = *matrix<3>();
  const Vec3<D1> c = moving(A, dA) * moving<3, 1>(b, db);
  RC_ASSERT(difference(value(c), A * b) <= 4 * kEps);
  RC_ASSERT(difference(derivative(c, 0), dA * b + A * db) <= 8 * kEps);
}

}  // namespace oloid::test::dual_test
