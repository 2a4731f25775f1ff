#include "oloid/proximity/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oloid/geometry/any_surface.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::certificate_test {

struct Body {
  ProximityBody proximity;
  explicit Body(Shape shape) : proximity(TouchableBody(PlacedShape{std::move(shape), {}})) {}
};

double least_gap(const Certificate& certificate) {
  double least = INFINITY;
  for (const TrackedPair& pair : certificate.pairs()) least = std::min(least, pair.gap);
  return least;
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
        ASSERT_GT(certificate.reach(), 0) << course.name;
        uncertain += certificate.certain() ? 0 : 1;
        ++moves;
        const double step = std::min(certificate.reach(), 0.2 * course.radius);
        // Anywhere within the reach, and then on the way.
        const Pose<double> aside = moved(random, X, 0.999 * step, course.radius);
        X.p += 0.5 * step * ahead;
        gone += 0.5 * step;
        bool overlap = false;
        for (const Pose<double>& there : {aside, X}) {
          const TrackedPair near = nearest_pair(A.proximity.search(), B.proximity.search(), there);
          if (!near.usable() || near.gap > 0) continue;
          overlap = true;
          if (!certificate.certain()) continue;  // it promises nothing
          certificate.move_to(there);
          EXPECT_LE(least_gap(certificate), 1e-9) << course.name << " " << i;
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

// Moving on costs little beside beginning.
TEST(Certificate, IsRenewedWhereItIsUsedUpOnly) {
  const Body egg(*Ellipsoid::make({0.3, 0.25, 0.1})), hollow(*Ellipsoid::make({1, 1, 1}, true));
  Certificate certificate(egg.proximity, hollow.proximity, false, 0.3);
  Pose<double> X{Mat3<double>::Identity(), {0.1, 0.2, -0.5}};
  certificate.move_to(X);
  const std::int64_t built = certificate.examined();
  constexpr int kMoves = 30;
  for (int i = 0; i < kMoves; ++i) {
    X.p.z() -= 0.003;
    certificate.move_to(X);
  }
  EXPECT_LT(certificate.examined() - built, kMoves * built / 5);
}

}  // namespace oloid::test::certificate_test
