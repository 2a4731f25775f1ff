#include "oloid/dynamics/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "laws/random.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/numerics/small_solve.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test::impact_test {

double energy(const Mat3<double>& W, const Vec3<double>& v) {  // of the motion at the contact
  return 0.5 * v.dot(Ldlt<double, 3>(W).solve(v));
}
double tangential(const Vec3<double>& P) { return P.head<2>().norm(); }

// C's axes when B's outward normal is given: z is A's outward normal, −n.
Mat3<double> axes_against(const Vec3<double>& n) {
  const Vec3<double> other = std::abs(n.x()) < 0.6 ? Vec3<double>::UnitX() : Vec3<double>::UnitY();
  Mat3<double> R;
  R.col(2) = -n;
  R.col(0) = n.cross(other).normalized();
  R.col(1) = R.col(2).cross(Vec3<double>(R.col(0)));
  return R;
}

TEST(Collision, MatchesTheReference) {
  int inside = 0, clamped = 0;
  const nlohmann::json data = read_data("contact_evolution.json");
  for (const auto& c : data["collisions"]) {
    const Mat3<double> R = axes_against(vec<3>(c["n"]));
    const Mat3<double> W = R.transpose() * mat<3, 3>(c["W"]) * R;
    const Vec3<double> v = R.transpose() * vec<3>(c["v"]);
    const Collision hit =
        collide(W, v, {c["e"].get<double>(), c["e_t"].get<double>(), c["mu"].get<double>()});
    expect_near(Vec3<double>(R * hit.P), vec<3>(c["P"]), 1e-14, "P");
    const bool is_inside = hit.branch == CollisionBranch::inside;
    EXPECT_EQ(c["branch"], is_inside ? "inside" : "clamped");
    ++(is_inside ? inside : clamped);
  }
  EXPECT_GT(inside, 2);
  EXPECT_GT(clamped, 2);
}

// A free body near a contact at the origin; everything in C.
struct FreeBody {
  double mass;
  Mat3<double> J;
  Vec3<double> r;      // from its centre to the contact
  Vec3<double> omega;  // its motion
  Vec3<double> velocity;

  explicit FreeBody(Random& random) {
    mass = std::exp(random(-2, 2));
    // Moments of a random box, turned at random.
    const Vec3<double> sides = random.vector<3>(0.1, 1);
    const double square = sides.squaredNorm();
    const Vec3<double> moments = mass / 12 * (Vec3<double>::Constant(square) - sides.cwiseAbs2());
    const double angle = random(0, 3);
    const Vec3<double> axis = random.direction();
    const Mat3<double> R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    J = R * moments.asDiagonal() * R.transpose();
    r = random.vector<3>(-0.5, 0.5);
    omega = random.vector<3>(-3, 3);
    velocity = random.vector<3>(-1, 1);
  }
  Vec3<double> at_contact() const { return velocity + omega.cross(r); }
  Mat3<double> W() const {
    return contact_inverse_mass<double>(1 / mass, J.inverse(), r).bottomRightCorner<3, 3>();
  }
  void kick(const Vec3<double>& P) {
    velocity += P / mass;
    omega += J.inverse() * r.cross(P);
  }
  double kinetic() const { return 0.5 * (mass * velocity.squaredNorm() + omega.dot(J * omega)); }
  Vec3<double> momentum() const { return mass * velocity; }
  Vec3<double> angular_momentum() const {  // about the contact
    return J * omega - mass * r.cross(velocity);
  }
};

struct Pair {
  FreeBody A, B;
  CollisionLaw law;
  explicit Pair(Random& random) : A(random), B(random) {
    law.restitution = random(0, 1);
    law.tangential_restitution = random(-1, 1);
    law.friction = random(0, 1.5);
    if (v().z() < 0) {  // let them approach
      A.velocity = -A.velocity;
      B.velocity = -B.velocity;
      A.omega = -A.omega;
      B.omega = -B.omega;
    }
  }
  Mat3<double> W() const { return A.W() + B.W(); }
  Vec3<double> v() const { return A.at_contact() - B.at_contact(); }
};

