#include "oloid/io/files/disk_space.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::disk_space_test {

TEST(DiskSpace, ReservesWithoutChangingTheFile) {
  const TestFolder folder;
  write_file(folder / "a", "text");
  DiskSpace space(folder / "a");
  EXPECT_EQ(space.ensure(1'000'000), 0);
  EXPECT_EQ(space.ensure(10), 0);
  EXPECT_EQ(read_file(folder / "a"), "text");
  space.release();
  EXPECT_EQ(read_file(folder / "a"), "text");
}

TEST(DiskSpace, KnowsTheLimitOfTheProcess) {
  const TestFolder folder;
  write_file(folder / "a", "text");
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  DiskSpace space(folder / "a");
  EXPECT_EQ(space.ensure(90'000), 0);
  EXPECT_EQ(space.ensure(110'000), EFBIG);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
}

TEST(DiskSpace, LeavesTheDecisionOpenWhereItCannotTell) {
  DiskSpace none;
  EXPECT_EQ(none.ensure(1 << 30), 0);
  none.release();
}

}  // namespace oloid::test::disk_space_test
