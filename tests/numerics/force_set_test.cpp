#include "oloid/numerics/force_set.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "laws/random.h"
#include "oloid/numerics/cone_program.h"
#include "support/row_vectors.h"

namespace oloid::test::force_set_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kForce = 1e-9, kMargin = 1e-8, kAcceleration = 1e-10;  // tolerances of rows.json

struct Held {
  explicit Held(const ContactGroup& g)
      : group(g), p(g.problem()), set(solve_forces(p.W, -p.b)), m(margin(set, p.cones, p.cap)) {}
  ForceInterval normal(std::size_t contact) const {
    return force_interval(set, p.cones, VectorXd::Unit(p.b.size(), p.cones[contact].first), p.cap);
  }
  VectorXd least_norm_normals() const { return normals(group, set.particular); }

  ContactGroup group;
  ContactProblem p;
  ForceSet set;
  Margin m;
};
Held held(const nlohmann::json& entry) { return Held(contact_group(entry["input"])); }

TEST(ForceSet, BallInAGroove) {
  const nlohmann::json data = read_data("rows.json")["v_groove"][0];
  const Held h = held(data);
  EXPECT_EQ(h.set.rank, data["rank"].get<int>());
  EXPECT_NEAR(h.m.m, data["margin"], kMargin);
  expect_near(h.least_norm_normals(), vector(data["least_norm_normal"]), kForce, "least norm");
  expect_near(h.group.acceleration(h.set.particular), vector(data["acceleration"]), kAcceleration,
              "acceleration");
  for (const std::size_t contact : {0u, 1u}) {
    const ForceInterval interval = h.normal(contact);
    EXPECT_NEAR(interval.low, data["normal_interval"][0], kMargin);
    EXPECT_NEAR(interval.high, data["normal_interval"][1], kMargin);
  }
  // The plain least norm is outside the cones; the one that is recorded is not.
  EXPECT_LT(least_slack(h.p.cones, h.set.particular), 0);
  const ConeForces inside = least_norm_in_cones(h.set, h.p.cones, h.m, h.p.cap);
  EXPECT_GE(inside.slack, -1e-12);
  EXPECT_LE(inside.slack, 1e-6);
  EXPECT_LE((h.p.W * inside.force + h.p.b).norm(), 1e-11);
}

TEST(ForceSet, BallInTwoBowlsInMotion) {
  const nlohmann::json data = read_data("rows.json")["two_bowls_slip_onset"];
  const Held h = held(data);
  EXPECT_NEAR(h.m.m, data["margin_at_start"], kMargin);
  EXPECT_NEAR(least_slack(h.p.cones, h.set.particular), data["least_norm_slack_at_start"], kMargin);
}

TEST(ForceSet, BoxOnASlope) {
  const nlohmann::json data = read_data("rows.json")["box_slope"][0];
  const Held h = held(data);
  EXPECT_EQ(h.set.rank, data["rank"].get<int>());
  EXPECT_EQ(h.set.nullity(), data["nullity"].get<int>());
  EXPECT_NEAR(h.m.m, data["margin"], kMargin);
  EXPECT_LE(h.m.iterations, 30);
  expect_near(h.least_norm_normals(), vector(data["least_norm_normal"]), kForce, "least norm");
  for (std::size_t i = 0; i < 4; ++i) {
    const ForceInterval interval = h.normal(i);
    EXPECT_NEAR(interval.low, data["normal_interval"][i][0], kMargin);
    EXPECT_NEAR(interval.high, data["normal_interval"][i][1], kMargin);
  }
  VectorXd edge = VectorXd::Zero(h.p.b.size());
  edge(h.p.cones[0].first) = edge(h.p.cones[1].first) = 1;
  const ForceInterval total = force_interval(h.set, h.p.cones, edge, h.p.cap);
  EXPECT_NEAR(total.low, data["downhill_edge_total"], kMargin);
  EXPECT_NEAR(total.high, data["downhill_edge_total"], kMargin);
}

