// Runs of the parameter-rate form: energy, and the contact-twist form beside it.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <memory>

#include "oloid/base/largest.h"
#include "oloid/dynamics/parameter_rates.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/integrate/stepper.h"
#include "support/parameter_rates.h"
#include "support/rooms.h"

namespace oloid::test::parameter_rates_run_test {

// A body in B's field of gravity, integrated: y = (q, rates, dissipated energy).
template <class SurfaceA>
struct Motion {
  static constexpr int kSize = 11, kGuards = 0;
  Law L;
  const SurfaceA& A;
  const BicubicPatch& B;
  BodyInertia<double> body;
  Vec3<double> gravity_B;
  Friction friction;
  bool with_L_rate = true;

  ParametricPair<double> pair(const Vec5<double>& q) const {
    return {parametric_side(A.template jet<3>(Uv<double>(q.segment<2>(0)))),
            parametric_side(B.jet<3>(Uv<double>(q.segment<2>(2))))};
  }
  bool rates(double, const Vec<double, 11>& y, Vec<double, 11>& dy, Vec<double, 0>&) const {
    const Vec5<double> q = y.head<5>(), zeta = y.segment<5>(5);
    const ParametricPair<double> at = pair(q);
    const Mat3<double> R_BA = pose_of_A_in_B(pair_geometry(at), q(4)).R;
    const Wrench<double> load{Vec3<double>::Zero(), body.mass * (R_BA.transpose() * gravity_B)};
    const auto out = parameter_rates(L, at, q(4), zeta, body, load, friction);
    dy << out.q, out.rates, out.friction_power;
    if (!with_L_rate) dy.segment<5>(5) += part_of_L_rate(at, q(4), zeta);
    return true;
  }
  // What the equations without L̇ add to ζ̇: (Eᵀ M E)⁻¹ Eᵀ M H L̇ ζ, E = H L.
  Vec5<double> part_of_L_rate(const ParametricPair<double>& at, double psi,
                              const Vec5<double>& zeta) const {
    const auto m = dynamics::detail::contact_motion(L, at, psi, zeta, {});
    const Mat<double, 5, 6> EM = m.HL.transpose() * dynamics::detail::mass_matrix(body);
    Mat<double, 5, 5> G = EM * m.HL;
    for (int i = 0; i < 5; ++i) {
      if (!is_free_rate(L, i)) G(i, i) = 1;
    }
    return G.inverse() * EM * m.X_AC * m.H * m.L_rate_zeta;
  }
  // Kinetic and potential energy, and what friction has taken. [J]
  double energy(const Vec<double, 11>& y) const {
    const Vec5<double> q = y.head<5>();
    const auto at = pair(q);
    const auto m = dynamics::detail::contact_motion(L, at, q(4), Vec5<double>(y.segment<5>(5)), {});
    const Vec3<double> p = pose_of_A_in_B(pair_geometry(at), q(4)).p;
    return kinetic_energy(Inertia<double>{body.mass, body.J}, m.phi_A) -
           body.mass * gravity_B.dot(p) + y(10);
  }
};

struct RunResult {
  Vec<double, 11> y;
  double drift = 0;  // relative to the largest kinetic energy plus m g ℓ, ℓ = 0.3 m
};

template <class Field, class EachStep>
Vec<double, Field::kSize> integrate(const Field& field, const Vec<double, Field::kSize>& y0,
                                    double t_end, EachStep each) {
  StepOptions options;
  options.rtol = 1e-13;
  Stepper<Field> stepper(options);
  typename Stepper<Field>::State state;
  state.y = y0;
  EXPECT_TRUE(stepper.restart(field, state));
  auto trial = std::make_unique<typename Stepper<Field>::TrialStep>();
  while (state.t < t_end) {
    stepper.attempt(field, state, t_end, *trial);
    if (trial->status != StepStatus::ok) {
      ADD_FAILURE() << "step too small at " << state.t;
      break;
    }
    stepper.accept(*trial, state);
    each(state.y);
  }
  return state.y;
}

template <class Field>
RunResult run(const Field& field, const Vec<double, 11>& y0, double t_end) {
  RunResult result;
  const double start = field.energy(y0);
  const double scale = std::abs(start) + field.body.mass * 9.81 * 0.3;
  result.y = integrate(field, y0, t_end, [&](const Vec<double, 11>& y) {
    result.drift = nan_or_max(result.drift, std::abs(field.energy(y) - start) / scale);
  });
  return result;
}

// A dome on a shallow bowl, com below its centre of curvature; gravity presses it down.
BicubicPatch bowl(double bend, double height, double tilt) {
  BicubicPatch::Net net;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double x = static_cast<double>(i) / 3 - 0.5, y = static_cast<double>(j) / 3 - 0.5;
      const double wave = tilt * std::sin(3 * x + 2 * y) + 0.5 * tilt * std::cos(4 * x * y + y);
      net[i][j] = {x + 0.2 * y + wave, y - 0.5 * wave,
                   height - bend * (x * x + 0.7 * y * y) + wave};
    }
  }
  return BicubicPatch(net);
}

struct Ball {
  Ellipsoid surface;
  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    return surface.jet<Order>(0, q);
  }
};

