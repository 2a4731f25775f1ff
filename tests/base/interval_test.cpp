#include "oloid/base/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "laws/random.h"
#include "oloid/base/dual.h"
#include "oloid/base/scalar.h"
#include "oloid/base/second_order.h"
#include "support/rooms.h"

namespace oloid::test::interval_test {

static_assert(Scalar<Interval> && Scalar<Dual<Interval, 3>> && Scalar<SecondOrder<Interval, 3>>);

// Bounds of all sizes: wide, narrow, single numbers, on either side of zero.
Interval any_interval(Random& random, double low, double high) {
  const double a = random(low, high);
  if (random(0, 1) < 0.2) return a;
  const double width = (high - low) * std::pow(10.0, random(-12, 0));
  return {a, std::min(a + width, high)};
}
double any_of(Random& random, const Interval& a) {
  const double t = random(-0.1, 1.1);
  return t < 0 ? a.low : t > 1 ? a.high : std::clamp(a.low + t * (a.high - a.low), a.low, a.high);
}

// f of numbers, in extended precision, lies in f of their intervals.
template <class F, class Reference>
void expect_contained(F f, Reference reference, double low, double high) {
  for_random_cases(2000, [&](Random& random) {
    const Interval a = any_interval(random, low, high), b = any_interval(random, low, high);
    const Interval c = f(a, b);
    ASSERT_LE(c.low, c.high);
    for (int i = 0; i < 5; ++i) {
      const double x = any_of(random, a), y = any_of(random, b);
      const long double z = reference(static_cast<long double>(x), static_cast<long double>(y));
      if (!std::isfinite(z)) continue;
      EXPECT_TRUE(static_cast<long double>(c.low) <= z && z <= static_cast<long double>(c.high))
          << "f(" << x << ", " << y << ") is not in [" << c.low << ", " << c.high << "]";
    }
  });
}

#define EXPECT_CONTAINED(expression, low, high)                                                   \
  {                                                                                               \
    SCOPED_TRACE(#expression);                                                                    \
    const auto f = []([[maybe_unused]] auto a, [[maybe_unused]] auto b) {                         \
      using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, \
          std::hypot, std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt,     \
          std::tan, std::tanh;                                                                    \
      return expression;                                                                          \
    };                                                                                            \
    expect_contained(f, f, low, high);                                                            \
  }

TEST(Interval, ContainsSumsAndProducts) {
  for (const double size : {1e-200, 1e-3, 1.0, 1e200}) {
    EXPECT_CONTAINED(-a, -size, size);
    EXPECT_CONTAINED(a + b, -size, size);
    EXPECT_CONTAINED(a - b, -size, size);
    EXPECT_CONTAINED(a * b, -size, size);
    EXPECT_CONTAINED(a / b, -size, size);
    EXPECT_CONTAINED(a * a * b - a, -size, size);
  }
}

TEST(Interval, ContainsPowers) {
  for (const double size : {0.5, 2.0, 30.0}) {
    EXPECT_CONTAINED(whole_power(a, 0), -size, size);
    EXPECT_CONTAINED(whole_power(a, 1), -size, size);
    EXPECT_CONTAINED(whole_power(a, 2), -size, size);
    EXPECT_CONTAINED(whole_power(a, 3), -size, size);
    EXPECT_CONTAINED(whole_power(a, 12), -size, size);
    EXPECT_CONTAINED(whole_power(a, -1), -size, size);
    EXPECT_CONTAINED(whole_power(a, -2), -size, size);
    EXPECT_CONTAINED(pow(a, 2.5), -size, size);
    EXPECT_CONTAINED(pow(a, -0.5), -size, size);
    EXPECT_CONTAINED(pow(a, b), 0, size);
  }
}

TEST(Interval, ContainsFunctions) {
  for (const double size : {0.9, 5.0, 300.0}) {
    EXPECT_CONTAINED(sqrt(a), -size, size);
    EXPECT_CONTAINED(exp(a), -size, size);
    EXPECT_CONTAINED(log(a), -size, size);
    EXPECT_CONTAINED(sin(a), -size, size);
    EXPECT_CONTAINED(cos(a), -size, size);
    EXPECT_CONTAINED(tan(a), -size, size);
    EXPECT_CONTAINED(asin(a), -size, size);
    EXPECT_CONTAINED(acos(a), -size, size);
    EXPECT_CONTAINED(atan(a), -size, size);
    EXPECT_CONTAINED(sinh(a), -size, size);
    EXPECT_CONTAINED(cosh(a), -size, size);
    EXPECT_CONTAINED(tanh(a), -size, size);
    EXPECT_CONTAINED(abs(a), -size, size);
    EXPECT_CONTAINED(min(a, b), -size, size);
    EXPECT_CONTAINED(max(a, b), -size, size);
    EXPECT_CONTAINED(hypot(a, b), -size, size);
    EXPECT_CONTAINED(atan2(a, b), -size, size);
    EXPECT_CONTAINED(angle_slope(a, b), -size, size);
  }
}

TEST(Interval, IsAsTightAsTheFunction) {
  const auto expect_near = [](const Interval& a, double low, double high) {
    EXPECT_NEAR(a.low, low, 1e-14);
    EXPECT_NEAR(a.high, high, 1e-14);
  };
  const Interval a(-1, 2);
  expect_near(a * a, -2, 4);
  expect_near(whole_power(a, 2), 0, 4);
  expect_near(whole_power(a, 3), -1, 8);
  expect_near(abs(a), 0, 2);
  expect_near(cosh(a), 1, std::cosh(2.0));
  expect_near(sin(Interval(1, 2)), std::sin(1.0), 1);
  expect_near(cos(Interval(1, 2)), std::cos(2.0), std::cos(1.0));
  expect_near(cos(Interval(3, 4)), -1, std::cos(4.0));
  expect_near(sin(Interval(0, 100)), -1, 1);
  expect_near(Interval(1, 2) / Interval(4, 5), 0.2, 0.5);
  expect_near(atan2(Interval(-1, 1), Interval(1, 2)), -std::atan(1.0), std::atan(1.0));
  EXPECT_EQ(whole_power(a, 2).low, 0);  // so that its root is defined
  EXPECT_EQ((whole_power(a, 2) + whole_power(a, 2)).low, 0);
  EXPECT_EQ((Interval(0) * Interval::everything()).high, 0);
}

TEST(Interval, SaysNothingWhereNothingIsKnown) {
  const auto expect_everything = [](const Interval& a) {
    EXPECT_EQ(a.low, -HUGE_VAL);
    EXPECT_EQ(a.high, HUGE_VAL);
  };
  expect_everything(Interval(1, 2) / Interval(-1, 1));
  expect_everything(sqrt(Interval(-2, -1)));
  expect_everything(log(Interval(-2, 0)));
  expect_everything(tan(Interval(1, 2)));
  expect_everything(asin(Interval(2, 3)));
  expect_everything(pow(Interval(-1, 1), 1.5));
  // The angle jumps: no slope bounds it.
  expect_everything(angle_slope(Interval(-1, 1), Interval(-2, -1)));
}

TEST(Interval, OverflowIsNoNumber) {
  const Interval big(1e308, 1.5e308), all = Interval::everything();
  for (const Interval& a : {big + big,
                            big * big,
                            -big - big,
                            big * -big,
                            all - all,
                            all * all,
                            exp(big),
                            sinh(-big),
                            all / big,
                            big / all,
                            whole_power(all, 3),
                            hypot(all, big),
                            pow(all, 2.0),
                            Interval(0) / all,
                            exp(all),
                            log(all),
                            atan2(all, all),
                            cosh(all),
                            tanh(all),
                            sqrt(all)}) {
    EXPECT_LE(a.low, a.high);
  }
  EXPECT_GT((big * big).low, 1e308);
}

TEST(Interval, UndecidedChoicesTakeBoth) {
  const Interval a(0, 2), b(1, 3), c(5, 6);
  const auto expect_is = [](const Interval& x, double low, double high) {
    EXPECT_EQ(x.low, low);
    EXPECT_EQ(x.high, high);
  };
  expect_is(select(a < c, a, c), 0, 2);
  expect_is(select(c < a, a, c), 5, 6);
  expect_is(select(a < b, Interval(7), Interval(9)), 7, 9);
  expect_is(select(a > b, Interval(7), Interval(9)), 7, 9);
}

// Dual numbers of intervals bound derivatives: compared with duals at points.
TEST(Interval, BoundsDerivatives) {
  const auto f = [](const auto& x, const auto& y) {
    using std::abs, std::atan2, std::exp, std::hypot, std::max, std::sin, std::sqrt;
    return sin(x * y) / (2.0 + x) + sqrt(hypot(x, y) + 1.0) * exp(-y) + abs(x) * max(x, y) +
           whole_power(x, 3) * atan2(x + 4.0, y);
  };
  for_random_cases(500, [&](Random& random) {
    using DI = Dual<Interval, 2>;
    using SI = SecondOrder<Interval, 2>;
    using D = Dual<double, 2>;
    using DD = SecondOrder<double, 2>;
    const Interval a = any_interval(random, -1.5, 1.5), b = any_interval(random, -1.5, 1.5);
    const DI bound = f(DI::variable(a, 0), DI::variable(b, 1));
    const SI second = f(SI::variable(a, 0), SI::variable(b, 1));
    for (int i = 0; i < 5; ++i) {
      const double x = any_of(random, a), y = any_of(random, b);
      const D at = f(D::variable(x, 0), D::variable(y, 1));
      const DD twice = f(DD::variable(x, 0), DD::variable(y, 1));
      EXPECT_TRUE(bound.v.contains(at.v));
      for (int k = 0; k < 2; ++k) {
        EXPECT_TRUE(bound.d[k].contains(at.d[k]));
        EXPECT_TRUE(second.d[k].contains(at.d[k]));
      }
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(second.h[k].contains(twice.h[k]));
    }
  });
}

}  // namespace oloid::test::interval_test
