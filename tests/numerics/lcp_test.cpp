#include "oloid/numerics/lcp.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdlib>
#include <vector>

#include "laws/random.h"
#include "oloid/numerics/cone_program.h"
#include "support/count_allocations.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test::lcp_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Solution {
  LcpReport report;
  VectorXd z, w;
};
Solution lemke(const MatrixXd& M, const VectorXd& q) {
  VectorXd z = VectorXd::Constant(q.size(), 7);
  std::vector<double> scratch(lcp_scratch(static_cast<std::size_t>(q.size())));
  const LcpReport report =
      solve_lemke({M, q}, {z.data(), static_cast<std::size_t>(z.size())}, scratch);
  return {report, z, M * z + q};
}

// w ≥ 0, z ≥ 0 and w·z = 0, straight from the definition.
void expect_complementary(const MatrixXd& M, const VectorXd& q, const VectorXd& z) {
  const VectorXd w = M * z + q;
  const double force = std::max(1e-300, z.lpNorm<Eigen::Infinity>());
  const double rate = q.lpNorm<Eigen::Infinity>() + M.cwiseAbs().maxCoeff() * force;
  EXPECT_GE(z.minCoeff(), 0);
  EXPECT_GE(w.minCoeff(), -1e-11 * rate);
  EXPECT_LE(std::abs(w.dot(z)), 1e-11 * rate * force * static_cast<double>(z.size()));
}

// A problem of n contacts with `rank` degrees of freedom: often redundant. q = A a + c with c ≥ 0
// (and mostly 0) makes it solvable.
struct Problem {
  MatrixXd M;
  VectorXd q;
};
Problem random_problem(Random& random, int most) {
  const int n = 1 + static_cast<int>(random(0, most)),
            rank = 1 + static_cast<int>(random(0, n + 2));
  MatrixXd A(n, rank);
  const bool integers = random(0, 1) < 0.3;  // many ties
  for (int i = 0; i < n; ++i) {
    const double unit = integers ? 1 : std::pow(10, random(-2, 2));
    for (int j = 0; j < rank; ++j) {
      A(i, j) = integers ? std::floor(random(-2, 3)) : unit * random(-1, 1);
    }
  }
  VectorXd a(rank), c = VectorXd::Zero(n);
  for (int j = 0; j < rank; ++j) a(j) = integers ? std::floor(random(-3, 4)) : random(-3, 3);
  for (int i = 0; i < n; ++i) {
    if (random(0, 1) < 0.2) c(i) = A.row(i).norm() * random(0, 1);
  }
  return {A * A.transpose(), A * a + c};
}

TEST(Lcp, TextbookProblems) {
  const nlohmann::json cases = read_data("multi_contact.json")["lcp"];
  for (const nlohmann::json& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const MatrixXd M = matrix(c["A"]);
    const VectorXd q = vector(c["b"]);
    const Solution s = lemke(M, q);
    if (c.contains("status")) {
      EXPECT_EQ(s.report.status, LcpStatus::ray);
      EXPECT_EQ(s.z.norm(), 0);
      continue;
    }
    ASSERT_EQ(s.report.status, LcpStatus::solved);
    EXPECT_LE(s.report.residual, 1e-13);
    expect_complementary(M, q, s.z);
    if (c.contains("f")) {
      EXPECT_LE((s.z - vector(c["f"])).norm(), 1e-9);
    }
    if (c.contains("sum_f")) {
      EXPECT_NEAR(s.z.sum(), c["sum_f"], 1e-9);
    }
    if (c.contains("chi_ddot")) {
      EXPECT_LE((s.w - vector(c["chi_ddot"])).norm(), 1e-9);
    }
    // Forces on four corners are not unique, what they do is.
    if (c.contains("f_lemke")) {
      EXPECT_LE((M * (s.z - vector(c["f_lemke"]))).norm(), 1e-9);
    }
  }
}

TEST(Lcp, ImpulsesOfThreeBalls) {
  const nlohmann::json cases = read_data("multi_contact.json")["impulse"];
  for (const nlohmann::json& c : cases) {
    const VectorXd v = vector(c["v_minus"]), q = v + c["e"].get<double>() * v.cwiseMin(0);
    const Solution s = lemke(matrix(c["A"]), q);
    EXPECT_LE((s.z - vector(c["j"])).norm(), 1e-12);
    EXPECT_LE((matrix(c["A"]) * s.z + v - vector(c["v_plus"])).norm(), 1e-12);
  }
}