const BicubicPatch& dome() {
  static const BicubicPatch patch = bowl(1.2, 0.3, 0.02);
  return patch;
}
const BicubicPatch& dish() {
  static const BicubicPatch patch = bowl(-0.15, 0, 0.01);
  return patch;
}
Vec<double, 11> start(double scale) {
  Vec<double, 11> y;
  y << 0.45, 0.55, 0.5, 0.48, 0.7, scale * Vec5<double>(0.4, -0.3, 0.5, 0.35, 0.8), 0;
  return y;
}
BodyInertia<double> wobbler() {
  Mat3<double> J;
  J << 0.05, 0.004, -0.003, 0.004, 0.06, 0.002, -0.003, 0.002, 0.04;
  return {1.3, 1 / 1.3, J, J.inverse()};
}

template <class SurfaceA>
Motion<SurfaceA> motion(Law L, const SurfaceA& A) {
  return {L, A, dish(), wobbler(), {0.3, -0.2, -9.81}, {}};
}

Vec<double, 11> admissible_start(Law L) {
  Vec<double, 11> y = start(1);
  y.segment<5>(5) = free_rates<double>(L, y.segment<5>(5));
  return y;
}

TEST(ParameterRates, EnergyIsConservedWithoutSliding) {
  const Ball ball{*Ellipsoid::make({0.25, 0.25, 0.25})};
  for (const Law L : {kFrictionless, kRolling, kNoSpin}) {
    const double patches = run(motion(L, dome()), admissible_start(L), 1).drift;
    Vec<double, 11> y0 = admissible_start(L);
    y0.head<2>().setZero();
    const double round = run(motion(L, ball), y0, 1).drift;
    EXPECT_LE(patches, 1e-11);
    EXPECT_LE(round, 1e-11);
  }
}

TEST(ParameterRates, SlidingLosesWhatFrictionTakes) {
  auto field = motion(kSliding, dome());
  const Vec<double, 11> y0 = start(2);
  field.friction = friction_along(field.pair(y0.head<5>()), y0(4), y0.segment<5>(5), 0.1);
  const RunResult end = run(field, y0, 0.2);
  EXPECT_GT(end.y(10), 1e-2);
  EXPECT_LE(end.drift, 1e-11);
}

// Negative control: without L̇ the drift is a million times the bound above.
TEST(ParameterRates, EnergyIsLostWithoutTheDerivativeOfTheAdmissibleRates) {
  auto rolling = motion(kRolling, dome());
  rolling.with_L_rate = false;
  auto no_spin = motion(kNoSpin, dome());
  no_spin.with_L_rate = false;
  EXPECT_GT(run(rolling, admissible_start(kRolling), 1).drift, 1e-5);
  EXPECT_GT(run(no_spin, admissible_start(kNoSpin), 1).drift, 1e-5);
}

// The contact-twist form over the same surfaces: y = (q, w).
template <Law L>
struct TwistMotion {
  static constexpr int kSize = 10, kGuards = 0;
  Motion<BicubicPatch> of;

  bool rates(double, const Vec<double, 10>& y, Vec<double, 10>& dy, Vec<double, 0>&) const {
    const PairGeometry<double> at = pair_geometry(of.pair(y.head<5>()));
    const Mat3<double> R_BA = pose_of_A_in_B(at, y(4)).R;
    const Wrench<double> load{Vec3<double>::Zero(),
                              of.body.mass * (R_BA.transpose() * of.gravity_B)};
    const ContactState<double> state{{}, {}, y(4), y.tail<5>()};
    const auto out = contact_rates<L>(at, state, of.body, load, {of.friction, {}, {}});
    dy << Vec2<double>(out.location_A.template head<2>()),
        Vec2<double>(out.location_B.template head<2>()), out.psi, out.w;
    return true;
  }
};

TEST(ParameterRates, RunsEndWhereTheContactTwistFormEnds) {
  for_all_laws([&]<Law L>() {
    Motion<BicubicPatch> field = motion(L, dome());
    Vec<double, 11> y0 = admissible_start(L);
    const double t_end = L.slip == Slip::sliding ? 0.2 : 1;
    const Mat<double, 6, 5> H = contact_matrix(field.pair(y0.head<5>()), y0(4));
    const Vec5<double> q_rate = expanded_rates(L, H, Vec5<double>(y0.segment<5>(5)));
    if (L.slip == Slip::sliding)
      field.friction = friction_along(field.pair(y0.head<5>()), y0(4), q_rate, 0.02);
    Vec<double, 10> z0;
    z0 << y0.head<5>(), twist_of_rates(H, q_rate);
    if (L.slip == Slip::stuck) z0.tail<2>().setZero();
    if (L.spin == Spin::stuck) z0(7) = 0;
    const RunResult end = run(field, y0, t_end);
    const Vec<double, 10> other = integrate(TwistMotion<L>{field}, z0, t_end, [](const auto&) {});
    const Mat<double, 6, 5> H_end = contact_matrix(field.pair(end.y.head<5>()), end.y(4));
    const Vec5<double> w =
        twist_of_rates(H_end, expanded_rates(L, H_end, Vec5<double>(end.y.segment<5>(5))));
    EXPECT_LE((end.y.head<5>() - other.head<5>()).norm(), 1e-12);
    EXPECT_LE((w - other.tail<5>()).norm(), 1e-12 * (1 + w.norm()));
  });
}

}  // namespace oloid::test::parameter_rates_run_test
