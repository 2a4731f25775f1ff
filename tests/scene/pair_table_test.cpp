#include "oloid/scene/pair_table.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::pair_table_test {

TEST(PairTable, ValuesFollowFromKindsUnlessABodyPairHasItsOwn) {
  PairTable<double> table({0, 1, 0, 1}, 2);
  EXPECT_EQ(table.find(BodyId{0}, BodyId{1}), nullptr);
  table.set_kinds(0, 1, 0.5);
  table.set_kinds(1, 1, 0.7);
  table.set(BodyId{3}, BodyId{0}, 2);
  const auto value = [&](int a, int b) {
    const double *found = table.find(BodyId{a}, BodyId{b}),
                 *same = table.find(BodyId{b}, BodyId{a});
    EXPECT_EQ(found ? *found : -1, same ? *same : -1);
    return found ? *found : -1;
  };
  EXPECT_EQ(value(0, 1), 0.5);
  EXPECT_EQ(value(2, 3), 0.5);
  EXPECT_EQ(value(0, 3), 2);
  EXPECT_EQ(value(1, 3), 0.7);
  EXPECT_EQ(value(0, 2), -1);  // not known
  const auto twice = table.mapped([](double x) { return 2 * x; });
  EXPECT_EQ(*twice.find(BodyId{1}, BodyId{2}), 1);
  EXPECT_EQ(*twice.find(BodyId{0}, BodyId{3}), 4);
  EXPECT_EQ(twice.find(BodyId{0}, BodyId{2}), nullptr);
}

TEST(PairTable, WithoutKindsKnowsOnlyItsOwn) {
  PairTable<int> table;
  EXPECT_EQ(table.find(BodyId{0}, BodyId{1}), nullptr);
  table.set(BodyId{0}, BodyId{1}, 3);
  EXPECT_EQ(*table.find(BodyId{1}, BodyId{0}), 3);
}

}  // namespace oloid::test::pair_table_test
