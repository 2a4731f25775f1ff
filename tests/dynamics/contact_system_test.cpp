#include "oloid/dynamics/contact_system.h"

#include <gtest/gtest.h>

#include "support/random_forest.h"
#include "support/rooms.h"

namespace oloid::test::contact_system_test {

// Rows of J: relative twists in C from twists of all bodies.
Eigen::MatrixXd jacobian(const Forest& forest) {
  const auto n = static_cast<Eigen::Index>(forest.contacts().size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6 * n, 6 * forest.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    const int i = forest.contacts()[static_cast<std::size_t>(k)];
    J.block<6, 6>(6 * k, 6 * i) = twists_to(forest[i].X_AC);
    if (forest[i].parent != kGround)
      J.block<6, 6>(6 * k, 6 * forest[i].parent) = -twists_to(forest[i].X_BC);
  }
  return J;
}
Eigen::MatrixXd inverse_mass(const Forest& forest) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 * forest.size(), 6 * forest.size());
  for (int i = 0; i < forest.size(); ++i)
    M.block<6, 6>(6 * i, 6 * i) = mass_matrix(forest[i].body).inverse();
  return M;
}

TEST(ContactSystem, IsNewtonAndEulerSeenFromTheContacts) {
  for_random_cases(100, [](Random& random) {
    Forest forest = random_forest(random, random_parents(random));
    const Eigen::MatrixXd J = jacobian(forest), M_inv = inverse_mass(forest);
    Eigen::VectorXd p(6 * forest.size()), b(J.rows());
    for (int i = 0; i < forest.size(); ++i) p.segment<6>(6 * i) = stacked(forest[i].p);
    for (std::size_t k = 0; k < forest.contacts().size(); ++k)
      b.segment<6>(6 * static_cast<Eigen::Index>(k)) = forest[forest.contacts()[k]].b;
    const auto& system = forest.contact_system();
    EXPECT_LE((system.W() - J * M_inv * J.transpose()).norm(), 1e-12 * (1 + system.W().norm()));
    EXPECT_LE((system.b() - (b - J * M_inv * p)).norm(), 1e-12 * (1 + system.b().norm()));
    EXPECT_EQ(forest.contact_system(Biases::off).b().norm(), 0);
  });
}

TEST(ContactSystem, WrenchesMoveWhatTheSystemSays) {
  for_random_cases(50, [](Random& random) {
    Forest forest = random_forest(random, random_parents(random));
    const auto n = static_cast<Eigen::Index>(forest.contacts().size());
    Eigen::VectorXd f(6 * n);
    for (Eigen::Index k = 0; k < n; ++k) {
      f.segment<6>(6 * k) = random.vector<6>(-1, 1);
      forest[forest.contacts()[static_cast<std::size_t>(k)]].f = f.segment<6>(6 * k);
    }
    for (const Biases biases : {Biases::on, Biases::off}) {
      const auto& system = forest.contact_system(biases);
      const Eigen::VectorXd rates = system.W() * f + system.b();
      forest.move(biases);
      for (Eigen::Index k = 0; k < n; ++k) {
        const Vec6<double> rate = forest[forest.contacts()[static_cast<std::size_t>(k)]].w_rate;
        EXPECT_LE((rate - rates.segment<6>(6 * k)).norm(), 1e-12 * (1 + rates.norm()));
      }
    }
  });
}

// Much friction: no contact alone would have a force, but all together have.
Forest strong_friction(Random& random, const Parents& parents) {
  Forest forest = random_forest(random, parents);
  for (int i = 0; i < forest.size(); ++i) {
    Node& node = forest[i];
    node.law = Law{Slip::sliding};
    node.X_AC.p *= 3;
    node.X_BC.p *= 3;
    const double angle = random(-3, 3), mu = random(0, 5);
    node.given = -mu * (Vec6<double>() << 0, 0, 0, std::cos(angle), std::sin(angle), 0).finished();
  }
  return forest;
}

void expect_dense(Forest& forest) {
  forest.solve();
  const DenseSolution dense = solve_densely(forest);
  double scale = 1;
  for (const auto& f : dense.f) scale = std::max(scale, f.norm());
  for (int i = 0; i < forest.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_LE((stacked(forest[i].a) - dense.a[k]).norm(), 1e-9 * scale);
    if (!forest[i].held) continue;
    EXPECT_LE((forest[i].f - dense.f[k]).norm(), 1e-9 * scale);
    EXPECT_LE((forest[i].w_rate - dense.w_rate[k]).norm(), 1e-9 * scale);
  }
}

TEST(ContactSystem, SolvesWhereEachContactAloneHasNoForce) {
  for_random_cases(200, [](Random& random) {
    Forest forest = strong_friction(random, random_parents(random));
    forest.solve();
    double least = 1;
    for (const int i : forest.contacts()) least = std::min(least, std::abs(forest[i].regularity));
    if (least < 1e-4) return;
    expect_dense(forest);
  });
}

// Δ = 0 as if the parent could not move, exactly; the pair of bodies has a force all the same.
TEST(ContactSystem, AFixedParentsDenominatorMayVanish) {
  for_random_cases(50, [](Random& random) {
    Forest forest = strong_friction(random, {kFree, 0});
    Node& node = forest[1];
    const Mat6<double> W = contact_inverse_mass(node.X_AC, node.body);
    const Vec2<double> way = W.block<1, 2>(kNormalRow, kSlipRow).transpose().normalized();
    const double mu = W(kNormalRow, kNormalRow) / W.block<1, 2>(kNormalRow, kSlipRow).norm();
    node.given.setZero();
    node.given.segment<2>(kSlipRow) = mu * way;  // against the slip −way
    const Vec6<double> column = W.col(kNormalRow) - W * node.given;
    ASSERT_NEAR(column(kNormalRow), 0, 1e-14);
    expect_dense(forest);
  });
}

// D = det(P W E) / det(P W Pᵀ): the quotient of denominators where there is one contact.
TEST(ContactSystem, RegularityIsThatOfTheTree) {
  int negative = 0;
  for_random_cases(200, [&](Random& random) {
    Forest forest =
        strong_friction(random, random(0, 1) < 0.5 ? Parents{kFree, 0} : Parents{kGround, 0, 0});
    const auto n = static_cast<Eigen::Index>(forest.contacts().size());
    const Eigen::MatrixXd W = forest.contact_system().W();
    Eigen::MatrixXd with(n, n), without(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Vec6<double>& c = forest[forest.contacts()[static_cast<std::size_t>(k)]].given;
      for (Eigen::Index l = 0; l < n; ++l) {
        without(l, k) = W(6 * l + kNormalRow, 6 * k + kNormalRow);
        with(l, k) = without(l, k) - W.block<1, 6>(6 * l + kNormalRow, 6 * k).dot(c);
      }
    }
    const double D = with.determinant() / without.determinant();
    forest.solve();
    for (const int i : forest.contacts())
      EXPECT_NEAR(forest[i].regularity, D, 1e-10 * (1 + std::abs(D)));
    if (D < 0) ++negative;
  });
  EXPECT_GT(negative, 10);
}

}  // namespace oloid::test::contact_system_test
