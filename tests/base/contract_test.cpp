#include "oloid/base/contract.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::contract_test {

TEST(Contract, AKeptPromiseCostsNothingButTheCheck) {
  int evaluated = 0;
  OLOID_EXPECT(++evaluated > 0);
#ifdef OLOID_CONTRACTS
  EXPECT_EQ(evaluated, 1);
#else
  EXPECT_EQ(evaluated, 0);
#endif
}

TEST(ContractDeathTest, ABrokenPromiseNamesPlaceAndCondition) {
  EXPECT_DEATH(broken_promise("a < b", "x.cpp", 12), "oloid: internal error at x.cpp:12: a < b");
#ifdef OLOID_CONTRACTS
  const int gap = -1;
  EXPECT_DEATH(OLOID_EXPECT(gap >= 0), "internal error at .*contract_test.cpp:[0-9]+: gap >= 0");
#endif
}

}  // namespace oloid::test::contract_test
