#include "oloid/haptics/pair_finder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "support/haptic_bodies.h"
#include "support/rooms.h"

namespace oloid::test::pair_finder_test {

constexpr double kStep = 1e-3;
constexpr ForceLaw kLaw{1000, 0, 1000, 500, 0.2};

Pose<double> over_the_sheet(int i) {
  const double s = 1e-3 * i;
  return at(0.5 + 0.4 * std::sin(3 * s), 0.5 + 0.3 * std::sin(2 * s),
            0.13 + 0.05 * std::cos(9 * s));
}
TouchableBody bumpy_sheet() { return sheet(sheet_net(uniform_knots(3, 9), bumps)); }

TEST(PairFinder, FindsBothWallsOfAGroove) {
  Bench bench(ball(0.5), channel(4), {.reach = 1});
  EXPECT_FALSE(bench.finder.step());  // no pose yet
  EXPECT_EQ(bench.settle(at(0, 0.1, 0.7)).pairs, 2);
  EXPECT_TRUE(bench.finder.step());
  EXPECT_FALSE(bench.finder.step());
}

// The same calls give the same bits.
TEST(PairFinder, RepeatsItselfWithoutAThread) {
  const auto run = [] {
    Bench bench(ball(0.1), bumpy_sheet(), kLaw);
    std::vector<double> forces;
    for (int i = 0; i < 500; ++i) {
      if (i % 20 == 1) bench.finder.step();
      const Wrench<double>& f = bench.tool.update(over_the_sheet(4 * i), kStep).wrench;
      for (int k = 0; k < 3; ++k) forces.push_back(f.f(k) + 3 * f.t(k));
    }
    return forces;
  };
  EXPECT_EQ(run(), run());
}

// A thread that searches as fast as it can changes nothing while the pair is followed, and updates
// go on beside it.
TEST(PairFinder, FindsBesideTheLoop) {
  Bench bench(ball(0.1), bumpy_sheet(), kLaw);
  bench.finder.start(0);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (bench.tool.update(over_the_sheet(0), kStep).pairs == 0) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  double largest = 0, change = 0, before = 0;
  for (int i = 0; i < 20000; ++i) {
    const HapticOutput& out = bench.tool.update(over_the_sheet(i), kStep);
    const double force = out.wrench.f.norm();
    largest = std::max(largest, force);
    change = std::max(change, std::abs(force - before));
    before = force;
  }
  bench.finder.stop();
  EXPECT_GT(largest, 5);
  EXPECT_LT(change, 2);  // 1.5 mm an update, 1000 N/m
  EXPECT_EQ(bench.tool.output().counters.lost, 0);
  EXPECT_GT(bench.tool.output().counters.searches, 1);
}

TEST(PairFinder, MayEndInAnyOrder) {
  const TouchableBody A = ball(0.1), B = half_space();
  std::optional<HapticTool> tool(*HapticTool::make(A, B, kLaw));
  PairFinder finder(*tool);
  finder.start(1e-4);
  for (int i = 0; i < 100; ++i) tool->update(at(0, 0, 0.2), kStep);
  tool.reset();
  finder.start(1e-3);  // once more
  finder.stop();
  finder.stop();
}

}  // namespace oloid::test::pair_finder_test
