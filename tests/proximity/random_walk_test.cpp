// Long random motions of two bodies in and out of contact: the pair is continuous, except at folds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "oloid/base/largest.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/tracker.h"
#include "oloid/spatial/rotation.h"
#include "support/patches.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::random_walk_test {

constexpr int kSteps = 100000;

struct WalkCount {
  int steps = 0, overlapping = 0, vanished = 0, left = 0, failed = 0, restarts = 0, jumps = 0;
  double worst = 0;  // how far a point came out from where the velocity form led it, by the size
};

// A drifts about B with a random velocity, drawn towards touching it. A pair that is lost is found
// anew by a search, after A has been taken out of B.
class RandomWalk {
 public:
  RandomWalk(const TouchableBody& A, const TouchableBody& B, double size, unsigned seed)
      : A_(A), B_(B), size_(size), random_(seed), tracker_(A, B) {}

  WalkCount run(int steps) {
    X_ = {random_.rotation(), {0, 0, 2.5 * size_}};
    restart();
    for (count_.steps = 0; count_.steps < steps; ++count_.steps) step();
    return count_;
  }

 private:
  void restart() {
    ++count_.restarts;
    for (int out = 0; out < 100; ++out, X_.p *= 1.1) {
      TrackedPair best;
      best.gap = INFINITY;
      for (const Spot& a : A_.seeds()) {
        const Vec3<double> p = X_ * A_.at(a).p;
        const TrackedPair pair = nearest_from(A_, B_, X_, a, B_.near(p), X_.p.normalized());
        if (pair.status == PairStatus::found && pair.gap < best.gap) best = pair;
      }
      if (best.gap > 0 && std::isfinite(best.gap)) {
        tracker_.start(X_, best);
        return;
      }
    }
    FAIL() << "nothing found";
  }

  void step() {
    constexpr double kStep = 1e-3;  // [s]
    const TrackedPair before = tracker_.pair();
    V_.w += 0.3 * random_.vector<3>(-1, 1) - 0.02 * V_.w;
    V_.v += size_ * (0.3 * random_.vector<3>(-1, 1)) - 0.02 * V_.v;
    const double pull = 10 * (before.gap - 0.02 * size_);
    const Vec3<double> v = V_.v - pull * before.normal;
    const double speed = V_.w.norm();
    const Mat3<double> turn = axis_angle<double>(V_.w / speed, kStep * speed);
    const Pose<double> next{turn * X_.R, X_.p + kStep * v};
    const Twist<double> twist{V_.w, v - V_.w.cross(X_.p)};  // about B's origin
    const PairStep rates = tracker_.rates(twist);
    const TrackedPair after = tracker_.update(next);
    const Vec3<double> way = B_.at(before.B).E * rates.s_B * kStep;
    X_ = next;
    if (!after.usable()) {
      count_.vanished += after.status == PairStatus::pair_vanished ? 1 : 0;
      count_.left += after.status == PairStatus::left_surface ? 1 : 0;
      count_.failed += after.status == PairStatus::no_convergence ? 1 : 0;
      restart();
      return;
    }
    count_.overlapping += after.gap < 0 ? 1 : 0;
    const double off = (after.point_B - before.point_B - way).norm() / size_;
    count_.worst = nan_or_max(count_.worst, off);
    if (off > 0.02) ++count_.jumps;
  }

  const TouchableBody &A_, &B_;
  double size_;
  Random random_;
  Tracker tracker_;
  Pose<double> X_;
  Twist<double> V_;
  WalkCount count_;
};

void print(const char* what, const WalkCount& c) {
  std::printf("%s: %d steps, %d overlapping, %d folds, %d left, %d failed, worst %.1e\n", what,
              c.steps, c.overlapping, c.vanished, c.left, c.failed, c.worst);
}

// A NURBS peanut: a rational meridian with a waist.
TouchableBody peanut(double size) {
  const std::vector<Vec2<double>> meridian{{0, -1},     {0.55, -1},  {0.75, -0.5}, {0.3, 0},
                                           {0.75, 0.5}, {0.55, 1.0}, {0, 1}};
  std::vector<Vec2<double>> points;
  for (const Vec2<double>& p : meridian) points.push_back(size * p);
  const KnotVector knots{3, {0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4}};
  const NurbsNet net = turned(points, {1, 1, 1.2, 0.9, 1.2, 1, 1}, knots);
  return TouchableBody({*recognise_revolution(net), {}});
}
TouchableBody nurbs_ring(double major, double minor) {
  return TouchableBody({*Patchwork::make(pieces_of(nurbs_torus(major, minor), "ring")), {}});
}

TEST(RandomWalk, NurbsBodiesInAndOutOfContact) {
  const TouchableBody A = peanut(0.1), B = nurbs_ring(0.1, 0.03);
  RandomWalk walk(A, B, 0.1, 1);
  const WalkCount c = walk.run(kSteps);
  print("peanut and ring", c);
  EXPECT_EQ(c.jumps, 0);
  EXPECT_EQ(c.failed, 0);
  EXPECT_GT(c.overlapping, 5000);
}

TEST(RandomWalk, ConvexBodiesAreNeverLost) {
  const TouchableBody A({*Ellipsoid::make({0.1, 0.08, 0.06}), {}});
  const TouchableBody B({*recognise_revolution(nurbs_sphere(0.1)), {}});
  RandomWalk walk(A, B, 0.1, 2);
  const WalkCount c = walk.run(kSteps);
  print("ellipsoid and ball", c);
  EXPECT_EQ(c.jumps + c.failed + c.vanished + c.left, 0);
  EXPECT_GT(c.overlapping, 5000);
}

}  // namespace oloid::test::random_walk_test
