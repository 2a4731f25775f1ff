#include "oloid/dynamics/parameter_rates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "laws/difference.h"
#include "oloid/base/largest.h"
#include "support/parameter_rates.h"
#include "support/reference_contacts.h"
#include "support/rooms.h"

namespace oloid::test::parameter_rates_test {

Twist<double> twist_from(const nlohmann::json& j) { return as_twist<double>(vec<6>(j)); }
Wrench<double> wrench_from(const nlohmann::json& j) {
  const Vec6<double> f = vec<6>(j);
  return {f.head<3>(), f.tail<3>()};
}

void expect_reference(const ParameterRates<double>& rates, const nlohmann::json& expected,
                      const std::string& base) {
  SCOPED_TRACE(base);
  constexpr double kTolerance = 1e-12;
  expect_near(rates.q_second, vec<5>(expected["qddot"]), kTolerance, "q second");
  expect_near(rates.f, vec<6>(expected["contact_wrench_1c"]), kTolerance, "contact wrench");
  EXPECT_NEAR(-rates.f(5), expected["f_n"].get<double>(), kTolerance * rates.f.norm());
  expect_near(stacked(rates.phi_A_rate), vec<6>(expected["phi1dot"]), kTolerance, "A");
  if (expected.contains("phi2dot"))
    expect_near(stacked(rates.phi_B_rate), vec<6>(expected["phi2dot"]), kTolerance, "B");
}

void expect_reference_mode(Law L, const std::string& mode) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(mode + " " + c.name);
    const auto& expected = c.output["modes"][mode];
    const Vec5<double> q = vec<5>(c.input["q"]), qdot = vec<5>(expected["qdot"]);
    const ParametricPair<double> pair{
        parametric_side(c.patch_A.jet<3, double>(0, q.segment<2>(0))),
        parametric_side(c.patch_B.jet<3, double>(0, q.segment<2>(2)))};
    const Friction friction = friction_along(pair, c.psi, qdot, c.input["mu"].get<double>());
    const Vec5<double> rates = free_rates<double>(L, qdot);
    const Twist<double> phi_B = twist_from(c.input["phi2"]);
    const auto fixed = parameter_rates(L, pair, c.psi, rates, c.body, c.load, friction);
    expect_near(fixed.q, qdot, 1e-12, "rates of the contact coordinates");
    expect_near(fixed.rates, free_rates<double>(L, vec<5>(expected["fixed"]["qddot"])), 1e-12,
                "slots");
    expect_reference(fixed, expected["fixed"], "fixed");
    const DrivenBase<double> given{phi_B, twist_from(c.input["phi2dot"])};
    expect_reference(parameter_rates(L, pair, c.psi, rates, c.body, c.load, friction, given),
                     expected["prescribed"], "prescribed");
    const FreeBase<double> free{
        phi_B, body_inertia(c.input["mass2"].get<double>(), mat<3, 3>(c.input["inertia2"])),
        wrench_from(c.input["fext2"])};
    expect_reference(parameter_rates(L, pair, c.psi, rates, c.body, c.load, friction, free),
                     expected["free"], "free");
  }
}

TEST(ParameterRates, ReproducesTheReferenceMotion) {
  expect_reference_mode(kFrictionless, "frictionless");
  expect_reference_mode(kSliding, "sliding");
  expect_reference_mode(kRolling, "noslip");
  expect_reference_mode(kNoSpin, "nospin");
}

