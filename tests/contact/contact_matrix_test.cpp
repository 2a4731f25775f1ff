#include "oloid/contact/contact_matrix.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "oloid/contact/surface_surface.h"
#include "oloid/spatial/twist.h"
#include "support/random_bicubic.h"
#include "support/reference_contacts.h"
#include "support/rooms.h"

namespace oloid::test::contact_matrix_test {

using Time = Dual<double, 1>;
constexpr int kCases = 500;

ParametricPair<double> pair_of(const ReferenceContact& c) {
  const Vec5<double> q = vec<5>(c.input["q"]);
  return {parametric_side(c.patch_A.jet<3, double>(0, q.segment<2>(0))),
          parametric_side(c.patch_B.jet<3, double>(0, q.segment<2>(2)))};
}

TEST(ContactMatrix, ReproducesTheReferenceMatrices) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(c.name);
    const ParametricPair<double> pair = pair_of(c);
    const Vec5<double> qdot = vec<5>(c.input["qdot"]);
    const Mat<double, 6, 5> H = contact_matrix(pair, c.psi);
    expect_near(H, mat<6, 5>(c.output["H_1c"]), 1e-13, "H");
    expect_near(contact_matrix_rate(pair, c.psi, qdot), mat<6, 5>(c.output["Hdot_1c"]), 1e-12,
                "rate of H");
    expect_near(twist_of_rates(H, qdot), vec<5>(c.output["w"]), 1e-13, "w");
    expect_near(rates_of_twist(H, vec<5>(c.output["w"])), qdot, 1e-12, "rates");
    expect_near(Vec6<double>(pair.A.H * qdot.head<2>()), vec<6>(c.output["eta1"]), 1e-13, "eta");
  }
}

// The sixth row is 0 and the last column e₃, exactly.
TEST(ContactMatrix, KeepsTheContactClosed) {
  for_random_cases(20, [](Random& random) {
    const BicubicContact c(random);
    const Mat<double, 6, 5> H = contact_matrix(c.pair(), c.q(4));
    EXPECT_EQ(H.row(5).norm(), 0);
    EXPECT_EQ((H.col(4) - Vec6<double>::Unit(2)).norm(), 0);
  });
}

// The twist that the pose has when the coordinates move: rotation and position are functions of q.
Vec6<double> twist_of_pose(const Pose<double>& X, const Mat3<double>& R_rate,
                           const Vec3<double>& p_rate, const Pose<double>& X_AC) {
  const Mat3<double> W = X.R.transpose() * R_rate;
  const Twist<double> in_A{{W(2, 1), W(0, 2), W(1, 0)}, X.R.transpose() * p_rate};
  const Twist<double> in_C = transform(inverse(X_AC), in_A);
  return (Vec6<double>() << in_C.w, in_C.v).finished();
}

TEST(ContactMatrix, GivesTheTwistOfThePose) {
  for_random_cases(kCases, [](Random& random) {
    const BicubicContact c(random);
    const ParametricPair<double> pair = c.pair();
    const Vec6<double> expected = contact_matrix(pair, c.q(4)) * c.rates;
    const Pose<double> X_AC{pair.A.R, pair.A.c.d(0, 0)};
    const Vec5<Time> q = moving<5, 1>(c.q, c.rates);
    const Pose<Time> X = pose_of_A_in_B(pair_geometry(c.pair<Time>(q)), q(4));
    const Pose<double> here{value(X.R), value(X.p)};
    const Vec6<double> exact = twist_of_pose(here, derivative(X.R, 0), derivative(X.p, 0), X_AC);
    EXPECT_LE((exact - expected).norm(), 1e-13 * (1 + expected.norm()));
    // The same by differences, which know nothing of dual numbers.
    const auto pose_at = [&](double t) {
      const Vec5<double> moved = c.q + t * c.rates;
      return pose_of_A_in_B(pair_geometry(c.pair<double>(moved)), moved(4));
    };
    constexpr double h = 1e-3;
    const Pose<double> a = pose_at(-2 * h), b = pose_at(-h), d = pose_at(h), e = pose_at(2 * h);
    const Vec6<double> difference = twist_of_pose(here, (a.R - 8 * b.R + 8 * d.R - e.R) / (12 * h),
                                                  (a.p - 8 * b.p + 8 * d.p - e.p) / (12 * h), X_AC);
    EXPECT_LE((difference - expected).norm(), 1e-7 * (1 + expected.norm()));
  });
}

TEST(ContactMatrix, RateIsItsDerivative) {
  for_random_cases(kCases, [](Random& random) {
    const BicubicContact c(random);
    const Vec5<Time> q = moving<5, 1>(c.q, c.rates);
    const Mat<double, 6, 5> expected = derivative(contact_matrix(c.pair<Time>(q), q(4)), 0);
    EXPECT_LE((contact_matrix_rate(c.pair(), c.q(4), c.rates) - expected).norm(),
              1e-13 * (1 + expected.norm()));
  });
}

TEST(ContactMatrix, TwistAndRatesAreInverse) {
  for_random_cases(kCases, [](Random& random) {
    const BicubicContact c(random);
    const Mat<double, 6, 5> H = contact_matrix(c.pair(), c.q(4));
    const Vec5<double> w = twist_of_rates(H, c.rates);
    EXPECT_LE((rates_of_twist(H, w) - c.rates).norm(), 1e-12 * (1 + c.rates.norm()));
    // Montana's relations in the same frames.
    const PairGeometry<double> pair = pair_geometry(c.pair());
    const auto path = contact_path(pair, relative_curvature(pair, c.q(4)), w);
    Vec5<double> montana;
    montana << (pair.A.L * path.v_A).head<2>(), (pair.B.L * path.v_B).head<2>(), path.psi_rate;
    EXPECT_LE((montana - c.rates).norm(), 1e-12 * (1 + c.rates.norm()));
  });
}

TEST(ContactMatrix, TurningAFrameTurnsPsiAndTheTwist) {
  for_random_cases(kCases, [](Random& random) {
    const BicubicContact c(random);
    const Mat3<double> from = c.pair().A.R;
    const double alpha = random(-3, 3);
    const Mat3<double> to = from * axis_angle<double>(Vec3<double>::UnitZ(), alpha);
    EXPECT_NEAR(frame_turn(from, to), alpha, 1e-14);
    const Vec5<double> w = c.rates, turned = turned_twist(w, alpha);
    Mat<double, 3, 2> before, after;
    before << w.head<3>(), Vec3<double>(w(3), w(4), 0);
    after << turned.head<3>(), Vec3<double>(turned(3), turned(4), 0);
    EXPECT_LE((from * before - to * after).norm(), 1e-14);
  });
}

}  // namespace oloid::test::contact_matrix_test