TEST(ForceSet, BallOnThreeFixedBalls) {
  const nlohmann::json data = read_data("rows.json")["ball_on_three_fixed"];
  const Held h = held(data);
  EXPECT_EQ(h.set.rank, data["rank"].get<int>());
  EXPECT_EQ(h.set.nullity(), data["nullity"].get<int>());
  EXPECT_NEAR(h.m.m, data["margin"], kMargin);
  expect_near(h.least_norm_normals(), vector(data["least_norm_normal"]), kForce, "least norm");
  VectorXd sum = VectorXd::Zero(h.p.b.size());
  for (std::size_t i = 0; i < 3; ++i) {
    sum(h.p.cones[i].first) = 1;
    EXPECT_NEAR(h.normal(i).low, data["normal_interval_each"][0], kMargin);
    EXPECT_NEAR(h.normal(i).high, data["normal_interval_each"][1], kMargin);
  }
  const ForceInterval total = force_interval(h.set, h.p.cones, sum, h.p.cap);
  EXPECT_NEAR(total.low, data["sum_of_normals_interval"][0], kMargin);
  EXPECT_NEAR(total.high, data["sum_of_normals_interval"][1], kMargin);
}

TEST(ForceSet, Table) {
  const nlohmann::json all = read_data("rows.json");
  for (const char* name : {"table", "table_outside_kern"}) {
    SCOPED_TRACE(name);
    const nlohmann::json data = all[name];
    const Held h = held(data);
    expect_near(h.set.particular, vector(data["least_norm"]), kForce, "least norm");
    EXPECT_NEAR(h.m.m, data["margin"], kMargin);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(h.normal(i).low, data["interval"][i][0], kMargin);
      EXPECT_NEAR(h.normal(i).high, data["interval"][i][1], kMargin);
    }
    const BoundedForces bounded = bounded_least_norm(h.set, h.p.cones);
    ASSERT_TRUE(bounded.exist);
    const bool outside = data.contains("least_norm_bounded");
    expect_near(bounded.force, vector(data[outside ? "least_norm_bounded" : "least_norm"]), kForce,
                "bounded");
    EXPECT_EQ(bounded.held_at_zero[3], outside);
    EXPECT_GT(bounded.redistribution, 0);
  }
}

// The load crosses the border of the kern: the guard falls to 0 from both sides, and forces agree.
TEST(ForceSet, RedistributionIsAKink) {
  nlohmann::json data = read_data("rows.json")["table"];
  const auto at = [&](double x, double y) {
    nlohmann::json input = data["input"];
    input["bodies"][0]["c"] = {x, y, 0.35};
    const std::array<std::array<double, 2>, 4> legs{
        {{0.5, 0.3}, {0.5, -0.3}, {-0.5, 0.3}, {-0.5, -0.3}}};
    for (std::size_t i = 0; i < 4; ++i) {
      input["contacts"][i]["feature_A"]["p"] = {legs[i][0] - x, legs[i][1] - y, -0.35};
    }
    const Held h{contact_group(input)};
    return bounded_least_norm(h.set, h.p.cones);
  };
  const double kern = 0.3 * (1 - 0.35 / 0.5);  // |x|/a + |y|/b = 1
  for (const double d : {1e-3, 1e-6, 1e-9}) {
    const BoundedForces inside = at(0.35, kern - d), outside = at(0.35, kern + d);
    EXPECT_FALSE(inside.held_at_zero[3]);
    EXPECT_TRUE(outside.held_at_zero[3]);
    EXPECT_GT(inside.redistribution, 0);
    EXPECT_GT(outside.redistribution, 0);
    EXPECT_LE(inside.redistribution, 200 * d);
    EXPECT_LE(outside.redistribution, 200 * d);
    EXPECT_LE((inside.force - outside.force).norm(), 1000 * d + 1e-10);
  }
}

TEST(ForceSet, SlidingBoxDependsOnTheDistribution) {
  const nlohmann::json data = read_data("rows.json")["box_turning"];
  const Held h = held(data);
  EXPECT_EQ(h.set.nullity(), 1);
  expect_near(h.set.particular, vector(data["normal_least_norm"]), kForce, "least norm");
  const VectorXd least = h.group.acceleration(h.set.particular);
  expect_near(least, vector(data["acceleration_least_norm"]), kAcceleration, "acceleration");
  const VectorXd one_newton = h.group.acceleration(h.set.particular + h.set.null.col(0)) - least;
  const VectorXd expected = vector(data["acceleration_per_newton_of_null_vector"]);
  EXPECT_NEAR(one_newton.norm(), expected.norm(), kAcceleration);
  EXPECT_NEAR(std::abs(one_newton.dot(expected)), expected.squaredNorm(), kAcceleration);
}

