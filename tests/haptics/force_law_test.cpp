#include "oloid/haptics/force_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::force_law_test {

TEST(ForceLaw, IsSpringAndDamper) {
  const ForceLaw law{2000, 10, 100, 500, 0.1};
  EXPECT_EQ(pair_force(law, 1e-3, -1), 0);
  EXPECT_EQ(pair_force(law, 0, -1), 0);
  EXPECT_DOUBLE_EQ(pair_force(law, -1e-3, 0), 2);
  EXPECT_DOUBLE_EQ(pair_force(law, -1e-3, -0.1), 3);
  EXPECT_DOUBLE_EQ(pair_force(law, -1e-3, 0.1), 1);
}

TEST(ForceLaw, NeverPullsAndDampingTakesEnergy) {
  Random random(1);
  const ForceLaw law{2000, 10, 100, 500, 0.1};
  for (int i = 0; i < 1000; ++i) {
    const double gap = random(-0.01, 0.01), rate = random(-5, 5);
    const double force = pair_force(law, gap, rate), spring = pair_force(law, gap, 0);
    EXPECT_GE(force, 0);
    EXPECT_LE((force - spring) * rate, 0);
    EXPECT_LE(force, 2 * spring);
  }
}

TEST(ForceLaw, RefusesNumbersWithoutSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;
  EXPECT_TRUE(checked({}));
  for (const double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_FALSE(checked({.stiffness = bad})) << bad;
    EXPECT_FALSE(checked({.largest_force = bad})) << bad;
    EXPECT_FALSE(checked({.force_ramp = bad})) << bad;
    EXPECT_FALSE(checked({.reach = bad})) << bad;
  }
  EXPECT_TRUE(checked({.damping = 0}));
  for (const double bad : {-1.0, nan, inf}) EXPECT_FALSE(checked({.damping = bad})) << bad;
  EXPECT_EQ(checked({.stiffness = -3}).error().message, "stiffness is -3 N/m");
}

}  // namespace oloid::test::force_law_test
