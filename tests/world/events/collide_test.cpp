// Collisions and jams: balance of momentum, restitution, the cone of friction, energy.
#include "oloid/world/events/collide.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::collide_test {

using Vector = Vec3<double>;

double kinetic(const Group& group) {
  double sum = 0;
  for (const BodyId id : group.model.moving) {
    const BodyInertia<double>& M = group.model.body(id).inertia;
    const Twist<double>& phi = group.instant.body(id).phi;
    sum += 0.5 * M.mass * phi.v.squaredNorm() + 0.5 * phi.w.dot(M.J * phi.w);
  }
  return sum;
}
double drive_work(const Group& group) { return group.state.y.y(group.state.y.y.size() - 1); }

// A pair of bodies that are close, before and after they have collided where they are.
struct Hit {
  Group group;
  BodyId A, B;
  TrackedPair near;
  Vector x_A, x_B, n;  // nearest points, and normal out of A; world
  std::vector<BodyMotion> before;
  double kinetic_before = 0;
  Bounce bounce;
  struct Released {
    ContactKey key;
    Mode before;
  };
  std::vector<Released> released;

  Hit(const Spec& spec, const std::string& one, const std::string& other) : group(spec) {
    const int pair = pair_named(group.model, one, other);
    A = group.model.pair(pair).bodies[0];
    B = group.model.pair(pair).bodies[1];
    const Pose<double> X_WB = group.instant.body(B).X_WB;
    near = nearest_anywhere(group.model, pair, inverse(X_WB) * group.instant.body(A).X_WB);
    EXPECT_TRUE(near.usable());
    EXPECT_GT(near.gap, 0);
    x_A = X_WB * near.point_A;
    x_B = X_WB * near.point_B;
    n = -(X_WB.R * near.normal);
    before = group.instant.bodies;
    kinetic_before = kinetic(group);
    const Vector v = relative();
    EXPECT_NEAR(approach_speed(group.index, group.instant, pair, near), v.dot(n), 1e-14);
    bounce = world::bounce(group.index, group.state, group.instant, pair, near,
                           [this](const ContactKey& key, Mode mode) {
                             released.push_back({key, mode});
                           });
    EXPECT_NEAR(bounce.approach, v.dot(n), 1e-14);
    EXPECT_NEAR(bounce.separation, -relative().dot(n), 1e-13);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_LE((group.instant.bodies[i].X_WB.p - before[i].X_WB.p).norm(), 1e-15) << i;
      EXPECT_LE((group.instant.bodies[i].X_WB.R - before[i].X_WB.R).norm(), 1e-14) << i;
    }
  }

  // Of A's point, relative to B's.
  Vector relative() const {
    return velocity_at(group.instant.body(A), x_A) - velocity_at(group.instant.body(B), x_B);
  }
  Vector relative_before() const {
    return velocity_at(before[static_cast<std::size_t>(A.index)], x_A) -
           velocity_at(before[static_cast<std::size_t>(B.index)], x_B);
  }
  Momentum change(BodyId id) const {
    const Body& body = group.model.body(id);
    return momentum(body, group.instant.body(id)) -
           momentum(body, before[static_cast<std::size_t>(id.index)]);
  }
  Momentum change(const std::string& name) const { return change(body_named(group.model, name)); }
  void expect_energy_balance() const {
    EXPECT_GE(bounce.energy_loss, -1e-14);
    EXPECT_NEAR(kinetic_before + drive_work(group) - kinetic(group), bounce.energy_loss, 1e-13);
    EXPECT_EQ(group.state.booked, bounce.energy_loss);
  }
};

BodySpec turned(BodySpec body, const Quat<double>& q) {
  body.orientation = unit(q);
  return body;
}
PairSpec impact_law(const std::string& a, const std::string& b, double friction, double e,
                    double e_t) {
  PairSpec pair = law(a, b, friction, e);
  pair.law.tangential_restitution = Located<double>(e_t);
  return pair;
}

// How the velocity of a point of a free body follows from an impulse there: 1/m − [r] J⁻¹ [r].
Mat3<double> inverse_mass(const Body& body, const BodyMotion& x, const Vector& point) {
  const Mat3<double> r = cross_matrix(Vector(point - x.X_WB.p));
  const Mat3<double> J = x.X_WB.R * body.inertia.J * x.X_WB.R.transpose();
  return Mat3<double>::Identity() / body.inertia.mass - r * J.inverse() * r;
}