TEST(ParameterRates, ReproducesTheReferenceMapOfAdmissibleRates) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(c.name);
    const Vec5<double> q = vec<5>(c.input["q"]), qdot = vec<5>(c.input["qdot"]);
    const ParametricPair<double> pair{
        parametric_side(c.patch_A.jet<3, double>(0, q.segment<2>(0))),
        parametric_side(c.patch_B.jet<3, double>(0, q.segment<2>(2)))};
    const Mat<double, 6, 5> H = contact_matrix(pair, c.psi);
    const Mat<double, 6, 5> H_rate = contact_matrix_rate(pair, c.psi, qdot);
    const Mat<double, 5, 5> L = admissible_rates(kRolling, H);
    expect_near(Mat2<double>(L.block<2, 2>(0, 2)), mat<2, 2>(c.output["D"]), 1e-13, "D");
    const Mat<double, 5, 5> L_rate = admissible_rates_rate(kRolling, H, H_rate, L);
    expect_near(Mat2<double>(L_rate.block<2, 2>(0, 2)), mat<2, 2>(c.output["Ddot"]), 1e-12,
                "rate of D");
  }
}

// L spans what the law admits, L̇ is its derivative, and expanding is undone by gathering.
TEST(ParameterRates, AdmissibleRatesKeepTheLaw) {
  using Time = Dual<double, 1>;
  for_random_cases(300, [](Random& random) {
    const BicubicContact c(random);
    for (const Law L : kAllLaws) {
      const Mat<double, 6, 5> H = contact_matrix(c.pair(), c.q(4));
      const Vec5<double> rates = free_rates<double>(L, c.rates);
      const Vec5<double> q_rate = expanded_rates(L, H, rates);
      EXPECT_EQ(free_rates<double>(L, q_rate), rates);
      const Vec5<double> w = twist_of_rates(H, q_rate);
      if (L.slip == Slip::stuck) {
        EXPECT_LE(w.tail<2>().norm(), 1e-14 * (1 + q_rate.norm()));
      }
      if (L.spin == Spin::stuck) {
        EXPECT_NEAR(w(2), 0, 1e-14 * (1 + H.row(2).norm() * q_rate.norm()));
      }
      const Vec5<double> back = admissible_rates_of_twist(L, H, w);
      EXPECT_LE((back - rates).norm(), 1e-12 * (1 + q_rate.norm()));
      const Vec5<Time> q = moving<5, 1>(c.q, q_rate);
      const Mat<double, 5, 5> L_rate = admissible_rates_rate(
          L, H, contact_matrix_rate(c.pair(), c.q(4), q_rate), admissible_rates(L, H));
      const Mat<Time, 5, 5> exact = admissible_rates(L, contact_matrix(c.pair<Time>(q), q(4)));
      EXPECT_LE((L_rate - derivative(exact, 0)).norm(), 1e-13 * (1 + L_rate.norm()));
    }
  });
}

// The other form, with other unknowns and another matrix, finds the same forces and motion.
template <Law L>
double disagreement(const BicubicContact& c) {
  const ParametricPair<double> pair = c.pair();
  const double psi = c.q(4);
  const Mat<double, 6, 5> H = contact_matrix(pair, psi);
  const Vec5<double> rates = free_rates<double>(L, c.rates);
  const Vec5<double> q_rate = expanded_rates(L, H, rates);
  const Friction friction = friction_along(pair, psi, c.rates, 0.3);
  const auto ours = parameter_rates(L, pair, psi, rates, c.body_A, c.load_A, friction);

  Vec5<double> w = twist_of_rates(H, q_rate);
  if (L.slip == Slip::stuck) w.tail<2>().setZero();
  if (L.spin == Spin::stuck) w(2) = 0;
  const ContactState<double> state{Vec3<double>::Zero(), Vec3<double>::Zero(), psi, w};
  const ContactRates<double> other =
      contact_rates<L>(pair_geometry(pair), state, c.body_A, c.load_A, {friction, {}, {}});
  Vec5<double> other_q;
  other_q << other.location_A.head<2>(), other.location_B.head<2>(), other.psi;
  const Vec5<double> w_rate =
      (contact_matrix_rate(pair, psi, q_rate) * ours.q + H * ours.q_second).template head<5>();
  const auto relative = [](const auto& a, const auto& b) {
    return (a - b).norm() / (1 + b.norm());
  };
  return std::max({relative(ours.f, other.f), relative(ours.q, other_q), relative(w_rate, other.w),
                   // Without slip the kernel's is that of the constraints together.
                   L.slip == Slip::stuck ? 0 : std::abs(ours.denominator - other.denominator),
                   std::abs(ours.friction_power - other.dissipation.x()) / (1 + other.f.norm())});
}

