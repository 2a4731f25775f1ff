#include "oloid/geometry/bezier/rational.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::rational_test {

// The derivatives of w c for given derivatives of w and c: Leibniz' rule, written out.
Jet<double, 3> product(const ScalarJet<double, 3>& w, const Jet<double, 3>& c) {
  constexpr int kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  Jet<double, 3> N;
  for (int i = 0; i <= 3; ++i) {
    for (int j = 0; i + j <= 3; ++j) {
      N.d(i, j).setZero();
      for (int k = 0; k <= i; ++k)
        for (int l = 0; l <= j; ++l)
          N.d(i, j) += kBinomial[i][k] * kBinomial[j][l] *
                       w[static_cast<std::size_t>(jet_index(k, l))] * c.d(i - k, j - l);
    }
  }
  return N;
}

TEST(Quotient, UndoesTheProduct) {
  for_random_cases(100, [](Random& random) {
    Jet<double, 3> c;
    ScalarJet<double, 3> w;
    for (auto& term : c.terms) term = random.vector<3>(-1, 1);
    for (auto& term : w) term = random(-1, 1);
    w[0] = random(1, 2);
    const Jet<double, 3> back = quotient<3>(product(w, c), w);
    // Errors of order n are passed on to order n + 1 times up to 3 w' / w: 3! 3³ at order 3.
    for (std::size_t k = 0; k < c.terms.size(); ++k)
      EXPECT_LE(difference(back.terms[k], c.terms[k]), 200 * 8 * kEps);
  });
}

}  // namespace oloid::test::rational_test
