#include "oloid/proximity/broad.h"

#include <gtest/gtest.h>

#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::broad_test {

Box random_box(Random& random, double world, double size) {
  const Vec3<double> p = random.vector<3>(-world, world);
  const Vec3<double> half(random(0, size), random(0, size), random(0, size));
  return {p - half, p + half};
}

std::vector<BroadPhase::Pair> all_pairs(const std::vector<Box>& boxes, double margin) {
  std::vector<BroadPhase::Pair> pairs;
  for (int a = 0; a < static_cast<int>(boxes.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(boxes.size()); ++b) {
      const Box &x = boxes[static_cast<std::size_t>(a)], &y = boxes[static_cast<std::size_t>(b)];
      bool near = true;
      for (int i = 0; i < 3; ++i)
        near = near && x.low(i) - margin <= y.high(i) && y.low(i) - margin <= x.high(i);
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
    for (int i = 0; i < n; ++i) {
      boxes.push_back(random_box(random, 3, 0.3));
      EXPECT_EQ(broad.add(boxes.back()), i);
    }
    for (int step = 0; step < 30; ++step) {
      const double margin = step % 3 == 0 ? 0 : 0.1;
      EXPECT_EQ(broad.near_pairs(margin), all_pairs(boxes, margin));
      for (int i = 0; i < n; ++i) {
        Box& box = boxes[static_cast<std::size_t>(i)];
        const Vec3<double> by =
            step == 20 ? random.vector<3>(-5, 5) : random.vector<3>(-0.05, 0.05);
        box = {box.low + by, box.high + by};
        broad.move(i, box);
      }
    }
  }
}

TEST(BroadPhase, TakesUnboundedBoxesAndThoseOfNoNumbers) {
  BroadPhase broad;
  const double infinity = std::numeric_limits<double>::infinity();
  broad.add({{0, 0, 0}, {1, 1, 1}});
  broad.add({{-infinity, -infinity, -infinity}, {infinity, infinity, 0}});  // a ground
  broad.add({{5, 5, 5}, {6, 6, 6}});
  EXPECT_EQ(broad.near_pairs(0), (std::vector<BroadPhase::Pair>{{0, 1}}));
  broad.move(2, {Vec3<double>::Constant(NAN), {6, 6, 6}});
  EXPECT_EQ(broad.near_pairs(0), (std::vector<BroadPhase::Pair>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(placed(Mat3<double>::Identity(), {1, 2, 3}, everywhere()).low.x(), -infinity);
}

TEST(BroadPhase, APlacedBoxHoldsAllPointsOfTheBox) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Box box = random_box(random, 1, 1);
    const Mat3<double> R = random.rotation();
    const Vec3<double> p = random.vector<3>(-2, 2);
    const Box moved = placed(R, p, box);
    for (int k = 0; k < 50; ++k) {
      const Vec3<double> part = 0.5 * (random.vector<3>(-1, 1) + Vec3<double>::Ones());
      EXPECT_TRUE(moved.contains(R * (box.low + part.cwiseProduct(box.size())) + p, 1e-12));
    }
  }
}

}  // namespace oloid::test::broad_test
