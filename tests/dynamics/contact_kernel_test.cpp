#include "oloid/dynamics/contact_kernel.h"

#include <gtest/gtest.h>

#include "oloid/base/dual.h"
#include "oloid/base/pack.h"
#include "support/random_contact.h"
#include "support/reference_contacts.h"

namespace oloid::test {
namespace {

constexpr Law kFrictionless{Slip::frictionless, Spin::free}, kSliding{Slip::sliding, Spin::free},
    kRolling{Slip::stuck, Spin::free}, kNoSpin{Slip::stuck, Spin::stuck};

// What a law forbids is taken out of the twist.
template <Law L>
Vec5<double> admissible(Vec5<double> w) {
  if (L.slip == Slip::stuck) w.tail<2>().setZero();
  if (L.spin == Spin::stuck) w(2) = 0;
  return w;
}

// Friction whose step began with the slip that w has now.
Friction friction_along(const PairGeometry<double>& pair, double psi, const Vec5<double>& w,
                        double mu) {
  const Vec2<double> v = w.tail<2>().norm() > 0 ? Vec2<double>(w.tail<2>()) : Vec2<double>(1, 0);
  const Mat3<double> R_BC = contact_axes_in_B(pair.B, contact_rotation(psi));
  return {mu, 1e-9, (R_BC.leftCols<2>() * v).normalized()};
}

template <Law L>
void expect_reference(const std::string& mode) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(mode + " " + c.name);
    const auto& expected = c.output["modes"][mode];
    const Vec5<double> qdot = vec<5>(expected["qdot"]);
    const Vec5<double> w = c.twist_of(qdot);
    ContactState<double> state{Vec3<double>::Zero(), Vec3<double>::Zero(), c.psi, w};
    const ContactRates<double> rates =
        contact_rates<L>(c.pair, state, c.body, c.load,
                         friction_along(c.pair, c.psi, w, c.input["mu"].get<double>()));
    expect_near(rates.f, vec<6>(expected["fixed"]["contact_wrench_1c"]), 1e-12, "contact wrench");
    EXPECT_NEAR(-rates.f(5), expected["fixed"]["f_n"].get<double>(), 1e-12 * rates.f.norm());
    expect_near(rates.w, vec<5>(expected["fixed"]["wdot"]), 1e-12, "rate of the twist");
    Vec5<double> moved;
    moved << rates.location_A.head<2>(), rates.location_B.head<2>(), rates.psi;
    expect_near(moved, qdot, 1e-12, "rates of the contact coordinates");
  }
}

TEST(ContactKernel, ReproducesTheReferenceForces) {
  expect_reference<kFrictionless>("frictionless");
  expect_reference<kSliding>("sliding");
  expect_reference<kRolling>("noslip");
  expect_reference<kNoSpin>("nospin");
}

// Along the motion the kernel prescribes, energy changes by the booked friction work alone. The
// pose is rebuilt from the moved coordinates, so this holds kinematics, forces and bias terms
// together.
template <Law L>
void expect_energy_balance() {
  using Time = Dual<double, 1>;
  for_random_contacts(4, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    ContactState<double> x = c.state;
    x.w = admissible<L>(x.w);
    const PairGeometry<double> at = c.pair();
    const ContactRates<double> rates =
        contact_rates<L>(at, x, c.body, c.load(at, x.psi), friction_along(at, x.psi, x.w, 0.3));
    const auto in_time = [](double value, double rate) {
      Time t(value);
      t.d[0] = rate;
      return t;
    };
    Vec3<Time> location_A, location_B;
    Vec5<Time> w;
    for (int i = 0; i < 3; ++i) {
      location_A(i) = in_time(x.location_A(i), rates.location_A(i));
      location_B(i) = in_time(x.location_B(i), rates.location_B(i));
    }
    for (int i = 0; i < 5; ++i) w(i) = in_time(x.w(i), rates.w(i));
    const Time psi = in_time(x.psi, rates.psi);
    const PairGeometry<Time> moved = c.pair<Time>(location_A, location_B);
    const Pose<Time> X = pose_of_A_in_B(moved, psi);
    // Twist at the centre of mass, in A.
    const Twist<Time> at_C{w.head<3>(), Vec3<Time>(w(3), w(4), Time(0.0))};
    const Twist<Time> phi = transform(Pose<Time>{moved.A.R, moved.A.p}, at_C);
    const Inertia<Time> M{Time(c.body.mass), c.body.J.cast<Time>()};
    const Time energy =
        kinetic_energy(M, phi) - Time(c.body.mass) * c.gravity_B.cast<Time>().dot(X.p);
    const double scale = 1 + rates.f.norm() * (1 + x.w.norm());
    EXPECT_NEAR(energy.d[0], -rates.friction_power, 1e-12 * scale);
    if (L.slip == Slip::sliding && rates.f(5) < 0) {
      EXPECT_GE(rates.friction_power, 0);
    }
    // And Newton's law: mass times acceleration of the centre is weight plus contact force.
    const Vec3<Time> velocity = X.R * phi.v;
    const Mat3<double> R_BC = (X.R * moved.A.R).unaryExpr([](const Time& t) { return t.v; });
    for (int i = 0; i < 3; ++i) {
      const double force = R_BC.row(i).dot(rates.f.tail<3>()) + c.body.mass * c.gravity_B(i);
      EXPECT_NEAR(c.body.mass * velocity(i).d[0], force, 1e-12 * scale * (1 + x.w.squaredNorm()));
    }
  });
}

