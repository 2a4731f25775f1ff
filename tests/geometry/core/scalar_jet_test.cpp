#include "oloid/geometry/core/scalar_jet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::scalar_jet_test {

using std::pow;
using D = Dual<double, 2>;

std::size_t at(int i, int j) { return static_cast<std::size_t>(jet_index(i, j)); }

// g(u, v) = 2 + u² v + u v − v³ with derivatives.
template <class S>
ScalarJet<S, 3> polynomial(const S& u, const S& v) {
  ScalarJet<S, 3> g;
  g[0] = S(2) + u * u * v + u * v - v * v * v;
  g[at(1, 0)] = S(2) * u * v + v;
  g[at(0, 1)] = u * u + u - S(3) * v * v;
  g[at(2, 0)] = S(2) * v;
  g[at(1, 1)] = S(2) * u + S(1);
  g[at(0, 2)] = S(-6) * v;
  g[at(3, 0)] = g[at(1, 2)] = S(0);
  g[at(2, 1)] = S(2);
  g[at(0, 3)] = S(-6);
  return g;
}

// Each order of f(g) is the dual derivative of the order below.
template <int Order>
void expect_derivatives(double e, double u, double v) {
  const auto composed = [e]<int N, class S>(std::integral_constant<int, N>, const S& a,
                                            const S& b) {
    const ScalarJet<S, 3> g = polynomial(a, b);
    ScalarJet<S, N> cut;
    std::copy_n(g.begin(), cut.size(), cut.begin());
    return compose<N>(power<N>(g[0], e), cut);
  };
  const auto low =
      composed(std::integral_constant<int, Order>{}, D::variable(u, 0), D::variable(v, 1));
  const auto high = composed(std::integral_constant<int, Order + 1>{}, u, v);
  for (int order = 0; order <= Order; ++order) {
    for (int j = 0; j <= order; ++j) {
      const int i = order - j;
      const double tolerance = 1e-14 * std::pow(10, order);  // terms grow by (e + g′ / g) an order
      EXPECT_LE(difference(low[at(i, j)].v, high[at(i, j)]), tolerance);
      EXPECT_LE(difference(low[at(i, j)].d[0], high[at(i + 1, j)]), tolerance);
      EXPECT_LE(difference(low[at(i, j)].d[1], high[at(i, j + 1)]), tolerance);
    }
  }
}

TEST(Compose, HasTheDerivativesOfDualNumbers) {
  for_random_cases(50, [](Random& random) {
    const double u = random(-1, 1), v = random(-0.5, 0.5);
    for (const double e : {-0.5, 1.0, 2.0, 2.7}) {
      expect_derivatives<0>(e, u, v);
      expect_derivatives<1>(e, u, v);
      expect_derivatives<2>(e, u, v);
    }
  });
}

TEST(EvenPower, HasTheKnownDerivatives) {
  for (const double e : {2.0, 2.5, 3.0, 4.0, 7.3}) {
    for (const double t : {-1.3, -0.2, 1e-5, 0.4, 1.1}) {
      const auto f = even_power<3>(t, e);
      const double size = std::abs(t), sign = t < 0 ? -1 : 1;
      EXPECT_DOUBLE_EQ(f[0], pow(size, e));
      EXPECT_DOUBLE_EQ(f[1], sign * e * pow(size, e - 1));
      EXPECT_DOUBLE_EQ(f[2], e * (e - 1) * pow(size, e - 2));
      EXPECT_DOUBLE_EQ(f[3], sign * e * (e - 1) * (e - 2) * pow(size, e - 3));
    }
  }
}

// Whole even powers have all their derivatives at 0, by nested duals too; of the others those up to
// the second vanish, and the third is said to.
TEST(EvenPower, AtZero) {
  using DD = Dual<Dual<double, 1>, 1>;
  const DD t = DD::variable(Dual<double, 1>::variable(0, 0), 0);
  for (const double e : {2.0, 2.1, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0}) {
    const auto f = even_power<3>(t, e);
    const double factorials[] = {1, 1, 2, 6, 24, 120};
    for (int k = 0; k <= 3; ++k) {
      const DD& term = f[static_cast<std::size_t>(k)];
      const auto expected = [&](int order) {
        return (e == 2 || e == 4) && order == e ? factorials[order] : 0.0;
      };
      EXPECT_EQ(term.v.v, expected(k)) << "e = " << e << ", k = " << k;
      EXPECT_EQ(term.v.d[0], expected(k + 1)) << "e = " << e << ", k = " << k;
      EXPECT_EQ(term.d[0].v, expected(k + 1)) << "e = " << e << ", k = " << k;
      EXPECT_EQ(term.d[0].d[0], expected(k + 2)) << "e = " << e << ", k = " << k;
    }
  }
}

TEST(Power, AtZero) {
  EXPECT_EQ((power<3>(0.0, 1)), (Derivatives<double, 3>{0, 1, 0, 0}));
  EXPECT_EQ((power<3>(0.0, 2)), (Derivatives<double, 3>{0, 0, 2, 0}));
  EXPECT_EQ((power<3>(0.0, 3)), (Derivatives<double, 3>{0, 0, 0, 6}));
  EXPECT_EQ((power<3>(0.0, 0)), (Derivatives<double, 3>{1, 0, 0, 0}));
  EXPECT_EQ((power<3>(0.0, 0.3)), (Derivatives<double, 3>{0, 0, 0, 0}));
}

}  // namespace oloid::test::scalar_jet_test
