#include "oloid/numerics/cone_program.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::cone_program_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The nearest point of the friction cone { |x_t| ≤ μ x_n } has a closed form.
TEST(ConeProgram, NearestPointOfAFrictionCone) {
  for_random_cases(300, [](Random& random) {
    const double mu = random(0.1, 2);
    const Vec3<double> x = random.vector<3>(-1, 1);
    const double length = x.tail<2>().norm();
    Vec3<double> nearest = x;
    if (mu * length <= -x(0)) {
      nearest.setZero();
    } else if (length > mu * x(0)) {
      const double a = (x(0) + mu * length) / (1 + mu * mu);
      nearest << a, mu * a * x.tail<2>() / length;
    }
    MatrixXd G = -MatrixXd::Identity(3, 3);
    G.bottomRows(2) /= mu;
    const ConeOptimum best =
        solve(ConeProgram{MatrixXd::Identity(3, 3), -x, G, VectorXd::Zero(3), {3}});
    // The objective is strongly convex: half the square of the error is at most its gap.
    EXPECT_LE(best.residual, 1e-10);
    EXPECT_LE((best.x - nearest).norm(), 1e-9 + 2 * std::sqrt(best.residual));
  });
}

TEST(ConeProgram, LinearProgrammeEndsInAVertex) {
  // max x + 2 y with x + y ≤ 4, x + 3 y ≤ 6, x, y ≥ 0: (3, 1).
  MatrixXd G(4, 2);
  G << 1, 1, 1, 3, -1, 0, 0, -1;
  VectorXd h(4), q(2), expected(2);
  h << 4, 6, 0, 0;
  q << -1, -2;
  expected << 3, 1;
  const ConeOptimum best = solve(ConeProgram{MatrixXd::Zero(2, 2), q, G, h, {1, 1, 1, 1}});
  EXPECT_LE((best.x - expected).norm(), 1e-10);
  EXPECT_LE(best.iterations, 20);
}

// Points inside exist by construction. Weak duality, evaluated here, bounds the error from outside:
// the value of every admissible x is at least that of the multipliers.
TEST(ConeProgram, MultipliersProveTheOptimum) {
  for_random_cases(300, [](Random& random) {
    const int n = 1 + static_cast<int>(random(0, 12));
    std::vector<int> cones;
    int rows = 0;
    for (int k = 0; k < 3 + n; ++k) {
      cones.push_back(1 + static_cast<int>(random(0, 3)));
      rows += cones.back();
    }
    cones.push_back(n + 1);  // |x| ≤ 10: bounded
    MatrixXd G = MatrixXd::Zero(rows + n + 1, n);
    VectorXd h = VectorXd::Zero(rows + n + 1), q(n);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < n; ++j) G(i, j) = random(-1, 1);
    }
    int at = 0;
    for (std::size_t k = 0; k + 1 < cones.size(); ++k) {
      h(at) = random(0.1, 3);  // x = 0 is inside
      at += cones[k];
    }
    h(rows) = 10;
    G.bottomRows(n).setIdentity();
    for (int j = 0; j < n; ++j) q(j) = random(-1, 1);
    MatrixXd P = MatrixXd::Zero(n, n);
    if (random(0, 1) < 0.5) P(0, 0) = random(0, 2);
    const ConeOptimum best = solve(ConeProgram{P, q, G, h, cones});
    const VectorXd s = h - G * best.x;
    at = 0;
    for (const int size : cones) {
      EXPECT_GE(s(at) - s.segment(at + 1, size - 1).norm(), -1e-9);
      EXPECT_GE(best.multiplier(at) - best.multiplier.segment(at + 1, size - 1).norm(), 0);
      at += size;
    }
    EXPECT_LE((P * best.x + q + G.transpose() * best.multiplier).norm(), 1e-9);
    const double value = 0.5 * best.x.dot(P * best.x) + q.dot(best.x);
    const double bound = -0.5 * best.x.dot(P * best.x) - h.dot(best.multiplier);
    EXPECT_NEAR(value, bound, 1e-9 * (1 + std::abs(value)));
    EXPECT_LE(best.iterations, 40);
  });
}

}  // namespace oloid::test::cone_program_test