TEST(ContactKernel, EnergyChangesByFrictionWorkAlone) {
  expect_energy_balance<kFrictionless>();
  expect_energy_balance<kSliding>();
  expect_energy_balance<kRolling>();
  expect_energy_balance<kNoSpin>();
}

// The geometric part of the normal row is v_Aᵀ K_rel (v_A + v_s).
TEST(ContactKernel, NormalBiasIsTheRelativeCurvatureAlongThePaths) {
  for_random_contacts(3, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const PairGeometry<double> at = c.pair();
    const auto k = relative_curvature(at, c.state.psi);
    const auto path = contact_path(at, k, c.state.w);
    const Twist<double> eta{path.w_AC, {path.v_A.x(), path.v_A.y(), 0}};
    const Twist<double> phi{c.state.w.head<3>(), {c.state.w(3), c.state.w(4), 0}};
    const Vec2<double> v_s = c.state.w.tail<2>();
    const double expected = path.v_A.dot(k.K_rel * (path.v_A + v_s));
    EXPECT_NEAR(-cross(eta, phi).v.z(), expected,
                1e-12 * (1 + path.v_A.squaredNorm() * k.K_rel.norm()));
  });
}

// W from its closed form equals X⁻¹ M⁻¹ X⁻ᵀ.
TEST(ContactKernel, InverseMassAtTheContact) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const PairGeometry<double> at = c.pair();
    const Mat3<double> R = at.A.R;
    const Mat6<double> W = contact_inverse_mass<double>(
        c.body.inverse_mass, R.transpose() * c.body.J_inv * R, R.transpose() * at.A.p);
    for (int i = 0; i < 6; ++i) {
      Vec6<double> unit = Vec6<double>::Unit(i);
      const Wrench<double> f_A =
          transform(Pose<double>{R, at.A.p}, Wrench<double>{unit.head<3>(), unit.tail<3>()});
      const Twist<double> a_A{c.body.J_inv * f_A.t, f_A.f / c.body.mass};
      const Twist<double> a_C = transform(inverse(Pose<double>{R, at.A.p}), a_A);
      Vec6<double> column;
      column << a_C.w, a_C.v;
      EXPECT_LE((W.col(i) - column).norm(), 1e-13 * W.norm());
    }
  });
}

