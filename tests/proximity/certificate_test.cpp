#include "oloid/proximity/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/newton.h"
#include "oloid/spatial/rotation.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::certificate_test {

struct Body {
  ProximityBody proximity;
  explicit Body(Shape shape) : proximity(TouchableBody(PlacedShape{std::move(shape), {}})) {}
};

// Pairs that were found at one pose, followed to another that overlaps, up to where the bodies
// first do: whether one of them does, too.
bool one_touches(const Body& A, const Body& B, std::vector<TrackedPair> pairs,
                 const Pose<double>& from, const Pose<double>& to) {
  constexpr int kParts = 50;
  const Vec3<double> turn = rotation_vector(from.R.transpose() * to.R);
  const Vec3<double> axis =
      turn.norm() > 0 ? Vec3<double>(turn.normalized()) : Vec3<double>::UnitX();
  for (int i = 1; i <= kParts; ++i) {
    const double part = static_cast<double>(i) / kParts;
    const Pose<double> X{from.R * axis_angle(axis, part * turn.norm()),
                         from.p + part * (to.p - from.p)};
    double least = INFINITY;
    for (TrackedPair& pair : pairs) {
      pair = nearest_from(A.proximity.features(), B.proximity.features(), X, pair.A, pair.B,
                          pair.normal);
      if (pair.usable()) least = std::min(least, pair.gap);
    }
    if (nearest_pair(A.proximity.search(), B.proximity.search(), X).gap <= 0) return least < 1e-9;
  }
  return false;
}

// No further than `way`, by shift and turn together, as the certificate counts.
Pose<double> moved(Random& random, const Pose<double>& X, double way, double radius) {
  const double part = random(0, 1);
  const Vec3<double> axis = random.direction();
  const double half = 0.5 * (1 - part) * way / radius;
  const Quat<double> turn{std::cos(half), std::sin(half) * axis.x(), std::sin(half) * axis.y(),
                          std::sin(half) * axis.z()};
  return {rotation_matrix(turn) * X.R, X.p + part * way * random.direction()};
}

struct Course {
  const char* name;
  Shape A, B;
  double radius;      // of A
  Vec3<double> from;  // where A starts
  Vec3<double> way;   // until it has surely touched
};

std::vector<Course> courses() {
  const Shape ring = *Torus::make(0.5, 0.15), egg = *Ellipsoid::make({0.3, 0.25, 0.1});
  return {
      {"a ring falls on a plane", ring, Shape{Plane{}}, 0.65, {0, 0, 1.2}, {0, 0, -1.2}},
      {"a ring against a ring", ring, *Torus::make(0.7, 0.2), 0.65, {1.8, 0.3, 0.1}, {-1.4, 0, 0}},
      {"an egg through a ring", egg, ring, 0.3, {0.5, 0.1, 0.7}, {-0.1, 0, -0.7}},
      {"an egg in a hollow ball",
       egg,
       *Ellipsoid::make({1, 1, 1}, true),
       0.3,
       {0, 0, 0},
       {0.6, 0.5, 0.4}}};
}

// Whenever bodies touch at a pose within the reach of the last certificate, if that was certain,
// one of the pairs that are followed does.
TEST(Certificate, FollowsWhateverTouchesFirst) {
  Random random(5);
  int touched = 0, uncertain = 0, moves = 0;
  for (const Course& course : courses()) {
    const Body A(course.A), B(course.B);
    ASSERT_TRUE(Certificate::possible(A.proximity, B.proximity)) << course.name;
    for (int i = 0; i < 15; ++i) {
      Certificate certificate(A.proximity, B.proximity, false, course.radius);
      Pose<double> X{random.rotation(), course.from};
      const Vec3<double> ahead = course.way.normalized();
      for (double gone = 0; gone < course.way.norm();) {
        certificate.move_to(X);
        certificate.renew(0);
        ASSERT_GT(certificate.reach(), 0) << course.name;
        uncertain += certificate.certain() ? 0 : 1;
        ++moves;
        const double step = std::min(certificate.reach(), 0.2 * course.radius);
        // Anywhere within the reach, and then on the way.
        const Pose<double> aside = moved(random, X, 0.999 * step, course.radius);
        const Pose<double> before = X;
        X.p += 0.5 * step * ahead;
        gone += 0.5 * step;
        bool overlap = false;
        for (const Pose<double>& there : {aside, X}) {
          const TrackedPair near = nearest_pair(A.proximity.search(), B.proximity.search(), there);
          if (!near.usable() || near.gap > 0) continue;
          overlap = true;
          if (!certificate.certain()) continue;  // it promises nothing
          EXPECT_TRUE(one_touches(A, B, certificate.pairs(), before, there))
              << course.name << " " << i;
        }
        if (!overlap) continue;
        ++touched;
        break;
      }
    }
  }
  EXPECT_GE(touched, 50);
  EXPECT_LT(uncertain, 0.1 * moves);  // a ring or an egg that lies flat
}

