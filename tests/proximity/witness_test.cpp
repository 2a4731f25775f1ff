#include "oloid/proximity/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "laws/random.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test::witness_test {

using test::mat;
using test::vec;

Mat3<double> turn(const Vec3<double>& angle) {
  const double size = angle.norm();
  const Vec3<double> v = size > 0 ? Vec3<double>(std::sin(size / 2) / size * angle) : angle;
  return rotation_matrix(Quat<double>{std::cos(size / 2), v.x(), v.y(), v.z()});
}

ConvexPolyhedron random_hull(Random& random, int points) {
  std::vector<Vec3<double>> all;
  for (int i = 0; i < points; ++i)
    all.push_back(random.direction().cwiseProduct(Vec3<double>(1, 0.8, 0.6)));
  return ConvexPolyhedron::hull(all).value();
}

Mat3<double> random_rotation(Random& random) {
  const auto q = random.vector<4>(-1, 1);
  return rotation_matrix(Quat<double>{q(0), q(1), q(2), q(3)});
}

// The separating-axis test by all vertices, with both signs of every direction.
double exhaustive_separation(const ConvexPolyhedron& A, const ConvexPolyhedron& B,
                             const Pose<double>& X_BA) {
  double best = -std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vec3<double>& n) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (int v = 0; v < A.vertices(); ++v) least = std::min(least, n.dot(X_BA * A.vertex(v)));
    for (int v = 0; v < B.vertices(); ++v) most = std::max(most, n.dot(B.vertex(v)));
    best = std::max(best, least - most);
  };
  for (int f = 0; f < A.faces(); ++f) offer(-(X_BA.R * A.face(f).normal));
  for (int f = 0; f < B.faces(); ++f) offer(B.face(f).normal);
  const auto along = [](const ConvexPolyhedron& body, int e) -> Vec3<double> {
    return body.vertex(body.edge(e).vertices[1]) - body.vertex(body.edge(e).vertices[0]);
  };
  for (int a = 0; a < A.edges(); ++a) {
    for (int b = 0; b < B.edges(); ++b) {
      const Vec3<double> n = (X_BA.R * along(A, a)).cross(along(B, b));
      if (n.norm() < 1e-6 * along(A, a).norm() * along(B, b).norm()) continue;
      offer(n.normalized());
      offer(-n.normalized());
    }
  }
  return best;
}

TEST(Witness, CountsHitsAndMissesOfTumblingBoxes) {
  const auto data = test::read_data("multi_contact.json").at("cache_boxes");
  const auto A = ConvexPolyhedron::cuboid(2 * vec<3>(data.at("halfA"))).value();
  const auto B = ConvexPolyhedron::cuboid(2 * vec<3>(data.at("halfB"))).value();
  const auto pose = [](const nlohmann::json& motion, double t) -> Pose<double> {
    Vec3<double> p = vec<3>(motion.at("c"));
    if (motion.contains("v")) p += t * vec<3>(motion.at("v"));
    return {turn(t * vec<3>(motion.at("w"))) * mat<3, 3>(motion.at("R0")), p};
  };
  WitnessCache cache(A, B);
  int penetrating = 0;
  const int steps = data.at("steps").get<int>();
  for (int k = 0; k < steps; ++k) {
    const double t = k * data.at("dt").get<double>();
    const Pose<double> X_BA = inverse(pose(data.at("motionB"), t)) * pose(data.at("motionA"), t);
    const Overlap& now = cache.update(X_BA);
    penetrating += now.separated ? 0 : 1;
    EXPECT_EQ(now.separated, exhaustive_separation(A, B, X_BA) >= 0) << k;
  }
  EXPECT_EQ(penetrating, data.at("penetrating_steps").get<int>());
  EXPECT_EQ(cache.hits(), data.at("hits").get<int>());
  EXPECT_EQ(cache.misses(), data.at("misses").get<int>());
}

