#include "oloid/base/did_you_mean.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::did_you_mean_test {

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("mass", "mass"), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("mas", "mass"), 1);
  EXPECT_EQ(edit_distance("msas", "mass"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(DidYouMean, ProposesOnlyWhatIsNear) {
  const std::string_view keys[] = {"position", "orientation", "mass", "c"};
  EXPECT_EQ(did_you_mean("postion", keys), "position");
  EXPECT_EQ(did_you_mean("Mass", keys), "mass");
  EXPECT_EQ(did_you_mean("colour", keys), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'x'), keys), "");
}

}  // namespace oloid::test::did_you_mean_test