TEST(ParameterRates, AgreesWithTheContactTwistForm) {
  double worst = 0;
  for_random_cases(3000, [&](Random& random) {
    const BicubicContact c(random);
    for_all_laws([&]<Law L>() {
      const double off = disagreement<L>(c);
      EXPECT_LE(off, 1e-12);
      worst = nan_or_max(worst, off);
    });
  });
  RecordProperty("worst", fmt::format("{:.1e}", worst));
}

// What is left of M φ̇ − ad_φᵀ M φ = load + contact.
double residual(const BodyInertia<double>& body, const Twist<double>& phi,
                const Twist<double>& rate, const Wrench<double>& load,
                const Wrench<double>& contact) {
  const Inertia<double> M{body.mass, body.J};
  const Wrench<double> left = M * rate, gyro = cross_transpose(phi, M * phi);
  const Wrench<double> right = load + contact + gyro;
  return ((left.t - right.t).norm() + (left.f - right.f).norm()) /
         (1 + left.f.norm() + gyro.f.norm() + contact.f.norm());
}

// φ_A and its rate from the pose alone: q runs with q̇ and q̈, frames come from second derivatives.
struct MotionOfA {
  Twist<double> phi, phi_rate;
};
MotionOfA motion_of_A(const BicubicContact& c, const ParameterRates<double>& rates,
                      const Twist<double>& phi_B) {
  using Time = Dual<double, 1>;
  using Time2 = Dual<Time, 1>;
  Vec5<Time2> q;
  for (int i = 0; i < 5; ++i) {  // q + q̇ t + q̈ t²/2
    q(i).v.v = c.q(i);
    q(i).v.d[0] = q(i).d[0].v = rates.q(i);
    q(i).d[0].d[0] = rates.q_second(i);
  }
  const PairGeometry<Time2> pair{eq5_surface(c.A.jet<2>(Uv<Time2>(q.segment<2>(0)))),
                                 eq5_surface(c.B.jet<2>(Uv<Time2>(q.segment<2>(2))))};
  const Pose<Time2> X = pose_of_A_in_B(pair, q(4));
  const Mat3<Time> R = value(X.R), W = R.transpose() * derivative(X.R, 0);
  const Twist<Time> relative{{W(2, 1), W(0, 2), W(1, 0)}, R.transpose() * derivative(X.p, 0)};
  const Twist<Time> B{moving<3, 1>(phi_B.w, rates.phi_B_rate.w),
                      moving<3, 1>(phi_B.v, rates.phi_B_rate.v)};
  const Twist<Time> A = transform(inverse(Pose<Time>{R, value(X.p)}), B) + relative;
  return {{value(A.w), value(A.v)}, {derivative(A.w, 0), derivative(A.v, 0)}};
}

void expect_law_of_force(Law L, const BicubicContact& c, const ParameterRates<double>& rates,
                         const Friction& friction) {
  const ParametricPair<double> pair = c.pair();
  const Vec5<double> w = twist_of_rates(contact_matrix(pair, c.q(4)), rates.q);
  const int first = L.slip != Slip::stuck ? 5 : L.spin == Spin::free ? 3 : 2;  // resisting row
  for (int row = 0; row < first; ++row) {
    if (L.slip == Slip::sliding && row >= 3) break;
    EXPECT_EQ(rates.f(row), 0) << row;
  }
  if (L.slip == Slip::sliding) {
    const Vec2<double> expected = friction.kinetic * rates.f(5) * w.tail<2>().normalized();
    EXPECT_LE((rates.f.segment<2>(3) - expected).norm(), 1e-14 * (1 + rates.f.norm()));
    EXPECT_NEAR(rates.friction_power, -friction.kinetic * rates.f(5) * w.tail<2>().norm(),
                1e-13 * (1 + rates.f.norm()));
  } else {
    EXPECT_EQ(rates.friction_power, 0);
  }
}

