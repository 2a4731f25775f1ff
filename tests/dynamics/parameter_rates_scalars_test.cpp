// The parameter-rate form with packs and dual numbers.
#include <gtest/gtest.h>

#include "laws/difference.h"
#include "oloid/dynamics/parameter_rates.h"
#include "support/parameter_rates.h"
#include "support/rooms.h"

namespace oloid::test::parameter_rates_scalars_test {

void expect_lanes_equal_scalars(Law L, const BicubicContact& c, const Friction& friction,
                                const auto& motion_of) {
  using P = Pack<4>;
  Vec5<P> q, rates;
  for (int i = 0; i < 5; ++i) {
    const auto spread = [](double x) {
      return P::generate([x](std::size_t lane) { return x + 1e-3 * static_cast<double>(lane); });
    };
    q(i) = spread(c.q(i));
    rates(i) = spread(c.rates(i));
  }
  rates = free_rates(L, rates);
  const auto evaluate = [&]<class S>(const Vec5<S>& at, const Vec5<S>& with) {
    const BodyInertia<S> body{S(c.body_A.mass), S(c.body_A.inverse_mass), c.body_A.J.cast<S>(),
                              c.body_A.J_inv.cast<S>()};
    const Wrench<S> load{c.load_A.t.cast<S>(), c.load_A.f.cast<S>()};
    return parameter_rates(L, c.pair<S>(at), at(4), with, body, load, friction,
                           motion_of.template operator()<S>());
  };
  const ParameterRates<P> wide = evaluate(q, rates);
  for (int i = 0; i < 4; ++i) {
    const ParameterRates<double> plain =
        evaluate(Vec5<double>(lane(q, i)), Vec5<double>(lane(rates, i)));
    EXPECT_LE((lane(wide.f, i) - plain.f).norm(), 1e-13 * (1 + plain.f.norm()));
    EXPECT_LE((lane(wide.rates, i) - plain.rates).norm(), 1e-13 * (1 + plain.rates.norm()));
    EXPECT_NEAR(lane(wide.denominator, i), plain.denominator, 1e-13);
  }
}

TEST(ParameterRates, PackLanesEqualScalars) {
  for_random_cases(10, [](Random& random) {
    const BicubicContact c(random);
    const MovingB B(random);
    const Friction friction = friction_along(c.pair(), c.q(4), c.rates, 0.3);
    const auto given = [&]<class S>() {
      return DrivenBase<S>{{B.phi.w.cast<S>(), B.phi.v.cast<S>()},
                           {B.phi_rate.w.cast<S>(), B.phi_rate.v.cast<S>()}};
    };
    const auto free = [&]<class S>() {
      return FreeBase<S>{{B.phi.w.cast<S>(), B.phi.v.cast<S>()},
                         {S(c.body_B.mass), S(c.body_B.inverse_mass), c.body_B.J.cast<S>(),
                          c.body_B.J_inv.cast<S>()},
                         {c.load_B.t.cast<S>(), c.load_B.f.cast<S>()}};
    };
    for (const Law L : kAllLaws) {
      expect_lanes_equal_scalars(L, c, friction, given);
      expect_lanes_equal_scalars(L, c, friction, free);
    }
  });
}

// Along a random line through coordinates and rates.
TEST(ParameterRates, DualDerivativesAgreeWithDifferences) {
  using D = Dual<double, 1>;
  for_random_cases(50, [](Random& random) {
    const BicubicContact c(random);
    const Friction friction = friction_along(c.pair(), c.q(4), c.rates, 0.3);
    const auto evaluate = [&]<class S>(const Vec<S, 10>& y) {
      const BodyInertia<S> body{S(c.body_A.mass), S(c.body_A.inverse_mass), c.body_A.J.cast<S>(),
                                c.body_A.J_inv.cast<S>()};
      const Wrench<S> load{c.load_A.t.cast<S>(), c.load_A.f.cast<S>()};
      const Vec5<S> q = y.template head<5>(), rates = y.template tail<5>();
      return parameter_rates(kSliding, c.pair<S>(q), q(4), rates, body, load, friction).rates;
    };
    Vec<double, 10> y;
    y << c.q, c.rates;
    const Vec<double, 10> along = random.vector<10>(-1, 1);
    const Vec5<D> exact = evaluate(moving<10, 1>(y, along));
    constexpr double h = 1e-6;
    const Vec5<double> slope =
        (evaluate(Vec<double, 10>(y + h * along)) - evaluate(Vec<double, 10>(y - h * along))) /
        (2 * h);
    EXPECT_LE((derivative(exact, 0) - slope).norm(), 1e-7 * (1 + slope.norm()));
  });
}

}  // namespace oloid::test::parameter_rates_scalars_test
