#include "oloid/geometry/bezier/part_ranges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/surfaces.h"
#include "support/rooms.h"

namespace oloid::test::part_ranges_test {

Rows random_triangle_net(Random& random, int n) {
  Rows net;
  for (int j = 0; j <= n; ++j) {
    net.emplace_back();
    for (int i = 0; i + j <= n; ++i)
      net.back().push_back(Vec3<double>(i, j, 0) / n + random.vector<3>(-0.1, 0.1) / n);
  }
  return net;
}

std::vector<Patch> patches(Random& random) {
  WeightRows weights;
  for (int i = 0; i < 4; ++i) weights.push_back({random(0.5, 2), 1, 1.2, random(0.5, 2)});
  return {make_patch(random_net(random, 4, 4)).value(),
          make_patch(random_net(random, 3, 6)).value(),
          make_patch(random_net(random, 2, 2)).value(),
          make_patch(random_net(random, 4, 4), weights).value(),
          make_triangle(random_triangle_net(random, 4)).value(),
          make_triangle(random_triangle_net(random, 2)).value()};
}

struct Rectangle {
  Uv<double> low, high;
};
Rectangle random_rectangle(Random& random, const Patch& patch, double size) {
  const double most = domain(patch).sides() == 3 ? 0.5 - size : 1 - size;
  const Uv<double> low = random.vector<2>(0, std::max(most, 1e-9));
  return {low, low + size * random.vector<2>(0.5, 1)};
}

// What is found at points of the rectangle lies in the ranges, up to third derivatives.
TEST(PartRanges, HoldAllDerivatives) {
  for_random_cases(20, [](Random& random) {
    for (const Patch& patch : patches(random)) {
      const Rectangle part = random_rectangle(random, patch, random(0.01, 0.5));
      const Jet<Interval, 3> ranges = part_ranges(patch, part.low, part.high);
      for (int n = 0; n < 30; ++n) {
        Uv<double> q = random.vector<2>(0, 1);
        if (n < 4) q = {n % 2, n / 2};  // the corners
        const Jet<double, 3> at =
            jet<3>(patch, Uv<double>(part.low + q.cwiseProduct(part.high - part.low)));
        for (std::size_t k = 0; k < at.terms.size(); ++k) {
          for (int x = 0; x < 3; ++x) {
            EXPECT_GE(at.terms[k](x), ranges.terms[k](x).low - 1e-12);
            EXPECT_LE(at.terms[k](x), ranges.terms[k](x).high + 1e-12);
          }
        }
      }
    }
  });
}

// Polynomials: what the ranges add to the values at the corners falls with the square of the size.
// Interval arithmetic adds in proportion to it.
TEST(PartRanges, AreTightOverSmallParts) {
  Random random(3);
  for (const Patch& patch : patches(random)) {
    if (rational(patch)) continue;
    std::vector<double> excesses;
    const Uv<double> low(0.2, 0.3);
    for (const double size : {0.08, 0.005}) {
      const Jet<Interval, 3> ranges = part_ranges(patch, low, low + Uv<double>(size, size));
      double excess = 0;
      for (int x = 0; x < 3; ++x) {
        double least = INFINITY, most = -INFINITY;
        for (int n = 0; n < 4; ++n) {
          const double v =
              jet<1>(patch, Uv<double>(low + size * Uv<double>(n % 2, n / 2))).d(1, 0)(x);
          least = std::min(least, v);
          most = std::max(most, v);
        }
        const Interval& range = ranges.d(1, 0)(x);
        excess = std::max(excess, (range.high - range.low) - (most - least));
      }
      excesses.push_back(excess);
    }
    EXPECT_LT(excesses[1], 0.04 * excesses[0] + 1e-10);
  }
}

}  // namespace oloid::test::part_ranges_test