// Newton and Euler hold for both bodies, the pose accelerates as the rates say, and the force is
// one that the law allows: together they determine the motion.
template <class Motion>
double expect_newton_euler(Law L, const BicubicContact& c, const Motion& motion) {
  const ParametricPair<double> pair = c.pair();
  const double psi = c.q(4);
  const Vec5<double> given = free_rates<double>(L, c.rates);
  const Friction friction = friction_along(pair, psi, c.rates, 0.3);
  const auto rates = parameter_rates(L, pair, psi, given, c.body_A, c.load_A, friction, motion);
  const MotionOfA A = motion_of_A(c, rates, motion.phi);
  const Wrench<double> f{rates.f.template head<3>(), rates.f.template tail<3>()};
  const Wrench<double> on_A = transform(Pose<double>{pair.A.R, pair.A.c.d(0, 0)}, f);
  double worst = residual(c.body_A, A.phi, rates.phi_A_rate, c.load_A, on_A);
  const double scale = 1 + rates.phi_A_rate.w.norm() + rates.phi_A_rate.v.norm();
  worst = nan_or_max(worst, ((A.phi_rate.w - rates.phi_A_rate.w).norm() +
                             (A.phi_rate.v - rates.phi_A_rate.v).norm()) /
                                scale);
  if constexpr (std::same_as<Motion, FreeBase<double>>) {
    const Mat3<double> R_BC = contact_axes_in_B(pair.B.R, contact_rotation(psi));
    const Wrench<double> in_B = transform(Pose<double>{R_BC, pair.B.c.d(0, 0)}, f);
    worst = nan_or_max(worst, residual(motion.body, motion.phi, rates.phi_B_rate, motion.load,
                                       {-in_B.t, -in_B.f}));
  }
  // The twist stays one that the law admits: its forbidden rows have no rate.
  const Vec6<double> w_rate = contact_matrix_rate(pair, psi, rates.q) * rates.q +
                              contact_matrix(pair, psi) * rates.q_second;
  if (L.slip == Slip::stuck) worst = nan_or_max(worst, w_rate.segment<2>(3).norm() / scale);
  if (L.spin == Spin::stuck) worst = nan_or_max(worst, std::abs(w_rate(2)) / scale);
  EXPECT_LE(worst, 1e-12);
  expect_law_of_force(L, c, rates, friction);
  return worst;
}

TEST(ParameterRates, NewtonAndEulerHoldForBothBodies) {
  double worst = 0;
  for_random_cases(1000, [&](Random& random) {
    const BicubicContact c(random);
    const MovingB B(random);
    for (const Law L : kAllLaws) {
      const double given = expect_newton_euler(L, c, DrivenBase<double>{B.phi, B.phi_rate});
      const double free = expect_newton_euler(L, c, FreeBase<double>{B.phi, c.body_B, c.load_B});
      worst = std::max({worst, given, free});
    }
  });
  RecordProperty("worst", fmt::format("{:.1e}", worst));
}

// A free body whose mass is huge moves as one whose motion is given.
TEST(ParameterRates, AHeavyFreeBodyActsLikeAGivenOne) {
  for_random_cases(50, [](Random& random) {
    const BicubicContact c(random);
    const MovingB B(random);
    BodyInertia<double> heavy = c.body_B;
    heavy.mass *= 1e10, heavy.J *= 1e10, heavy.inverse_mass *= 1e-10, heavy.J_inv *= 1e-10;
    const Inertia<double> M{heavy.mass, heavy.J};
    const Wrench<double> inertial = M * B.phi_rate, gyro = cross_transpose(B.phi, M * B.phi);
    const Wrench<double> load{inertial.t - gyro.t, inertial.f - gyro.f};
    for (const Law L : kAllLaws) {
      const Friction friction = friction_along(c.pair(), c.q(4), c.rates, 0.3);
      const Vec5<double> rates = free_rates<double>(L, c.rates);
      const auto given = parameter_rates(L, c.pair(), c.q(4), rates, c.body_A, c.load_A, friction,
                                         DrivenBase<double>{B.phi, B.phi_rate});
      const auto free = parameter_rates(L, c.pair(), c.q(4), rates, c.body_A, c.load_A, friction,
                                        FreeBase<double>{B.phi, heavy, load});
      EXPECT_LE((given.f - free.f).norm(), 1e-6 * (1 + given.f.norm()));
      EXPECT_NEAR(given.denominator, free.denominator, 1e-6);
    }
  });
}

