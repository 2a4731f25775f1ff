#include "oloid/dynamics/joint_jam.h"

#include <gtest/gtest.h>

#include "laws/random.h"
#include "oloid/dynamics/impact.h"
#include "support/random_forest.h"
#include "support/rooms.h"

namespace oloid::test::joint_jam_test {

// Order of the problem: normal (parting), slip. That of impact.h: slip, normal (approach).
Eigen::MatrixXd turned(const Mat3<double>& W) {
  Mat3<double> T;
  T << 0, 0, -1, 1, 0, 0, 0, 1, 0;
  return T * W * T.transpose();
}
std::vector<ForceCone> one_cone(double friction) {
  ForceCone cone{0, 1, {}};
  cone.channel[0] = {2, friction};
  return {cone};
}
const Eigen::VectorXd kOne = Eigen::VectorXd::Ones(1);

// A rod at 55° (Painlevé's), sliding: the foot stops, whatever the path.
TEST(JointJam, ARodThatJamsSticks) {
  const double a = 55 * std::numbers::pi / 180, c = 0.5 * std::cos(a), s = 0.5 * std::sin(a);
  Mat3<double> W = Mat3<double>::Identity();
  W(0, 0) += 12 * s * s;
  W(2, 2) += 12 * c * c;
  W(0, 2) = W(2, 0) = 12 * s * c;
  const Vec3<double> v(-1, 0, 0);
  const Jam exact = impact_without_collision(W, v, 1.8);
  ASSERT_EQ(exact.end, JamEnd::sticks);
  const JointJam jam = joint_jam(turned(W), Eigen::Vector3d(0, -1, 0), one_cone(1.8), kOne);
  ASSERT_TRUE(jam.found);
  EXPECT_LE((jam.P - Eigen::Vector3d(-exact.P.z(), exact.P.x(), exact.P.y())).norm(), 1e-9);
  EXPECT_LE(jam.u.norm(), 1e-9);
  EXPECT_NEAR(jam.energy_loss, exact.energy_loss, 1e-9);
}

// Where the contact slides on, increments follow Keller's path to their size.
TEST(JointJam, OneContactFollowsTheExactImpact) {
  int slides = 0, sticks = 0;
  for_random_cases(4000, [&](Random& random) {
    const BodyInertia<double> body = random_body(random);
    const Mat3<double> W =
        contact_inverse_mass(random_pose(random, 1.5), body).bottomRightCorner<3, 3>();
    const double angle = random(-3, 3), mu = random(0.5, 3);
    const Vec3<double> v(std::cos(angle), std::sin(angle), 0);
    const Jam exact = impact_without_collision(W, v, mu);
    if (exact.end == JamEnd::none || exact.end == JamEnd::unfinished) return;
    const JointJam jam = joint_jam(turned(W), Eigen::Vector3d(0, v.x(), v.y()), one_cone(mu), kOne);
    ASSERT_TRUE(jam.found);
    const Eigen::Vector3d P(-exact.P.z(), exact.P.x(), exact.P.y());
    EXPECT_LE((jam.P - P).norm(), 0.1 * P.norm());
    EXPECT_GE(jam.energy_loss, 0);
    ++(exact.end == JamEnd::sticks ? sticks : slides);
  });
  EXPECT_GT(sticks, 20);
  EXPECT_GT(slides, 0);
}

TEST(JointJam, NothingHappensWherePushingParts) {
  const JointJam jam =
      joint_jam(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 1, 0), one_cone(0.5), kOne);
  EXPECT_FALSE(jam.found);
  EXPECT_EQ(jam.P.norm(), 0);
}

// Trees with much friction, all contacts sliding: impulses push and stay in their cones, no contact
// approaches at the end, and energy falls, whichever contacts are compressed.
TEST(JointJam, ImpulsesObeyTheLawsAndEnergyFalls) {
  int jams = 0;
  for_random_cases(200, [&](Random& random) {
    Forest forest = random_forest(random, Parents{kGround, 0, 1});
    for (int i = 0; i < forest.size(); ++i) forest[i].X_AC.p *= 3, forest[i].X_BC.p *= 3;
    const Eigen::MatrixXd all = forest.contact_system().W();
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(9, 18);
    std::vector<ForceCone> cones;
    Eigen::VectorXd u = Eigen::VectorXd::Zero(9), push(3);
    for (int k = 0; k < 3; ++k) {
      T(3 * k, 6 * k + kNormalRow) = -1;
      T(3 * k + 1, 6 * k + kSlipRow) = T(3 * k + 2, 6 * k + kSlipRow + 1) = 1;
      ForceCone cone{3 * k, 1, {}};
      cone.channel[0] = {2, random(0.5, 3)};
      cones.push_back(cone);
      u.segment<2>(3 * k + 1) = random.vector<2>(-1, 1);
      push(k) = random(0, 1);
    }
    const Eigen::MatrixXd W = T * all * T.transpose();
    const JointJam jam = joint_jam(W, u, cones, push);
    if (!jam.found) return;
    ++jams;
    EXPECT_LE((u + W * jam.P - jam.u).norm(), 1e-9 * (1 + jam.u.norm()));
    const double before = 0.5 * u.dot(W.ldlt().solve(u)),
                 after = 0.5 * jam.u.dot(W.ldlt().solve(jam.u));
    EXPECT_GT(jam.energy_loss, 0);
    EXPECT_NEAR(jam.energy_loss, before - after, 1e-9 * before);
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(jam.u(3 * k), -1e-9);
      EXPECT_GE(jam.P(3 * k), -1e-12 * jam.P.norm());
      EXPECT_LE(
          jam.P.segment<2>(3 * k + 1).norm(),
          cones[static_cast<std::size_t>(k)].channel[0].limit * jam.P(3 * k) + 1e-9 * jam.P.norm());
    }
  });
  EXPECT_GT(jams, 5);
}

}  // namespace oloid::test::joint_jam_test
