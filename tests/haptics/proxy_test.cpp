#include "oloid/haptics/proxy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/haptic_bodies.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::proxy_test {

constexpr ForceLaw kLaw{1000, 0, 1000, 1e6, 1};

// A ball in a channel z = c x² / 2 that is narrower than itself rests on both walls with its centre
// at h = c (r² + 1/c²) / 2.
struct Groove : Bench {
  static constexpr double r = 0.5, c = 4;
  static constexpr double rest = 0.5 * c * (r * r + 1 / (c * c));
  Groove() : Bench(ball(r), channel(c), kLaw) { settle(at(0, 0.1, rest + 0.05)); }
};

TEST(Proxy, TouchesBothWallsOfAGroove) {
  Groove groove;
  ASSERT_EQ(groove.tool.output().pairs, 2);
  for (const double depth : {1e-6, 1e-3, 0.02, 0.1}) {
    const HapticOutput& out = groove.tool.update(at(0, 0.1, Groove::rest - depth), 1e-3);
    ASSERT_EQ(out.touching, 2) << depth;
    EXPECT_LE((out.proxy.p - Vec3<double>(0, 0.1, Groove::rest)).norm(), 1e-12) << depth;
    EXPECT_LE(out.proxy_depth, 1e-12);
  }
}

TEST(Proxy, IsTheNearestPoseThatTouches) {
  Groove groove;
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Pose<double> X =
        at(random(-0.04, 0.04), random(-0.2, 0.2), Groove::rest - random(0, 0.05));
    const HapticOutput out = groove.tool.update(X, 1e-3);
    ASSERT_EQ(out.pairs, 2);
    // At the proxy nothing overlaps, and from it every small step back towards the tool does.
    const auto deepest = [&](const Vec3<double>& p) {
      Bench again(ball(Groove::r), channel(Groove::c), kLaw);
      const HapticOutput& there = again.settle({X.R, p});
      return std::min(there.contacts[0].gap, there.pairs > 1 ? there.contacts[1].gap : 1);
    };
    EXPECT_NEAR(deepest(out.proxy.p), 0, 1e-11);
    const Vec3<double> way = out.proxy.p - X.p;
    for (int k = 0; k < 8; ++k) {
      // Poses nearer to the tool overlap.
      const Vec3<double> nearer = X.p + 0.98 * way.norm() * random.vector<3>(-1, 1).normalized();
      EXPECT_LT(deepest(nearer), 0);
    }
  }
}

TEST(Proxy, MovesAlongTheNormalOfOnePair) {
  Bench bench(ball(0.2), half_space(), kLaw);
  bench.settle(at(0, 0, 0.21));
  const HapticOutput& out = bench.tool.update(at(0.3, -0.1, 0.17), 1e-3);
  EXPECT_LE((out.proxy.p - Vec3<double>(0.3, -0.1, 0.2)).norm(), 1e-15);
}

}  // namespace oloid::test::proxy_test
