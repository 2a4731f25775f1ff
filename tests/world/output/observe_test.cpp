// What a recorder sees, in world axes, from places and twists alone.
#include "oloid/world/output/observe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::observe_test {

using Vector = Vec3<double>;

// A ball that slides and spins on an ellipsoid, which slides on a table.
Spec stacked_bodies() {
  BodySpec low = ellipsoid({0.35, 0.3, 0.4}, 2.1);
  low.orientation = unit(Quat<double>{0.9, 0, 0, 0.3});
  Spec spec =
      scene_of({named("top", ball(0.25, 0.9), {{0, 0, 1.05}, {-0.2, 0.3, 0}, {0.1, 0.2, 1.4}}),
                named("low", low, {{0, 0, 0.4}, {0.3, 0.1, 0}, {0.5, -0.3, -0.6}}), table()},
               {law("top", "low", 0.2), law("low", "table", 0.3)}, 1);
  spec.pairs[0].law.spin = Located<double>(0.01);
  spec.springs = {spring("top", "low", 60)};
  return spec;
}

struct Seen {
  Group group;
  Observation out;

  explicit Seen(const Spec& spec, double booked = 0) : group(spec) {
    group.state.booked = booked;
    observe();
  }
  void observe() {
    observe_ground(group.model, group.state.t(), out);
    observe_group(group.index,
                  {group.state.t(), group.state.discrete, group.state.y.y, group.state.booked},
                  group.instant, out);
  }
  const ContactFrame& contact(const std::string& one, const std::string& other) const {
    const int pair = pair_named(group.model, one, other);
    return *std::find_if(out.contacts.begin(), out.contacts.end(),
                         [&](const ContactFrame& c) { return c.pair == pair; });
  }
  const BodyFrame& body(BodyId id) const { return out.bodies[static_cast<std::size_t>(id.index)]; }
};
Vector velocity_at(const BodyFrame& x, const Vector& point) {
  return x.velocity + x.angular_velocity.cross(point - x.position);
}

TEST(Observe, BodiesAreSeenAsTheSceneHasThem) {
  const Spec spec = stacked_bodies();
  const Seen seen(spec);
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const BodyFrame& x = seen.out.bodies[i];
    const BodySpec& body = spec.bodies[i];
    EXPECT_LE((x.position - body.position.value).norm(), 1e-14);
    EXPECT_LE((x.velocity - body.velocity.value).norm(), 1e-13);
    EXPECT_LE((x.angular_velocity - body.angular_velocity.value).norm(), 1e-13);
    EXPECT_LE(
        (rotation_matrix(x.orientation) - rotation_matrix(unit(body.orientation.value))).norm(),
        1e-14);
    EXPECT_FALSE(x.ended);
  }
}

// Points, normal, slip and spin follow from the bodies; friction and moment act against slip and
// spin with what the law says.
TEST(Observe, ContactsAreSeenInTheWorld) {
  const Seen seen(stacked_bodies());
  ASSERT_EQ(seen.out.contacts.size(), 2u);
  for (const ContactFrame& c : seen.out.contacts) {
    const Pair& pair = seen.group.model.pair(c.pair);
    const BodyFrame &A = seen.body(pair.bodies[0]), &B = seen.body(pair.bodies[1]);
    EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_LE((c.point_A - c.point_B).norm(), 1e-14);
    EXPECT_NEAR(std::abs(c.normal.z()), 1, 1e-14);
    EXPECT_GT(c.normal.dot(c.point_A - A.position), 0.1);
    const Vector v = velocity_at(A, c.point_A) - velocity_at(B, c.point_B);
    EXPECT_LE((c.slip - v).norm(), 1e-13);
    EXPECT_GT(c.slip.norm(), 0.1);
    EXPECT_NEAR(c.spin, (A.angular_velocity - B.angular_velocity).dot(c.normal), 1e-13);
    EXPECT_GT(c.normal_force, 1);
    EXPECT_LE((c.friction + pair.law.kinetic_friction * c.normal_force * v.normalized()).norm(),
              1e-12);
    const Vector moment = -pair.law.spin * c.normal_force * (c.spin > 0 ? 1 : -1) * c.normal;
    EXPECT_LE((c.moment - moment).norm(), 1e-13);
  }
}

