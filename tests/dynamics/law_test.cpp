#include "oloid/dynamics/law.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "laws/random.h"
#include "support/all_laws.h"
#include "support/rooms.h"

namespace oloid::test::law_test {

struct LawCase {
  Mat6<double> W;
  Vec6<double> b, c;
};
// c is kept so small that the normal force has something positive to divide by.
LawCase random_case(Random& random, Law law, InverseMass kind) {
  LawCase out;
  Mat6<double> B;
  for (int i = 0; i < 6; ++i) B.col(i) = random.vector<6>(-1, 1);
  out.W = B * B.transpose() + 0.5 * Mat6<double>::Identity();
  if (kind == InverseMass::any) out.W += 0.5 * (B - B.transpose());
  out.b = random.vector<6>(-3, 3);
  out.c = random_given(random, law, 0.1);
  return out;
}

template <class F>
void for_all_laws(int cases, InverseMass kind, F f) {
  for (int i = 0; i < kLawCount; ++i) {
    SCOPED_TRACE("law " + std::to_string(i));
    for_random_cases(cases, [&](Random& random) {
      const Law law = law_number(i);
      f(law, random_case(random, law, kind));
    });
  }
}

TEST(Law, RowsAreConstrainedGivenOrFree) {
  int constrained = 0, given = 0, free = 0;
  for_all_laws(20, InverseMass::any, [&](Law law, const LawCase& x) {
    const LawForce<double> found = law_force(law, x.W, x.b, x.c);
    const Vec6<double> motion = x.b + x.W * found.f;
    const double scale = x.b.norm() + x.W.norm() * found.f.norm();
    ASSERT_GT(found.denominator, 0);
    for (int row = 0; row < 6; ++row) {
      switch (kind_of_row(law, row)) {
        case RowKind::constrained:
          EXPECT_NEAR(motion(row), 0, 1e-13 * scale) << "row " << row;
          ++constrained;
          break;
        case RowKind::given:
          EXPECT_NEAR(found.f(row), x.c(row) * -found.f(kNormalRow), 1e-15 * found.f.norm())
              << "row " << row;
          ++given;
          break;
        case RowKind::free:
          EXPECT_EQ(found.f(row), 0) << "row " << row;
          ++free;
      }
    }
  });
  // Of 6 rows the normal one is constrained in all laws, each of the others in a third of them.
  EXPECT_EQ(constrained, 20 * (kLawCount + 5 * kLawCount / 3));
  EXPECT_EQ(given, 20 * 5 * kLawCount / 3);
  EXPECT_EQ(free, 20 * 5 * kLawCount / 3);
}

TEST(Law, ResponseIsLinearInTheFreeAcceleration) {  // f = −Q b
  for_all_laws(20, InverseMass::any, [](Law law, const LawCase& x) {
    const LawForce<double> force = law_force(law, x.W, x.b, x.c);
    const LawResponse<double> response = law_response(law, x.W, x.c);
    EXPECT_LE((force.f + response.Q * x.b).norm(),
              1e-13 * (1 + response.Q.norm()) * (1 + x.b.norm()));
    EXPECT_EQ(force.denominator, response.denominator);
    // Q W Q = Q: a contact that has answered has nothing left to answer.
    EXPECT_LE((response.Q * x.W * response.Q - response.Q).norm(),
              1e-12 * (1 + response.Q.squaredNorm() * x.W.norm()));
  });
}

TEST(Law, ResponseIsSymmetricIfTheMassIsAndNothingIsGiven) {
  for_all_laws(10, InverseMass::symmetric, [](Law law, const LawCase& x) {
    if (gives_forces(law)) return;
    const Mat6<double> Q = law_response(law, x.W, x.c).Q;
    EXPECT_LE((Q - Q.transpose()).norm(), 1e-13 * (1 + Q.squaredNorm() * x.W.norm()));
  });
}

// The template for a symmetric W, by LDLᵀ where nothing is given, and the one for any W by LU.
template <Law L>
void expect_both_ways_agree() {
  for_random_cases(20, [](Random& random) {
    const LawCase x = random_case(random, L, InverseMass::symmetric);
    const LawForce<double> a = law_force<L>(x.W, x.b, x.c), b = law_force(L, x.W, x.b, x.c);
    EXPECT_LE((a.f - b.f).norm(), 1e-13 * (1 + b.f.norm()) * x.W.norm());
    EXPECT_NEAR(a.denominator, b.denominator, 1e-14 * x.W.norm());
    EXPECT_LE((law_response<L>(x.W, x.c).Q - law_response(L, x.W, x.c).Q).norm(),
              1e-12 * x.W.norm());
  });
}
TEST(Law, SymmetricAndGeneralWaysAgree) {
  expect_both_ways_agree<Law{}>();
  expect_both_ways_agree<Law{Slip::stuck}>();
  expect_both_ways_agree<Law{Slip::frictionless, Spin::stuck, Roll::stuck}>();
  expect_both_ways_agree<Law{Slip::stuck, Spin::stuck, Roll::stuck}>();
  expect_both_ways_agree<Law{Slip::stuck, Spin::resisting, Roll::stuck}>();
  expect_both_ways_agree<Law{Slip::sliding, Spin::stuck, Roll::resisting}>();
}

// A channel that resists with nothing is free.
TEST(Law, ResistingWithNothingIsFree) {
  for_all_laws(10, InverseMass::any, [](Law law, const LawCase& x) {
    if (!gives_forces(law)) return;
    Law free = law;
    if (law.slip == Slip::sliding) free.slip = Slip::frictionless;
    if (law.spin == Spin::resisting) free.spin = Spin::free;
    if (law.roll == Roll::resisting) free.roll = Roll::free;
    const Vec6<double> nothing = Vec6<double>::Zero();
    const LawForce<double> a = law_force(law, x.W, x.b, nothing),
                           b = law_force(free, x.W, x.b, nothing);
    EXPECT_LE((a.f - b.f).norm(), 1e-13 * (1 + b.f.norm()) * x.W.norm());
    EXPECT_NEAR(a.denominator, b.denominator, 1e-14 * x.W.norm());
    const Mat6<double> Q_a = law_response(law, x.W, nothing).Q,
                       Q_b = law_response(free, x.W, nothing).Q;
    EXPECT_LE((Q_a - Q_b).norm(), 1e-13 * (1 + Q_b.norm()) * x.W.norm());
  });
}

// What the normal force divides by is det(P W E) over that of its rows and columns but the normal.
TEST(Law, DenominatorIsARatioOfDeterminants) {
  for_all_laws(10, InverseMass::any, [](Law law, const LawCase& x) {
    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(6, 6), E = P;
    int n = 0;
    for (int row = 0; row < kNormalRow; ++row) {
      if (kind_of_row(law, row) != RowKind::constrained) continue;
      P(n, row) = E(row, n) = 1;
      ++n;
    }
    P(n, kNormalRow) = 1;
    E.col(n) = Vec6<double>::Unit(kNormalRow) - x.c;
    const Eigen::MatrixXd A = P.topRows(n + 1) * x.W * E.leftCols(n + 1);
    const double others = n == 0 ? 1 : A.topLeftCorner(n, n).determinant();
    EXPECT_NEAR(law_force(law, x.W, x.b, x.c).denominator, A.determinant() / others,
                1e-12 * x.W.norm());
  });
}

// Of sliding it is W₆₆ + μ (W₆₄ v̂_x + W₆₅ v̂_y), docs/theory/contact.md eq. 19, and
// det([1₅ | −λ] W⁻¹ [1₅; 0]) = det(W⁻¹) Δ with λ = μ (0, 0, 0, v̂_x, v̂_y).
TEST(Law, DenominatorOfSlidingIsPainleves) {
  for_random_cases(50, [](Random& random) {
    const Law law{Slip::sliding};
    LawCase x = random_case(random, law, InverseMass::symmetric);
    const double mu = random(0, 2), angle = random(-3, 3);
    const Vec2<double> v(std::cos(angle), std::sin(angle));
    x.c.segment<2>(kSlipRow) = -mu * v;
    const double found = law_force(law, x.W, x.b, x.c).denominator;
    EXPECT_NEAR(found, x.W(5, 5) + mu * (x.W(5, 3) * v.x() + x.W(5, 4) * v.y()),
                1e-14 * x.W.norm() * (1 + mu));
    Mat<double, 5, 6> F = Mat<double, 5, 6>::Identity();
    F.col(5).tail<2>() = -mu * v;
    const Mat6<double> M = x.W.inverse();
    const double ratio = (F * M.leftCols<5>()).determinant() / M.determinant();
    EXPECT_NEAR(found, ratio, 1e-10 * x.W.norm() * (1 + mu));
  });
}

}  // namespace oloid::test::law_test