TEST(ForceSet, LadderMarginAndForces) {
  const nlohmann::json data = read_data("rows.json")["ladder"];
  const nlohmann::json values = data[2]["values"];
  for (const nlohmann::json& value : values) {
    const double phi = value["phi"], g = 9.81, mass = 5;
    ContactGroup ladder;
    ladder.cap = mass * g;
    const Vec3<double> c(std::cos(phi), 0, std::sin(phi)), along(-std::cos(phi), 0, std::sin(phi));
    const Mat3<double> I = 5.0 / 3 * (Mat3<double>::Identity() - along * along.transpose()) +
                           0.01 * along * along.transpose();
    ladder.add_body(mass, I, c, {0, 0, -mass * g}, Vec3<double>::Zero());
    ladder.contact(0, -1, c - along, {0, 0, 1}).stick(data[2]["mu"][0]);
    ladder.contact(0, -1, c + along, {1, 0, 0}).stick(data[2]["mu"][1]);
    EXPECT_NEAR(Held(ladder).m.m, value["margin"], kMargin) << phi;
  }
  const Held sliding = held(data[3]);
  EXPECT_EQ(sliding.set.nullity(), 0);
  expect_near(sliding.set.particular, vector(data[3]["forces_at_start"]), kForce, "sliding ladder");
}

TEST(ForceSet, RestingBallWithRollingResistance) {
  const nlohmann::json data = read_data("rows.json")["resting_ball"];
  const double m = 0.5, r = 0.1, g = 9.81, s = data["slope_sine"];
  ContactGroup ball;
  ball.cap = m * g;
  ball.add_body(m, 0.4 * m * r * r * Mat3<double>::Identity(), {0, 0, r},
                {m * g * s, 0, -m * g * std::sqrt(1 - s * s)}, Vec3<double>::Zero());
  const double resistance = data["rolling_resistance"];
  ball.contact(0, -1, Vec3<double>::Zero(), {0, 0, 1}).stick(data["mu"]).hold_roll(resistance);
  const Held h(ball);
  EXPECT_EQ(h.set.nullity(), 0);
  EXPECT_NEAR(h.m.m, data["margin"], kMargin);
  EXPECT_NEAR(h.set.particular(0), data["wrench"][0], kForce);
  EXPECT_NEAR(h.set.particular.segment<2>(1).norm(), std::abs(data["wrench"][1].get<double>()),
              kForce);
  EXPECT_NEAR(h.set.particular.segment<2>(3).norm(), std::abs(data["wrench"][5].get<double>()),
              kForce);
}

TEST(ForceSet, MovingResistancesAreColumns) {
  const nlohmann::json data = read_data("rows.json")["resistances"];
  const Held h = held(data);
  const VectorXd a = h.group.acceleration(h.set.particular);
  EXPECT_NEAR(a(0), data["ax"], kAcceleration);
  EXPECT_NEAR(a(5), data["spin_acceleration"], kAcceleration);
}

// A group of one body and `contacts` contacts from all sides, in balance at random forces inside
// the cones: redundant, often jammed.
ContactGroup random_group(Random& random, int contacts) {
  ContactGroup group;
  group.add_body(random(0.5, 2), 0.01 * Mat3<double>::Identity(), Vec3<double>::Zero(),
                 10 * random.vector<3>(-1, 1) - Vec3<double>(0, 0, 15),
                 0.3 * random.vector<3>(-1, 1));
  for (int i = 0; i < contacts; ++i) {
    const Vec3<double> n =
        (Vec3<double>(0, 0, 1) + random(0, 1.2) * random.direction()).normalized();
    group.contact(0, -1, -0.1 * n + 0.1 * random.direction(), n).stick(random(0.1, 1.2));
    if (random(0, 1) < 0.3) group.hold_spin(random(0.005, 0.03));
    if (random(0, 1) < 0.3) group.hold_roll(random(0.005, 0.03));
  }
  return group;
}

// The least slack is concave in z: a point that no step in any direction improves is the best.
TEST(ForceSet, NoOtherDistributionHasALargerMargin) {
  for_random_cases(200, [](Random& random) {
    const Held h(random_group(random, 2 + static_cast<int>(random(0, 4))));
    EXPECT_LE(h.set.residual, 1e-9);
    EXPECT_LE(h.m.m, h.p.cap);
    const double scale = std::max({h.p.cap, h.set.at(h.m.z).norm(), std::abs(h.m.m)});
    for (int k = 0; k < 300; ++k) {
      VectorXd step(h.set.nullity());
      for (Eigen::Index j = 0; j < step.size(); ++j) step(j) = random(-1, 1);
      step *= scale * std::pow(10, random(-7, 1));
      const double other = least_slack(h.p.cones, h.set.at(h.m.z + step));
      EXPECT_LE(std::min(h.p.cap, other), h.m.m + 1e-9 * scale) << h.m.residual;
    }
  });
}

