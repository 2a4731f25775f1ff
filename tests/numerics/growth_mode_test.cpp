#include "oloid/numerics/growth_mode.h"

#include <gtest/gtest.h>

#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::growth_mode_test {

// Contacts that slide, with their friction in the columns of W.
ContactProblem sliding(const Eigen::MatrixXd& W, const Eigen::VectorXd& b) {
  ContactProblem problem{W, b, {}, 1};
  for (int i = 0; i < static_cast<int>(b.size()); ++i) problem.cones.push_back({i});
  return problem;
}

TEST(GrowthMode, OneContactThatJams) {
  const auto mode = growth_mode(
      sliding(Eigen::MatrixXd::Constant(1, 1, -0.6), Eigen::VectorXd::Constant(1, -9.81)));
  ASSERT_TRUE(mode);
  EXPECT_EQ((*mode)(0), 1);
}

// Each contact alone has a force, but both together push each other's bodies together:
// W (1, q) = −ε (1, q) with ε = √6 − 1, q = √1.5.
TEST(GrowthMode, IsTheDirectionInWhichForcesGrow) {
  const Eigen::MatrixXd W = (Eigen::MatrixXd(2, 2) << 1, -2, -3, 1).finished();
  for (const double load : {-1.0, -0.5, -0.01}) {
    const ContactProblem problem = sliding(W, Eigen::Vector2d(-1, load));
    EXPECT_EQ(decide(problem).outcome, Outcome::no_force);
    const auto mode = growth_mode(problem);
    ASSERT_TRUE(mode);
    const double q = std::sqrt(1.5), epsilon = 2 * q - 1;
    EXPECT_LE((*mode - Eigen::Vector2d(1 / q, 1)).norm(), 1e-6);
    EXPECT_LE((W * *mode + epsilon * *mode).norm(), 1e-6);
  }
}

// Parting and pressing are both solutions; that which presses is not regular, and nothing grows.
TEST(GrowthMode, BodiesPartRatherThanPressIrregularly) {
  const ContactProblem problem =
      sliding(Eigen::MatrixXd::Constant(1, 1, -0.6), Eigen::VectorXd::Constant(1, 2));
  const Decision pressing = decide(problem);
  EXPECT_TRUE(pressing.modes[0].closed);
  EXPECT_FALSE(is_regular(problem, pressing));
  const Decision parting = decide_regular(problem);
  ASSERT_EQ(parting.outcome, Outcome::moves);
  EXPECT_FALSE(parting.modes[0].closed);
  EXPECT_EQ(parting.force.norm(), 0);
  EXPECT_TRUE(is_regular(problem, parting));
  EXPECT_FALSE(growth_mode(problem));
}

// Whatever is found presses, and nothing approaches; where each of all choices fails, forces grow.
TEST(GrowthMode, DecisionsAreSolutionsOrForcesGrow) {
  int found = 0, grows = 0;
  for_random_cases(300, [&](Random& random) {
    const int n = 1 + static_cast<int>(random(0, 3));
    Eigen::MatrixXd W(n, n);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b(i) = random(-1, 1);
      for (int j = 0; j < n; ++j) W(i, j) = random(-1, 1) + (i == j ? 0.5 : 0);
    }
    const ContactProblem problem = sliding(W, b);
    const Decision decision = decide_regular(problem);
    if (decision.outcome == Outcome::no_force) {
      if (growth_mode(problem)) ++grows;
      return;
    }
    ++found;
    const double small = 1e-9 * (1 + decision.force.norm());
    EXPECT_GE(decision.force.minCoeff(), -small);
    EXPECT_GE((W * decision.force + b).minCoeff(), -small);
    EXPECT_NEAR(decision.force.dot(W * decision.force + b), 0, small * (1 + decision.force.norm()));
    EXPECT_TRUE(is_regular(problem, decision));
  });
  EXPECT_GT(found, 150);
  EXPECT_GT(grows, 20);
}

TEST(GrowthMode, NothingGrowsWithoutFriction) {
  for_random_cases(100, [](Random& random) {
    const int n = 1 + static_cast<int>(random(0, 4));
    Eigen::MatrixXd J(n, n + 1);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b(i) = random(-1, 1);
      for (int j = 0; j <= n; ++j) J(i, j) = random(-1, 1);
    }
    const ContactProblem problem = sliding(J * J.transpose(), b);
    EXPECT_TRUE(is_regular(problem, decide(problem)));
    EXPECT_FALSE(growth_mode(problem));
  });
}

}  // namespace oloid::test::growth_mode_test