// Bodies that can move freely by a way in any direction are at least that far apart. The
// certificate is only renewed where its way is used up, so that every term of what has been used
// counts: A shifts, turns, or does both.
TEST(Certificate, ItsFreeWayIsNoLongerThanTheDistance) {
  Random random(7);
  int poses = 0, renewed = 0;
  const Shape stick = *Ellipsoid::make({0.6, 0.05, 0.05});
  const Shape egg = *Ellipsoid::make({0.3, 0.25, 0.1}), hollow = *Ellipsoid::make({1, 1, 1}, true),
              ring = *Torus::make(0.5, 0.15), ball = *Ellipsoid::make({0.3, 0.3, 0.3}),
              long_hollow = *Ellipsoid::make({1.2, 1, 0.9}, true);
  const std::vector<Course> places{{"ring over plane", ring, Shape{Plane{}}, 0.65, {0, 0, 0.7}, {}},
                                   {"egg in hollow ball", egg, hollow, 0.3, {0.3, 0.4, 0.2}, {}},
                                   {"egg in hollow", egg, long_hollow, 0.3, {0.4, 0.3, 0.2}, {}},
                                   {"ball beside ring", ball, ring, 0.3, {0.9, 0.2, 0.2}, {}},
                                   {"stick beside ring", stick, ring, 0.6, {1.22, 0.1, 0.05}, {}},
                                   {"egg beside ring", egg, ring, 0.3, {0.9, 0.2, 0.2}, {}}};
  for (const Course& place : places) {
    const Body A(place.A), B(place.B);
    for (int way = 0; way < 12; ++way) {
      Certificate certificate(A.proximity, B.proximity, false, place.radius);
      Pose<double> X{random.rotation(), place.from};
      const Vec3<double> axis = random.direction(), aside = random.direction();
      const double shift = way % 3 == 0 ? 0 : 0.01, turn = way % 3 == 1 ? 0 : 0.02;
      for (int i = 0; i < 40; ++i) {
        const TrackedPair near = nearest_pair(A.proximity.search(), B.proximity.search(), X);
        if (!near.usable() || near.gap <= 0) break;
        certificate.move_to(X);
        if (!(certificate.free_way() > 0)) {
          certificate.renew(0.1 * place.radius);
          ++renewed;
        }
        ++poses;
        if (certificate.certain()) {
          EXPECT_LE(certificate.free_way(), near.gap + 1e-9) << place.name << " " << way;
        }
        X = {axis_angle(axis, turn) * X.R, X.p + shift * aside};
      }
    }
  }
  EXPECT_GT(poses, 1000);
  EXPECT_LT(renewed, poses / 2);
}

