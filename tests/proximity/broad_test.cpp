#include "oloid/proximity/broad.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::broad_test {

Box random_box(Random& random, double world, double size) {
  const Vec3<double> p = random.vector<3>(-world, world);
  const Vec3<double> half(random(0, size), random(0, size), random(0, size));
  return {p - half, p + half};
}

std::vector<BroadPhase::Pair> all_pairs(const std::vector<Box>& boxes) {
  std::vector<BroadPhase::Pair> pairs;
  for (int a = 0; a < static_cast<int>(boxes.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(boxes.size()); ++b) {
      const Box &x = boxes[static_cast<std::size_t>(a)], &y = boxes[static_cast<std::size_t>(b)];
      bool near = true;
      for (int i = 0; i < 3; ++i) near = near && x.low(i) <= y.high(i) && y.low(i) <= x.high(i);
      if (near) pairs.push_back({a, b});
    }
  }
  return pairs;
}

TEST(BroadPhase, FindsWhatComparingAllFinds) {
  Random random(1);
  for (const int n : {0, 1, 2, 50, 300}) {
    BroadPhase broad;
    std::vector<Box> boxes;
    for (int i = 0; i < n; ++i) {  // of all sizes, and some without any
      const double size = i % 7 == 0 ? 0 : std::pow(10, random(-3, 0.5));
      boxes.push_back(random_box(random, 3, size));
      EXPECT_EQ(broad.add(boxes.back()), i);
    }
    for (int step = 0; step < 20; ++step) {
      EXPECT_EQ(broad.near_pairs(), all_pairs(boxes));
      for (int i = 0; i < n; ++i) {
        if (step % 2 == 1 && i % 3 != 0) continue;
        Box& box = boxes[static_cast<std::size_t>(i)];
        const Vec3<double> by = random.vector<3>(-1, 1) * (step == 10 ? 1e9 : 0.05);
        box = {box.low + by, box.high + by};
        broad.move(i, box);
      }
    }
  }
}

TEST(BroadPhase, NeighboursOfOneBody) {
  BroadPhase broad;
  for (const double x : {0.0, 1.0, 0.5, 9.0}) broad.add(around({x, 0, 0}, 0.3));
  EXPECT_EQ(broad.near(2), (std::vector<int>{0, 1}));
  EXPECT_TRUE(broad.near(0) == std::vector<int>{2});
  EXPECT_TRUE(broad.near(3).empty());
  broad.move(3, around({0, 0, 0}, 20));  // around all of them
  EXPECT_EQ(broad.near(3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(broad.near(0), (std::vector<int>{2, 3}));
}

TEST(BroadPhase, TakesUnboundedBoxesAndThoseOfNoNumbers) {
  BroadPhase broad;
  const double infinity = std::numeric_limits<double>::infinity();
  broad.add({{0, 0, 0}, {1, 1, 1}});
  broad.add({{-infinity, -infinity, -infinity}, {infinity, infinity, 0}});  // a ground
  broad.add({{5, 5, 5}, {6, 6, 6}});
  EXPECT_EQ(broad.near_pairs(), (std::vector<BroadPhase::Pair>{{0, 1}}));
  broad.move(2, {Vec3<double>::Constant(NAN), {6, 6, 6}});
  EXPECT_EQ(broad.near_pairs(), (std::vector<BroadPhase::Pair>{{0, 1}, {0, 2}, {1, 2}}));
  broad.move(2, {{5, 5, 5}, {1e300, 6, 6}});
  EXPECT_EQ(broad.near_pairs(), (std::vector<BroadPhase::Pair>{{0, 1}}));
  broad.move(0, Box{});  // empty
  EXPECT_TRUE(broad.near_pairs().empty());
}

}  // namespace oloid::test::broad_test
