#include "oloid/base/pack.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/base/linalg.h"
#include "support/rooms.h"

namespace oloid::test::pack_test {

template <class P>
class PackTest : public testing::Test {};
using Packs = testing::Types<Pack<1>, Pack<2>, Pack<4>, Pack<8>, PortablePack<1>, PortablePack<3>,
                             PortablePack<4>>;
TYPED_TEST_SUITE(PackTest, Packs);

// Ordinary numbers of all sizes, and the ones that break things.
double any_double(Random& random) {
  using limits = std::numeric_limits<double>;
  static const std::vector<double> kSpecial{0.0,
                                            -0.0,
                                            1.0,
                                            -1.0,
                                            limits::infinity(),
                                            -limits::infinity(),
                                            limits::quiet_NaN(),
                                            limits::denorm_min(),
                                            limits::min(),
                                            limits::max(),
                                            limits::lowest()};
  if (random(0, 1) < 0.3) {
    return kSpecial[static_cast<std::size_t>(random(0, static_cast<double>(kSpecial.size())))];
  }
  return std::ldexp(random(-1, 1), static_cast<int>(random(-60, 60)));
}

template <class P>
P any_pack(Random& random) {
  double x[P::size()];
  for (double& xi : x) xi = any_double(random);
  return P::generate([&](std::size_t i) { return x[i]; });
}

// Equal to the bit; one NaN is as good as another.
testing::AssertionResult identical(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return testing::AssertionSuccess();
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " and " << b << " differ by " << a - b;
}

// f of packs is f of their doubles, lane by lane.
template <class P, class F>
void expect_lanewise(F f) {
  for_random_cases(500, [&](Random& random) {
    const P a = any_pack<P>(random), b = any_pack<P>(random);
    const P c = f(a, b);
    for (int i = 0; i < P::size(); ++i)
      EXPECT_TRUE(identical(c[i], f(a[i], b[i]))) << "of " << a[i] << ", " << b[i];
  });
}

TYPED_TEST(PackTest, ArithmeticIsThatOfDoubles) {
  using P = TypeParam;
  expect_lanewise<P>([](auto a, auto b) { return a + b; });
  expect_lanewise<P>([](auto a, auto b) { return a - b; });
  expect_lanewise<P>([](auto a, auto b) { return a * b; });
  expect_lanewise<P>([](auto a, auto b) { return a / b; });
  expect_lanewise<P>([](auto a, auto) { return -a; });
  expect_lanewise<P>([](auto a, auto) { return a * 2.0 + 1.0; });
  expect_lanewise<P>([](auto a, auto) { return 1.0 - 2.0 / a; });
}

TYPED_TEST(PackTest, CompoundAssignmentIsTheOperation) {
  using P = TypeParam;
  expect_lanewise<P>([](auto a, auto b) { return a += b; });
  expect_lanewise<P>([](auto a, auto b) { return a -= b; });
  expect_lanewise<P>([](auto a, auto b) { return a *= b; });
  expect_lanewise<P>([](auto a, auto b) { return a /= b; });
}

TYPED_TEST(PackTest, FunctionsAreThoseOfDoubles) {
  using P = TypeParam;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::hypot, std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan,
      std::tanh;
  expect_lanewise<P>([](auto a, auto) { return sqrt(a); });
  expect_lanewise<P>([](auto a, auto) { return sin(a); });
  expect_lanewise<P>([](auto a, auto) { return cos(a); });
  expect_lanewise<P>([](auto a, auto) { return pow(a, 2.5); });
  expect_lanewise<P>([](auto a, auto) { return pow(a, -3.0); });
  expect_lanewise<P>([](auto a, auto b) { return pow(a, b); });
  expect_lanewise<P>([](auto a, auto) { return exp(a); });
  expect_lanewise<P>([](auto a, auto) { return log(a); });
  expect_lanewise<P>([](auto a, auto) { return tan(a); });
  expect_lanewise<P>([](auto a, auto) { return asin(a); });
  expect_lanewise<P>([](auto a, auto) { return acos(a); });
  expect_lanewise<P>([](auto a, auto) { return atan(a); });
  expect_lanewise<P>([](auto a, auto) { return sinh(a); });
  expect_lanewise<P>([](auto a, auto) { return cosh(a); });
  expect_lanewise<P>([](auto a, auto) { return tanh(a); });
  expect_lanewise<P>([](auto a, auto) { return abs(a); });
  expect_lanewise<P>([](auto a, auto b) { return atan2(a, b); });
  expect_lanewise<P>([](auto a, auto b) { return hypot(a, b); });
  expect_lanewise<P>([](auto a, auto b) { return min(a, b); });
  expect_lanewise<P>([](auto a, auto b) { return max(a, b); });
}

TYPED_TEST(PackTest, ComparisonsAndSelectAreThoseOfDoubles) {
  using P = TypeParam;
  expect_lanewise<P>([](auto a, auto b) { return select(a < b, a, b); });
  expect_lanewise<P>([](auto a, auto b) { return select(a > b, a, b); });
  expect_lanewise<P>([](auto a, auto b) { return select(a <= b, a, b); });
  expect_lanewise<P>([](auto a, auto b) { return select(a >= b, a, b); });
  expect_lanewise<P>([](auto a, auto b) { return select(a == b, a, b); });
  expect_lanewise<P>([](auto a, auto b) { return select(b == b, a, -a); });
}

TYPED_TEST(PackTest, ANumberFillsAllLanes) {
  using P = TypeParam;
  const P from_double = 2.5, from_int = 3;
  for (int i = 0; i < P::size(); ++i) {
    EXPECT_EQ(from_double[i], 2.5);
    EXPECT_EQ(from_int[i], 3.0);
  }
}

TYPED_TEST(PackTest, GenerateGivesEachLaneItsNumber) {
  using P = TypeParam;
  const P x = P::generate([](std::size_t i) { return 10.0 + static_cast<double>(i); });
  for (int i = 0; i < P::size(); ++i) EXPECT_EQ(x[i], 10.0 + i);
  EXPECT_EQ(primal(x), 10.0);
}

TYPED_TEST(PackTest, RunsThroughMatrices) {
  using P = TypeParam;
  for_random_cases(50, [](Random& random) {
    constexpr int n = P::size();
    Mat3<double> A[n];
    Vec3<double> b[n];
    for (int i = 0; i < n; ++i) {
      A[i] = Mat3<double>::NullaryExpr([&] { return random(-1, 1); });
      b[i] = random.vector<3>(-1, 1);
    }
    Mat3<P> A_wide;
    Vec3<P> b_wide;
    for (int r = 0; r < 3; ++r) {
      b_wide(r) = P::generate([&](std::size_t i) { return b[i](r); });
      for (int c = 0; c < 3; ++c)
        A_wide(r, c) = P::generate([&](std::size_t i) { return A[i](r, c); });
    }
    const Vec3<P> Ab = A_wide * b_wide;
    const Vec3<P> cross = Vec3<P>(A_wide.col(0)).cross(b_wide);
    const P dot = b_wide.dot(Ab);
    for (int i = 0; i < n; ++i) {  // sums of three products below 1: order of summation is free
      EXPECT_LE(difference(lane(Ab, i), A[i] * b[i]), 4 * kEps);
      EXPECT_LE(difference(lane(cross, i), Vec3<double>(A[i].col(0)).cross(b[i])), 4 * kEps);
      EXPECT_LE(difference(lane(dot, i), b[i].dot(A[i] * b[i])), 16 * kEps);
    }
  });
}

}  // namespace oloid::test::pack_test