// Sliding as [KryPai02] Eq. 28 has it: F M H q̈ = F (g − M γ), F = [1 | −λ] X_ACᵀ. The determinant
// of F M H is that of the mass at the contact times Painlevé's denominator times det H.
TEST(ParameterRates, SlidingSolvesTheProjectionThatLeavesOutTheContactForce) {
  for_random_cases(500, [](Random& random) {
    const BicubicContact c(random);
    const MovingB B(random);
    const ParametricPair<double> pair = c.pair();
    const double psi = c.q(4), mu = random(0, 2);
    const Friction friction = friction_along(pair, psi, c.rates, mu);
    const auto rates = parameter_rates(kSliding, pair, psi, c.rates, c.body_A, c.load_A, friction,
                                       DrivenBase<double>{B.phi, B.phi_rate});
    const auto m = dynamics::detail::contact_motion(kSliding, pair, psi, c.rates, B.phi);
    const Mat6<double> M = dynamics::detail::mass_matrix(c.body_A);
    Mat<double, 5, 6> F = Mat<double, 5, 6>::Identity();
    F.col(5).tail<2>() = -mu * m.w.tail<2>().normalized();
    F = (F * m.X_AC.transpose()).eval();
    const Vec6<double> g = dynamics::detail::driving_wrench(c.body_A, c.load_A, m.phi_A);
    const Vec6<double> gamma = m.gamma + stacked(transform(m.X_AB, B.phi_rate));
    const Mat<double, 5, 5> FMH = F * M * m.HL;
    const Vec5<double> r = F * (g - M * gamma);
    const double scale = FMH.norm() * (1 + rates.q_second.norm());
    EXPECT_LE((FMH * rates.q_second - r).norm(), 1e-12 * scale);
    const Vec5<double> direct = Lu<double, 5>(FMH).solve(r);
    EXPECT_LE((direct - rates.q_second).norm(), 1e-9 * (1 + direct.norm()));
    const Mat6<double> M_C = m.X_AC.transpose() * M * m.X_AC;
    const double expected = M_C.determinant() * rates.denominator * m.H.topRows<5>().determinant();
    EXPECT_NEAR(FMH.determinant(), expected, 1e-9 * std::abs(expected) + 1e-12 * FMH.norm());
  });
}

// A patch with its parameters turned by a right angle, (u, v) = (1 − v', u'), as neighbours have.
BicubicPatch turned_patch(const BicubicPatch& patch) {
  BicubicPatch::Net net;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) net[i][j] = patch.net()[3 - j][i];
  return BicubicPatch(net);
}

// ψ and the rates after crossing to other patches, which touch the old ones tangentially at the
// contact: docs/theory/parameter_rates.md eq. 13, put together as at a chart crossing.
struct Crossed {
  double psi;
  Vec5<double> rates;
};
Crossed crossed_rates(Law law, const ParametricPair<double>& before, double psi,
                      const Vec5<double>& rates, const ParametricPair<double>& after) {
  const Mat<double, 6, 5> H = contact_matrix(before, psi);
  const Vec5<double> w = twist_of_rates(H, expanded_rates(law, H, rates));
  const double turn_A = frame_turn(before.A.R, after.A.R);
  const double psi_after = psi + turn_A + frame_turn(before.B.R, after.B.R);
  return {psi_after, admissible_rates_of_twist<double>(law, contact_matrix(after, psi_after),
                                                       turned_twist(w, turn_A))};
}

