#include "oloid/numerics/root.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::root_test {

template <class F>
Root root_of(F f, double lo, double hi) {
  return find_root(f, lo, f(lo), hi, f(hi));
}

TEST(Root, FindsZerosToTheLastBits) {
  const auto check = [](auto f, double lo, double hi, double expected) {
    const Root root = root_of(f, lo, hi);
    EXPECT_NEAR(root.x, expected, 1e-15 * std::max(std::abs(lo), std::abs(hi)));
    EXPECT_LE(f(root.x), 0);
    EXPECT_LE(root.calls, 60);
  };
  check([](double x) { return std::cos(x); }, 0, 3, std::acos(-1.0) / 2);
  check([](double x) { return 2 - x * x; }, 0, 100, std::sqrt(2.0));
  check([](double x) { return std::exp(-x) - 1e-6; }, 0, 100, std::log(1e6));
  check([](double x) { return 1000.5 - x; }, 1000, 1001, 1000.5);
}

TEST(Root, IsFastWhereTheFunctionIsSmooth) {
  EXPECT_LE(root_of([](double x) { return std::cos(x); }, 1.5, 1.7).calls, 14);
}

TEST(Root, BisectsAcrossAJump) {
  const Root root = root_of([](double x) { return x < 0.3 ? 1.0 : -5.0; }, 0, 1);
  EXPECT_NEAR(root.x, 0.3, 1e-15);
}

TEST(Root, SlopeIsThatOfTheFunction) {
  EXPECT_NEAR(root_of([](double x) { return 3 - 2 * x; }, 0, 4).slope, -2, 1e-9);
}

}  // namespace oloid::test::root_test
