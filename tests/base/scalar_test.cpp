#include "oloid/base/scalar.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <string>

#include "oloid/base/dual.h"
#include "oloid/base/pack.h"
#include "support/rooms.h"

namespace oloid::test::scalar_test {

static_assert(Scalar<double>);
static_assert(Scalar<Dual<double, 3>>);
static_assert(Scalar<Dual<Dual<double, 2>, 2>>);
static_assert(Scalar<Pack<4>>);
static_assert(Scalar<PortablePack<3>>);
static_assert(Scalar<Dual<Pack<2>, 6>>);
static_assert(!Scalar<std::complex<double>>);  // no order
static_assert(!Scalar<std::string>);

TEST(Scalar, SelectTakesTheFirstWhereTheMaskIsTrue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0, 2.0), 2.0);
  EXPECT_EQ(select(true, 1.0, nan), 1.0);  // what is not chosen does not leak
}

TEST(Scalar, PrimalIsTheNumberInside) {
  EXPECT_EQ(primal(2.5), 2.5);
  EXPECT_EQ(primal(Dual<double, 2>::variable(2.5, 1)), 2.5);
  EXPECT_EQ(primal(Dual<Dual<double, 1>, 1>(2.5)), 2.5);
  EXPECT_EQ(primal(Pack<4>(2.5)), 2.5);
  EXPECT_EQ(primal(Dual<Pack<4>, 1>(2.5)), 2.5);
}

}  // namespace oloid::test::scalar_test
