#include "oloid/geometry/core/series.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::series_test {

using Series = std::array<double, 4>;

Series random_series(Random& random) {
  Series a{};
  for (double& x : a) x = random(-1, 1);
  a[0] += 2;
  return a;
}

TEST(Series, QuotientsAndRootsUndoProducts) {
  for_random_cases(20, [](Random& random) {
    const Series a = random_series(random), b = random_series(random);
    const Series back = series::quotient(series::product(a, b), b);
    const Series root = series::root(a), square = series::product(root, root);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(back[k], a[k], 64 * kEps);
      EXPECT_NEAR(square[k], a[k], 16 * kEps);
    }
  });
}

// √(1 + ε) = 1 + ε/2 − ε²/8 + ε³/16.
TEST(Series, RootsAreTheBinomialSeries) {
  const Series root = series::root(Series{1, 1, 0, 0});
  EXPECT_NEAR(root[1], 0.5, kEps);
  EXPECT_NEAR(root[2], -0.125, kEps);
  EXPECT_NEAR(root[3], 0.0625, kEps);
}

}  // namespace oloid::test::series_test
