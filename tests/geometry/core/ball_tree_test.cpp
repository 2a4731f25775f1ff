#include "oloid/geometry/core/ball_tree.h"

#include <gtest/gtest.h>

#include <random>

#include "support/rooms.h"

namespace oloid::test::ball_tree_test {

TEST(BallTree, NearestIsThatOfAllPoints) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] {
    const double x = number(engine), y = number(engine), z = number(engine);
    return Vec3<double>(x, y, z);
  };
  for (const int n : {1, 2, 8, 9, 100, 1000}) {
    std::vector<Vec3<double>> points;
    points.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) points.push_back(i % 7 == 3 ? points[0] : vector());
    const BallTree tree(points);
    for (int k = 0; k < 100; ++k) {
      const Vec3<double> p = k % 3 == 0 ? points[static_cast<std::size_t>(k % n)] : 2 * vector();
      int best = 0;
      for (int i = 1; i < n; ++i) {
        const auto distance = [&](int j) {
          return (points[static_cast<std::size_t>(j)] - p).norm();
        };
        if (distance(i) < distance(best)) best = i;
      }
      EXPECT_EQ(tree.nearest(p).point, best);
      EXPECT_EQ(tree.nearest(p).distance, (points[static_cast<std::size_t>(best)] - p).norm());
    }
  }
}

}  // namespace oloid::test::ball_tree_test