// Golden section on the line against the closed form of nullity 1.
TEST(ForceSet, MarginOfTwoPointsByGoldenSection) {
  for_random_cases(200, [](Random& random) {
    ContactGroup group = random_group(random, 0);
    for (int i = 0; i < 2; ++i) {
      const Vec3<double> n =
          (Vec3<double>(0, 0, 1) + random(0, 1) * random.direction()).normalized();
      group.contact(0, -1, 0.1 * random.direction(), n).stick(random(0.1, 1.2));
    }
    const Held h(group);
    ASSERT_EQ(h.set.nullity(), 1);
    const auto slack_at = [&](double z) {
      return std::min(h.p.cap, least_slack(h.p.cones, h.set.at(VectorXd::Constant(1, z))));
    };
    double low = -1e5, high = 1e5;
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    for (int k = 0; k < 200; ++k) {
      const double a = high - golden * (high - low), b = low + golden * (high - low);
      (slack_at(a) > slack_at(b) ? high : low) = slack_at(a) > slack_at(b) ? b : a;
    }
    EXPECT_GE(h.m.m, slack_at(low) - 1e-12 * h.p.cap);
    EXPECT_NEAR(h.m.m, slack_at(low), 1e-7 * h.p.cap);
  });
}

// Forces of a self-stress can grow without bound: the margin is the cap, intervals are infinite.
TEST(ForceSet, JammedBodies) {
  ContactGroup vice;
  vice.cap = 10;
  vice.add_body(1, 0.01 * Mat3<double>::Identity(), Vec3<double>::Zero(), {0, 0, -10},
                Vec3<double>::Zero());
  vice.contact(0, -1, {0.1, 0, 0}, {-1, 0, 0}).stick(0.5);
  vice.contact(0, -1, {-0.1, 0, 0}, {1, 0, 0}).stick(0.5);
  const Held h(vice);
  EXPECT_EQ(h.m.m, h.p.cap);
  const ForceInterval normal = h.normal(0);
  EXPECT_NEAR(normal.low, 10, kMargin);
  EXPECT_EQ(normal.high, kUnlimited);
}

// Unlimited friction bears everything: only normal forces count.
TEST(ForceSet, UnlimitedChannelsSetNoCondition) {
  for_random_cases(50, [](Random& random) {
    ContactGroup group = random_group(random, 1);
    for (ForceCone& cone : group.cones) {
      for (ConeChannel& channel : cone.channel) channel.limit = kUnlimited;
    }
    const Held h(group);
    EXPECT_EQ(h.m.m, std::min(h.p.cap, h.set.particular(0)));
  });
}

