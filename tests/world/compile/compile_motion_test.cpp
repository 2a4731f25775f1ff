#include "oloid/world/compile/compile_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "laws/difference.h"
#include "support/rooms.h"

namespace oloid::test::compile_motion_test {

BodySpec moved(MotionSpec motion) {
  BodySpec body;
  body.name = std::string("table");
  body.motion = Located<MotionSpec>(std::move(motion), {"", "body[0].motion", 3, 4});
  return body;
}
FormulasSpec formulas(std::string x, std::string y, std::string z) {
  return {{std::move(x), std::move(y), std::move(z)}, {"", "list", 1, 2}};
}

KeyFrameMotionSpec two_positions() {
  KeyFrameMotionSpec spec;
  spec.times = std::vector<double>{0, 2};
  spec.positions = std::vector<Vec3<double>>{{0, 0, 0}, {1, 0, 0}};
  return spec;
}

// The one complaint about a motion.
std::string complaint(const BodySpec& body) {
  const auto motion = compile_motion(body);
  if (motion) return "none";
  EXPECT_EQ(motion.error().size(), 1u);
  EXPECT_FALSE(motion.error()[0].remedy.empty());
  return motion.error()[0].message;
}
std::string complaint(const MotionSpec& motion) { return complaint(moved(motion)); }

TEST(CompileMotion, LeavesFixedBodiesWhereTheyAre) {
  BodySpec body;
  body.fixed = true;
  body.position = Vec3<double>(1, 2, 3);
  body.orientation = Quat<double>{0.8, 0.6, 0, 0};
  const auto motion = compile_motion(body);
  ASSERT_TRUE(motion);
  EXPECT_FALSE(motion->is_moving());
  EXPECT_EQ(motion->at(7).X_WB.p, body.position.value);
  EXPECT_EQ(motion->at(7).X_WB.R, rotation_matrix(body.orientation.value));
  body.velocity = Vec3<double>(1, 0, 0);
  EXPECT_EQ(complaint(body), "a fixed body has a velocity");
  body.velocity = Vec3<double>(0, 0, 0);
  body.angular_velocity = Vec3<double>(1, 0, 0);
  EXPECT_EQ(complaint(body), "a fixed body has an angular velocity");
}

TEST(CompileMotion, MakesATurntable) {
  FormulaMotionSpec spec;
  spec.rotation_axis = Vec3<double>(0, 0, 5);
  spec.angle = std::string("1.2*t");
  BodySpec body = moved(spec);
  body.position = Vec3<double>(1, 2, 3);
  const auto motion = compile_motion(body);
  ASSERT_TRUE(motion) << to_string(motion.error()[0]);
  const BodyMotion at = motion->at(2);
  EXPECT_EQ(at.X_WB.p, body.position.value);
  EXPECT_LE(difference(at.X_WB.R, axis_angle(Vec3<double>(0, 0, 1), 2.4)), 1e-15);
  EXPECT_LE(difference(at.phi.w, Vec3<double>(0, 0, 1.2)), 1e-15);
}

TEST(CompileMotion, MakesKeyFrames) {
  const auto motion = compile_motion(moved(two_positions()));
  ASSERT_TRUE(motion) << to_string(motion.error()[0]);
  EXPECT_LE(difference(motion->at(1).X_WB.p, Vec3<double>(0.5, 0, 0)), 1e-15);
  EXPECT_EQ(motion->breaks(), (std::vector<double>{0, 2}));
}

// Key frames by orientations or by rotation vectors, in small steps about one axis, agree.
TEST(CompileMotion, OrientationsAgreeWithRotationVectors) {
  KeyFrameMotionSpec by_vector, by_quaternion;
  std::vector<double> times;
  std::vector<Vec3<double>> vectors;
  std::vector<Quat<double>> quaternions;
  for (int i = 0; i <= 40; ++i) {
    const double t = 0.1 * i, angle = 4 * t * t * (6 - t) / 16;  // two turns and more
    times.push_back(t);
    vectors.emplace_back(0, angle, 0);
    quaternions.push_back({std::cos(angle / 2), 0, std::sin(angle / 2), 0});
    if (i % 3 == 0) {  // either sign is the same orientation
      Quat<double>& q = quaternions.back();
      q = {-q.w, -q.x, -q.y, -q.z};
    }
  }
  by_vector.times = times;
  by_vector.rotation_vectors = vectors;
  by_quaternion.times = times;
  by_quaternion.orientations = quaternions;
  const auto a = compile_motion(moved(by_vector)), b = compile_motion(moved(by_quaternion));
  ASSERT_TRUE(a && b);
  for (double t = 0; t < 4; t += 0.03) {
    EXPECT_LE(difference(a->at(t).X_WB.R, b->at(t).X_WB.R), 1e-3);
    EXPECT_LE(difference(a->at(t).phi.w, b->at(t).phi.w), 3e-2);
  }
}

// A whole turn comes back with the opposite quaternion, and goes on smoothly.
TEST(CompileMotion, PeriodicOrientationsMayTurnRound) {
  KeyFrameMotionSpec spec;
  std::vector<double> times;
  std::vector<Quat<double>> turn;
  for (int i = 0; i <= 12; ++i) {
    const double angle = std::acos(-1.0) / 6 * i;
    times.push_back(i);
    turn.push_back({std::cos(angle / 2), 0, 0, std::sin(angle / 2)});
  }
  turn.back() = turn.front();
  spec.times = times;
  spec.orientations = turn;
  spec.periodic = true;
  const auto motion = compile_motion(moved(spec));
  ASSERT_TRUE(motion) << to_string(motion.error()[0]);
  for (double t = -30; t < 30; t += 0.37) {
    EXPECT_LE(difference(motion->at(t).phi.w, Vec3<double>(0, 0, std::acos(-1.0) / 6)), 1e-4);
    EXPECT_LE(difference(motion->at(t).X_WB.R,
                         axis_angle(Vec3<double>(0, 0, 1), std::acos(-1.0) / 6 * t)),
              1e-4);
  }
}

// About the z axis of the shape, wherever it sits.
TEST(CompileMotion, BeltsSpinAboutTheShape) {
  BeltMotionSpec spec;
  spec.spin = std::string("3");
  BodySpec body = moved(spec);
  body.shape_position = Vec3<double>(1, 0, 0);
  body.shape_orientation = Quat<double>{std::sqrt(0.5), std::sqrt(0.5), 0, 0};  // z to -y
  const auto motion = compile_motion(body);
  ASSERT_TRUE(motion) << to_string(motion.error()[0]);
  const Twist<double> phi = motion->at(0).phi;
  EXPECT_LE(difference(phi.w, Vec3<double>(0, -3, 0)), 1e-15);
  EXPECT_LE((phi.v + phi.w.cross(Vec3<double>(1, 0.7, 0))).norm(), 1e-15);
  EXPECT_TRUE(motion->is_moving());
}

TEST(CompileMotion, RefusesBodiesThatCannotFollow) {
  FormulaMotionSpec turn;
  turn.angle = std::string("t");
  BodySpec body = moved(turn);
  body.mass = Located<double>(1);
  EXPECT_EQ(complaint(body), "a body with a motion has a mass");
  body = moved(turn);
  body.density = Located<double>(1);
  EXPECT_EQ(complaint(body), "a body with a motion has a density");
  body = moved(turn);
  body.fixed = true;
  EXPECT_EQ(complaint(body), "a fixed body has a motion");
  body = moved(turn);
  body.velocity = Vec3<double>(0, 0, 1);
  EXPECT_EQ(complaint(body), "a body with a motion has a velocity");
  FormulaMotionSpec away;
  away.position = formulas("1", "t", "0");
  body = moved(away);
  body.position = Vec3<double>(0, 0, 1);
  EXPECT_EQ(complaint(body), "the body is at (0, 0, 1), but its motion starts at (1, 0, 0)");
  body.position = Vec3<double>(1, 0, 0);
  EXPECT_EQ(complaint(body), "none");
}

TEST(CompileMotion, RefusesFormulasWithTheirPlace) {
  FormulaMotionSpec spec;
  spec.position = formulas("t", "2*time", "(t");
  const auto motion = compile_motion(moved(spec));
  ASSERT_FALSE(motion);
  ASSERT_EQ(motion.error().size(), 2u);
  EXPECT_EQ(motion.error()[0].message, "column 3: unknown name \"time\"");
  EXPECT_EQ(motion.error()[0].place.path, "list[1]");
  EXPECT_EQ(motion.error()[0].place.column, 2);
  EXPECT_EQ(motion.error()[1].place.path, "list[2]");

  FormulaMotionSpec root;
  root.angle = std::string("sqrt(t)");
  EXPECT_EQ(complaint(root), "the motion or its first two derivatives are not finite at t = 0");
  FormulaMotionSpec twice;
  twice.angle = std::string("t");
  twice.rotation_vector = formulas("t", "0", "0");
  EXPECT_EQ(complaint(twice), "the rotation is given twice");
  FormulaMotionSpec axis;
  axis.angle = std::string("t");
  axis.rotation_axis = Vec3<double>(0, 0, 0);
  EXPECT_EQ(complaint(axis), "the rotation axis has no direction");
  EXPECT_EQ(complaint(FormulaMotionSpec{}), "the motion is empty");
}

TEST(CompileMotion, RefusesKeyFramesThatMakeNoMotion) {
  const double inf = std::numeric_limits<double>::infinity();
  KeyFrameMotionSpec spec = two_positions();
  spec.times.value = {0};
  EXPECT_EQ(complaint(spec), "there are 1 key frames");
  spec.times.value = {0, inf};
  EXPECT_EQ(complaint(spec), "the time is inf");
  spec.times.value = {1, 1};
  EXPECT_EQ(complaint(spec), "the time 1 is not after 1");
  spec = two_positions();
  spec.positions->value.push_back({0, 0, 0});
  EXPECT_EQ(complaint(spec), "there are 3 positions for 2 times");
  spec = two_positions();
  spec.positions.reset();
  EXPECT_EQ(complaint(spec), "the key frames have no poses");
  spec = two_positions();
  spec.periodic = true;
  EXPECT_EQ(complaint(spec), "there are 2 key frames");
  spec.times.value = {0, 1, 2};
  spec.positions->value = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1e-3}};
  EXPECT_EQ(complaint(spec), "the last key frame of a periodic motion differs from the first");
  spec = two_positions();
  spec.orientations =
      std::vector<Quat<double>>{{1, 0, 0, 0}, {std::cos(1.55), std::sin(1.55), 0, 0}};
  EXPECT_EQ(complaint(spec), "the rotation from the previous key frame is 3.1 rad");
  spec.rotation_vectors = spec.positions;
  EXPECT_EQ(complaint(spec), "the rotation is given twice");
}

}  // namespace oloid::test::compile_motion_test
