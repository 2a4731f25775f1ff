#include "oloid/dynamics/motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"
#include "support/time_derivative.h"

namespace oloid::test::motion_test {

constexpr std::array<std::string_view, 1> kTime{"t"};

Expression formula(const char* text) { return *Expression::parse(text, kTime); }
std::array<Expression, 3> formulas(const char* x, const char* y, const char* z) {
  return {formula(x), formula(y), formula(z)};
}

Pose<double> random_pose(Random& random) {
  const Vec3<double> axis = random.direction();
  const double angle = random(0, 3);
  return {axis_angle(axis, angle), random.vector<3>(-1, 1)};
}

// phi - belt is the rate of the pose, phi_rate that of phi's components. Splines are cubics between
// knots, so their times keep away from these.
void expect_motion_laws(const Motion& motion, double t, double tolerance, double h = 5e-3) {
  const BodyMotion now = motion.at(t);
  EXPECT_TRUE(is_pose(now.X_WB));
  const Mat3<double> R_rate =
      test::time_derivative([&](double s) { return motion.at(s).X_WB.R; }, t, h);
  const Vec3<double> p_rate =
      test::time_derivative([&](double s) { return motion.at(s).X_WB.p; }, t, h);
  const Twist<double> frame = now.phi - now.belt;
  const Mat3<double> R_BW = now.X_WB.R.transpose();
  EXPECT_LE(difference(Mat3<double>(R_BW * R_rate), cross_matrix(frame.w)), tolerance);
  EXPECT_LE(difference(Vec3<double>(R_BW * p_rate), frame.v), tolerance);
  const Vec3<double> w_rate =
      test::time_derivative([&](double s) { return motion.at(s).phi.w; }, t, h);
  const Vec3<double> v_rate =
      test::time_derivative([&](double s) { return motion.at(s).phi.v; }, t, h);
  EXPECT_LE(difference(now.phi_rate.w, w_rate), tolerance);
  EXPECT_LE(difference(now.phi_rate.v, v_rate), tolerance);
}

TEST(Motion, OfAFixedBodyIsNone) {
  const Pose<double> X{axis_angle(Vec3<double>(1, 0, 0), 0.3), {1, 2, 3}};
  const Motion motion(Still{X});
  expect_motion_laws(motion, 0.7, 0);
  EXPECT_EQ(motion.at(5).X_WB.p, X.p);
  EXPECT_FALSE(motion.is_moving());
  EXPECT_TRUE(motion.breaks().empty());
  EXPECT_TRUE(motion.knots(0, 1).empty());
}

TEST(Motion, ByFormulasHasItsTwist) {
  for_random_cases(50, [](Random& random) {
    FormulaMotion shaken{random_pose(random)};
    shaken.position = formulas("0.1*sin(3*t)", "t^2/10 - cos(t)", "exp(-t/4)");
    shaken.rotation_vector = formulas("0.3*sin(t)", "t", "cos(2*t) - t^2/5");
    FormulaMotion turned{random_pose(random)};
    turned.axis = random.direction();
    turned.angle = formula("1.2*t + 0.2*sin(2*t)");
    turned.position = formulas("cos(t)", "sin(t)", "0.2");
    FormulaMotion held{random_pose(random)};
    held.rotation_vector = formulas("sin(t)", "0.1", "t");
    for (const FormulaMotion& kind : {shaken, turned, held}) {
      const Motion motion(kind);
      EXPECT_TRUE(motion.is_moving());
      expect_motion_laws(motion, random(-3, 3), 1e-9);
    }
  });
}

TEST(Motion, ByAngleIsThatByItsRotationVector) {
  for_random_cases(20, [](Random& random) {
    FormulaMotion by_angle{random_pose(random)};
    by_angle.angle = formula("2*t^2 - 1");
    FormulaMotion by_vector{by_angle.X_WB};
    by_vector.rotation_vector = formulas("0", "0", "2*t^2 - 1");
    const double t = random(-2, 2);
    const BodyMotion a = Motion(by_angle).at(t), b = Motion(by_vector).at(t);
    EXPECT_LE(difference(a.X_WB.R, b.X_WB.R), 1e-14);
    EXPECT_LE(difference(a.phi.w, b.phi.w), 1e-13);
    EXPECT_LE(difference(a.phi_rate.w, b.phi_rate.w), 1e-13);
  });
}

TEST(Motion, StartsFromTheOrientation) {
  const Pose<double> X{axis_angle(Vec3<double>(1, 0, 0), 0.3), {1, 2, 3}};
  FormulaMotion turned{X};
  turned.angle = formula("t");
  EXPECT_EQ(Motion(turned).at(0).X_WB.R, X.R);
  EXPECT_EQ(Motion(turned).at(1).X_WB.p, X.p);
  // About a world axis, from the left.
  EXPECT_LE(difference(Motion(turned).at(1).X_WB.R,
                       Mat3<double>(axis_angle(Vec3<double>(0, 0, 1), 1.0) * X.R)),
            1e-15);
}

TEST(Motion, ConstantFormulasDoNotMove) {
  FormulaMotion held{{}};
  held.position = formulas("1", "2*3", "0");
  held.angle = formula("0.5");
  EXPECT_FALSE(Motion(held).is_moving());
}

struct Frames {
  std::vector<double> t;
  std::vector<Vec3<double>> x, theta;
  std::vector<Vec<double, 4>> q;
};
Frames random_frames(Random& random, int count) {
  Frames frames;
  const auto size = static_cast<std::size_t>(count);
  frames.t.reserve(size);
  frames.x.reserve(size);
  frames.theta.reserve(size);
  frames.q.reserve(size);
  double t = random(-1, 1);
  Vec<double, 4> q = random.vector<4>(-1, 1).normalized();
  for (int i = 0; i < count; ++i) {
    frames.t.push_back(t);
    frames.x.push_back(random.vector<3>(-1, 1));
    frames.theta.push_back(random.vector<3>(-3, 3));
    frames.q.push_back(q);
    t += random(0.5, 1);
    q = (q + random.vector<4>(-0.5, 0.5)).normalized();
  }
  return frames;
}

// By rotation vectors and by orientations.
std::array<KeyFrameMotion, 2> random_key_frames(Random& random, Frames& frames, bool periodic) {
  const Pose<double> X = random_pose(random);
  if (periodic) {
    frames.x.back() = frames.x.front();
    frames.theta.back() = frames.theta.front();
    frames.q.back() = frames.q.front();
  }
  std::array<KeyFrameMotion, 2> kinds{KeyFrameMotion{X}, KeyFrameMotion{X}};
  if (periodic) {
    kinds[0].position = CubicSpline<3>::periodic(frames.t, frames.x);
    kinds[0].rotation_vector = CubicSpline<3>::periodic(frames.t, frames.theta);
    kinds[1].quaternion = CubicSpline<4>::periodic(frames.t, frames.q);
  } else {
    kinds[0].position = CubicSpline<3>::at_rest_outside(frames.t, frames.x);
    kinds[0].rotation_vector = CubicSpline<3>::at_rest_outside(frames.t, frames.theta);
    kinds[1].quaternion = CubicSpline<4>::at_rest_outside(frames.t, frames.q);
  }
  kinds[1].position = kinds[0].position;
  return kinds;
}

TEST(Motion, ByKeyFramesHasItsTwistBetweenThem) {
  for_random_cases(50, [](Random& random) {
    for (const bool periodic : {false, true}) {
      Frames frames = random_frames(random, 5);
      for (const KeyFrameMotion& kind : random_key_frames(random, frames, periodic)) {
        const Motion motion(kind);
        for (std::size_t i = 0; i + 1 < frames.t.size(); ++i) {
          const double h = 2e-4;
          const double t = random(frames.t[i] + 4 * h, frames.t[i + 1] - 4 * h);
          const double size = motion.at(t).phi.w.squaredNorm() + 1000;
          expect_motion_laws(motion, t, 1e-10 * size, h);
        }
      }
    }
  });
}

TEST(Motion, ByKeyFramesPassesThroughThemWithContinuousAcceleration) {
  for_random_cases(50, [](Random& random) {
    Frames frames = random_frames(random, 6);
    const auto kinds = random_key_frames(random, frames, false);
    for (std::size_t k = 0; k < 2; ++k) {
      const Motion motion(kinds[k]);
      for (std::size_t i = 0; i < frames.t.size(); ++i) {
        const BodyMotion at = motion.at(frames.t[i]);
        const double angle = frames.theta[i].norm();
        const Mat3<double> turned =
            axis_angle(Vec3<double>(frames.theta[i] / angle), angle) * kinds[k].X_WB.R;
        const Vec<double, 4>& q = frames.q[i];
        const Mat3<double> given = rotation_matrix(Quat<double>{q(0), q(1), q(2), q(3)});
        EXPECT_LE(difference(at.X_WB.p, frames.x[i]), 1e-14);
        EXPECT_LE(difference(at.X_WB.R, k == 0 ? turned : given), 1e-13);
      }
      for (std::size_t i = 1; i + 1 < frames.t.size(); ++i) {
        const double h = 1e-8;
        const BodyMotion before = motion.at(frames.t[i] - h), after = motion.at(frames.t[i] + h);
        const double size = 1 + before.phi_rate.w.norm() + before.phi_rate.v.norm();
        EXPECT_LE(difference(before.phi.w, after.phi.w), 1e-6 * size);
        EXPECT_LE(difference(before.phi.v, after.phi.v), 1e-6 * size);
        EXPECT_LE(difference(before.phi_rate.w, after.phi_rate.w), 2e-4 * size);
        EXPECT_LE(difference(before.phi_rate.v, after.phi_rate.v), 2e-4 * size);
      }
    }
  });
}

TEST(Motion, ByKeyFramesRestsOutsideAndBreaksAtItsEnds) {
  for_random_cases(20, [](Random& random) {
    Frames frames = random_frames(random, 4);
    for (const KeyFrameMotion& kind : random_key_frames(random, frames, false)) {
      const Motion motion(kind);
      const double first = frames.t.front(), last = frames.t.back();
      EXPECT_EQ(motion.breaks(), (std::vector<double>{first, last}));
      EXPECT_EQ(motion.knots(first, last), frames.t);
      EXPECT_EQ(motion.knots(frames.t[1], frames.t[2]),
                (std::vector<double>{frames.t[1], frames.t[2]}));
      for (const double t : {first - 1, first, last, last + 1}) {
        const BodyMotion at = motion.at(t);
        EXPECT_EQ(at.phi.w.norm() + at.phi.v.norm(), 0);
        EXPECT_EQ(at.phi_rate.w.norm() + at.phi_rate.v.norm(), 0);
        EXPECT_EQ(at.X_WB.p, t <= first ? frames.x.front() : frames.x.back());
      }
      // Velocity is continuous there, acceleration is not.
      for (const double t : {first + 1e-9, last - 1e-9}) {
        const BodyMotion at = motion.at(t);
        EXPECT_LE(at.phi.w.norm() + at.phi.v.norm(), 1e-6);
        EXPECT_GE(at.phi_rate.v.norm(), 1e-3);
      }
    }
  });
}

TEST(Motion, ByPeriodicKeyFramesRepeats) {
  for_random_cases(20, [](Random& random) {
    Frames frames = random_frames(random, 5);
    const double period = frames.t.back() - frames.t.front();
    for (const KeyFrameMotion& kind : random_key_frames(random, frames, true)) {
      const Motion motion(kind);
      EXPECT_TRUE(motion.breaks().empty());
      EXPECT_EQ(motion.knots(frames.t.front(), frames.t.front() + 3.001 * period).size(), 13u);
      const double t = random(-5, 5);
      const BodyMotion a = motion.at(t), b = motion.at(t + period);
      EXPECT_LE(difference(a.X_WB.R, b.X_WB.R), 1e-12);
      EXPECT_LE(difference(a.phi.w, b.phi.w), 1e-11);
      EXPECT_LE(difference(a.phi_rate.v, b.phi_rate.v), 1e-10);
    }
  });
}

// Turning all orientations, from the left (world) or right (body axes), turns the motion.
TEST(Motion, ThroughOrientationsDoesNotDependOnAxes) {
  for_random_cases(20, [](Random& random) {
    Frames frames = random_frames(random, 5);
    const Vec<double, 4> l = random.vector<4>(-1, 1).normalized();
    const Vec<double, 4> r = random.vector<4>(-1, 1).normalized();
    const auto quat = [](const Vec<double, 4>& q) { return Quat<double>{q(0), q(1), q(2), q(3)}; };
    std::vector<Vec<double, 4>> turned;
    turned.reserve(frames.q.size());
    for (const Vec<double, 4>& q : frames.q) {
      const Quat<double> p = quat(l) * quat(q) * quat(r);
      turned.emplace_back(p.w, p.x, p.y, p.z);
    }
    KeyFrameMotion a{{}}, b{{}};
    a.quaternion = CubicSpline<4>::at_rest_outside(frames.t, frames.q);
    b.quaternion = CubicSpline<4>::at_rest_outside(frames.t, turned);
    const Mat3<double> L = rotation_matrix(quat(l)), R = rotation_matrix(quat(r));
    const double t = random(frames.t.front(), frames.t.back());
    const BodyMotion x = Motion(a).at(t), y = Motion(b).at(t);
    EXPECT_LE(difference(y.X_WB.R, Mat3<double>(L * x.X_WB.R * R)), 1e-13);
    EXPECT_LE(difference(y.phi.w, Vec3<double>(R.transpose() * x.phi.w)), 1e-12);
  });
}

TEST(Motion, OfABeltMovesTheMaterialOnly) {
  for_random_cases(50, [](Random& random) {
    const Pose<double> X = random_pose(random);
    const Vec3<double> axis = random.direction();
    const Vec3<double> point = random.vector<3>(-1, 1);
    const Motion motion(
        BeltMotion{X, formulas("sin(t)", "0.2", "t^2"), formula("3 - t"), axis, point});
    EXPECT_TRUE(motion.is_moving());
    const double t = random(-2, 2);
    expect_motion_laws(motion, t, 1e-9);
    const BodyMotion at = motion.at(t);
    EXPECT_EQ(at.X_WB.R, X.R);
    EXPECT_EQ(at.belt.w, at.phi.w);
    // Material points on the axis move with the given velocity.
    const Vec3<double> on_axis = point + random(-1, 1) * axis;
    const Vec3<double> v_W = X.R * (at.phi.v + at.phi.w.cross(on_axis));
    EXPECT_LE(difference(v_W, Vec3<double>(std::sin(t), 0.2, t * t)), 1e-14);
    EXPECT_LE(difference(at.phi.w, (3 - t) * axis), 1e-15);
  });
}

}  // namespace oloid::test::motion_test
