#include "oloid/scene/body_pairs.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::body_pairs_test {

// Every two bodies of which one moves, in order of the first, then of the second.
TEST(BodyPairs, AreThoseThatACoupleOfLoopsFinds) {
  for (unsigned bits = 0; bits < 128; ++bits) {
    std::vector<bool> moves;
    for (unsigned i = 0; i < 7; ++i) moves.push_back((bits >> i) % 2 == 1);
    const BodyPairs pairs(moves);
    std::size_t next = 0;
    for (std::int32_t i = 0; i < 7; ++i) {
      for (std::int32_t j = 0; j < 7; ++j) {
        const bool one = moves[static_cast<std::size_t>(i)],
                   two = moves[static_cast<std::size_t>(j)];
        if (i == j || (!one && !two)) {
          EXPECT_FALSE(pairs.find(BodyId{i}, BodyId{j}));
        }
        if (i >= j || (!one && !two)) continue;
        ASSERT_LT(next, pairs.size());
        const BodyPairs::Bodies expected{BodyId{one ? i : j}, BodyId{one ? j : i}};
        EXPECT_EQ(pairs[next], expected);
        EXPECT_EQ(pairs.find(BodyId{i}, BodyId{j}), static_cast<int>(next));
        EXPECT_EQ(pairs.find(BodyId{j}, BodyId{i}), static_cast<int>(next));
        ++next;
      }
    }
    EXPECT_EQ(pairs.size(), next);
    EXPECT_EQ(pairs.empty(), next == 0);
  }
}

TEST(BodyPairs, MayBeListed) {
  const BodyPairs some(
      std::vector<BodyPairs::Bodies>{{BodyId{2}, BodyId{0}}, {BodyId{1}, BodyId{0}}});
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some.find(BodyId{0}, BodyId{1}), 1);
  EXPECT_FALSE(some.find(BodyId{1}, BodyId{2}));
  const BodyPairs all(std::vector<bool>{false, true});
  EXPECT_EQ(all, BodyPairs(std::vector<BodyPairs::Bodies>{{BodyId{1}, BodyId{0}}}));
  EXPECT_FALSE(all == some);
  EXPECT_TRUE(BodyPairs().empty());
}

// As many as fit into a number: nothing is stored for a pair.
TEST(BodyPairs, OfVeryManyBodies) {
  const std::size_t bodies = 60'000;
  const BodyPairs pairs(std::vector<bool>(bodies, true));
  EXPECT_EQ(pairs.size(), bodies * (bodies - 1) / 2);
  for (const std::size_t pair : {std::size_t{0}, pairs.size() / 3, pairs.size() - 1}) {
    const auto [a, b] = pairs[pair];
    EXPECT_EQ(pairs.find(a, b), static_cast<int>(pair));
  }
}

}  // namespace oloid::test::body_pairs_test