TEST(Collision, KeepsItsLawsOnRandomPairs) {
  Random random(1);
  int inside = 0;
  constexpr int kPairs = 20000;
  for (int i = 0; i < kPairs && !testing::Test::HasFailure(); ++i) {
    Pair pair(random);
    const Mat3<double> W = pair.W();
    const Vec3<double> v = pair.v();
    const Collision hit = collide(W, v, pair.law);
    inside += hit.branch == CollisionBranch::inside;
    const double before = pair.A.kinetic() + pair.B.kinetic();
    const Vec3<double> momentum = pair.A.momentum() + pair.B.momentum();
    const Vec3<double> angular = pair.A.angular_momentum() + pair.B.angular_momentum();
    pair.A.kick(hit.P);
    pair.B.kick(-hit.P);
    const double after = pair.A.kinetic() + pair.B.kinetic();
    EXPECT_LE(after, before * (1 + 1e-13));
    EXPECT_GE(hit.energy_loss, 0);
    EXPECT_NEAR(before - after, hit.energy_loss, 1e-12 * before);
    EXPECT_NEAR(pair.v().z(), -pair.law.restitution * v.z(), 1e-11 * v.norm());
    EXPECT_LE((pair.v() - hit.v).norm(), 1e-11 * (1 + v.norm()));
    EXPECT_LE(tangential(hit.P), -pair.law.friction * hit.P.z() + 1e-12 * hit.P.norm());
    EXPECT_LE((pair.A.momentum() + pair.B.momentum() - momentum).norm(),
              1e-13 * (1 + momentum.norm() + hit.P.norm()));
    EXPECT_LE((pair.A.angular_momentum() + pair.B.angular_momentum() - angular).norm(),
              1e-12 * (1 + angular.norm() + hit.P.norm()));
    if (hit.branch == CollisionBranch::clamped) {
      EXPECT_NEAR(tangential(hit.P), -pair.law.friction * hit.P.z(), 1e-12 * hit.P.norm());
    }
  }
  EXPECT_GT(inside, kPairs / 10);
  EXPECT_LT(inside, kPairs * 9 / 10);
}

// Turning the tangent axes turns the answer; exchanging the bodies turns its sign.
TEST(Collision, KnowsNoFrame) {
  for_random_cases(500, [](Random& random) {
    const Pair pair(random);
    const Mat3<double> W = pair.W();
    const Vec3<double> v = pair.v();
    const Collision hit = collide(W, v, pair.law);
    const Mat3<double> turn =
        Eigen::AngleAxisd(random(-3, 3), Vec3<double>::UnitZ()).toRotationMatrix();
    const Collision turned = collide(turn * W * turn.transpose(), turn * v, pair.law);
    EXPECT_LE((turned.P - turn * hit.P).norm(), 1e-12 * hit.P.norm());
    // B's axes: z is B's outward normal. −v is the velocity of B relative to A, −P acts on B.
    const Mat3<double> over = Vec3<double>(1, -1, -1).asDiagonal();
    const Collision swapped = collide(over * W * over, over * -v, pair.law);
    EXPECT_LE((swapped.P + over * hit.P).norm(), 1e-12 * hit.P.norm());
  });
}

TEST(Collision, WithoutFrictionIsNormal) {
  for_random_cases(500, [](Random& random) {
    Pair pair(random);
    pair.law.friction = 0;
    const Collision hit = collide(pair.W(), pair.v(), pair.law);
    EXPECT_EQ(tangential(hit.P), 0);
    EXPECT_NEAR(hit.P.z(), -(1 + pair.law.restitution) * pair.v().z() / pair.W()(2, 2),
                1e-15 * hit.P.norm());
  });
}