TEST(Witness, AgreesWithTheSeparatingAxisTest) {
  int separated = 0, overlapping = 0;
  for_random_cases(20, [&](Random& random) {
    const ConvexPolyhedron A = random_hull(random, 12), B = random_hull(random, 10);
    for (int i = 0; i < 10; ++i) {
      const Pose<double> X_BA{random_rotation(random), random(0.3, 2) * random.direction()};
      WitnessCache cache(A, B);
      const Overlap first = cache.update(X_BA);
      const double expected = exhaustive_separation(A, B, X_BA);
      EXPECT_FALSE(first.hit);
      EXPECT_EQ(first.separated, expected >= 0);
      EXPECT_NEAR(first.separation, expected, 1e-13);
      EXPECT_NE(first.witness.kind, Witness::Kind::none);
      const Overlap again = cache.update(X_BA);
      EXPECT_TRUE(again.hit);
      EXPECT_EQ(again.separated, first.separated);
      EXPECT_NEAR(again.separation, first.separation, 1e-14);
      (first.separated ? separated : overlapping) += 1;
    }
  });
  EXPECT_GT(separated, 40);
  EXPECT_GT(overlapping, 40);
}

// One body tumbles slowly about and through the other: the decision is right at every step, at most
// one in a hundred is searched for.
TEST(Witness, HoldsWhileBodiesMoveSlowly) {
  for_random_cases(6, [](Random& random) {
    const ConvexPolyhedron A = random_hull(random, 12), B = random_hull(random, 10);
    WitnessCache cache(A, B);
    constexpr int kSteps = 2000;
    Mat3<double> R = random_rotation(random);
    const Vec3<double> w = 0.4 * random.direction(), from = 2 * random.direction(),
                       to = -from + 0.8 * random.direction();
    int overlapping = 0;
    for (int k = 0; k < kSteps; ++k) {
      const double t = static_cast<double>(k) / kSteps;
      R = turn(w * 0.005) * R;
      const Pose<double> X_BA{R, (1 - t) * from + t * to};
      const Overlap& now = cache.update(X_BA);
      overlapping += now.separated ? 0 : 1;
      if (k % 20 == 0) {
        const double best = exhaustive_separation(A, B, X_BA);
        EXPECT_EQ(now.separated, best >= 0) << k;
        EXPECT_LE(now.separation, best + 1e-13);
      }
    }
    EXPECT_EQ(cache.hits() + cache.misses(), kSteps);
    EXPECT_GE(cache.hits(), 99 * kSteps / 100);
    EXPECT_GT(overlapping, 100);
  });
}

// Which body comes first does not matter.
TEST(Witness, SwappingTheBodiesMirrorsTheAnswer) {
  for_random_cases(20, [](Random& random) {
    const ConvexPolyhedron A = random_hull(random, 9), B = random_hull(random, 9);
    const Pose<double> X_BA{random_rotation(random), random(0.5, 2) * random.direction()};
    WitnessCache ab(A, B), ba(B, A);
    const Overlap first = ab.update(X_BA), second = ba.update(inverse(X_BA));
    EXPECT_EQ(first.separated, second.separated);
    EXPECT_NEAR(first.separation, second.separation, 1e-12);
  });
}

TEST(Witness, TouchingBoxesAreSeparated) {
  const auto box = ConvexPolyhedron::cuboid({1, 1, 1}).value();
  WitnessCache cache(box, box);
  EXPECT_TRUE(cache.update({Mat3<double>::Identity(), {0, 0, 1}}).separated);
  EXPECT_EQ(cache.overlap().separation, 0);
  EXPECT_FALSE(cache.update({Mat3<double>::Identity(), {0.25, 0.25, 0.75}}).separated);
  EXPECT_EQ(cache.misses(), 2);
  EXPECT_STREQ(name(cache.overlap().witness.kind), "edge of A");
  // One on top of the other, edges along edges: no witness, but no wrong decision.
  EXPECT_FALSE(cache.update({Mat3<double>::Identity(), {0, 0, 0}}).separated);
}

}  // namespace oloid::test::witness_test
