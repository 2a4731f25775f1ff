#include "oloid/world/islands/islands.h"

#include <gtest/gtest.h>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::islands_test {

std::vector<BodyId> firsts(const Islands& islands) {
  std::vector<BodyId> all;
  for (const Island& island : islands) all.push_back(island.group().moving.front());
  return all;
}

TEST(Islands, AreInTheOrderOfTheirFirstBodiesAndKnowTheirMembers) {
  const Model model = compiled(
      scene_of({named("a", ball(0.1), {{0, 0, 1}}), table(), named("b", ball(0.1), {{1, 0, 1}}),
                named("c", ball(0.1), {{2, 0, 1}}), named("d", ball(0.1), {{3, 0, 1}})},
               {}, 1));
  const BodyId a{0}, ground{1}, b{2}, c{3}, d{4};
  Islands islands(model);
  Island& last = islands.add({d});
  Island& first = islands.add({a, c});
  Island& second = islands.add({b});
  EXPECT_EQ(islands.size(), 3u);
  EXPECT_EQ(firsts(islands), (std::vector<BodyId>{a, b, d}));
  EXPECT_EQ(islands.of(c), &first);
  EXPECT_EQ(islands.of(d), &last);
  EXPECT_EQ(islands.of(ground), nullptr);
  // One falls apart: its parts come before it goes.
  Island& part = islands.add({a});
  Island& rest = islands.add({c});
  islands.remove(first);
  EXPECT_EQ(islands.size(), 4u);
  EXPECT_EQ(islands.of(a), &part);
  EXPECT_EQ(islands.of(c), &rest);
  EXPECT_EQ(firsts(islands), (std::vector<BodyId>{a, b, c, d}));
  // Two become one.
  Island& both = islands.add({b, d});
  islands.remove(second);
  islands.remove(last);
  EXPECT_EQ(islands.of(b), &both);
  EXPECT_EQ(islands.of(d), &both);
  EXPECT_EQ(firsts(islands), (std::vector<BodyId>{a, b, c}));
}

}  // namespace oloid::test::islands_test