// Unlimited friction: the velocity is −e in the normal and, for e = e_t, −e in all directions,
// unless that would need a pull. In any case it is the limit of large friction.
TEST(Collision, UnlimitedFrictionDoesNotPull) {
  int clamped = 0;
  for_random_cases(500, [&](Random& random) {
    Pair pair(random);
    pair.law.friction = INFINITY;
    const Collision any = collide(pair.W(), pair.v(), pair.law);
    EXPECT_GE(any.energy_loss, 0);
    EXPECT_LE(any.P.z(), 1e-14 * any.P.norm());
    pair.law.friction = 1e9;
    const Collision limit = collide(pair.W(), pair.v(), pair.law);
    EXPECT_LE((any.P - limit.P).norm(), 1e-6 * any.P.norm());
    EXPECT_EQ(any.branch, limit.branch);
    pair.law.friction = INFINITY;
    pair.law.tangential_restitution = pair.law.restitution;
    const Collision hit = collide(pair.W(), pair.v(), pair.law);
    EXPECT_NEAR(hit.v.z(), -pair.law.restitution * pair.v().z(), 1e-11 * pair.v().norm());
    if (hit.branch == CollisionBranch::clamped) {
      ++clamped;
    } else {
      EXPECT_LE((hit.v + pair.law.restitution * pair.v()).norm(), 1e-11 * pair.v().norm());
    }
  });
  EXPECT_GT(clamped, 20);
}

// A body that is held elsewhere may be unable to move in some direction: W is singular, and what no
// impulse can change stays as it is.
TEST(Collision, OfBodiesThatCannotMoveEveryWay) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    Mat<double, 3, 2> J = Mat<double, 3, 2>::Random();
    if (i % 2 == 0) J.col(1).setZero();
    const Mat3<double> W = J * J.transpose();
    Vec3<double> v = J * random.vector<2>(-1, 1);
    if (v.z() < 0) v = -v;
    const double e = random(0, 1), mu = i % 3 == 0 ? 0 : i % 3 == 1 ? random(0, 2) : INFINITY;
    const Collision hit = collide(W, v, {e, 0, mu});
    ASSERT_TRUE(hit.P.allFinite());
    EXPECT_NEAR((v + W * hit.P).z(), -e * v.z(), 1e-9);
    if (std::isfinite(mu)) {
      EXPECT_LE(hit.P.head<2>().norm(), mu * -hit.P.z() * (1 + 1e-9) + 1e-12);
    }
    EXPECT_GE(hit.energy_loss, -1e-12);
  }
}

TEST(Collision, SeparatingBodiesAreLeftAlone) {
  const Mat3<double> W = Mat3<double>::Identity();
  for (const double v_z : {0.0, -1e-300, -2.0}) {
    const Vec3<double> v(1, 2, v_z);
    const Collision hit = collide(W, v, {0.5, 0.5, 0.5});
    EXPECT_EQ(hit.branch, CollisionBranch::none);
    EXPECT_EQ(hit.P.norm(), 0);
    EXPECT_EQ(hit.v, v);
    EXPECT_EQ(hit.energy_loss, 0);
  }
}

// A ball against the fixed ground: W = diag(7/2, 7/2, 1) / m for a solid one.
TEST(Collision, BallIsKnown) {
  const double m = 0.3, e = 0.7, e_t = 0.4;
  const Mat3<double> W = (Vec3<double>(3.5, 3.5, 1) / m).asDiagonal();
  const Vec3<double> v(0.8, -0.6, 2);
  const Collision grips = collide(W, v, {e, e_t, 5});
  EXPECT_EQ(grips.branch, CollisionBranch::inside);
  EXPECT_LE((grips.v.head<2>() + e_t * v.head<2>()).norm(), 1e-15);
  const double mu = 0.05;
  const Collision slides = collide(W, v, {e, e_t, mu});
  EXPECT_EQ(slides.branch, CollisionBranch::clamped);
  EXPECT_NEAR(tangential(slides.P), mu * (1 + e) * m * v.z(), 1e-16);
  EXPECT_LE((slides.P.head<2>().normalized() + v.head<2>().normalized()).norm(), 1e-15);
}

