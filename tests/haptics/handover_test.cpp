#include "oloid/haptics/handover.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/rooms.h"

namespace oloid::test::handover_test {

TEST(Handover, GivesTheLatestOnce) {
  Handover<int> handover;
  EXPECT_FALSE(handover.refresh());
  for (int i = 1; i <= 5; ++i) {
    handover.draft() = i;
    handover.publish();
  }
  EXPECT_TRUE(handover.refresh());
  EXPECT_EQ(handover.latest(), 5);
  EXPECT_FALSE(handover.refresh());
  EXPECT_EQ(handover.latest(), 5);
  handover.draft() = 6;
  EXPECT_FALSE(handover.refresh());
  EXPECT_EQ(handover.latest(), 5);
  handover.publish();
  EXPECT_TRUE(handover.refresh());
  EXPECT_EQ(handover.latest(), 6);
}

// Every value arrives whole, none comes before an older one, and the last one arrives.
TEST(Handover, SurvivesAWriterThatNeverPauses) {
  constexpr long kValues = 200000;
  using Value = std::array<long, 64>;
  Handover<Value> handover;
  std::thread writer([&] {
    for (long i = 1; i <= kValues; ++i) {
      handover.draft().fill(i);
      handover.publish();
    }
  });
  long last = 0, torn = 0, backwards = 0;
  while (last < kValues) {
    if (!handover.refresh()) continue;
    const Value& value = handover.latest();
    for (const long x : value) torn += x != value[0];
    backwards += value[0] <= last;
    last = value[0];
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
}

}  // namespace oloid::test::handover_test
