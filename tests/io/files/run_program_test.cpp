#include "oloid/io/files/run_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::run_program_test {

TEST(RunProgram, TellsHowAProgramEnded) {
  EXPECT_EQ(run_program({"true"}, {}), 0);
  EXPECT_EQ(run_program({"/bin/sh", "-c", "exit 3"}, {}), 3);
  EXPECT_EQ(run_program({"/bin/sh", "-c", "kill -9 $$"}, {}), 128 + 9);
  EXPECT_EQ(run_program({"/no/such/program"}, {}), -ENOENT);
}

TEST(RunProgram, GivesTheProgramOtherStreams) {
  const TestFolder folder;
  const std::string path = folder / "out.txt";
  const int out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(out, 0);
  EXPECT_EQ(run_program({"echo", "two words"}, {-1, out, -1}), 0);
  ::close(out);
  EXPECT_EQ(read_file(path), "two words\n");
}

TEST(RunProgram, LeavesAProgramThatTakesTooLongToItself) {
  EXPECT_EQ(run_program({"true"}, {}, std::chrono::seconds(5)), 0);
  EXPECT_EQ(run_program({"sleep", "1"}, {}, std::chrono::milliseconds(100)), std::nullopt);
}

}  // namespace oloid::test::run_program_test
