#include "oloid/world/compile/error_list.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/rooms.h"

namespace oloid::test::error_list_test {

TEST(ErrorList, KeepsWhatIsRefused) {
  ErrorList errors;
  EXPECT_TRUE(errors.in_range(Located<double>(2, {}), "mass", 1, 3, ""));
  EXPECT_TRUE(errors.bounded(Located<Vec3<double>>(Vec3<double>(1, 2, 3), {}), "position"));
  EXPECT_TRUE(errors.empty());
  EXPECT_FALSE(errors.in_range(Located<double>(NAN, {}), "mass", 1, 3, "in kg"));
  EXPECT_FALSE(errors.bounded(Located<Vec3<double>>(Vec3<double>(1e10, 0, 0), {}), "position"));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors.all()[0].message, "mass is nan, outside [1, 3]");
  EXPECT_EQ(errors.all()[0].remedy, "in kg");
  errors.take(Errors{{{}, "more", ""}});
  EXPECT_EQ(errors.all().back().message, "more");
  errors.take(Error{{}, "one", ""});
  EXPECT_EQ(errors.all().back().message, "one");
}

}  // namespace oloid::test::error_list_test
