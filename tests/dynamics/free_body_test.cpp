#include "oloid/dynamics/free_body.h"

#include <gtest/gtest.h>

#include "oloid/base/dual.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::free_body_test {

// Along the motion: energy is kept, angular momentum about the centre is kept, the centre falls
// with g.
TEST(FreeBody, KeepsEnergyAndAngularMomentum) {
  using Time = Dual<double, 1>;
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mat3<double> R = random.rotation();
    const Mat3<double> J = R * Vec3<double>(0.1, 0.15, 0.2).asDiagonal() * R.transpose();
    const Inertia<double> M{1.7, J};
    const FreeState<double> x{random.vector<3>(-1, 1),
                              unit(Quat<double>{random(-1, 1), 0.4, random(-1, 1), 0.3}),
                              {random.vector<3>(-4, 4), random.vector<3>(-2, 2)}};
    const Vec3<double> g = random.vector<3>(-9.81, 9.81);
    const Wrench<double> load{Vec3<double>::Zero(),
                              M.mass * (rotation_matrix(x.q_WA).transpose() * g)};
    const FreeState<double> rate = free_rates(x, M, Mat3<double>(J.inverse()), load);

    const auto in_time = [](double value, double slope) {
      Time t(value);
      t.d[0] = slope;
      return t;
    };
    Vec3<Time> p, w, v;
    for (int i = 0; i < 3; ++i) {
      p(i) = in_time(x.p_WA(i), rate.p_WA(i));
      w(i) = in_time(x.phi.w(i), rate.phi.w(i));
      v(i) = in_time(x.phi.v(i), rate.phi.v(i));
    }
    const Quat<Time> q{in_time(x.q_WA.w, rate.q_WA.w), in_time(x.q_WA.x, rate.q_WA.x),
                       in_time(x.q_WA.y, rate.q_WA.y), in_time(x.q_WA.z, rate.q_WA.z)};
    const Inertia<Time> M_t{Time(M.mass), J.cast<Time>()};
    const Time energy = kinetic_energy(M_t, Twist<Time>{w, v}) - M_t.mass * g.cast<Time>().dot(p);
    EXPECT_NEAR(energy.d[0], 0, 1e-13 * 100);
    const Vec3<Time> angular_momentum = rotation_matrix(q) * (M_t.J * w);
    const Vec3<Time> velocity = rotation_matrix(q) * v;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(angular_momentum(i).d[0], 0, 1e-13 * 10);
      EXPECT_NEAR(velocity(i).d[0], g(i), 1e-13 * 100);
    }
  }
}

}  // namespace oloid::test::free_body_test
