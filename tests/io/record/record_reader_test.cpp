#include "oloid/io/record/record_reader.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "io/old_record.h"
#include "io/same_record.h"
#include "support/rooms.h"

namespace oloid::test::record_reader_test {

TEST(RecordReader, GivesBackWhatWasRecorded) {
  const TestFolder folder;
  const int count = 701;  // not a multiple of a block
  record(folder / "run.h5", count);
  const auto read = RecordReader::open(folder / "run.h5");
  ASSERT_TRUE(read) << to_string(read.error());
  expect_same(read->header(), sample_header());
  ASSERT_EQ(read->frames(), static_cast<std::size_t>(count));
  EXPECT_FALSE(read->recovered());
  for (const auto& [first, wanted] : {std::pair(0, 300), {300, 401}, {700, 5}, {0, 1}}) {
    const auto block =
        read->read(static_cast<std::size_t>(first), static_cast<std::size_t>(wanted));
    ASSERT_TRUE(block);
    ASSERT_EQ(static_cast<int>(block->count), std::min(wanted, count - first));
    for (std::size_t i = 0; i < block->count; ++i)
      expect_same(block->frame(i), sample_frame(first + static_cast<int>(i)).frame);
  }
  EXPECT_EQ(read->read(701, 1)->count, 0u);
  ASSERT_EQ(read->events().size(), 4u);
  expect_same(read->events()[0], sample_event());
  EXPECT_EQ(read->events()[1].kind, EventKind::probe);
  EXPECT_EQ(read->events()[1].probe, 1);
  ASSERT_TRUE(read->summary());
  expect_same(*read->summary(), sample_summary());
}

// The same plain data: rows of contacts, and contacts that are numbered as they began.
TEST(RecordReader, ReadsFormats1And2) {
  const TestFolder folder;
  for (const int format : {1, 2}) {
    write_old_record(folder / "old.h5", format, 201);
    const auto read = RecordReader::open(folder / "old.h5");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->header().pairs, sample_header().pairs);
    EXPECT_TRUE(read->header().chart_crossings);
    EXPECT_EQ(read->header().build, format == 1 ? "" : sample_header().build);
    EXPECT_TRUE(read->events_are_frames());
    ASSERT_EQ(read->frames(), 203u);
    const auto block = read->read(90, 13);
    ASSERT_TRUE(block);
    for (std::size_t i = 0; i < 10; ++i) {
      SampleFrame expected = sample_frame(90 + static_cast<int>(i));
      expected.frame.probes = {};
      expect_same(block->frame(i), expected.frame);
    }
    EXPECT_EQ(block->frame(11).event_side, -1);
    EXPECT_EQ(block->frame(11).contacts[0].mode, Mode::sliding);
    EXPECT_EQ(block->frame(12).contacts[0].id, ContactId{0});
    ASSERT_EQ(read->events().size(), 3u);
    for (const std::size_t i : {0u, 1u}) {
      EXPECT_EQ(read->events()[i].pair, 0);
      EXPECT_EQ(read->events()[i].contact, ContactId{0});
    }
    EXPECT_EQ(read->events()[2].pair, -1);
    EXPECT_EQ(read->events()[2].probe, -1);
    ASSERT_TRUE(read->summary());
    EXPECT_EQ(read->summary()->t_end, 2);
    EXPECT_EQ(read->summary()->counters.steps, 100);
    EXPECT_EQ(read->summary()->bodies.size(), 2u);
  }
}

std::string refusal(const std::string& path) {
  const auto read = RecordReader::open(path);
  return read ? "none" : to_string(read.error());
}

TEST(RecordReader, SaysWhatIsNoRecord) {
  testing::internal::CaptureStderr();
  const TestFolder folder;
  EXPECT_NE(refusal(folder / "nothing.h5").find("cannot open the file"), std::string::npos);
  EXPECT_NE(refusal(folder / "").find("directory"), std::string::npos);
  write_file(folder / "text.h5", "a text");
  EXPECT_NE(refusal(folder / "text.h5").find("this is not a record"), std::string::npos);
  write_file(folder / "empty.h5", "");
  EXPECT_NE(refusal(folder / "empty.h5").find("this is not a record"), std::string::npos);
  record(folder / "run.h5");
  write_file(folder / "cut.h5", read_file(folder / "run.h5").substr(0, 3000));
  EXPECT_NE(refusal(folder / "cut.h5").find("damaged"), std::string::npos);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Reads all of a file; whether it was refused on the way.
bool is_refused(const std::string& path) {
  const auto read = RecordReader::open(path);
  return !read || !read->read(0, read->frames());
}

// Bytes that went wrong: refused, or read to the end, but never a crash. In a process of its own:
// the library cannot always close what was damaged, and says so at exit.
TEST(RecordReader, SurvivesDamage) {
  const TestFolder folder;
  record(folder / "run.h5", 40);
  const std::string good = read_file(folder / "run.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    std::mt19937 random(7);  // NOLINT: the same in every run
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
      std::string bad = good;
      for (int k = 0; k < 20; ++k) bad[random() % bad.size()] = static_cast<char>(random());
      if (i % 5 == 0) bad.resize(random() % bad.size());
      write_file(folder / "bad.h5", bad);
      refused += is_refused(folder / "bad.h5");
    }
    ::_exit(refused > 20 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Rows have checksums: whatever single byte of a record goes wrong, it is refused, or its frames
// are what they were.
TEST(RecordReader, NoticesDamagedRows) {
  const TestFolder folder;
  const int count = 300;
  record(folder / "run.h5", count);
  const std::string good = read_file(folder / "run.h5");
  const auto frames_of = [&](const std::string& path) -> std::optional<std::vector<double>> {
    const auto read = RecordReader::open(path);
    if (!read) return std::nullopt;
    const auto block = read->read(0, read->frames());
    if (!block) return std::nullopt;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < block->count; ++i) {
      const Frame frame = block->frame(i);
      numbers.push_back(frame.t);
      for (const BodyFrame& body : frame.bodies) {
        for (int k = 0; k < 3; ++k) numbers.push_back(body.position(k));
      }
    }
    return numbers;
  };
  const auto expected = frames_of(folder / "run.h5");
  ASSERT_TRUE(expected);
  const pid_t child = ::fork();
  if (child == 0) {
    std::mt19937 random(11);  // NOLINT: the same in every run
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
      std::string bad = good;
      bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
      write_file(folder / "bad.h5", bad);
      const auto found = frames_of(folder / "bad.h5");
      if (found && *found != *expected) ::_exit(2);
      refused += !found;
    }
    ::_exit(refused > 20 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// By what is in it; a file that is missing or empty by its name.
TEST(IsRecord, ByContentThenByName) {
  const TestFolder folder;
  write_file(folder / "scene.h5", "oloid = 1\nduration = 1\n");
  EXPECT_FALSE(is_record(folder / "scene.h5"));
  write_file(folder / "record.toml", std::string("\x89HDF\r\n\x1a\n more", 13));
  EXPECT_TRUE(is_record(folder / "record.toml"));
  write_file(folder / "empty.h5.part", "");
  EXPECT_TRUE(is_record(folder / "empty.h5.part"));
  EXPECT_TRUE(is_record(folder / "none.h5"));
  EXPECT_FALSE(is_record(folder / "none.toml"));
}

}  // namespace oloid::test::record_reader_test
