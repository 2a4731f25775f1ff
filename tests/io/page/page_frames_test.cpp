#include "oloid/io/page/page_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/rooms.h"

namespace oloid::test::page_frames_test {

// Frame k has the number k in its row.
void add(PageFrames& frames, int k, int side = 0) {
  const float row[] = {static_cast<float>(k), static_cast<float>(-k)};
  frames.add(0.1 * k, side, row);
}

TEST(PageFrames, KeepsAllThatFit) {
  PageFrames frames(200);  // rows of 2 numbers
  for (int k = 0; k < 100; ++k) add(frames, k);
  frames.finish();
  ASSERT_EQ(frames.size(), 100u);
  EXPECT_EQ(frames.kept_every(), 1);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(frames.t(i), 0.1 * static_cast<double>(i));
    EXPECT_EQ(frames.number(i, 1), -static_cast<float>(i));
  }
}

// However many come: evenly spaced, the first and the last among them, never too many.
TEST(PageFrames, ThinsOutEvenly) {
  for (const int count : {101, 200, 201, 1000, 12345}) {
    PageFrames frames(200);  // rows of 2 numbers
    for (int k = 0; k < count; ++k) add(frames, k);
    frames.finish();
    EXPECT_LE(frames.size(), 101u);
    EXPECT_GE(frames.size(), 50u);
    EXPECT_EQ(frames.seen(), count);
    EXPECT_EQ(frames.event_frames_dropped(), 0);
    const auto every = static_cast<float>(frames.kept_every());
    for (std::size_t i = 0; i + 1 < frames.size(); ++i)
      EXPECT_EQ(frames.number(i, 0), every * static_cast<float>(i));
    EXPECT_EQ(frames.number(frames.size() - 1, 0), static_cast<float>(count - 1)) << count;
  }
}

// Rows that grow: fewer fit from then on, and the earlier ones lack what came later.
TEST(PageFrames, LetsRowsGrow) {
  PageFrames frames(1000);
  for (int k = 0; k < 400; ++k) {
    const std::vector<float> row(k < 200 ? 2 : 10, static_cast<float>(k));
    frames.add(k, 0, row);
  }
  frames.finish();
  EXPECT_LE(frames.size(), 101u);
  EXPECT_EQ(frames.kept_every(), 4);
  EXPECT_TRUE(std::isnan(frames.number(0, 2)));
  EXPECT_EQ(frames.number(frames.size() - 2, 9), 396);
}

TEST(PageFrames, KeepsEventsBeforeOthers) {
  PageFrames frames(200);  // rows of 2 numbers
  for (int k = 0; k < 1000; ++k) {
    add(frames, k);
    if (k % 100 == 50) add(frames, k, -1), add(frames, k, +1);
  }
  frames.finish();
  EXPECT_EQ(frames.event_frames_dropped(), 0);
  int sides = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) sides += frames.side(i) != 0;
  EXPECT_EQ(sides, 20);
}

// Both frames of an event stay or go, and what went is counted.
TEST(PageFrames, DropsEventsInPairsWhenTheyAreTooMany) {
  PageFrames frames(200);  // rows of 2 numbers
  const int events = 5000;
  for (int k = 0; k < events; ++k) add(frames, k, -1), add(frames, k, +1);
  frames.finish();
  EXPECT_LE(frames.size(), 102u);
  int before = 0, after = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) ++(frames.side(i) < 0 ? before : after);
  EXPECT_LE(std::abs(before - after), 1);  // the last frame of all stays by itself
  EXPECT_EQ(frames.event_frames_dropped(), 2 * events - before - after);
  EXPECT_EQ(frames.number(frames.size() - 1, 0), static_cast<float>(events - 1));
}

}  // namespace oloid::test::page_frames_test