// The same contact seen from its other side.
TEST(Observe, SidesMayBeExchanged) {
  Spec spec = stacked_bodies();
  const Seen seen(spec);
  std::swap(spec.bodies[0], spec.bodies[1]);
  for (PairSpec& pair : spec.pairs) std::swap(pair.bodies.value[0], pair.bodies.value[1]);
  const Seen other(spec);
  const ContactFrame &c = seen.contact("top", "low"), &d = other.contact("top", "low");
  const auto first = [](const Seen& s, const ContactFrame& at) {
    return s.group.model.name(s.group.model.pair(at.pair).bodies[0]);
  };
  ASSERT_NE(first(seen, c), first(other, d));
  EXPECT_LE((c.point_A - d.point_B).norm(), 1e-14);
  EXPECT_LE((c.point_B - d.point_A).norm(), 1e-14);
  EXPECT_LE((c.normal + d.normal).norm(), 1e-14);
  EXPECT_LE((c.slip + d.slip).norm(), 1e-13);
  EXPECT_LE((c.friction + d.friction).norm(), 1e-12);
  EXPECT_LE((c.moment + d.moment).norm(), 1e-12);
  EXPECT_NEAR(c.spin, d.spin, 1e-13);
  EXPECT_NEAR(c.normal_force, d.normal_force, 1e-12);
  EXPECT_EQ(c.location_A, d.location_B);
  EXPECT_EQ(c.location_B, d.location_A);
  EXPECT_EQ(c.chart_A, d.chart_B);
  EXPECT_EQ(c.chart_B, d.chart_A);
  EXPECT_EQ(c.mode, d.mode);
}

TEST(Observe, EnergiesAreSums) {
  const Spec spec = stacked_bodies();
  Seen seen(spec, 0.25);
  double kinetic = 0, potential = 0.5 * 60 * 0.65 * 0.65;
  for (int i = 0; i < 2; ++i) {
    const BodySpec& body = spec.bodies[static_cast<std::size_t>(i)];
    const Mat3<double> R = rotation_matrix(unit(body.orientation.value));
    const Vector w = R.transpose() * body.angular_velocity.value;
    kinetic += 0.5 * body.mass->value * body.velocity.value.squaredNorm() +
               0.5 * w.dot(body.inertia->value * w);
    potential += 9.81 * body.mass->value * body.position.value.z();
  }
  EXPECT_NEAR(seen.out.energy.kinetic, kinetic, 1e-13);
  EXPECT_NEAR(seen.out.energy.potential, potential, 1e-12);
  EXPECT_EQ(seen.out.energy.dissipated, 0.25);
  EXPECT_EQ(seen.out.energy.work, 0);
  // What contacts have dissipated and what loads and drives have done so far.
  StateVector& y = seen.group.state.y.y;
  y.segment<3>(block_at(0) + kBooked) = Vector(1, 2, 4);
  y.segment<3>(block_at(1) + kBooked) = Vector(8, 16, 32);
  y.tail<kWorkSize>() << 0.5, 0.125;
  seen.observe();
  EXPECT_EQ(seen.out.energy.dissipated, 63.25);
  EXPECT_EQ(seen.out.energy.work, 0.625);
  EXPECT_NEAR(seen.out.energy.balance(), kinetic + potential + 62.625, 1e-12);
}

// Of a free body the block has no dissipation: those numbers are something else.
TEST(Observe, FreeBodiesDissipateNothing) {
  Seen seen(scene_of({named("ball", ball(0.2), {{0, 0, 1}, {1, 2, 3}})}, {}, 1));
  seen.group.state.y.y.segment<3>(kBooked) = Vector(1, 2, 4);
  seen.observe();
  EXPECT_EQ(seen.out.energy.dissipated, 0);
}

TEST(Observe, EndedBodiesCountInNoEnergy) {
  Group group(stacked_bodies());
  Observation out;
  observe_ground(group.model, 0, out);
  Snapshot last;
  last.y = group.state.y.y;
  last.y.tail<kWorkSize>() << 1, 2;
  last.booked = 4;
  observe_ended(group.index, last, group.instant, out);
  EXPECT_EQ(out.energy.dissipated, 4);
  EXPECT_EQ(out.energy.work, 3);
  EXPECT_TRUE(out.bodies[0].ended);
  EXPECT_TRUE(out.bodies[1].ended);
  EXPECT_FALSE(out.bodies[2].ended);
  EXPECT_TRUE(out.contacts.empty());
  EXPECT_EQ(out.energy.kinetic, 0);
  EXPECT_EQ(out.energy.potential, 0);
}

TEST(Observe, GroundMovesAsItsFormulasSay) {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"t", "t^2", "1"});
  motion.angle = Located<std::string>("3 * t");
  BodySpec plate = named("plate", ground());
  plate.fixed = false;
  plate.motion = Located<MotionSpec>(motion);
  const Group group(scene_of({named("ball", ball(0.2), {{0, 0, 9}}), plate}, {}, 1));
  Observation out;
  observe_ground(group.model, 0.5, out);
  EXPECT_LE((out.bodies[1].position - Vector(0.5, 0.25, 1)).norm(), 1e-15);
  EXPECT_LE((out.bodies[1].velocity - Vector(1, 1, 0)).norm(), 1e-14);
  EXPECT_LE((out.bodies[1].angular_velocity - Vector(0, 0, 3)).norm(), 1e-14);
}

