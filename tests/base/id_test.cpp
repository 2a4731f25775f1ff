#include "oloid/base/id.h"

#include <gtest/gtest.h>

#include <concepts>

#include "support/rooms.h"

namespace oloid::test::id_test {

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};

static_assert(Comparable<BodyId, BodyId>);
static_assert(!Comparable<BodyId, ContactId>);
static_assert(!Comparable<ChartId, ContactId>);
static_assert(!std::convertible_to<BodyId, ChartId>);
static_assert(!std::convertible_to<int, BodyId>);
static_assert(!std::convertible_to<BodyId, int>);

TEST(Id, NamesNothingByDefault) {
  EXPECT_FALSE(BodyId{}.valid());
  EXPECT_TRUE(BodyId{0}.valid());
}

TEST(Id, OrdersByIndex) {
  EXPECT_EQ(ChartId{3}, ChartId{3});
  EXPECT_NE(ChartId{3}, ChartId{4});
  EXPECT_LT(ChartId{3}, ChartId{4});
  EXPECT_LT(ChartId{}, ChartId{0});
}

}  // namespace oloid::test::id_test
