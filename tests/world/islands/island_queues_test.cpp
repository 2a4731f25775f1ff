#include "oloid/world/islands/island_queues.h"

#include <gtest/gtest.h>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::island_queues_test {

std::vector<BodyId> order(const IslandQueues::Queue& queue) {
  std::vector<BodyId> all;
  for (const auto& [t, first] : queue) all.push_back(first);
  return all;
}

const BodyId a{0}, b{1}, c{2};

Model three_balls() {
  return compiled(scene_of({named("a", ball(0.1), {{0, 0, 1}}), named("b", ball(0.1), {{1, 0, 1}}),
                            named("c", ball(0.1), {{2, 0, 1}})},
                           {}, 1));
}

Island& begun(Islands& islands, const Model& model, std::vector<BodyId> members) {
  Island& island = islands.add(std::move(members));
  const State start = initial_state(model);
  for (const IslandPart& part : start.islands)
    if (part.members == island.group().moving) island.state() = part.state;
  island.begin();
  return island;
}

TEST(IslandQueues, FollowIslandsThatAdvanceAndAreRecorded) {
  const Model model = three_balls();
  Islands islands(model);
  IslandQueues queues(model.bodies.size());
  for (const BodyId body : {c, a, b}) queues.place(begun(islands, model, {body}));
  EXPECT_EQ(order(queues.by_reached()), (std::vector<BodyId>{a, b, c}));
  EXPECT_EQ(queues.slowest(), 0);

  Island &first = *islands.of(a), &second = *islands.of(b);
  first.advance(0.3, 16, true, nullptr);
  queues.place(first);
  second.advance(0.1, 16, true, nullptr);
  queues.place(second);
  ASSERT_GT(first.t(), 0);
  ASSERT_GT(second.t(), 0);
  EXPECT_EQ(order(queues.by_reached()).front(), c);
  EXPECT_EQ(queues.slowest(), 0);
  EXPECT_EQ(order(queues.by_unrecorded()).back(), c);  // it has nothing to record
  EXPECT_EQ(queues.by_unrecorded().size(), 3u);
  EXPECT_EQ(queues.by_unrecorded().begin()->first, std::min(first.step(0).t1, second.step(0).t1));

  first.forget(first.t());
  queues.place(first);
  EXPECT_EQ(queues.by_unrecorded().begin()->second, b);
}

TEST(IslandQueues, ForgetWhatIsTakenOut) {
  const Model model = three_balls();
  Islands islands(model);
  IslandQueues queues(model.bodies.size());
  for (const BodyId body : {a, b, c}) queues.place(begun(islands, model, {body}));
  queues.take_out(*islands.of(b));
  queues.take_out(*islands.of(b));
  EXPECT_EQ(order(queues.by_reached()), (std::vector<BodyId>{a, c}));
  EXPECT_EQ(order(queues.by_unrecorded()), (std::vector<BodyId>{a, c}));
  queues.place(*islands.of(b));
  EXPECT_EQ(order(queues.by_reached()), (std::vector<BodyId>{a, b, c}));
}

}  // namespace oloid::test::island_queues_test
