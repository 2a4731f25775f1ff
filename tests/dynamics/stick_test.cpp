#include "oloid/dynamics/stick.h"

#include <gtest/gtest.h>

#include "support/random_contact.h"

namespace oloid::test {
namespace {

double kinetic(const RandomContact& c, const Vec3<double>& omega, const Vec3<double>& v) {
  const PairGeometry<double> at = c.pair();
  const Twist<double> phi = transform(Pose<double>{at.A.R, at.A.p}, Twist<double>{omega, v});
  return kinetic_energy(Inertia<double>{c.body.mass, c.body.J}, phi);
}

TEST(Stick, ImpulseRemovesVelocityAndBooksItsEnergy) {
  for_random_contacts(4, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const Vec3<double> omega = c.state.w.head<3>(), v(c.state.w(3), c.state.w(4), 0.7);
    const double before = kinetic(c, omega, v);
    for (const bool all : {true, false}) {
      const StickImpulse hit = all ? remove_contact_velocity(c.pair(), c.body, omega, v)
                                   : remove_normal_velocity(c.pair(), c.body, omega, v);
      const Vec3<double> v_after(hit.w(3), hit.w(4), 0);
      const double after = kinetic(c, hit.w.head<3>(), v_after);
      EXPECT_GE(hit.energy_loss, 0);
      EXPECT_NEAR(before - after, hit.energy_loss, 1e-13 * (1 + before));
      if (all) {
        EXPECT_EQ(hit.w.tail<2>().norm(), 0);
      }
    }
  });
}

// Projection: doing it twice changes nothing, and what is kept is orthogonal to what is removed.
TEST(Stick, ImpulseIsAnOrthogonalProjection) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const Vec3<double> omega = c.state.w.head<3>(), v(c.state.w(3), c.state.w(4), 0.7);
    const StickImpulse once = remove_contact_velocity(c.pair(), c.body, omega, v);
    const StickImpulse twice =
        remove_contact_velocity(c.pair(), c.body, once.w.head<3>(), Vec3<double>::Zero());
    EXPECT_EQ((twice.w - once.w).norm(), 0);
    const double kept = kinetic(c, once.w.head<3>(), Vec3<double>::Zero());
    const double removed = kinetic(c, omega - once.w.head<3>(), v);
    EXPECT_NEAR(kept + removed, kinetic(c, omega, v), 1e-13 * (1 + kept + removed));
  });
}

TEST(Stick, OnsetDirectionAcceleratesAlongItself) {
  int tried = 0;
  for_random_contacts(5, [&](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    ContactState<double> x = c.state;
    x.w.tail<2>().setZero();
    const PairGeometry<double> at = c.pair();
    const Wrench<double> load = c.load(at, x.psi);
    const auto stuck = contact_rates<Law{Slip::stuck}>(at, x, c.body, load, {});
    const double f_n = -stuck.f(5), f_t = stuck.f.segment<2>(3).norm();
    if (f_n <= 0) return;
    const double mu = 0.5 * f_t / f_n;  // half of what sticking needs: it slips
    const Mat3<double> R_BC = contact_axes_in_B(at.B, contact_rotation(x.psi));
    for (int i = 0; i < 64; ++i) {  // where some direction has no force there may be no onset
      const double angle = std::acos(-1.0) * i / 32;
      const Friction way{mu, INFINITY,
                         R_BC.leftCols<2>() * Vec2<double>(std::cos(angle), std::sin(angle))};
      const auto rates = contact_rates<Law{Slip::sliding}>(at, x, c.body, load, way);
      if (rates.denominator <= 0 || rates.f(5) >= 0) return;
    }
    const SlipOnset onset = slip_onset(at, x, c.body, load, mu, -stuck.f.segment<2>(3));
    ASSERT_TRUE(onset.found) << "mu " << mu;
    const Friction friction{mu, INFINITY, R_BC.leftCols<2>() * onset.direction};
    const Vec2<double> a =
        contact_rates<Law{Slip::sliding}>(at, x, c.body, load, friction).w.tail<2>();
    EXPECT_NEAR(a.normalized().dot(onset.direction), 1, 1e-13)
        << a.transpose() << " mu " << mu << " f_n " << f_n << " f_t " << f_t;
    ++tried;
  });
  EXPECT_GT(tried, 15);
}

// A ball on an incline sticks up to tan a = (7/2) μ.
TEST(Stick, BallOnAnInclineNeedsTwoSeventhsOfTheSlope) {
  const Side ball{*Ellipsoid::make({0.2, 0.2, 0.2}), {}}, plane{Plane{}, {}};
  const Location a = near(ball.shape, {0, 0, -1});
  const PairGeometry<double> at{ball.at<double>({a.chart, {1, 0, 0}}, a.x),
                                plane.at<double>({ChartId{0}, {1, 0, 0}}, Vec3<double>::Zero())};
  const Mat3<double> J = Mat3<double>::Identity() * 0.4 * 0.04;
  const BodyInertia<double> body{1, 1, J, J.inverse()};
  const ContactState<double> x{a.x, Vec3<double>::Zero(), psi_of_pose(at, Mat3<double>::Identity()),
                               Vec5<double>::Zero()};
  for (double angle : {0.1, 0.4, 0.9}) {
    const Wrench<double> load{Vec3<double>::Zero(),
                              9.81 * Vec3<double>(std::sin(angle), 0, -std::cos(angle))};
    const auto stuck = contact_rates<Law{Slip::stuck}>(at, x, body, load, {});
    EXPECT_NEAR(stuck.f.segment<2>(3).norm() / -stuck.f(5), 2.0 / 7.0 * std::tan(angle), 1e-14);
  }
}

}  // namespace
}  // namespace oloid::test