// Two balls apart: nearest points on the line of centres.
TEST(Observe, PairsThatAreApart) {
  const Vector p(0.1, 0.2, 0.5), v(0.3, -0.4, 0.6), w(1, -2, 3);
  for (const bool reversed : {false, true}) {
    std::vector<BodySpec> bodies{named("a", ball(0.2), {p, v, w}),
                                 named("b", ball(0.1), {{0, 0, 0}, {0, 0.1, 0}, {3, 1, 0}})};
    if (reversed) std::swap(bodies[0], bodies[1]);
    const Seen seen(scene_of(bodies, {}, 1));
    Witness witness;
    const ContactFrame c = observe_apart(seen.group.model, 0, witness, seen.out);
    EXPECT_FALSE(witness.lost);
    const auto& [A, B] = seen.group.model.pair(0).bodies;
    const BodyFrame &a = seen.body(A), &b = seen.body(B);
    const double r_A = seen.group.model.body(A).length, r_B = seen.group.model.body(B).length;
    const Vector n = (b.position - a.position).normalized();
    EXPECT_NEAR(c.gap, p.norm() - 0.3, 1e-14);
    EXPECT_LE((c.normal - n).norm(), 1e-13);
    EXPECT_LE((c.point_A - a.position - r_A * n).norm(), 1e-13);
    EXPECT_LE((c.point_B - b.position + r_B * n).norm(), 1e-13);
    const Vector u = velocity_at(a, c.point_A) - velocity_at(b, c.point_B);
    EXPECT_LE((c.slip - (u - u.dot(n) * n)).norm(), 1e-13);
    EXPECT_NEAR(c.spin, (a.angular_velocity - b.angular_velocity).dot(n), 1e-13);
    EXPECT_EQ(c.mode, Mode::separated);
    EXPECT_EQ(c.normal_force, 0);
  }
}

// A ball beside a ring, seen first on one side and then on others: what was nearest before is still
// a pair of points that face each other, across the ring.
TEST(Observe, NearestPointsOfBodiesThatAreNotConvexAreNotThoseOfBefore) {
  const double R = 0.5, r = 0.1;
  TorusSpec torus;
  torus.major_radius = R;
  torus.minor_radius = r;
  Witness witness;
  for (const Vector& p : {Vector(0.9, 0, 0.1), Vector(-0.9, 0, 0.1), Vector(-0.3, 0, 0.3),
                          Vector(0.3, 0.1, -0.2), Vector(0, 0.9, 0)}) {
    const Seen seen(scene_of({named("ring", moving_body(torus, 1, Mat3<double>::Identity())),
                              named("ball", ball(0.05), {p})},
                             {}, 1));
    const ContactFrame c = observe_apart(seen.group.model, 0, witness, seen.out);
    const double rho = std::hypot(p.x(), p.y());
    EXPECT_NEAR(c.gap, std::hypot(rho - R, p.z()) - r - 0.05, 1e-13) << p.transpose();
  }
}

// Near: the balls around the bodies are no farther apart than the smaller radius.
TEST(Observe, OnlyNearPairsHaveARow) {
  for (const double gap : {0.05, 0.099, 0.101, 3.0}) {
    const Seen seen(scene_of(
        {named("a", ball(0.2), {{0.3 + gap, 0, 0}}), named("b", ball(0.1), {{0, 0, 0}})}, {}, 1));
    std::vector<int> pairs;
    near_pairs(seen.group.model, seen.out, pairs);
    EXPECT_EQ(pairs.size(), gap < 0.1 ? 1u : 0u) << gap;
  }
}

TEST(Observe, FeaturesHaveNames) {
  EXPECT_EQ(feature_of({Spot::Kind::surface, 7, {}}).kind, FeatureKind::surface);
  EXPECT_EQ(feature_of({Spot::Kind::surface, 7, {}}).index, 0);
  EXPECT_EQ(feature_of({Spot::Kind::curve, 7, {}}).kind, FeatureKind::edge);
  EXPECT_EQ(feature_of({Spot::Kind::curve, 7, {}}).index, 7);
  EXPECT_EQ(feature_of({Spot::Kind::vertex, 3, {}}).kind, FeatureKind::vertex);
  EXPECT_EQ(feature_of({Spot::Kind::vertex, 3, {}}).index, 3);
}

}  // namespace oloid::test::observe_test
