#include "oloid/dynamics/contact_kernel.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "oloid/base/dual.h"
#include "oloid/base/pack.h"
#include "support/random_contact.h"
#include "support/reference_contacts.h"
#include "support/rooms.h"

namespace oloid::test::contact_kernel_test {

constexpr Law kFrictionless{Slip::frictionless}, kSliding{Slip::sliding}, kRolling{Slip::stuck},
    kNoSpin{Slip::stuck, Spin::stuck}, kResisting{Slip::sliding, Spin::resisting, Roll::resisting};

// What a law forbids is taken out of the twist.
template <Law L>
Vec5<double> admissible(Vec5<double> w) {
  for (const int row : dynamics::detail::constrained_rows<L>())
    if (row != kNormalRow) w(row) = 0;
  return w;
}

// Friction whose step began with the motion that w has now.
Frictions frictions_along(const PairGeometry<double>& pair, double psi, const Vec5<double>& w,
                          double mu, double length) {
  const Mat3<double> R_BC = contact_axes_in_B(pair.B, contact_rotation(psi));
  const auto tangential = [&](double x, double y) -> Vec3<double> {
    const Vec2<double> v = x == 0 && y == 0 ? Vec2<double>(1, 0) : Vec2<double>(x, y);
    return (R_BC.leftCols<2>() * v).normalized();
  };
  return {.slip = {mu, 1e-9, tangential(w(3), w(4))},
          .spin = {0.7 * length, 1e-9, (w(2) < 0 ? -1 : 1) * R_BC.col(2)},
          .roll = {length, 1e-9, tangential(w(0), w(1))}};
}

// A body's equation: its acceleration under a load and the contact wrench f_C.
Twist<double> accelerated(const BodyInertia<double>& body, const Wrench<double>& load,
                          const Twist<double>& phi, const Pose<double>& X,
                          const Vec6<double>& f_C) {
  return free_acceleration(body, load + transform(X, as_wrench(f_C)), phi);
}

Twist<double> twist_of(const FixedBase&) { return {}; }
template <class Base>
Twist<double> twist_of(const Base& base) {
  return base.phi;
}

template <Law L, class Base>
void expect_reference(const ReferenceContact& c, const nlohmann::json& mode, const char* kind,
                      const Base& base) {
  SCOPED_TRACE(kind);
  const auto& expected = mode[kind];
  const Vec5<double> qdot = vec<5>(mode["qdot"]), w = c.twist_of(qdot);
  const ContactState<double> state{Vec3<double>::Zero(), Vec3<double>::Zero(), c.psi, w};
  const ContactRates<double> rates =
      contact_rates<L>(c.pair, state, c.body, c.load,
                       frictions_along(c.pair, c.psi, w, c.input["mu"].get<double>(), 0), base);
  expect_near(rates.f, vec<6>(expected["contact_wrench_1c"]), 1e-12, "contact wrench");
  EXPECT_NEAR(-rates.f(5), expected["f_n"].get<double>(), 1e-12 * rates.f.norm());
  expect_near(rates.w, vec<5>(expected["wdot"]), 1e-12, "rate of the twist");
  Vec5<double> moved;
  moved << rates.location_A.head<2>(), rates.location_B.head<2>(), rates.psi;
  expect_near(moved, qdot, 1e-12, "rates of the contact coordinates");

  const Pose<double> X_AC{c.pair.A.R, c.pair.A.p};
  const Pose<double> X_BC{contact_axes_in_B(c.pair.B, contact_rotation(c.psi)), c.pair.B.p};
  const Twist<double> relative{w.head<3>(), {w(3), w(4), 0}};
  const Twist<double> phi_A = transform(X_AC, relative + seen_from(X_BC, twist_of(base)));
  expect_near(stacked(accelerated(c.body, c.load, phi_A, X_AC, rates.f)),
              vec<6>(expected["phi1dot"]), 1e-11, "acceleration of A");
  const Vec6<double> expected_B = expected.contains("phi2dot") ? vec<6>(expected["phi2dot"])
                                  : kind[0] == 'p'             ? vec<6>(c.input["phi2dot"])
                                                               : Vec6<double>::Zero();
  expect_near(stacked(rates.phi_rate_B), expected_B, 1e-12, "acceleration of B");
}

template <Law L>
void expect_references(const std::string& mode) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(mode + " " + c.name);
    const auto& expected = c.output["modes"][mode];
    const Twist<double> phi_B = as_twist(vec<6>(c.input["phi2"]));
    expect_reference<L>(c, expected, "fixed", FixedBase{});
    expect_reference<L>(c, expected, "prescribed",
                        DrivenBase<double>{phi_B, as_twist(vec<6>(c.input["phi2dot"]))});
    expect_reference<L>(
        c, expected, "free",
        FreeBase<double>{
            phi_B, body_inertia(c.input["mass2"].get<double>(), mat<3, 3>(c.input["inertia2"])),
            as_wrench(vec<6>(c.input["fext2"]))});
  }
}

