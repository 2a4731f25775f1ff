#include "oloid/scene/frame.h"

#include <gtest/gtest.h>

#include "oloid/scene/recorder.h"
#include "support/rooms.h"

namespace oloid::test::frame_test {

TEST(EnergyFrame, BalanceCountsWhatWasTakenAndGiven) {
  const EnergyFrame start{.kinetic = 3, .potential = -1};
  const EnergyFrame end{.kinetic = 4, .potential = -2, .dissipated = 0.5, .work = 0.5};
  EXPECT_EQ(start.balance(), 2);
  EXPECT_EQ(end.balance(), start.balance());
}

TEST(Header, EnergyReferenceAddsTheScaleOfTheScene) {
  Header header;
  header.energy_scale = 10;
  EXPECT_EQ(header.energy_reference(2), 12);
}

}  // namespace oloid::test::frame_test