// Conditions of the least norm by themselves: C λ is the sum of row vectors and multipliers ≥ 0 of
// the normal forces that are 0; and an interior-point method agrees.
TEST(ForceSet, BoundedLeastNormIsOptimal) {
  int bounded_cases = 0;
  for_random_cases(300, [&](Random& random) {
    const int n = 3 + static_cast<int>(random(0, 8)), rows = 1 + static_cast<int>(random(0, n - 1));
    MatrixXd E(rows, n);
    VectorXd force(n), compliance(n);
    std::vector<ForceCone> cones;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < rows; ++i) E(i, j) = random(-1, 1);
      force(j) = random(0, 1) < 0.3 ? 0 : random(0, 5);
      compliance(j) = random(0.2, 5);
      cones.push_back({j});
    }
    const ForceSet set = solve_forces(E, E * force, compliance);
    EXPECT_LE((set.null.transpose() * compliance.asDiagonal() * set.null -
               MatrixXd::Identity(set.nullity(), set.nullity()))
                  .norm(),
              1e-12);
    EXPECT_LE((set.null.transpose() * compliance.asDiagonal() * set.particular).norm(), 1e-11);
    const BoundedForces best = bounded_least_norm(set, cones);
    ASSERT_TRUE(best.exist);
    EXPECT_LE((E * (best.force - force)).norm(), 1e-11 * (1 + best.force.norm()));
    EXPECT_GE(best.force.minCoeff(), -1e-12);
    const VectorXd gradient = set.null.transpose() * compliance.asDiagonal() * best.force;
    MatrixXd active(set.nullity(), 0);
    for (int j = 0; j < n; ++j) {
      if (!best.held_at_zero[static_cast<std::size_t>(j)]) continue;
      EXPECT_EQ(best.force(j), 0);
      active.conservativeResize(Eigen::NoChange, active.cols() + 1);
      active.rightCols(1) = set.null.row(j).transpose();
    }
    if (active.cols() > 0) {
      ++bounded_cases;
      const VectorXd nu = active.colPivHouseholderQr().solve(gradient);
      EXPECT_GE(nu.minCoeff(), -1e-9);
      EXPECT_LE((active * nu - gradient).norm(), 1e-10 * (1 + gradient.norm()));
    } else {
      EXPECT_LE(gradient.norm(), 1e-10);
    }
    const MatrixXd identity = MatrixXd::Identity(set.nullity(), set.nullity());
    const ConeOptimum other = solve(ConeProgram{identity, VectorXd::Zero(set.nullity()), -set.null,
                                                set.particular, std::vector<int>(cones.size(), 1)});
    EXPECT_LE((set.at(other.x) - best.force).norm(), 1e-5 * (1 + best.force.norm()))
        << other.residual;
    // The last active set is tried first, and gives the same.
    const BoundedForces again = bounded_least_norm(set, cones, best.held_at_zero);
    EXPECT_LE((again.force - best.force).norm(), 1e-12 * best.force.norm());
    EXPECT_EQ(again.held_at_zero, best.held_at_zero);
  });
  if (!std::getenv("OLOID_SEED")) {
    EXPECT_GT(bounded_cases, 50);
  }
}

TEST(ForceSet, NoForcesThatPressExist) {
  // Two contacts that can only push upwards cannot hold what is pulled up.
  const ForceSet set = solve_forces(MatrixXd::Ones(1, 2), VectorXd::Constant(1, -1));
  const std::vector<ForceCone> cones{{0}, {1}};
  EXPECT_FALSE(bounded_least_norm(set, cones).exist);
  EXPECT_LT(margin(set, cones, 10).m, 0);
}

// Least norm inside the cones: nothing nearer to 0 on the way to any admissible distribution.
TEST(ForceSet, LeastNormInConesIsOptimal) {
  int outside = 0;
  for_random_cases(150, [&](Random& random) {
    const Held h(random_group(random, 2 + static_cast<int>(random(0, 3))));
    if (h.m.m < 1e-3 || h.set.nullity() == 0) return;
    const ConeForces best = least_norm_in_cones(h.set, h.p.cones, h.m, h.p.cap);
    outside += least_slack(h.p.cones, h.set.particular) < 0;
    EXPECT_GE(best.slack, -1e-10 * h.p.cap);
    EXPECT_LE((h.p.W * best.force + h.p.b).norm(),
              1e-9 * (h.p.b.norm() + h.p.W.norm() * best.force.norm()));
    for (int k = 0; k < 100; ++k) {
      // Any point whose slack is not negative is admissible; the angle to it must not be obtuse.
      VectorXd step(h.set.nullity());
      for (Eigen::Index j = 0; j < step.size(); ++j) step(j) = random(-1, 1);
      const VectorXd z = h.m.z + step * h.m.m * random(0, 2);
      if (least_slack(h.p.cones, h.set.at(z)) < 0) continue;
      const VectorXd here = h.set.nearest(best.force);
      EXPECT_GE(here.dot(z - here), -1e-6 * h.p.cap * (z - here).norm());
    }
  });
  if (!std::getenv("OLOID_SEED")) {
    EXPECT_GT(outside, 10);
  }
}

TEST(ForceSet, CarriedForcesAreTheNearest) {
  for_random_cases(50, [](Random& random) {
    const Held h(random_group(random, 3));
    VectorXd z(h.set.nullity());
    for (Eigen::Index j = 0; j < z.size(); ++j) z(j) = random(-3, 3);
    EXPECT_LE((h.set.nearest(h.set.at(z)) - z).norm(), 1e-11);
  });
}

// Four vertices of a body on two slopes: what no force can hold still has a residual.
TEST(ForceSet, ContradictoryRowsShow) {
  MatrixXd E(2, 2);
  E << 1, 1, 1, 1;
  VectorXd e(2);
  e << 1, 2;
  EXPECT_GT(solve_forces(E, e).residual, 0.1);
}

}  // namespace oloid::test::force_set_test