TEST(ContactKernel, ReproducesTheReferenceForces) {
  expect_references<kFrictionless>("frictionless");
  expect_references<kSliding>("sliding");
  expect_references<kRolling>("noslip");
  expect_references<kNoSpin>("nospin");
}

// Something for B to do: `Base` of any scalar from the same numbers.
struct BaseNumbers {
  Vec6<double> phi, phi_rate, load;
  BodyInertia<double> body;

  explicit BaseNumbers(Random& random) {
    phi = random.vector<6>(-1, 1);
    phi_rate = random.vector<6>(-3, 3);
    load = random.vector<6>(-5, 5);
    const Mat3<double> R = random.rotation();
    const Vec3<double> J0 = Vec3<double>::Constant(0.15) + random.vector<3>(-0.05, 0.05);
    body = body_inertia(random(0.5, 2), R * J0.asDiagonal() * R.transpose());
  }
};
template <class S>
Twist<S> twist_as(const Vec6<double>& x) {
  return {x.head<3>().template cast<S>(), x.tail<3>().template cast<S>()};
}
template <class S>
Wrench<S> wrench_as(const Vec6<double>& x) {
  return {x.head<3>().template cast<S>(), x.tail<3>().template cast<S>()};
}
template <class S>
BodyInertia<S> body_as(const BodyInertia<double>& body) {
  return {S(body.mass), S(body.inverse_mass), body.J.template cast<S>(),
          body.J_inv.template cast<S>()};
}
enum class Kind { fixed, driven, free };
template <Kind K, class S>
auto base_as(const BaseNumbers& x) {
  if constexpr (K == Kind::fixed) {
    return FixedBase{};
  } else if constexpr (K == Kind::driven) {
    return DrivenBase<S>{twist_as<S>(x.phi), twist_as<S>(x.phi_rate)};
  } else {
    return FreeBase<S>{twist_as<S>(x.phi), body_as<S>(x.body), wrench_as<S>(x.load)};
  }
}

// Both bodies as functions of time along the motion that the kernel prescribes. The pose is rebuilt
// from the moved coordinates, so this holds kinematics, forces and bias terms together.
using Time = Dual<double, 1>;
struct Moving {
  Pose<Time> X_BA;
  Twist<Time> phi_A, phi_B;  // at the centres of mass, in body axes

  Moving(const RandomContact& c, const ContactState<double>& x, const ContactRates<double>& rates,
         const Twist<double>& base) {
    const Vec3<Time> location_A = moving(x.location_A, rates.location_A),
                     location_B = moving(x.location_B, rates.location_B);
    const Vec5<Time> w = moving(x.w, rates.w);
    Time psi(x.psi);
    psi.d[0] = rates.psi;
    const PairGeometry<Time> pair = c.pair<Time>(location_A, location_B);
    X_BA = pose_of_A_in_B(pair, psi);
    phi_B = {moving(base.w, rates.phi_rate_B.w), moving(base.v, rates.phi_rate_B.v)};
    const Twist<Time> relative{w.head<3>(), Vec3<Time>(w(3), w(4), Time(0.0))};
    const Pose<Time> X_BC = X_BA * Pose<Time>{pair.A.R, pair.A.p};
    phi_A = transform(Pose<Time>{pair.A.R, pair.A.p}, relative + seen_from(X_BC, phi_B));
  }
};
Inertia<Time> in_time(const BodyInertia<double>& body) {
  return {Time(body.mass), body.J.cast<Time>()};
}
template <class T>
T value_of(const Twist<Time>& x) {
  return {value(x.w), value(x.v)};
}
Twist<double> rate_of(const Twist<Time>& x) { return {derivative(x.w, 0), derivative(x.v, 0)}; }