// Two ellipsoids in space that spin: J at A's point and −J at B's. The normal velocity is
// multiplied by −e. J = (1 + e) P_I + (1 + e_t) (P_II − P_I), unless it lies on the cone: P_I stops
// the approach without friction, P_II all relative motion.
TEST(Collide, FreeBodiesExchangeOneImpulse) {
  const BodySpec a = turned(ellipsoid({0.3, 0.25, 0.2}, 1.3), {0.9, 0.2, -0.3, 0.1}),
                 b = turned(ellipsoid({0.35, 0.3, 0.4}, 2.1), {0.7, -0.3, 0.1, 0.5});
  int on_the_cone = 0, inside = 0;
  for (const double e : {0.0, 0.4, 1.0}) {
    for (const double e_t : {-0.5, 0.0, 0.6, 1.0}) {
      for (const double mu : {0.0, 0.1, 0.4, static_cast<double>(INFINITY)}) {
        for (const bool reversed : {false, true}) {
          SCOPED_TRACE(testing::Message() << "e " << e << ", e_t " << e_t << ", mu " << mu);
          std::vector<BodySpec> bodies{
              named("a", a, {{0.1, 0.05, 0.7}, {0.3, -0.2, -1.1}, {2, -1, 3}}),
              named("b", b, {{0, 0, 0}, {-0.1, 0.2, 0.6}, {-1, 2, 1}})};
          if (reversed) std::swap(bodies[0], bodies[1]);
          Spec spec = scene_of(bodies, {impact_law("a", "b", mu, e, e_t)}, 1);
          spec.gravity = Vector(0, 0, 0);
          const Hit hit(spec, "a", "b");
          const Vector J = hit.change(hit.A).linear, v = hit.relative_before(), u = hit.relative();
          const Vector along = J - J.dot(hit.n) * hit.n;
          EXPECT_LE((hit.change(hit.B).linear + J).norm(), 1e-14);
          EXPECT_LE((hit.change(hit.A).angular - hit.x_A.cross(J)).norm(), 1e-14);
          EXPECT_LE((hit.change(hit.B).angular + hit.x_B.cross(J)).norm(), 1e-14);
          EXPECT_GT(v.dot(hit.n), 1);
          EXPECT_NEAR(u.dot(hit.n), -e * v.dot(hit.n), 1e-13);
          const auto at = [&](BodyId id, const Vector& point) {
            return inverse_mass(hit.group.model.body(id), hit.group.instant.body(id), point);
          };
          const Mat3<double> W = at(hit.A, hit.x_A) + at(hit.B, hit.x_B);
          EXPECT_LE((u - v - W * J).norm(), 1e-13);
          const Vector P_I = -v.dot(hit.n) / hit.n.dot(W * hit.n) * hit.n, P_II = -W.inverse() * v;
          const bool as_wanted = (J - (1 + e) * P_I - (1 + e_t) * (P_II - P_I)).norm() < 1e-12;
          const double push = -J.dot(hit.n);
          if (std::isfinite(mu)) {
            EXPECT_LE(along.norm(), mu * push + 1e-13);
            if (!as_wanted) {
              EXPECT_NEAR(along.norm(), mu * push, 1e-12);
            }
          } else {
            EXPECT_GE(push, -1e-13);
            EXPECT_TRUE(as_wanted || push < 1e-13);
          }
          ++(as_wanted ? inside : on_the_cone);
          hit.expect_energy_balance();
          if (e == 1 && (mu == 0 || (e_t == 1 && std::isinf(mu)))) {
            EXPECT_NEAR(hit.bounce.energy_loss, 0, 1e-13);
          }
          if (e < 1) {
            EXPECT_GT(hit.bounce.energy_loss, 0.01);
          }
        }
      }
    }
  }
  EXPECT_GT(on_the_cone, 20);
  EXPECT_GT(inside, 20);
}

// Bodies that part do not collide.
TEST(Collide, NothingHappensToBodiesThatPart) {
  Spec spec = scene_of({named("a", ball(0.2), {{0, 0, 0.5}, {0.3, 0, 0.1}, {1, 2, 3}}),
                        named("b", ball(0.2), {{0, 0, 0}})},
                       {law("a", "b", 0.3, 0.5)}, 1);
  const Hit hit(spec, "a", "b");
  EXPECT_LT(hit.bounce.approach, 0);
  EXPECT_EQ(hit.bounce.energy_loss, 0);
  EXPECT_EQ(hit.change("a").linear.norm(), 0);
  EXPECT_EQ(hit.change("a").angular.norm(), 0);
}

