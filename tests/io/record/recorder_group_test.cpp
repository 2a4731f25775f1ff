#include "oloid/io/record/recorder_group.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::recorder_group_test {

class Counting final : public Recorder {
 public:
  Counting(int& calls, bool troubled) : calls_(calls), troubled_(troubled) {}
  void begin(const Header&) override { calls_ += 1; }
  void frame(const Frame&) override { calls_ += 10; }
  void event(const Event&) override { calls_ += 1000; }
  void end(const Summary&) override { calls_ += 100000; }
  std::optional<Error> trouble() const override {
    if (!troubled_) return std::nullopt;
    return Error{{}, "trouble", ""};
  }

 private:
  int& calls_;
  bool troubled_;
};

TEST(RecorderGroup, PassesEverythingToEveryone) {
  int a = 0, b = 0;
  RecorderGroup group;
  EXPECT_TRUE(group.empty());
  group.add(std::make_unique<Counting>(a, false));
  EXPECT_FALSE(group.trouble());
  group.add(std::make_unique<Counting>(b, true));
  play(group, 3);
  EXPECT_EQ(a, 102031);
  EXPECT_EQ(b, 102031);
  ASSERT_TRUE(group.trouble());
  EXPECT_EQ(group.trouble()->message, "trouble");
}

}  // namespace oloid::test::recorder_group_test