// Newton's and Euler's equations of A, energy of both bodies, and momentum of both.
template <Law L, Kind K>
void expect_laws_of_motion() {
  for_random_contacts(1, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(11);
    const BaseNumbers numbers_B(random);
    const Wrench<double> load = wrench_as<double>(random.vector<6>(-8, 8));
    const auto base = base_as<K, double>(numbers_B);
    ContactState<double> x = c.state;
    x.w = admissible<L>(x.w);
    const PairGeometry<double> pair = c.pair();
    const Frictions frictions = frictions_along(pair, x.psi, x.w, 0.2, 0.03);
    const ContactRates<double> rates = contact_rates<L>(pair, x, c.body, load, frictions, base);
    const Moving motion(c, x, rates, twist_of(base));
    const Pose<double> X_AC{pair.A.R, pair.A.p};
    const Pose<double> X_BC{contact_axes_in_B(pair.B, contact_rotation(x.psi)), pair.B.p};
    const Twist<double> phi_A = value_of<Twist<double>>(motion.phi_A), phi_B = twist_of(base);

    const Twist<double> a = accelerated(c.body, load, phi_A, X_AC, rates.f);
    const double scale = 1 + stacked(a).norm() + rates.f.norm() + x.w.squaredNorm();
    EXPECT_LE((stacked(rate_of(motion.phi_A)) - stacked(a)).norm(), 1e-11 * scale);

    const double power_at_B = rates.f.dot(stacked(seen_from(X_BC, phi_B)));
    const Time energy = kinetic_energy(in_time(c.body), motion.phi_A);
    EXPECT_NEAR(energy.d[0], power(load, phi_A) - rates.dissipation.sum() + power_at_B,
                1e-11 * scale * (1 + stacked(phi_A).norm()));
    if (rates.f(kNormalRow) < 0 && rates.denominator > 0) {
      EXPECT_GE(rates.dissipation.minCoeff(), 0);
    }
    if constexpr (K == Kind::free) {
      const Time other = kinetic_energy(in_time(base.body), motion.phi_B);
      EXPECT_NEAR(other.d[0], power(base.load, phi_B) - power_at_B,
                  1e-11 * scale * (1 + stacked(phi_B).norm()));
      // H' = loads + ad_φBᵀ H of the momentum of both, in B's frame: the contact wrench cancels.
      const Wrench<Time> H = in_time(base.body) * motion.phi_B +
                             transform(motion.X_BA, in_time(c.body) * motion.phi_A);
      const Wrench<double> now{value(H.t), value(H.f)};
      const Pose<double> X_BA{value(motion.X_BA.R), value(motion.X_BA.p)};
      const Wrench<double> expected =
          base.load + transform(X_BA, load) + cross_transpose(phi_B, now);
      EXPECT_LE((derivative(H.t, 0) - expected.t).norm(), 1e-11 * scale);
      EXPECT_LE((derivative(H.f, 0) - expected.f).norm(), 1e-11 * scale);
    }
  });
}

// Nine of the 27 laws in which every two channels meet in all their nine combinations.
template <Kind K>
void expect_laws_of_motion_of_nine() {
  expect_laws_of_motion<Law{Slip::frictionless, Spin::free, Roll::free}, K>();
  expect_laws_of_motion<Law{Slip::frictionless, Spin::resisting, Roll::resisting}, K>();
  expect_laws_of_motion<Law{Slip::frictionless, Spin::stuck, Roll::stuck}, K>();
  expect_laws_of_motion<Law{Slip::sliding, Spin::free, Roll::resisting}, K>();
  expect_laws_of_motion<Law{Slip::sliding, Spin::resisting, Roll::stuck}, K>();
  expect_laws_of_motion<Law{Slip::sliding, Spin::stuck, Roll::free}, K>();
  expect_laws_of_motion<Law{Slip::stuck, Spin::free, Roll::stuck}, K>();
  expect_laws_of_motion<Law{Slip::stuck, Spin::resisting, Roll::free}, K>();
  expect_laws_of_motion<Law{Slip::stuck, Spin::stuck, Roll::resisting}, K>();
}
TEST(ContactKernel, EnergyChangesByFrictionWorkAlone) {
  expect_laws_of_motion_of_nine<Kind::fixed>();
}
TEST(ContactKernel, EnergyChangesByWorkOnADrivenBase) {
  expect_laws_of_motion_of_nine<Kind::driven>();
}
TEST(ContactKernel, MomentumOfTwoFreeBodiesChangesByLoadsAlone) {
  expect_laws_of_motion_of_nine<Kind::free>();
}

