#include "oloid/contact/contact_equation.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "oloid/base/dual.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::contact_equation_test {

using Time = Dual<double, 1>;  // value and time derivative

struct Base {
  Twist<double> phi, phi_rate, belt;
};
Twist<double> random_twist(Random& random) {
  Twist<double> x;
  x.w = random.vector<3>(-1, 1);
  x.v = random.vector<3>(-1, 1);
  return x;
}
Twist<Time> moving_twist(const Twist<double>& x, const Twist<double>& rate) {
  return {moving(x.w, rate.w), moving(x.v, rate.v)};
}

// Along the path that the equation gives, with any rate of w: the twist of A that it gives moves as
// X_AC⁻¹ φ̇_A = (ẇ; 0) + X_BC⁻¹ φ̇_B − b. This is what b means, whatever B does. The belt's motion
// over its frame is constant here.
TEST(ContactEquation, BiasIsWhatAccelerationsLeave) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(3);
    for (const bool at_rest : {true, false}) {
      Base base;
      if (!at_rest) {
        // A belt runs along the surface: at the contact it has no velocity along the normal.
        Twist<double> belt_C = random_twist(random);
        belt_C.v.z() = 0;
        const Pose<double> X_BC = contact_equation(c.pair(), c.state.psi, c.state.w).X_BC;
        base = {random_twist(random), random_twist(random), transform(X_BC, belt_C)};
      }
      const Vec5<double> w = c.state.w, w_rate = random.vector<5>(-3, 3);
      const auto equation = at_rest ? contact_equation(c.pair(), c.state.psi, w)
                                    : contact_equation(c.pair(), c.state.psi, w, base);
      const PairGeometry<Time> pair =
          c.pair<Time>(moving(c.state.location_A, Vec3<double>(c.pair().A.L * equation.path.v_A)),
                       moving(c.state.location_B, Vec3<double>(c.pair().B.L * equation.path.v_B)));
      Time psi(c.state.psi);
      psi.d[0] = equation.path.psi_rate;
      struct {
        Twist<Time> phi, belt;
      } moved{moving_twist(base.phi, base.phi_rate), moving_twist(base.belt, {})};
      const auto later = at_rest ? contact_equation(pair, psi, moving(w, w_rate))
                                 : contact_equation(pair, psi, moving(w, w_rate), moved);
      const Twist<double> phi_A_rate{derivative(later.phi_A.w, 0), derivative(later.phi_A.v, 0)};
      const Vec6<double> expected = stacked(relative_twist(w_rate)) +
                                    stacked(seen_from(equation.X_BC, base.phi_rate)) -
                                    stacked(equation.b);
      const double scale = 1 + stacked(phi_A_rate).norm() + equation.path.v_A.squaredNorm();
      // The normal row is 0 only if the surfaces stay together: v_z is not in w.
      EXPECT_LE((stacked(seen_from(equation.X_AC, phi_A_rate)) - expected).norm(), 1e-11 * scale);
      const Pose<double> X = pose_of_A_in_B(c.pair(), c.state.psi), ours = pose_of_A_in_B(equation);
      EXPECT_LE((X.R - ours.R).norm() + (X.p - ours.p).norm(), 1e-15 * 8);
    }
  });
}

// A plane whose type is known gives what its matrices of zeros give.
TEST(ContactEquation, PlanesMayBeKnownWhileCompiling) {
  for (int kind = 0; kind < kConvexKinds; ++kind) {
    for_random_cases(5, [&](Random& random) {
      const RandomContact c(random, kind, 0);
      const PairGeometry<double> pair = c.pair();
      const PairGeometry<double, LocalPlane<double>> flat{pair.A, {pair.B.p, pair.B.R, pair.B.L}};
      const auto one = contact_equation(pair, c.state.psi, c.state.w),
                 same = contact_equation(flat, c.state.psi, c.state.w);
      const double scale = 1 + one.path.v_A.norm();
      EXPECT_LE((one.path.v_A - same.path.v_A).norm(), 1e-14 * scale);
      EXPECT_LE((one.path.v_B - same.path.v_B).norm(), 1e-14 * scale);
      EXPECT_NEAR(one.path.psi_rate, same.path.psi_rate, 1e-13 * scale * (1 + pair.A.T.norm()));
      EXPECT_LE((stacked(one.b) - stacked(same.b)).norm(), 1e-13 * scale * (1 + pair.A.K.norm()));
      EXPECT_EQ(one.k.K_rel, same.k.K_rel);
    });
  }
}

}  // namespace oloid::test::contact_equation_test