// With OLOID_FULL 10 000 problems. w is unique, so that three methods must agree: Lemke, for small
// problems all 2ⁿ choices of active sets, and the interior-point method on ½ zᵀMz + q·z.
TEST(Lcp, PositiveSemidefiniteProblemsAllSucceed) {
  const int count = std::getenv("OLOID_FULL") ? 10000 : 1000;
  int redundant = 0;
  for_random_cases(count, [&](Random& random) {
    const Problem p = random_problem(random, 20);
    const auto n = static_cast<int>(p.q.size());
    const Solution s = lemke(p.M, p.q);
    ASSERT_EQ(s.report.status, LcpStatus::solved) << s.report.pivots << " " << s.report.residual;
    expect_complementary(p.M, p.q, s.z);
    redundant += Eigen::FullPivLU<MatrixXd>(p.M).rank() < n;
    const double scale = p.q.lpNorm<Eigen::Infinity>() + s.w.lpNorm<Eigen::Infinity>();

    if (n <= 6) {
      bool found = false;
      for (unsigned set = 0; set < 1u << n && !found; ++set) {
        std::vector<int> active;
        for (int i = 0; i < n; ++i) {
          if (set >> i & 1) active.push_back(i);
        }
        VectorXd z = VectorXd::Zero(n);
        if (!active.empty()) {
          const VectorXd part =
              p.M(active, active).completeOrthogonalDecomposition().solve(-p.q(active));
          z(active) = part;
        }
        const VectorXd w = p.M * z + p.q;
        if (z.minCoeff() < -1e-9 * z.norm() || w.minCoeff() < -1e-9 * scale) continue;
        if (w(active).size() && w(active).lpNorm<Eigen::Infinity>() > 1e-9 * scale) continue;
        found = true;
        EXPECT_LE((w - s.w).lpNorm<Eigen::Infinity>(), 1e-8 * scale);
      }
      // The least-squares forces of a singular set may have either sign; then no set is listed.
      EXPECT_TRUE(found || Eigen::FullPivLU<MatrixXd>(p.M).rank() < n);
    }
    const double value = 0.5 * s.z.dot(p.M * s.z) + p.q.dot(s.z);
    const ConeOptimum other =
        solve(ConeProgram{p.M, p.q, -MatrixXd::Identity(n, n), VectorXd::Zero(n),
                          std::vector<int>(static_cast<std::size_t>(n), 1)});
    if (other.residual < 1e-9) {
      // What the residual allows its value to be off.
      const double bound = 10 * other.residual * (1 + p.q.norm()) * (1 + other.x.norm());
      EXPECT_NEAR(0.5 * other.x.dot(p.M * other.x) + p.q.dot(other.x), value,
                  bound + 1e-9 * (1 + std::abs(value)));
    }
  });
  if (!std::getenv("OLOID_SEED")) {
    EXPECT_GT(redundant, count / 4);
  }
}

TEST(Lcp, JamsEndInARay) {
  for_random_cases(200, [](Random& random) {
    // Two opposite contacts pressed together by velocities, among others.
    Problem p = random_problem(random, 8);
    const auto n = p.q.size();
    MatrixXd M = MatrixXd::Zero(n + 2, n + 2);
    VectorXd q(n + 2);
    M.topLeftCorner(n, n) = p.M;
    M.bottomRightCorner(2, 2) << 2, -2, -2, 2;
    q << p.q, -1 - random(0, 1), random(0, 1);
    EXPECT_EQ(lemke(M, q).report.status, LcpStatus::ray);
  });
}

TEST(Lcp, UnitsDoNotMatter) {
  for_random_cases(300, [](Random& random) {
    const Problem p = random_problem(random, 10);
    const auto n = p.q.size();
    VectorXd unit(n);
    for (int i = 0; i < n; ++i) unit(i) = std::pow(2.0, std::floor(random(-20, 20)));
    const Solution s = lemke(p.M, p.q);
    const Solution t =
        lemke(unit.asDiagonal() * p.M * unit.asDiagonal(), 1024 * unit.asDiagonal() * p.q);
    ASSERT_EQ(t.report.status, LcpStatus::solved);
    EXPECT_LE((1 / 1024.0 * t.w.cwiseQuotient(unit) - s.w).norm(),
              1e-9 * (p.q.norm() + s.w.norm()));
  });
}

TEST(Lcp, TheLastActiveSetIsTriedFirst) {
  for_random_cases(300, [](Random& random) {
    const Problem p = random_problem(random, 12);
    const Solution s = lemke(p.M, p.q);
    VectorXd z = s.z;
    std::vector<double> scratch(lcp_scratch(static_cast<std::size_t>(z.size())));
    // The loads change a little, and the set stays: no pivots.
    const std::span<double> span(z.data(), static_cast<std::size_t>(z.size()));
    const VectorXd q = 1.001 * p.q;
    LcpReport report = solve_lcp({p.M, q}, span, scratch);
    ASSERT_EQ(report.status, LcpStatus::solved);
    EXPECT_EQ(report.pivots, 0);
    expect_complementary(p.M, q, z);
    // Another load: whatever was tried first, the answer is right.
    const VectorXd other =
        -p.M * random.vector<1>(0, 1)(0) * VectorXd::Ones(z.size()) - 0.1 * (p.M * p.q);
    report = solve_lcp({p.M, other}, span, scratch);
    ASSERT_EQ(report.status, LcpStatus::solved);
    expect_complementary(p.M, other, z);
  });
}

TEST(Lcp, AllocatesNothing) {
  const Problem p = [] {
    Random random(5);
    return random_problem(random, 20);
  }();
  const auto n = static_cast<std::size_t>(p.q.size());
  std::vector<double> z(n), scratch(lcp_scratch(n));
  const long before = allocations;
  solve_lemke({p.M, p.q}, z, scratch);
  solve_lcp({p.M, p.q}, z, scratch);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace oloid::test::lcp_test