TEST(ParameterRates, CrossingToAnotherPatchKeepsPoseAndTwist) {
  for_random_cases(300, [](Random& random) {
    const BicubicContact c(random);
    const bool at_A = random(0, 1) < 0.7, at_B = random(0, 1) < 0.7;
    BicubicContact d = c;
    if (at_A) d.A = turned_patch(c.A), d.q.segment<2>(0) << c.q(1), 1 - c.q(0);
    if (at_B) d.B = turned_patch(c.B), d.q.segment<2>(2) << c.q(3), 1 - c.q(2);
    for (const Law L : kAllLaws) {
      const Vec5<double> rates = free_rates<double>(L, c.rates);
      const Crossed crossed = crossed_rates(L, c.pair(), c.q(4), rates, d.pair());
      const Pose<double> before = pose_of_A_in_B(pair_geometry(c.pair()), c.q(4));
      const Pose<double> after = pose_of_A_in_B(pair_geometry(d.pair()), crossed.psi);
      EXPECT_LE((before.R - after.R).norm() + (before.p - after.p).norm(), 1e-14);
      // Turned parameters turn their rates.
      const Mat<double, 6, 5> H = contact_matrix(c.pair(), c.q(4));
      Vec5<double> expected = expanded_rates(L, H, rates);
      if (at_A) expected.segment<2>(0) = Vec2<double>(expected(1), -expected(0));
      if (at_B) expected.segment<2>(2) = Vec2<double>(expected(3), -expected(2));
      const Vec5<double> full =
          expanded_rates(L, contact_matrix(d.pair(), crossed.psi), crossed.rates);
      EXPECT_LE((full - expected).head<4>().norm(), 1e-12 * (1 + expected.norm()));
      // The twist in A's axes, whose ψ̇ depends on how the new frames turn.
      const auto twist_in_A = [](const ParametricPair<double>& pair, double psi,
                                 const Vec5<double>& q_rate) {
        const Twist<double> in_C = as_twist<double>(contact_matrix(pair, psi) * q_rate);
        return stacked(transform(Pose<double>{pair.A.R, pair.A.c.d(0, 0)}, in_C));
      };
      const Vec6<double> phi = twist_in_A(c.pair(), c.q(4), expanded_rates(L, H, rates));
      EXPECT_LE((phi - twist_in_A(d.pair(), crossed.psi, full)).norm(), 1e-12 * (1 + phi.norm()));
    }
  });
}

// Beyond the corner A bends otherwise, with the same tangents there: the twist stays, rates jump.
TEST(ParameterRates, RatesJumpWhereCurvatureDoes) {
  for_random_cases(100, [](Random& random) {
    BicubicContact c(random);
    c.q.head<2>().setZero();
    BicubicPatch::Net net = c.A.net();
    const Vec3<double> n = c.pair().A.R.col(2);
    net[2][0] -= 0.05 * n, net[0][2] -= 0.03 * n, net[1][1] += 0.01 * n;
    BicubicContact d = c;
    d.A = BicubicPatch(net);
    for (const Law L : kAllLaws) {
      const Vec5<double> rates = free_rates<double>(L, c.rates);
      const Crossed crossed = crossed_rates(L, c.pair(), c.q(4), rates, d.pair());
      EXPECT_NEAR(crossed.psi, c.q(4), 1e-14);
      const auto twist = [L](const ParametricPair<double>& pair, double psi,
                             const Vec5<double>& zeta) {
        const Mat<double, 6, 5> H = contact_matrix(pair, psi);
        return twist_of_rates(H, expanded_rates(L, H, zeta));
      };
      const Vec5<double> w = twist(c.pair(), c.q(4), rates);
      EXPECT_LE((w - twist(d.pair(), crossed.psi, crossed.rates)).norm(), 1e-12 * (1 + w.norm()));
      EXPECT_GT((crossed.rates - rates).norm(), 1e-2);
    }
  });
}

}  // namespace oloid::test::parameter_rates_test
