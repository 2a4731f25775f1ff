// The state of a group before anything is known.
#include "oloid/world/model/island_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oloid/world/evaluate/fields.h"
#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::island_state_test {

// Whatever it was used for before: nothing is held, nothing is known, one block for each body.
TEST(IslandState, ResizeForgetsWhatWasHeld) {
  const Group group(scene_of(
      {named("a", ball(0.1), {{0, 0, 0.5}}), named("b", ball(0.2), {{0, 0, 0.2}}), table()},
      {law("a", "b", 0.3), law("b", "table", 0.3)}, 1));
  IslandState state = group.state;
  ASSERT_TRUE(state.discrete.joint(0).on);
  for (const std::vector<BodyId>& members :
       {std::vector<BodyId>{{1}}, std::vector<BodyId>{{0}, {1}}}) {
    const IslandIndex index(group.model, members);
    const std::size_t n = members.size();
    state.resize(index);
    EXPECT_EQ(state.y.y.size(), static_cast<Eigen::Index>(kBlock * n + kWorkSize));
    EXPECT_EQ(state.y.guards.size(), static_cast<Eigen::Index>(kBodyGuards * n));
    EXPECT_EQ(state.hashes, std::vector<std::uint64_t>(n, kHashStart));
    ASSERT_EQ(state.discrete.joints.size(), n);
    for (const Contact& hold : state.discrete.joints) EXPECT_FALSE(hold.on);
    ASSERT_EQ(state.discrete.witnesses.size(), index.pairs.size());
    for (const Witness& witness : state.discrete.witnesses) EXPECT_TRUE(witness.lost);
    ASSERT_EQ(state.waits.size(), index.pairs.size());
    for (const CertificateWait& wait : state.waits) EXPECT_EQ(wait.left, 0);
    for (int pair = 0; pair < static_cast<int>(group.model.pairs.size()); ++pair)
      EXPECT_EQ(held_by(state.discrete, pair), kGround);
  }
}

}  // namespace oloid::test::island_state_test