// A slender rod of mass 1 and length 2 with its lower end on the ground, leaning by the angle a
// from the vertical to +x; it slides along x. r points from its centre down to the contact; C's z
// points down, into the ground.
struct Rod {
  Mat3<double> W;
  explicit Rod(double a) {
    const Vec3<double> r(-std::sin(a), 0, std::cos(a));
    const Mat3<double> J_inv = 3 * Mat3<double>::Identity();  // its own axis does not matter
    W = contact_inverse_mass<double>(1, J_inv, r).bottomRightCorner<3, 3>();
  }
  double resistance(double mu, double direction) const {
    return W(2, 2) + mu * direction * W(0, 2);
  }
};

// The closed form: the slip falls linearly to 0, then the end sticks until it is at rest.
TEST(Jam, RodSticksAsByHand) {
  int jams = 0;
  for (const double a : {0.5, 0.6, 0.7, 0.9}) {
    const Rod rod(a);
    for (const double mu : {1.4, 1.6, 2.0, 3.0}) {
      for (const double direction : {-1.0, 1.0}) {
        const double speed = 0.7, delta = rod.resistance(mu, direction);
        const Jam jam = impact_without_collision(rod.W, {direction * speed, 0, 0}, mu);
        if (delta > 0) {
          EXPECT_EQ(jam.end, JamEnd::none);
          EXPECT_EQ(jam.P.norm(), 0);
          continue;
        }
        ++jams;
        // dv_x/dp = −μ W_xx v̂ − W_xz,  dv_z/dp = −Δ
        const double slowing = mu * rod.W(0, 0) + direction * rod.W(0, 2);
        const double p1 = speed / slowing, v_z1 = -delta * p1;
        const double hold = rod.W(0, 2) / rod.W(0, 0);  // P_x for a unit of pushing
        ASSERT_LE(std::abs(hold), mu);
        const double p2 = v_z1 / (rod.W(2, 2) - rod.W(0, 2) * hold);
        const Vec3<double> P(-mu * direction * p1 + hold * p2, 0, -(p1 + p2));
        EXPECT_EQ(jam.end, JamEnd::sticks);
        EXPECT_LE((jam.P - P).norm(), 1e-14 * P.norm());
        EXPECT_LE((rod.W * jam.P + Vec3<double>(direction * speed, 0, 0)).norm(), 1e-14);
        EXPECT_EQ(jam.v.norm(), 0);
        EXPECT_NEAR(jam.energy_loss, energy(rod.W, {speed, 0, 0}), 1e-14);
      }
    }
  }
  EXPECT_GT(jams, 8);
}

// Painlevé's rod jams for the first time at μ = 4/3.
TEST(Jam, RodNeedsFourThirdsOfFriction) {
  const double a = std::atan(0.5);  // of the least friction: cot² a = 4
  const Rod rod(a);
  const Vec3<double> v(rod.W(0, 2) > 0 ? -1 : 1, 0, 0);
  EXPECT_EQ(impact_without_collision(rod.W, v, 4.0 / 3 - 1e-9).end, JamEnd::none);
  EXPECT_EQ(impact_without_collision(rod.W, v, 4.0 / 3 + 1e-9).end, JamEnd::sticks);
}

// A random inverse mass and slip.
enum class Start {
  jammed,       // with a friction with which it jams
  approaching,  // with one with which slip that has stopped may or may not stay
  planar,       // the same in the plane of normal and slip. Else slip that would not stay is not
                // stopped in general: its path turns and misses zero
};
constexpr std::array kStarts{Start::jammed, Start::approaching, Start::planar};

struct Compressed {
  Mat3<double> W;
  Vec3<double> v;
  double mu;

