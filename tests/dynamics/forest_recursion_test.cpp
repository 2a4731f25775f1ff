// Trees over dual numbers: derivatives of accelerations and forces come with them.
#include "oloid/dynamics/forest_recursion.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "oloid/base/dual.h"
#include "support/random_forest.h"
#include "support/rooms.h"

namespace oloid::test::forest_recursion_test {

// The forest with all that an instant brings moved by s along another one.
template <class S>
ForestOf<S> moved(const Forest& from, const Forest& along, const S& s) {
  const auto sum = [&](const auto& a, const auto& b) {
    return (a.template cast<S>() + s * b.template cast<S>()).eval();
  };
  ForestOf<S> out(from.size());
  for (int i = 0; i < from.size(); ++i) {
    const Node &x = from[i], &d = along[i];
    ForestNode<S>& node = out[i];
    node.held = x.held;
    node.parent = x.parent;
    node.law = x.law;
    node.body = {S(x.body.mass), S(x.body.inverse_mass), x.body.J.cast<S>(),
                 x.body.J_inv.cast<S>()};
    node.X_AC = {x.X_AC.R.cast<S>(), sum(x.X_AC.p, d.X_AC.p)};
    node.X_BC = {x.X_BC.R.cast<S>(), sum(x.X_BC.p, d.X_BC.p)};
    node.given = sum(x.given, d.given);
    for (int row = 0; row < 6; ++row) {
      if (kind_of_row(x.law, row) != RowKind::given) node.given(row) = S(0.0);
    }
    node.p = {sum(x.p.t, d.p.t), sum(x.p.f, d.p.f)};
    node.b = sum(x.b, d.b);
  }
  out.sort();
  out.solve();
  return out;
}

TEST(ForestRecursion, DualDerivativesAgreeWithDifferences) {
  using D = Dual<double, 1>;
  int held = 0;
  for_random_cases(40, [&](Random& random) {
    const Parents parents = random_parents(random);
    const Forest from = random_forest(random, parents), along = random_forest(random, parents);
    const double h = 1e-5;
    const Forest before = moved<double>(from, along, -h), after = moved<double>(from, along, h);
    const ForestOf<D> exact = moved(from, along, D::variable(0, 0));
    const Forest plain = moved<double>(from, along, 0);
    double scale = 1;
    for (int i = 0; i < from.size(); ++i)
      scale = std::max(scale, stacked(after[i].a).norm() + stacked(before[i].a).norm());
    const auto expect = [&](const auto& dual, const auto& at, const auto& low, const auto& high) {
      EXPECT_LE((value(dual) - at).norm(), 1e-12 * scale);
      const auto slope = ((high - low) / (2 * h)).eval();
      EXPECT_LE((derivative(dual, 0) - slope).norm(), 1e-6 * (scale * scale + slope.norm()));
    };
    for (int i = 0; i < from.size(); ++i) {
      expect(stacked(exact[i].a), stacked(plain[i].a), stacked(before[i].a), stacked(after[i].a));
      if (!from[i].held) continue;
      ++held;
      expect(exact[i].f, plain[i].f, before[i].f, after[i].f);
      expect(exact[i].w_rate, plain[i].w_rate, before[i].w_rate, after[i].w_rate);
    }
  });
  EXPECT_GT(held, 40);
}

}  // namespace oloid::test::forest_recursion_test
