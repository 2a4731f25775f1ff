// How the members of an island, their pairs and their loads are numbered; what is connected.
#include "oloid/world/islands/island_index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::island_index_test {

std::vector<BodyId> ids(const std::vector<int>& numbers) {
  std::vector<BodyId> out;
  for (const int i : numbers) out.push_back(BodyId{i});
  return out;
}

// Four balls (0, 1, 3, 4), a plate that moves (2) and a table (5).
Spec balls() {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"sin(t)", "0", "-9"});
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  plate.motion = Located<MotionSpec>(motion);
  Spec spec =
      scene_of({named("a", ball(0.4), {{0, 0, 1}}), named("b", ball(0.1), {{2, 0, 1}}), plate,
                named("c", ball(0.2), {{4, 0, 1}}), named("d", ball(0.3), {{6, 0, 1}}), table()},
               {}, 1);
  spec.springs = {spring("a", "d", 1), spring("c", "plate", 1), spring("b", "table", 1)};
  spec.loads = {force("b", {"sin(t)", "0", "0"})};
  return spec;
}

TEST(IslandIndex, NodesAreInTheOrderOfTheScene) {
  const Model model = compiled(balls());
  const IslandIndex index(model, ids({4, 0, 3}));
  EXPECT_EQ(index.moving, ids({0, 3, 4}));
  EXPECT_EQ(index.nodes(), 3);
  for (int node = 0; node < 3; ++node) {
    EXPECT_EQ(index.node(index.id(node)), node);
    EXPECT_EQ(&index.at_node(node), &model.body(index.id(node)));
  }
  for (const int other : {1, 2, 5}) EXPECT_EQ(index.node(BodyId{other}), kGround);
}

// Of its members among themselves and with all ground: each pair of the model once, in order.
TEST(IslandIndex, WatchesThePairsOfItsMembers) {
  const Model model = compiled(balls());
  const IslandIndex index(model, ids({0, 3}));
  const auto member = [](BodyId id) { return id.index == 0 || id.index == 3; };
  int watch = 0;
  for (int pair = 0; pair < static_cast<int>(model.pairs.size()); ++pair) {
    const auto& [A, B] = model.pair(pair).bodies;
    const bool own = (member(A) || !model.body(A).moves) && (member(B) || !model.body(B).moves);
    EXPECT_EQ(index.watch_of_pair(pair), own ? watch : -1);
    if (own) {
      EXPECT_EQ(index.pair_of_watch(watch++), pair);
    }
  }
  EXPECT_EQ(index.watches(), watch);
  EXPECT_EQ(watch, 5);  // two balls, each with plate and table
}

TEST(IslandIndex, ScalesAreThoseOfTheSmallestMember) {
  Spec spec = balls();
  const Model model = compiled(spec);
  EXPECT_EQ(IslandIndex(model, ids({0, 3})).length, 0.2);
  EXPECT_EQ(IslandIndex(model, ids({0, 1, 3})).length, 0.1);
  EXPECT_NEAR(IslandIndex(model, ids({0, 3})).speed, std::sqrt(9.81 * 0.2), 1e-15);
  // Without gravity: the fastest member, its turning over the smallest radius; or 1.
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.bodies[0].velocity = Vec3<double>(3, 4, 0);
  spec.bodies[0].angular_velocity = Vec3<double>(0, 0, 10);
  const Model floating = compiled(spec);
  EXPECT_NEAR(IslandIndex(floating, ids({0, 3})).speed, 5 + 10 * 0.2, 1e-14);
  EXPECT_EQ(IslandIndex(floating, ids({3})).speed, 1);
}

TEST(IslandIndex, LoadsAreThoseOnItsMembers) {
  const Model model = compiled(balls());
  const IslandIndex a_d(model, ids({0, 4})), b(model, ids({1})), c(model, ids({3}));
  EXPECT_EQ(a_d.loads.springs().size(), 1u);
  EXPECT_FALSE(a_d.driven);
  EXPECT_TRUE(a_d.pulled_by.empty());
  EXPECT_TRUE(b.driven);  // by a formula in t
  EXPECT_TRUE(b.pulled_by.empty());
  EXPECT_EQ(c.pulled_by, ids({2}));
}

// By joints and springs, through others; not through ground.
TEST(Connected, SetsAreInTheOrderOfTheirFirstBodies) {
  const Model model = compiled(balls());
  const auto sets = [&](const std::vector<std::array<BodyId, 2>>& joints) {
    return connected(model, model.moving, joints);
  };
  const auto id = [](int i) { return BodyId{i}; };
  using Sets = std::vector<std::vector<BodyId>>;
  EXPECT_EQ(sets({}), (Sets{ids({0, 4}), ids({1}), ids({3})}));
  EXPECT_EQ(sets({{id(4), id(3)}}), (Sets{ids({0, 3, 4}), ids({1})}));
  EXPECT_EQ(sets({{id(3), id(1)}, {id(1), id(4)}}), (Sets{ids({0, 1, 3, 4})}));
  EXPECT_EQ(sets({{id(1), id(5)}, {id(3), id(5)}, {id(1), id(2)}}),
            (Sets{ids({0, 4}), ids({1}), ids({3})}));
  // Of some bodies only.
  EXPECT_EQ(connected(model, ids({0, 3, 4}), {{id(3), id(1)}}), (Sets{ids({0, 4}), ids({3})}));
}

}  // namespace oloid::test::island_index_test