template <Law L>
void expect_lanes_equal_scalars() {
  constexpr int n = 4;
  using P = Pack<n>;
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(7);
    const auto spread = [&](double x) {
      return P::generate([&](std::size_t i) { return x + 1e-3 * static_cast<double>(i); });
    };
    ContactState<P> x;
    const Vec5<double> w = admissible<L>(c.state.w);
    for (int i = 0; i < 3; ++i) {
      x.location_A(i) = P(c.state.location_A(i));
      x.location_B(i) = P(c.state.location_B(i));
    }
    for (int i = 0; i < 5; ++i) x.w(i) = w(i) == 0 ? P(0.0) : spread(w(i));
    x.psi = spread(c.state.psi);
    const BodyInertia<P> body{P(c.body.mass), P(c.body.inverse_mass), c.body.J.cast<P>(),
                              c.body.J_inv.cast<P>()};
    const Friction friction = friction_along(c.pair(), c.state.psi, w, 0.3);
    const PairGeometry<P> wide = c.pair<P>(x.location_A, x.location_B);
    const auto packed = contact_rates<L>(wide, x, body, c.load<P>(wide, x.psi), friction);
    for (int lane = 0; lane < n; ++lane) {
      ContactState<double> y = c.state;
      for (int i = 0; i < 5; ++i) y.w(i) = x.w(i)[lane];
      y.psi = x.psi[lane];
      const auto plain = contact_rates<L>(c.pair(), y, c.body, c.load(c.pair(), y.psi), friction);
      const double scale = 1 + plain.f.norm() + plain.w.norm();
      for (int i = 0; i < 5; ++i) EXPECT_NEAR(packed.w(i)[lane], plain.w(i), 1e-13 * scale);
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(packed.f(i)[lane], plain.f(i), 1e-13 * scale);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(packed.location_A(i)[lane], plain.location_A(i), 1e-13 * scale);
    }
  });
}

TEST(ContactKernel, PackLanesEqualScalars) {
  expect_lanes_equal_scalars<kFrictionless>();
  expect_lanes_equal_scalars<kSliding>();
  expect_lanes_equal_scalars<kRolling>();
  expect_lanes_equal_scalars<kNoSpin>();
}

// Dual derivatives of the rates against central differences.
TEST(ContactKernel, DualDerivativesAgreeWithDifferences) {
  using D = Dual<double, 6>;  // psi and the twist
  for_random_contacts(1, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const auto evaluate = [&]<class S>(const ContactState<S>& x) {
      const BodyInertia<S> body{S(c.body.mass), S(c.body.inverse_mass), c.body.J.cast<S>(),
                                c.body.J_inv.cast<S>()};
      const PairGeometry<S> at = c.pair<S>(x.location_A, x.location_B);
      return contact_rates<kSliding>(at, x, body, c.load<S>(at, x.psi),
                                     friction_along(c.pair(), c.state.psi, c.state.w, 0.3))
          .w;
    };
    ContactState<D> x{c.state.location_A.cast<D>(),
                      c.state.location_B.cast<D>(),
                      D::variable(c.state.psi, 0),
                      {}};
    for (int i = 0; i < 5; ++i) x.w(i) = D::variable(c.state.w(i), i + 1);
    const Vec5<D> exact = evaluate(x);
    for (int j = 0; j < 6; ++j) {
      const double h = 1e-6;
      ContactState<double> lo = c.state, hi = c.state;
      (j == 0 ? lo.psi : lo.w(j - 1)) -= h;
      (j == 0 ? hi.psi : hi.w(j - 1)) += h;
      const Vec5<double> difference = (evaluate(hi) - evaluate(lo)) / (2 * h);
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(exact(i).d[j], difference(i),
                    1e-7 * (1 + std::abs(difference(i)) + difference.norm()));
      }
    }
  });
}

TEST(ContactKernel, SlipDirectionIsKeptBelowTheLeastSpeedAndBeyondARightAngle) {
  const Mat3<double> R_BC = rotation_matrix(unit(Quat<double>{0.9, 0.3, -0.2, 0.1}));
  const Vec2<double> start(0.6, 0.8);
  const Friction friction{0.5, 1e-3, R_BC.leftCols<2>() * start};
  const auto direction = [&](double x, double y) {
    return detail::slip_direction(Vec2<double>(x, y), R_BC, friction);
  };
  EXPECT_LE((direction(1e-4, 0) - start).norm(), 1e-15);
  EXPECT_LE((direction(0, 0) - start).norm(), 1e-15);
  EXPECT_LE((direction(-1, -0.1) - start).norm(), 1e-15);
  EXPECT_EQ(direction(0, 2), Vec2<double>(0, 1));
}

}  // namespace
}  // namespace oloid::test
