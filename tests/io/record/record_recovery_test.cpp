#include "oloid/io/record/record_recovery.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "io/sample_run.h"
#include "oloid/io/record/record_file.h"
#include "oloid/io/record/record_reader.h"
#include "support/rooms.h"

namespace oloid::test::record_recovery_test {

namespace fs = std::filesystem;

// Leaves the part of a run that was killed after this many frames.
void kill_after(const std::string& path, int frames) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto record = make_record_file(path);
    (*record)->begin(sample_header());
    for (int k = 0; k < frames; ++k) {
      if (k == 100) (*record)->event(sample_event());
      (*record)->frame(sample_frame(k).frame);
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(RecordRecovery, KeepsWhatWasFlushed) {
  const TestFolder folder;
  for (const int frames : {256, 700, 2000}) {
    const std::string path = folder / fmt::format("run{}.h5", frames);
    kill_after(path, frames);
    const auto done = recover_record(path + ".part", "");
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(done->path, path);
    EXPECT_FALSE(fs::exists(path + ".part"));
    const auto read = RecordReader::open(path);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->recovered());
    EXPECT_FALSE(read->summary());
    EXPECT_EQ(read->frames(), static_cast<std::size_t>(frames / 256 * 256));  // whole blocks
    EXPECT_EQ(read->frames(), done->frames);
    EXPECT_EQ(read->events().size(), done->events);
    EXPECT_EQ(read->events().size(), 1u);
    const auto block = read->read(0, read->frames());
    ASSERT_TRUE(block);
    EXPECT_EQ(block->t.back(), done->t_end);
    for (std::size_t i = 0; i < block->count; ++i) {
      const SampleFrame expected = sample_frame(static_cast<int>(i));
      EXPECT_EQ(block->frame(i).t, expected.frame.t);
      EXPECT_EQ(block->frame(i).bodies[1].velocity, expected.bodies[1].velocity);
      EXPECT_EQ(block->frame(i).contacts[0].psi, expected.contacts[0].psi);
    }
  }
}

TEST(RecordRecovery, DamagesNothing) {
  testing::internal::CaptureStderr();
  const TestFolder folder;
  const std::string path = folder / "run.h5", part = path + ".part";
  kill_after(path, 600);
  const std::string before = read_file(part);
  write_file(path, "precious");
  const auto taken = recover_record(part, "");
  ASSERT_FALSE(taken);
  EXPECT_NE(to_string(taken.error()).find("already exists"), std::string::npos);
  EXPECT_EQ(read_file(path), "precious");
  EXPECT_EQ(read_file(part), before);

  EXPECT_FALSE(recover_record(part, folder / "nowhere/run.h5"));
  const auto missing = recover_record(folder / "missing.h5.part", path);
  ASSERT_FALSE(missing);
  EXPECT_NE(to_string(missing.error()).find("missing.h5.part: there is no such file"),
            std::string::npos);
  EXPECT_FALSE(recover_record(path, ""));  // not called .part
  EXPECT_EQ(read_file(part), before);

  write_file(folder / "bad.h5.part", before.substr(0, 4000));
  const auto damaged = recover_record(folder / "bad.h5.part", "");
  ASSERT_FALSE(damaged);
  EXPECT_NE(to_string(damaged.error()).find("damaged"), std::string::npos);
  EXPECT_EQ(read_file(folder / "bad.h5.part"), before.substr(0, 4000));

  ASSERT_TRUE(recover_record(part, folder / "other.h5"));
  EXPECT_EQ(read_file(path), "precious");
  EXPECT_TRUE(RecordReader::open(folder / "other.h5"));
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "")) files += entry.exists();
  EXPECT_EQ(files, 3u);  // precious, bad, other
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Nor does it replace a file that has the name under which it writes.
TEST(RecordRecovery, TakesNoNameOfAnother) {
  const TestFolder folder;
  const std::string path = folder / "run.h5", part = path + ".part";
  kill_after(path, 600);
  for (const char* name : {".recovered", ".recovered.part"}) {
    write_file(path + name, "precious");
    const auto taken = recover_record(part, "");
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().place.file, path + name);
    EXPECT_EQ(read_file(path + name), "precious");
    EXPECT_FALSE(fs::exists(path));
    fs::remove(path + name);
  }
  fs::create_symlink(folder / "nowhere", path);
  EXPECT_FALSE(recover_record(part, ""));
  EXPECT_TRUE(fs::is_symlink(path));
}

// A failure leaves nothing behind, and names what was asked for.
TEST(RecordRecovery, CleansUpAfterAFailure) {
  const TestFolder folder;
  const std::string part = folder / "run.h5.part", to = folder / "other.h5";
  kill_after(folder / "run.h5", 3000);
  const auto nowhere = recover_record(part, folder / "nowhere/other.h5");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().place.file, folder / "nowhere/other.h5");

  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t bytes : {100'000U, 500'000U}) {  // less than the header, less than the frames
    rlimit small = old;
    small.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto failed = recover_record(part, to);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    ASSERT_FALSE(failed) << bytes;
    EXPECT_EQ(to_string(failed.error()),
              to + ": not enough space for the record: File too large (raise the file size limit "
                   "(ulimit -f) or record fewer frames)");
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "")) files += entry.exists();
    EXPECT_EQ(files, 1u);  // the part
  }
  std::signal(SIGXFSZ, before);
  EXPECT_TRUE(recover_record(part, to));
}

TEST(RecordRecovery, LeavesARunAlone) {
  const TestFolder folder;
  const auto record = make_record_file(folder / "run.h5");
  (*record)->begin(sample_header());
  for (int k = 0; k < 600; ++k) (*record)->frame(sample_frame(k).frame);
  const auto busy = recover_record(folder / "run.h5.part", folder / "stolen.h5");
  ASSERT_FALSE(busy);
  EXPECT_NE(to_string(busy.error()).find("a run is writing"), std::string::npos);
  (*record)->end(sample_summary());
  EXPECT_FALSE((*record)->trouble());
}

}  // namespace oloid::test::record_recovery_test