// A belt: the material of a plane runs over it, in a frame that moves, docs/theory/contact.md
// eq. 29. A accelerates as its own equation says along the motion that the rates prescribe.
TEST(ContactKernel, BeltsRunUnderTheContact) {
  for (int kind = 0; kind < kConvexKinds; ++kind) {
    SCOPED_TRACE(kind);
    Random random(static_cast<unsigned>(kind));
    const RandomContact c(random, kind, 0);
    const BaseNumbers base(random);
    const Wrench<double> load = wrench_as<double>(random.vector<6>(-8, 8));
    const PairGeometry<double> pair = c.pair();
    const auto k = relative_curvature(pair, c.state.psi);
    const Pose<double> X_AC{pair.A.R, pair.A.p}, X_BC{contact_axes_in_B(pair.B, k.R), pair.B.p};
    // Running along the plane and spinning about a point of it, both in B's axes and steady.
    const Vec3<double> n = pair.B.R.col(2), along = n.cross(random.vector<3>(-1, 1)),
                       point = random.vector<3>(-1, 1);
    const Twist<double> belt{0.8 * n, along - 0.8 * n.cross(point)};
    const Twist<double> phi_B = as_twist(base.phi) + belt, phi_BC = seen_from(X_BC, phi_B);
    const Twist<double> relative{c.state.w.head<3>(), {c.state.w(3), c.state.w(4), 0}};
    const Twist<double> over_B = relative + seen_from(X_BC, belt);
    const auto path = contact_path<double>(pair, k, stacked(over_B).head<5>());
    const Twist<double> eta{path.w_AC, {path.v_A.x(), path.v_A.y(), 0}};
    const Twist<double> phi_A = transform(X_AC, relative + phi_BC);
    const Vec6<double> b = stacked(seen_from(X_AC, free_acceleration(c.body, load, phi_A)) -
                                   seen_from(X_BC, as_twist(base.phi_rate)) - cross(eta, relative) -
                                   cross(phi_BC, over_B));
    const Mat6<double> W = contact_inverse_mass(X_AC, c.body);
    const Frictions frictions = frictions_along(pair, c.state.psi, c.state.w, 0.2, 0.03);
    const Vec6<double> f =
        law_force<kResisting>(W, b, given_forces(kResisting, c.state.w, X_BC.R, frictions)).f;
    ContactRates<double> rates;
    rates.location_A = pair.A.L * path.v_A;
    rates.location_B = pair.B.L * path.v_B;
    rates.psi = path.psi_rate;
    rates.w = (b + W * f).head<5>();
    rates.phi_rate_B = as_twist(base.phi_rate);
    const Twist<double> a = accelerated(c.body, load, phi_A, X_AC, f);
    const Moving motion(c, c.state, rates, phi_B);
    EXPECT_LE((stacked(rate_of(motion.phi_A)) - stacked(a)).norm(),
              1e-11 * (1 + stacked(a).norm() + stacked(phi_A).squaredNorm()));
  }
}

