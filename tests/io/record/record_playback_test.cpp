#include "oloid/io/record/record_playback.h"

#include <gtest/gtest.h>

#include "io/same_record.h"
#include "support/rooms.h"

namespace oloid::test::record_playback_test {

// A record played into another record is the same record.
TEST(RecordPlayback, PlaysTheRunAgain) {
  const TestFolder folder;
  record(folder / "run.h5", 1500);
  const auto first = RecordReader::open(folder / "run.h5");
  ASSERT_TRUE(first);
  {
    const auto recorder = make_record_file(folder / "again.h5");
    ASSERT_TRUE(recorder);
    const auto trouble = play(*first, **recorder);
    ASSERT_FALSE(trouble);
  }
  const auto second = RecordReader::open(folder / "again.h5");
  ASSERT_TRUE(second);
  expect_same(second->header(), first->header());
  ASSERT_EQ(second->frames(), first->frames());
  const auto a = first->read(0, 1500), b = second->read(0, 1500);
  for (std::size_t i = 0; i < a->count; ++i) expect_same(a->frame(i), b->frame(i));
  ASSERT_EQ(second->events().size(), first->events().size());
  for (std::size_t i = 0; i < first->events().size(); ++i)
    expect_same(first->events()[i], second->events()[i]);
  expect_same(*first->summary(), *second->summary());
}

TEST(RecordPlayback, ReadsThePartOfARunThatStopped) {
  const TestFolder folder;
  {
    const auto recorder = make_record_file(folder / "run.h5");
    (*recorder)->begin(sample_header());
    for (int k = 0; k < 300; ++k) (*recorder)->frame(sample_frame(k).frame);
    (*recorder)->event(sample_event());
  }  // without end()
  const auto read = RecordReader::open(folder / "run.h5.part");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->frames(), 300u);
  EXPECT_EQ(read->events().size(), 1u);
  EXPECT_FALSE(read->summary());
  struct Last final : Recorder {
    Summary summary;
    void begin(const Header&) override {}
    void frame(const Frame&) override {}
    void event(const Event&) override {}
    void end(const Summary& s) override { summary = s; }
  } last;
  ASSERT_FALSE(play(*read, last));
  EXPECT_EQ(last.summary.t_end, sample_frame(299).frame.t);
  EXPECT_EQ(last.summary.energy.dissipated, sample_frame(299).frame.energy.dissipated);
  EXPECT_EQ(last.summary.bodies.size(), 2u);
}

}  // namespace oloid::test::record_playback_test
