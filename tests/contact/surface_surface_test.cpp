#include "oloid/contact/surface_surface.h"

#include <gtest/gtest.h>

#include "oloid/base/dual.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/spatial/twist.h"
#include "support/random_contact.h"
#include "support/reference_contacts.h"
#include "support/rooms.h"

namespace oloid::test::surface_surface_test {

using Time = Dual<double, 1>;  // value and time derivative

Vec3<Time> moving(const Vec3<double>& value, const Vec3<double>& rate) {
  Vec3<Time> x;
  for (int i = 0; i < 3; ++i) {
    x(i) = Time(value(i));
    x(i).d[0] = rate(i);
  }
  return x;
}
template <class M>
auto derivative(const M& m) {
  return m.unaryExpr([](const Time& x) { return x.d[0]; }).eval();
}
template <class M>
auto value(const M& m) {
  return m.unaryExpr([](const Time& x) { return x.v; }).eval();
}

TEST(SurfaceSurface, ReproducesTheReferenceKinematics) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(c.name);
    expect_near(c.pair.A.K, mat<2, 2>(c.output["K1"]), 1e-12, "K1");
    expect_near(c.pair.A.T, vec<2>(c.output["T1"]), 1e-12, "T1");
    expect_near(c.pair.B.K, mat<2, 2>(c.output["K2"]), 1e-12, "K2");
    expect_near(c.pair.B.T, vec<2>(c.output["T2"]), 1e-12, "T2");
    const auto k = relative_curvature(c.pair, c.psi);
    expect_near(k.K_rel, mat<2, 2>(c.output["Krel"]), 1e-12, "Krel");
    const Vec5<double> qdot = vec<5>(c.input["qdot"]);
    const Vec5<double> w = vec<5>(c.output["w"]);
    expect_near(c.twist_of(qdot), w, 1e-12, "w");
    const ContactPath<double> path = contact_path(c.pair, k, w);
    Vec5<double> rates;
    rates << (c.pair.A.L * path.v_A).head<2>(), (c.pair.B.L * path.v_B).head<2>(), path.psi_rate;
    expect_near(rates, qdot, 1e-12, "rates of the contact coordinates");
    Vec6<double> eta;
    eta << path.w_AC, path.v_A, 0;
    expect_near(eta, vec<6>(c.output["eta1"]), 1e-12, "motion of the contact frame over A");
    const Pose<double> X = pose_of_A_in_B(c.pair, c.psi);
    expect_near(X.R, mat<3, 3>(c.output["pose_1_in_2"]["R"]), 1e-12, "rotation");
    expect_near(X.p, vec<3>(c.output["pose_1_in_2"]["p"]), 1e-12, "position");
  }
}

// The pose rebuilt from moved contact coordinates has exactly the twist that moved them.
TEST(SurfaceSurface, RebuiltPoseHasTheTwistThatMovedIt) {
  for_random_contacts(5, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const PairGeometry<double> at = c.pair();
    const auto k = relative_curvature(at, c.state.psi);
    const ContactPath<double> path = contact_path(at, k, c.state.w);
    const PairGeometry<Time> moved = c.pair<Time>(moving(c.state.location_A, at.A.L * path.v_A),
                                                  moving(c.state.location_B, at.B.L * path.v_B));
    Time psi(c.state.psi);
    psi.d[0] = path.psi_rate;
    const Pose<Time> X = pose_of_A_in_B(moved, psi);
    const Mat3<double> W = value(X.R).transpose() * derivative(X.R);  // [ω] in A
    const Vec3<double> omega_A(W(2, 1), W(0, 2), W(1, 0));
    const Vec3<double> v_A = value(X.R).transpose() * derivative(X.p);
    const Twist<double> at_C =
        transform(inverse(Pose<double>{at.A.R, at.A.p}), Twist<double>{omega_A, v_A});
    Vec6<double> twist, expected;
    twist << at_C.w, at_C.v;
    expected << c.state.w, 0;
    const double scale = 1 + path.v_A.norm() + path.v_B.norm();
    EXPECT_LE((twist - expected).norm(), 1e-12 * scale) << twist.transpose() << "\n"
                                                        << expected.transpose();
  });
}

TEST(SurfaceSurface, SwappingTheBodiesMirrorsTheAnswer) {
  for_random_contacts(3, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const PairGeometry<double> at = c.pair(), swapped{at.B, at.A};
    const auto k = relative_curvature(at, c.state.psi);
    const auto k_swapped = relative_curvature(swapped, c.state.psi);
    const Vec5<double>& w = c.state.w;
    Vec5<double> w_swapped;
    w_swapped << -(k.R * w.head<2>()), w(2), -(k.R * w.tail<2>());
    const auto path = contact_path(at, k, w),
               mirrored = contact_path(swapped, k_swapped, w_swapped);
    const double scale = 1 + path.v_A.norm() + path.v_B.norm();
    EXPECT_LE((mirrored.v_A - path.v_B).norm(), 1e-12 * scale);
    EXPECT_LE((mirrored.v_B - path.v_A).norm(), 1e-12 * scale);
    EXPECT_NEAR(mirrored.psi_rate, path.psi_rate, 1e-12 * scale);
    const Pose<double> X = pose_of_A_in_B(at, c.state.psi),
                       Y = pose_of_A_in_B(swapped, c.state.psi);
    EXPECT_LE((X * Y).p.norm() + ((X * Y).R - Mat3<double>::Identity()).norm(), 1e-14);
  });
}

TEST(SurfaceSurface, PsiOfAPoseIsThePsiThatMadeIt) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const Pose<double> X = pose_of_A_in_B(c.pair(), c.state.psi);
    EXPECT_NEAR(psi_of_pose(c.pair(), X.R), c.state.psi, 1e-14);
    EXPECT_LE((X * c.pair().A.p - c.pair().B.p).norm(), 1e-15 * 4);
    const Pose<double> apart = pose_of_A_in_B(c.pair(), c.state.psi, 0.25);
    EXPECT_NEAR((apart * c.pair().A.p - c.pair().B.p).dot(c.pair().B.R.col(2)), 0.25, 1e-15 * 4);
  });
}

// A ball of radius 1 in a socket of radius 1 + gap: λ_min = gap / (1 + gap).
TEST(SurfaceSurface, ConformityOfABallInASocket) {
  for (double gap : {1.0, 0.1, 1e-3, 1e-6}) {
    const PlacedShape ball{*Ellipsoid::make({1, 1, 1}), {}};
    const PlacedShape socket{*Ellipsoid::make(Vec3<double>::Constant(1 + gap), true), {}};
    const Location a = near(ball.shape, {0.1, 0.2, -1}), b = near(socket.shape, {0.3, 0.2, -1});
    const PairGeometry<double> pair{ball.at<double>({a.chart, fresh_reference(ball, a)}, a.x),
                                    socket.at<double>({b.chart, fresh_reference(socket, b)}, b.x)};
    const double measured = conformity(relative_curvature(pair, 0.7).K_rel, 1.0);
    EXPECT_NEAR(measured, gap / (1 + gap), 2e-15);
  }
}

}  // namespace oloid::test::surface_surface_test