// Which body is A is a choice: docs/theory/contact.md eq. 35.
template <Law L>
void expect_exchange() {
  for_random_contacts(1, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(13);
    const auto B = base_as<Kind::free, double>(BaseNumbers(random));
    const Wrench<double> load = wrench_as<double>(random.vector<6>(-8, 8));
    ContactState<double> x = c.state;
    x.w = admissible<L>(x.w);
    const PairGeometry<double> pair = c.pair();
    const Frictions frictions = frictions_along(pair, x.psi, x.w, 0.2, 0.03);
    const auto rates = contact_rates<L>(pair, x, c.body, load, frictions, B);

    const Pose<double> X_AC{pair.A.R, pair.A.p};
    const Pose<double> X_BC{contact_axes_in_B(pair.B, contact_rotation(x.psi)), pair.B.p};
    const Twist<double> relative{x.w.head<3>(), {x.w(3), x.w(4), 0}};
    const Twist<double> phi_A = transform(X_AC, relative + seen_from(X_BC, B.phi));
    const auto exchanged = [&](const Vec6<double>& v) -> Vec6<double> {
      Mat3<double> R = -Mat3<double>::Identity();
      R.topLeftCorner<2, 2>() = contact_rotation(x.psi);
      return (Vec6<double>() << -R * v.head<3>(), -R * v.tail<3>()).finished();
    };
    const PairGeometry<double> turned{pair.B, pair.A};
    const Vec6<double> w = exchanged(stacked(relative));
    const ContactState<double> y{x.location_B, x.location_A, x.psi, w.head<5>()};
    const auto other =
        contact_rates<L>(turned, y, B.body, B.load, frictions_along(turned, y.psi, y.w, 0.2, 0.03),
                         FreeBase<double>{phi_A, c.body, load});
    const double scale = 1 + rates.f.norm() + rates.w.norm() + x.w.squaredNorm();
    EXPECT_LE((other.f - exchanged(rates.f)).norm(), 1e-12 * scale);
    EXPECT_LE((stacked(other.phi_rate_B) - stacked(accelerated(c.body, load, phi_A, X_AC, rates.f)))
                  .norm(),
              1e-11 * scale);
    EXPECT_NEAR(other.psi, rates.psi, 1e-12 * scale);
    EXPECT_LE((other.location_A - rates.location_B).norm(), 1e-12 * scale);
    EXPECT_LE((other.location_B - rates.location_A).norm(), 1e-12 * scale);
    EXPECT_NEAR(other.denominator, rates.denominator, 1e-12 * (1 + rates.denominator));
    EXPECT_LE((other.dissipation - rates.dissipation).norm(), 1e-11 * scale);
  });
}
TEST(ContactKernel, BodiesMayBeExchanged) {
  expect_exchange<kSliding>();
  expect_exchange<kNoSpin>();
  expect_exchange<kResisting>();
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
    const Pose<double> X{at.A.R, at.A.p};
    const Mat6<double> W = contact_inverse_mass(X, c.body);
    for (int i = 0; i < 6; ++i) {
      const Wrench<double> f_A = transform(X, as_wrench<double>(Vec6<double>::Unit(i)));
      const Twist<double> a_A{c.body.J_inv * f_A.t, f_A.f / c.body.mass};
      EXPECT_LE((W.col(i) - stacked(transform(inverse(X), a_A))).norm(), 1e-13 * W.norm());
      EXPECT_LE((stacked(seen_from(X, a_A)) - stacked(transform(inverse(X), a_A))).norm(),
                1e-14 * (1 + stacked(a_A).norm()));
    }
  });
}

template <Law L, Kind K>
void expect_lanes_equal_scalars() {
  constexpr int n = 4;
  using P = Pack<n>;
  for_random_contacts(1, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(7);
    const BaseNumbers base(random);
    const auto spread = [&](double x) {
      return P::generate([&](std::size_t i) { return x + 1e-3 * static_cast<double>(i); });
    };
    ContactState<P> x;
    const Vec5<double> w = admissible<L>(c.state.w);
    x.location_A = c.state.location_A.cast<P>();
    x.location_B = c.state.location_B.cast<P>();
    for (int i = 0; i < 5; ++i) x.w(i) = w(i) == 0 ? P(0.0) : spread(w(i));
    x.psi = spread(c.state.psi);
    const Frictions frictions = frictions_along(c.pair(), c.state.psi, w, 0.2, 0.03);
    const PairGeometry<P> wide = c.pair<P>(x.location_A, x.location_B);
    const auto packed = contact_rates<L>(wide, x, body_as<P>(c.body), c.load<P>(wide, x.psi),
                                         frictions, base_as<K, P>(base));
    for (int i = 0; i < n; ++i) {
      ContactState<double> y = c.state;
      y.w = lane(x.w, i);
      y.psi = x.psi[i];
      const auto plain = contact_rates<L>(c.pair(), y, c.body, c.load(c.pair(), y.psi), frictions,
                                          base_as<K, double>(base));
      const double scale = 1 + plain.f.norm() + plain.w.norm();
      EXPECT_LE(difference(lane(packed.w, i), plain.w), 1e-13 * scale);
      EXPECT_LE(difference(lane(packed.f, i), plain.f), 1e-13 * scale);
      EXPECT_LE(difference(lane(packed.location_A, i), plain.location_A), 1e-13 * scale);
      EXPECT_LE(difference(lane(packed.dissipation, i), plain.dissipation), 1e-12 * scale);
      EXPECT_LE(difference(lane(packed.phi_rate_B.w, i), plain.phi_rate_B.w), 1e-12 * scale);
      EXPECT_LE(difference(lane(packed.phi_rate_B.v, i), plain.phi_rate_B.v), 1e-12 * scale);
    }
  });
}

