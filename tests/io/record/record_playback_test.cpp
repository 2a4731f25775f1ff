#include "oloid/io/record/record_playback.h"

#include <gtest/gtest.h>

#include "io/old_record.h"
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

// Counts what it is shown.
struct Seen final : Recorder {
  std::vector<double> t;
  std::vector<int> sides;
  std::vector<Vec3<double>> balls, others;  // where two bodies are in each frame
  std::vector<Mode> modes;
  std::vector<EventKind> events;
  void begin(const Header&) override {}
  void frame(const Frame& f) override {
    t.push_back(f.t);
    sides.push_back(f.event_side);
    balls.push_back(f.bodies[1].position);
    others.push_back(f.bodies[0].position);
    modes.push_back(f.contacts.empty() ? Mode::separated : f.contacts[0].mode);
    EXPECT_EQ(f.event != nullptr, f.event_side != 0);
  }
  void event(const Event& e) override { events.push_back(e.kind); }
  void end(const Summary&) override {}
};

// A record keeps only what an event concerns; the others are shown where they move.
TEST(RecordPlayback, ShowsWholeFramesAroundEvents) {
  const TestFolder folder;
  Header header = sample_header();
  header.bodies = {"other", "ball", "table"};
  header.masses = {1, 2, 0};
  header.pairs = BodyPairs(std::vector<bool>{true, true, false});
  header.meshes.clear();
  header.probes.clear();
  Event event = sample_event();
  event.bodies = {BodyId{1}, BodyId{2}};
  event.pair = *header.pairs.find(BodyId{1}, BodyId{2});
  event.t = 0.004;
  {
    const auto recorder = make_record_file(folder / "run.h5");
    ASSERT_TRUE(recorder);
    (*recorder)->begin(header);
    const auto show = [&](double t, int side, Mode mode, const Event* of) {
      std::vector<BodyFrame> bodies(3);
      bodies[0].position = {t * t, 0, 0};  // a cubic has it exactly
      bodies[0].velocity = {2 * t, 0, 0};
      bodies[1].position = {0, side * 1.0, 7};
      ContactFrame contact;
      contact.pair = event.pair;
      contact.mode = mode;
      contact.id = ContactId{0};
      (*recorder)->frame({t, side, bodies, {&contact, 1}, {1, 2, 3, side * 4.0}, {}, of});
    };
    show(0, 0, Mode::sliding, nullptr);
    show(0.004, -1, Mode::sliding, &event);
    show(0.004, 1, Mode::rolling, &event);
    (*recorder)->event(event);
    show(0.01, 0, Mode::rolling, nullptr);
    (*recorder)->end(sample_summary());
    ASSERT_FALSE((*recorder)->trouble()) << to_string(*(*recorder)->trouble());
  }
  const auto read = RecordReader::open(folder / "run.h5");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->frames(), 2u);
  const auto states = read->event_states(0, 1);
  ASSERT_TRUE(states);
  EXPECT_EQ(states->bodies.size(), 4u);  // ball and table, before and after
  EXPECT_EQ(states->contacts.size(), 2u);
  EXPECT_EQ(read->event_energy(0).after.work, 4);
  Seen seen;
  ASSERT_FALSE(play(*read, seen));
  EXPECT_EQ(seen.t, (std::vector{0.0, 0.004, 0.004, 0.01}));
  EXPECT_EQ(seen.sides, (std::vector{0, -1, 1, 0}));
  EXPECT_EQ(seen.modes, (std::vector{Mode::sliding, Mode::sliding, Mode::rolling, Mode::rolling}));
  EXPECT_EQ(seen.balls[1].y(), -1);
  EXPECT_EQ(seen.balls[2].y(), 1);
  EXPECT_NEAR(seen.others[1].x(), 0.004 * 0.004, 1e-18);
  EXPECT_EQ(seen.events, std::vector{EventKind::mode_change});
}

TEST(RecordPlayback, PlaysFormat2AndWritesItAsTheNewestOne) {
  const TestFolder folder;
  write_old_record(folder / "old.h5", 2, 201);
  const auto old = RecordReader::open(folder / "old.h5");
  ASSERT_TRUE(old);
  {
    const auto recorder = make_record_file(folder / "new.h5");
    ASSERT_TRUE(recorder);
    ASSERT_FALSE(play(*old, **recorder));
  }
  const auto read = RecordReader::open(folder / "new.h5");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_FALSE(read->events_are_frames());
  EXPECT_EQ(read->frames(), 201u);
  ASSERT_EQ(read->events().size(), 3u);
  EXPECT_EQ(read->event_states(1, 1)->bodies.size(), 4u);
  Seen first, second;
  ASSERT_FALSE(play(*old, first));
  ASSERT_FALSE(play(*read, second));
  EXPECT_EQ(first.t, second.t);
  EXPECT_EQ(first.sides, second.sides);
  EXPECT_EQ(first.modes, second.modes);
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