// The ends of the line through both middles, on the far side of the ball.
TEST(Certificate, ABallInAHollowBallHasOnePair) {
  const Body A(*Ellipsoid::make({0.3, 0.3, 0.3})), B(*Ellipsoid::make({1, 1, 1}, true));
  Certificate certificate(A.proximity, B.proximity, false, 0.3);
  certificate.move_to({axis_angle(Vec3<double>(0, 1, 0), 0.7), {0.36, 0, -0.48}});
  certificate.renew(0);
  ASSERT_EQ(certificate.pairs().size(), 1u);
  EXPECT_NEAR(certificate.pairs()[0].gap, 0.1, 1e-14);
  EXPECT_LT((certificate.pairs()[0].point_B - Vec3<double>(0.6, 0, -0.8)).norm(), 1e-14);
  EXPECT_LE(certificate.free_way(), 0.1 + 1e-14);
}

// A long body lies across a hollow ball and touches it with one end: the other end, not the contact
// that is held, says how far it may move.
TEST(Certificate, BesideAHeldContactTheNextPairCounts) {
  const Body A(*Ellipsoid::make({0.8, 0.2, 0.2})), B(*Ellipsoid::make({1, 1, 1}, true));
  Certificate certificate(A.proximity, B.proximity, false, 0.8);
  Pose<double> X{axis_angle(Vec3<double>(0, 1, 0), 0.05), {0, 0, -0.54}};
  const auto nearest_first = [&] {
    std::vector<TrackedPair> pairs = certificate.pairs();
    std::sort(pairs.begin(), pairs.end(),
              [](const TrackedPair& x, const TrackedPair& y) { return x.gap < y.gap; });
    return pairs;
  };
  // Along the normal, until it touches.
  for (int i = 0; i < 30; ++i) {
    certificate.move_to(X);
    certificate.renew(0);
    const std::vector<TrackedPair> pairs = nearest_first();
    ASSERT_EQ(pairs.size(), 2u);
    X.p -= pairs[0].gap * pairs[0].normal;
  }
  certificate.move_to(X);
  certificate.renew(0);
  const std::vector<TrackedPair> pairs = nearest_first();
  ASSERT_NEAR(pairs[0].gap, 0, 1e-12);
  ASSERT_GT(pairs[1].gap, 0.01);
  EXPECT_LE(certificate.free_way(), 1e-12);
  certificate.renew(0, &pairs[0].point_B);
  ASSERT_EQ(certificate.pairs().size(), 1u);
  EXPECT_NEAR(certificate.pairs()[0].gap, pairs[1].gap, 1e-12);
  EXPECT_GT(certificate.free_way(), 1e-3);
  EXPECT_LE(certificate.free_way(), pairs[1].gap);
}

// Moving on costs little beside beginning.
TEST(Certificate, IsRenewedWhereItIsUsedUpOnly) {
  const Body egg(*Ellipsoid::make({0.3, 0.25, 0.1})), hollow(*Ellipsoid::make({1, 1, 1}, true));
  Certificate certificate(egg.proximity, hollow.proximity, false, 0.3);
  Pose<double> X{Mat3<double>::Identity(), {0.1, 0.2, -0.5}};
  certificate.move_to(X);
  certificate.renew(0);
  const std::int64_t built = certificate.examined();
  constexpr int kMoves = 30;
  for (int i = 0; i < kMoves; ++i) {
    X.p.z() -= 0.003;
    certificate.move_to(X);
    certificate.renew(0);
  }
  EXPECT_LT(certificate.examined() - built, kMoves * built / 5);
}

// Where cells of an unbounded body end, new ones are made before the way is used up: a stretch of
// time that ends there, but for round-off, would leave none.
TEST(Certificate, LeavesAWayAtTheEndOfItsCells) {
  const Body ring(*Torus::make(0.1, 0.03)), bore(*Frustum::cylinder(3, INFINITY, true));
  Certificate certificate(ring.proximity, bore.proximity, false, 0.13);
  Pose<double> X;
  int renewed = 0;
  for (double gone = 0; gone < 2; ++renewed) {
    certificate.move_to(X);
    certificate.renew(0);
    ASSERT_GT(certificate.reach(), 1e-3) << gone;
    const double step = (1 - 1e-15) * certificate.reach();
    X.p.z() += step;
    gone += step;
  }
  EXPECT_GT(renewed, 3);
}

}  // namespace oloid::test::certificate_test