  Compressed(Random& random, Start start) {
    Mat3<double> root;
    for (int i = 0; i < 3; ++i) root.col(i) = random.vector<3>(-1, 1);
    W = root * root.transpose() + 0.02 * Mat3<double>::Identity();
    if (start == Start::planar) W(0, 1) = W(1, 0) = W(1, 2) = W(2, 1) = 0;
    const double angle = random(-3.2, 3.2), speed = random(0.1, 2);
    const double part = random(0, 1), approach = random(0, 8);
    Vec2<double> v_hat(std::cos(angle), std::sin(angle));
    const Vec2<double> W_tz = W.topRightCorner<2, 1>();
    const double hold = (inverse(Mat2<double>(W.topLeftCorner<2, 2>())) * W_tz).norm();
    mu = 1.3 * part * hold + 0.02;
    if (start == Start::planar) v_hat = {v_hat.x() > 0 ? 1 : -1, 0};
    if (start == Start::jammed) {
      if (W_tz.dot(v_hat) > 0) v_hat = -v_hat;
      mu = -W(2, 2) / W_tz.dot(v_hat) * (1 + 0.5 * part);
    }
    v << speed * v_hat, start == Start::jammed ? 0 : approach;
  }
};

void expect_compression_laws(const Compressed& c, const Jam& jam) {
  ASSERT_NE(jam.end, JamEnd::none);
  ASSERT_NE(jam.end, JamEnd::unfinished);
  EXPECT_LT(jam.P.z(), 0);  // pushes
  EXPECT_LE(tangential(jam.P), -c.mu * jam.P.z() * (1 + 1e-11));
  EXPECT_EQ(jam.v.z(), 0);
  EXPECT_LE((c.v + c.W * jam.P - jam.v).norm(), 1e-11 * c.v.norm());
  EXPECT_GE(jam.energy_loss, 0);
  const double before = energy(c.W, c.v);
  EXPECT_LE(energy(c.W, jam.v), before);
  EXPECT_NEAR(before - energy(c.W, jam.v), jam.energy_loss, 1e-11 * before);
  if (jam.end == JamEnd::sticks) {
    EXPECT_EQ((jam.P - Ldlt<double, 3>(c.W).solve(-c.v)).norm(), 0);
  }
  // Slip that begins anew keeps its direction: it accelerates along itself.
  if (jam.end == JamEnd::slides_anew) {
    const Vec2<double> v_hat = jam.v.head<2>().normalized();
    const Vec3<double> push(-c.mu * v_hat.x(), -c.mu * v_hat.y(), -1);
    const Vec2<double> drift = (c.W * push).head<2>();
    EXPECT_GT(drift.dot(v_hat), 0);
    EXPECT_NEAR(drift.x() * v_hat.y() - drift.y() * v_hat.x(), 0, 1e-14 * c.W.norm() * (1 + c.mu));
  }
}

TEST(Jam, KeepsItsLawsOnRandomContacts) {
  for (const Start start : kStarts) {
    Random random(7);
    std::array<int, 5> ends{};
    for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
      const Compressed c(random, start);
      const Jam jam = impact_without_collision(c.W, c.v, c.mu);
      SCOPED_TRACE(i);
      expect_compression_laws(c, jam);
      ++ends[static_cast<std::size_t>(jam.end)];
    }
    EXPECT_GT(ends[static_cast<std::size_t>(JamEnd::sticks)], 100);
    EXPECT_GT(ends[static_cast<std::size_t>(JamEnd::slides_on)], 100);
    if (start == Start::planar) {
      EXPECT_GT(ends[static_cast<std::size_t>(JamEnd::slides_anew)], 100);
    }
  }
}