BodySpec driven(const std::string& name, FormulaMotionSpec motion) {
  BodySpec body = named(name, ground());
  body.fixed = false;
  body.motion = Located<MotionSpec>(std::move(motion));
  return body;
}

// Ground that turns and rises works J · (its velocity at the point).
TEST(Collide, MovingGroundWorks) {
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"0", "0.3 * t", "0.5 * t"});
  motion.angle = Located<std::string>("2 * t");
  for (const double mu : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    const Hit hit(
        scene_of({named("ball", ball(0.2, 1.5), {{0.4, -0.1, 0.21}, {0.2, 0.1, -1}, {1, 2, 3}}),
                  driven("plate", motion)},
                 {law("ball", "plate", mu, 0.5)}, 1),
        "ball", "plate");
    const Vector J = hit.change("ball").linear;
    // ω × r of a turn by 2 about z, and the velocity of the origin.
    const Vector v_plate(-2 * hit.x_B.y(), 2 * hit.x_B.x() + 0.3, 0.5);
    EXPECT_NEAR(hit.bounce.approach, 1.5, 1e-14);
    EXPECT_NEAR(hit.bounce.separation, 0.75, 1e-13);
    EXPECT_NEAR(drive_work(hit.group), J.dot(v_plate), 1e-13);
    EXPECT_GT(J.dot(v_plate), 0.5);
    EXPECT_LE((hit.change("ball").angular - hit.x_A.cross(J)).norm(), 1e-14);
    hit.expect_energy_balance();
  }
}

