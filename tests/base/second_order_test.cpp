#include "oloid/base/second_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::second_order_test {

using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
    std::hypot, std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan,
    std::tanh;

// The same as nested duals, which are tested against formulas written by hand.
template <class F>
void expect_like_nested_duals(F f) {
  using D = Dual<double, 2>;
  using DD = Dual<D, 2>;
  using S = SecondOrder<double, 2>;
  for_random_cases(50, [&](Random& random) {
    const double x = random(0.1, 0.9), y = random(0.1, 0.9);
    const DD nested = f(DD::variable(D::variable(x, 0), 0), DD::variable(D::variable(y, 1), 1));
    const S once = f(S::variable(x, 0), S::variable(y, 1));
    const auto expect_close = [](double a, double b) {
      EXPECT_LE(difference(a, b), 32 * kEps * (1 + std::abs(b)));
    };
    expect_close(once.v, nested.v.v);
    for (int i = 0; i < 2; ++i) {
      expect_close(once.d[i], nested.v.d[i]);
      for (int j = 0; j < 2; ++j) expect_close(once.hessian(i, j), nested.d[i].d[j]);
    }
  });
}

#define F(expression) []([[maybe_unused]] auto x, [[maybe_unused]] auto y) { return expression; }

TEST(SecondOrder, Arithmetic) {
  expect_like_nested_duals(F(-x * y + x - y * y));
  expect_like_nested_duals(F(x / (y + x * x)));
  expect_like_nested_duals(F(2.0 * x * x - y * 3.0 + 1.0));
  expect_like_nested_duals(F((1.0 - x) * (x - 1.0) / 3.0 + 1.0 / y));
}

TEST(SecondOrder, Functions) {
  expect_like_nested_duals(F(sqrt(x + y * y)));
  expect_like_nested_duals(F(exp(x * y)));
  expect_like_nested_duals(F(log(x + y)));
  expect_like_nested_duals(F(sin(x * y) + cos(x - y * y)));
  expect_like_nested_duals(F(tan(x * y)));
  expect_like_nested_duals(F(asin(x * y) + acos(x * x * y)));
  expect_like_nested_duals(F(atan(x / y)));
  expect_like_nested_duals(F(sinh(x * y) + cosh(x - y) + tanh(x * x * y)));
  expect_like_nested_duals(F(atan2(x * x, y)));
  expect_like_nested_duals(F(hypot(x * y, y)));
  expect_like_nested_duals(F(pow(x * y, 1.7)));
  expect_like_nested_duals(F(pow(x + y, x * y)));
  expect_like_nested_duals(F(abs(x - y) * x));
  expect_like_nested_duals(F(min(x * x, y) + max(x, y * y)));
  expect_like_nested_duals(F(select(x < y, x * y, x / y)));
  for (int n = -3; n <= 5; ++n) {
    expect_like_nested_duals([n](auto x, auto y) { return whole_power(x * x - 2.0 * y, n); });
  }
}

#undef F

TEST(SecondOrder, WholePowersOfZeroAreThoseOfAPolynomial) {
  using S = SecondOrder<double, 1>;
  for (int n = 0; n <= 4; ++n) {
    const S y = whole_power(S::variable(0, 0), n);
    EXPECT_EQ(y.v, n == 0 ? 1 : 0);
    EXPECT_EQ(y.d[0], n == 1 ? 1 : 0);
    EXPECT_EQ(y.h[0], n == 2 ? 2 : 0);
  }
}

TEST(SecondOrder, CompoundAssignmentComparisonAndConstants) {
  using S = SecondOrder<double, 2>;
  const S a = S::variable(1.5, 0), b = S::variable(2.5, 1);
  S x = a;
  EXPECT_EQ((x += b).v, 4);
  EXPECT_EQ((x -= b).v, 1.5);
  EXPECT_EQ((x *= b).hessian(1, 0), 1);
  EXPECT_EQ((x /= b).v, 1.5);
  EXPECT_TRUE(a < b && b > a && a <= b && b >= a && a != b && a == a);
  EXPECT_EQ(primal(b), 2.5);
  EXPECT_EQ(S(3.0).d[1], 0);
}

}  // namespace oloid::test::second_order_test