// An independent way: many small pushes dp, each with the friction that suits the slip after it,
//   v⁺ = v + W (P_t, −dp),   P_t = −μ dp v̂⁺, or less if that stops the slip.
// Stop and new start of the slip need no special care here, but the error falls only like dp.
Vec3<double> by_small_pushes(const Compressed& c, double dp) {
  const Mat2<double> W_tt = c.W.topLeftCorner<2, 2>();
  const Vec2<double> W_tz = c.W.topRightCorner<2, 1>();
  Vec3<double> P = Vec3<double>::Zero(), v = c.v;
  while (true) {
    const Vec2<double> without = v.head<2>() - dp * W_tz;
    // (|v⁺| + μ dp W_tt) v̂⁺ = slip without friction
    const auto direction = [&](double speed) {
      const Mat2<double> M = c.mu * dp * W_tt + speed * Mat2<double>::Identity();
      return Vec2<double>(inverse(M) * without);
    };
    Vec2<double> v_hat = direction(0);  // shorter than 1: it stops
    if (v_hat.norm() > 1) {
      double lo = 0, hi = without.norm();
      for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (lo + hi);
        (direction(middle).norm() > 1 ? lo : hi) = middle;
      }
      v_hat = direction(hi);
    }
    const Vec3<double> push(-c.mu * dp * v_hat.x(), -c.mu * dp * v_hat.y(), -dp);
    const Vec3<double> next = v + c.W * push;
    if (next.z() <= 0) return P + v.z() / (v.z() - next.z()) * push;
    P += push;
    v = next;
  }
}

TEST(Jam, AgreesWithManySmallPushes) {
  for (const Start start : kStarts) {
    Random random(3);
    for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
      const Compressed c(random, start);
      const Jam jam = impact_without_collision(c.W, c.v, c.mu);
      constexpr int kPushes = 2000;
      const double dp = -jam.P.z() / kPushes;
      const Vec3<double> coarse = by_small_pushes(c, dp), fine = by_small_pushes(c, 0.5 * dp);
      SCOPED_TRACE(i);
      EXPECT_LE((coarse - jam.P).norm(), 0.02 * jam.P.norm());
      // Extrapolated to dp = 0.
      EXPECT_LE((2 * fine - coarse - jam.P).norm(), 1e-3 * jam.P.norm());
    }
  }
}

TEST(Jam, KnowsNoFrame) {
  for_random_cases(200, [](Random& random) {
    const Compressed c(random, kStarts[static_cast<std::size_t>(random(0, 3))]);
    const Jam jam = impact_without_collision(c.W, c.v, c.mu);
    const Mat3<double> turn =
        Eigen::AngleAxisd(random(-3, 3), Vec3<double>::UnitZ()).toRotationMatrix();
    const Jam turned = impact_without_collision(turn * c.W * turn.transpose(), turn * c.v, c.mu);
    EXPECT_LE((turned.P - turn * jam.P).norm(), 1e-9 * jam.P.norm());
    const Mat3<double> over = Vec3<double>(1, -1, -1).asDiagonal();
    const Jam swapped = impact_without_collision(over * c.W * over, over * -c.v, c.mu);
    EXPECT_LE((swapped.P + over * jam.P).norm(), 1e-9 * jam.P.norm());
    const Jam faster = impact_without_collision(c.W, 8 * c.v, c.mu);  // no scale of speed
    EXPECT_LE((faster.P - 8 * jam.P).norm(), 1e-12 * faster.P.norm());
  });
}

TEST(Jam, NothingHappensWhereNothingPresses) {
  const Mat3<double> W = Rod(0.6).W;
  EXPECT_EQ(impact_without_collision(W, Vec3<double>::Zero(), 2).end, JamEnd::none);
  EXPECT_EQ(impact_without_collision(Mat3<double>::Identity(), {1, 1, 0}, 100).end, JamEnd::none);
  // No slip but an approach: as a plastic collision that sticks.
  const Jam jam = impact_without_collision(W, {0, 0, 1}, 2);
  EXPECT_EQ(jam.end, JamEnd::sticks);
  EXPECT_LE((jam.P - collide(W, {0, 0, 1}, {0, 0, INFINITY}).P).norm(), 1e-15);
}

}  // namespace oloid::test::impact_test