// A ball drops on another that rests on a plate in motion: the impulse of the plate goes through
// their point of contact, which does not slip, and works J · V.
TEST(Collide, ABallBetweenPassesTheImpulseOn) {
  const Vector V(0.8, 0.3, 0.2);
  FormulaMotionSpec motion;
  motion.position = FormulasSpec(std::array<std::string, 3>{"0.8 * t", "0.3 * t", "0.2 * t"});
  for (const double mu : {0.0, 0.3, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    const Hit hit(
        scene_of({named("a", ball(0.2, 1.5), {{0.1, 0.05, 0.8}, {0.2, 0.1, -1}, {1, 2, 3}}),
                  named("b", ball(0.3, 2), {{0, 0, 0.3}, V}), driven("plate", motion)},
                 {law("a", "b", mu, 0.5), law("b", "plate", INFINITY)}, 1),
        "a", "b");
    const Momentum all = hit.change("a") + hit.change("b");
    const Vector foot(0, 0, 0);
    // The points of the two balls are a gap apart.
    const Vector couple = (hit.x_A - hit.x_B).cross(hit.change(hit.A).linear);
    EXPECT_TRUE(hit.released.empty());
    EXPECT_GT(all.linear.z(), 1);
    EXPECT_LE((all.angular - couple - foot.cross(all.linear)).norm(), 1e-13);
    EXPECT_LE((velocity_at(hit.group.motion("b"), foot) - V).norm(), 1e-13);
    EXPECT_NEAR(hit.bounce.separation, 0.5 * hit.bounce.approach, 1e-13);
    EXPECT_NEAR(drive_work(hit.group), all.linear.dot(V), 1e-13);
    hit.expect_energy_balance();
  }
}

// Without friction a small ball that rolls under the side of a large one lifts it off the table,
// and is pressed on it: with the normal (c, s), J = (1 + e) v c / (c²/m + 1/M).
TEST(Collide, AContactThatWouldPullIsReleased) {
  const double r = 0.1, R = 0.2, m = 0.5, M = 2, v = 1.5, e = 0.4;
  const double x = 2 * std::sqrt(r * R) + 1e-3;
  const Hit hit(scene_of({named("small", ball(r, m), {{0, 0, r}, {v, 0, 0}}),
                          named("large", ball(R, M), {{x, 0, R}}), table()},
                         {law("small", "large", 0, e)}, 1),
                "small", "large");
  const double c = x / std::hypot(x, R - r), s = (R - r) / std::hypot(x, R - r);
  const double J = (1 + e) * v * c / (c * c / m + 1 / M);
  ASSERT_EQ(hit.released.size(), 1u);
  EXPECT_EQ(hit.released[0].key.pair, pair_named(hit.group.model, "large", "table"));
  EXPECT_EQ(hit.released[0].before, Mode::frictionless);
  EXPECT_LE((hit.change("large").linear - J * Vector(c, 0, s)).norm(), 1e-13);
  EXPECT_LE((hit.change("small").linear + J * Vector(c, 0, 0)).norm(), 1e-13);
  hit.expect_energy_balance();
}

// Struck from the side at the height of its centre, a ball is not held by the table, which does not
// push: no spin, the velocity of a ball in space. Then it slides.
TEST(Collide, FrictionHoldsNothingThatIsNotPressed) {
  const double m = 0.7, M = 2, v = 1.5, e = 0.3;
  const Hit hit(scene_of({named("flying", ball(0.15, m), {{-0.36, 0, 0.2}, {v, 0, 0}}),
                          named("resting", ball(0.2, M), {{0, 0, 0.2}}), table()},
                         {law("flying", "resting", 0, e), law("resting", "table", 0.4)}, 1),
                "flying", "resting");
  const double J = (1 + e) * v / (1 / m + 1 / M);
  EXPECT_TRUE(hit.released.empty());
  EXPECT_LE((hit.change("resting").linear - Vector(J, 0, 0)).norm(), 1e-13);
  EXPECT_LE(hit.group.motion("resting").phi.w.norm(), 1e-13);
  EXPECT_NEAR(hit.bounce.energy_loss, 0.5 * (1 - e * e) * v * v / (1 / m + 1 / M), 1e-13);
  const int node = hit.group.index.node(body_named(hit.group.model, "resting"));
  EXPECT_EQ(mode_of(hit.group.state.discrete.joint(node)), Mode::sliding);
  // It sticks to an unlimited contact: the same impulse moves 7/5 of its mass.
  const Hit stuck(scene_of({named("flying", ball(0.15, m), {{-0.36, 0, 0.2}, {v, 0, 0}}),
                            named("resting", ball(0.2, M), {{0, 0, 0.2}}), table()},
                           {law("flying", "resting", 0, e), law("resting", "table", INFINITY)}, 1),
                  "flying", "resting");
  EXPECT_NEAR(stuck.group.motion("resting").phi.v.x(),
              (1 + e) * v / (1 / m + 1 / (1.4 * M)) / (1.4 * M), 1e-13);
}

// A rod of half length 0.5 m on a spherical foot that slips with 1 m/s towards −x while it turns.
Spec rod(double omega, double friction) {
  const double a = 55 * std::numbers::pi / 180;
  SphereSpec foot;
  foot.radius = 0.01;
  BodySpec body = moving_body(foot, 1, Vector(1e-4, 1.0 / 12, 1.0 / 12).asDiagonal());
  body.shape_position = Located<Vector>({-0.5, 0, 0});
  body.orientation = Quat<double>{std::cos(a / 2), 0, -std::sin(a / 2), 0};
  const Vector way(0.5 * std::cos(a), 0, 0.5 * std::sin(a) + 0.01), w(0, -omega, 0);
  return scene_of({named("rod", body, {way, Vector(-1, 0, 0) + w.cross(way), w}), table()},
                  {law("rod", "table", friction)}, 1);
}

// The impulse of a jam acts at the foot, inside the cone, and ends the slip; the foot does not
// leave the table.
TEST(Collide, AJamIsAnImpactThatEndsTheSlip) {
  const double mu = 1.8;
  Group group(rod(1, mu));
  ASSERT_EQ(mode_of(group.state.discrete.joint(0)), Mode::sliding);
  ASSERT_LT(group.instant.forest[0].denominator, 0);
  const Body& body = group.model.bodies[0];
  const Momentum before = momentum(body, group.motion("rod"));
  const double energy = kinetic(group);
  const std::optional<double> loss = unjam(group.index, group.state, group.instant, 0);
  ASSERT_TRUE(loss);
  const Momentum change = momentum(body, group.motion("rod")) - before;
  const Vector foot(0, 0, 0), J = change.linear;
  EXPECT_GT(J.z(), 0.01);
  EXPECT_LE(std::hypot(J.x(), J.y()), mu * J.z());
  EXPECT_LE((change.angular - foot.cross(J)).norm(), 1e-14);
  EXPECT_LE(velocity_at(group.motion("rod"), foot).norm(), 1e-12);
  EXPECT_GT(*loss, 0.01);
  EXPECT_NEAR(*loss, energy - kinetic(group), 1e-14);
  EXPECT_EQ(group.state.booked, *loss);
}

// Where parting needs no impulse, and where friction cannot be overcome, nothing happens.
TEST(Collide, WithoutAJamNothingChanges) {
  for (const Spec& spec : {rod(6, 1.8), rod(1, 0.0)}) {
    Group group(spec);
    const StateVector y = group.state.y.y;
    EXPECT_FALSE(unjam(group.index, group.state, group.instant, 0));
    EXPECT_EQ(group.state.y.y, y);
    EXPECT_EQ(group.state.booked, 0);
  }
}

BodySpec box(const Vector& size, const Quat<double>& q) {
  BoxSpec shape;
  shape.size = size;
  const Vector s = size.cwiseAbs2();
  const Vector J(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return turned(moving_body(shape, 1.3, 1.3 / 12 * Mat3<double>(J.asDiagonal())), q);
}

// The gap of a pair at instants of a run, and from them the second derivative at the first: that of
// the polynomial through all.
double curvature_of_gap(const Model& model, int pair) {
  constexpr int kInstants = 8;
  constexpr double h = 2e-3;
  Film film;
  Simulation run(model, film);
  const auto [A, B] = model.pair(pair).bodies;
  Eigen::Matrix<double, kInstants, kInstants> powers;
  Eigen::Matrix<double, kInstants, 1> gaps;
  for (int i = 0; i < kInstants; ++i) {
    run.advance_to(i * h);
    const auto pose = [&](BodyId id) -> Pose<double> {
      const BodyFrame body = run.body(id);
      return {rotation_matrix(body.orientation), body.position};
    };
    gaps(i) = nearest_anywhere(model, pair, inverse(pose(B)) * pose(A)).gap;
    for (int k = 0; k < kInstants; ++k) powers(i, k) = std::pow(i * h, k);
  }
  return 2 * powers.fullPivLu().solve(gaps)(2);
}

// Surfaces, edges and vertices, in flight, over ground that shakes and turns, and beside a body
// that is held: how fast the approach grows is minus the second derivative of the gap.
TEST(Collide, ApproachGrowsAsTheGapBends) {
  using Kind = Spot::Kind;
  struct Case {
    const char* name;
    std::vector<BodySpec> bodies;
    Kind A, B;
  };
  FormulaMotionSpec shake;
  shake.position =
      FormulasSpec(std::array<std::string, 3>{"0.1 * t", "0", "0.02 * sin(9 * t) - 0.5"});
  shake.rotation_axis = Vector(0.3, 1, 0.2);
  shake.angle = Located<std::string>("0.2 * sin(3 * t)");
  const Quat<double> on_corner{0.8, 0.3, -0.4, 0.2}, on_edge{0.92, 0.38, 0, 0},
      across{0.65, 0.27, 0.27, 0.65};
  const Vector v(0.3, -0.2, 0.1), w(2, -1, 3);
  const Case cases[] = {
      {"ellipsoids",
       {named("a", turned(ellipsoid({0.3, 0.25, 0.2}, 1.3), on_corner), {{0.1, 0, 0.8}, v, w}),
        named("b", turned(ellipsoid({0.35, 0.3, 0.4}, 2.1), across), {{0, 0, 0}, -v, -w})},
       Kind::surface,
       Kind::surface},
      {"vertex over ground that moves",
       {named("a", box({0.3, 0.2, 0.25}, on_corner), {{0.1, 0, 0.2}, v, w}), driven("b", shake)},
       Kind::vertex,
       Kind::surface},
      {"edge over a ball",
       {named("a", box({0.9, 0.2, 0.25}, on_edge), {{0.1, 0, 0.95}, v, w}),
        named("b", turned(ball(0.7), on_corner), {{0, 0, 0}, -v, w})},
       Kind::curve,
       Kind::surface},
      {"crossing edges",
       {named("a", box({0.9, 0.2, 0.2}, on_edge), {{0, 0, 0.4}, v, w}),
        named("b", box({0.9, 0.2, 0.2}, across), {{0, 0, 0}, -v, w})},
       Kind::curve,
       Kind::curve}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Spec spec = scene_of(one.bodies, {law("a", "b", 0.3, 0.5)}, 1);
    spec.solver.rtol = 1e-13;
    const Group group(spec);
    const int pair = pair_named(group.model, "a", "b");
    const TrackedPair near =
        nearest_anywhere(group.model, pair, pose_of_pair(group.instant, group.index.pair(pair)));
    ASSERT_EQ(near.status, PairStatus::found);
    ASSERT_GT(near.gap, 1e-3);
    EXPECT_EQ(near.A.kind, one.A);
    EXPECT_EQ(near.B.kind, one.B);
    const double bend = curvature_of_gap(group.model, pair);
    EXPECT_GT(std::abs(bend), 0.1);
    EXPECT_NEAR(approach_acceleration(group.index, group.instant, pair, near), -bend,
                1e-6 * (1 + std::abs(bend)));
  }
}

}  // namespace oloid::test::collide_test