TEST(ContactKernel, PackLanesEqualScalars) {
  expect_lanes_equal_scalars<kFrictionless, Kind::fixed>();
  expect_lanes_equal_scalars<kSliding, Kind::driven>();
  expect_lanes_equal_scalars<kNoSpin, Kind::free>();
  expect_lanes_equal_scalars<kResisting, Kind::free>();
}

// Dual derivatives of the rates against central differences.
template <Law L, Kind K>
void expect_derivatives() {
  using D = Dual<double, 6>;  // psi and the twist
  for_random_contacts(1, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    Random random(5);
    const BaseNumbers base(random);
    const Vec5<double> w = admissible<L>(c.state.w);
    const Frictions frictions = frictions_along(c.pair(), c.state.psi, w, 0.2, 0.03);
    const auto evaluate = [&]<class S>(const ContactState<S>& x) {
      const PairGeometry<S> at = c.pair<S>(x.location_A, x.location_B);
      return contact_rates<L>(at, x, body_as<S>(c.body), c.load<S>(at, x.psi), frictions,
                              base_as<K, S>(base))
          .w;
    };
    ContactState<D> x{c.state.location_A.cast<D>(),
                      c.state.location_B.cast<D>(),
                      D::variable(c.state.psi, 0),
                      {}};
    for (int i = 0; i < 5; ++i) x.w(i) = D::variable(w(i), i + 1);
    const Vec5<D> exact = evaluate(x);
    for (int j = 0; j < 6; ++j) {
      const double h = 1e-6;
      ContactState<double> lo = c.state, hi = c.state;
      lo.w = hi.w = w;
      (j == 0 ? lo.psi : lo.w(j - 1)) -= h;
      (j == 0 ? hi.psi : hi.w(j - 1)) += h;
      const Vec5<double> slope = (evaluate(hi) - evaluate(lo)) / (2 * h);
      for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(exact(i).d[j], slope(i), 1e-7 * (1 + std::abs(slope(i)) + slope.norm()));
    }
  });
}

TEST(ContactKernel, DualDerivativesAgreeWithDifferences) {
  expect_derivatives<kSliding, Kind::fixed>();
  expect_derivatives<kResisting, Kind::free>();
  expect_derivatives<kNoSpin, Kind::driven>();
}

// At rest the direction of the step's start is kept, and duals stay finite.
TEST(ContactKernel, ResistanceKeepsItsDirectionWhereTheMotionVanishes) {
  const Mat3<double> R_BC = rotation_matrix(unit(Quat<double>{0.9, 0.3, -0.2, 0.1}));
  Frictions frictions;
  frictions.slip = {0.5, 1e-3, R_BC.col(0)};
  frictions.roll = {0.2, 1e-3, R_BC.col(1)};
  frictions.spin = {0.1, 1e-3, -R_BC.col(2)};
  const Vec6<double> c = given_forces<double>(kResisting, Vec5<double>::Zero(), R_BC, frictions);
  const Vec6<double> expected = (Vec6<double>() << 0, -0.2, 0.1, -0.5, 0, 0).finished();
  EXPECT_LE((c - expected).norm(), 1e-15);
  const Vec6<double> none = given_forces<double>(kNoSpin, Vec5<double>::Ones(), R_BC, frictions);
  EXPECT_EQ(none.norm(), 0);
  using D = Dual<double, 1>;
  Vec5<D> w = Vec5<D>::Zero();
  w(0) = D::variable(0, 0);
  EXPECT_TRUE(derivative(given_forces<D>(kResisting, w, R_BC.cast<D>(), frictions), 0).allFinite());
}

TEST(ContactKernel, SlipDirectionIsKeptBelowTheLeastSpeedAndBeyondARightAngle) {
  const Mat3<double> R_BC = rotation_matrix(unit(Quat<double>{0.9, 0.3, -0.2, 0.1}));
  const Vec2<double> start(0.6, 0.8);
  const Friction friction{0.5, 1e-3, R_BC.leftCols<2>() * start};
  const auto direction = [&](double x, double y) {
    return dynamics::detail::slip_direction(Vec2<double>(x, y), R_BC, friction);
  };
  EXPECT_LE((direction(1e-4, 0) - start).norm(), 1e-15);
  EXPECT_LE((direction(0, 0) - start).norm(), 1e-15);
  EXPECT_LE((direction(-1, -0.1) - start).norm(), 1e-15);
  EXPECT_EQ(direction(0, 2), Vec2<double>(0, 1));
}

}  // namespace oloid::test::contact_kernel_test
