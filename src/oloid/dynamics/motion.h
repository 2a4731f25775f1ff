// Motions that are given in advance: fixed bodies, turntables, shakers, conveyors.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "oloid/formula/expression.h"
#include "oloid/numerics/cubic_spline.h"
#include "oloid/spatial/pose.h"
#include "oloid/spatial/twist.h"

namespace oloid::dynamics {

// Where a body is and how its material moves; twists in body axes, at the body's origin.
struct BodyMotion {
  Pose<double> X_WB;
  Twist<double> phi;  // of the material, relative to the world
  // Rate of phi's components, for prescribed bodies: (Rᵀ ω̇, Rᵀ a - ω × Rᵀ v) for world vectors.
  Twist<double> phi_rate;
  // The part of phi with which the material moves along the surface while the surface stays (a
  // belt): X_WB changes with phi - belt. Where the surface is curved only its tangential part
  // counts (contact/contact_equation.h). Its rate is also in phi_rate.
  Twist<double> belt{}, belt_rate{};
};

// Stays where it is.
struct Still {
  Pose<double> X_WB;
};

// Position and rotation vector as formulas in t, the only variable:
//   p(t), and R(t) = exp([θ(t)]) R₀; θ in world axes.
struct FormulaMotion {
  Pose<double> X_WB;                                    // what is not given by formulas, and R₀
  std::optional<std::array<Expression, 3>> position{};  // [m]
  Vec3<double> axis = Vec3<double>::UnitZ();            // unit, world; θ = axis · angle
  std::optional<Expression> angle{};                    // [rad]
  std::optional<std::array<Expression, 3>> rotation_vector{};  // [rad]; not with an angle
};

// Splines through key frames; outside their time the body is at rest or the motion repeats.
struct KeyFrameMotion {
  Pose<double> X_WB;                                // what is not given by splines, and R₀
  std::optional<CubicSpline<3>> position{};         // [m], world
  std::optional<CubicSpline<3>> rotation_vector{};  // [rad]: R(t) = exp([θ(t)]) R₀, θ in world axes
  // Instead: the rotation of s / |s| for a spline s through unit quaternions (w, x, y, z). Turning
  // all key frames, in world or in body axes, turns the motion.
  std::optional<CubicSpline<4>> quaternion{};
};

// The pose stays, the material runs: velocity and spin are formulas in t.
struct BeltMotion {
  Pose<double> X_WB;
  std::array<Expression, 3> velocity;  // [m/s], world
  Expression spin;                     // [rad/s], about `axis`
  Vec3<double> axis, point;            // of the spin, in body axes: unit direction, a point [m]
};

class Motion {
 public:
  using Kind = std::variant<Still, FormulaMotion, KeyFrameMotion, BeltMotion>;
  Motion(Kind kind) : kind_(std::move(kind)) {}

  BodyMotion at(double t) const;
  // Whether the pose or the material ever moves.
  bool is_moving() const;
  // Times at which the acceleration jumps, increasing: first and last key frame. There at() is at
  // rest; the limits from inside are those of the neighbouring doubles.
  std::vector<double> breaks() const;
  // All times in [from, to] at which the motion is no smoother than C², increasing: key frames.
  std::vector<double> knots(double from, double to) const;

 private:
  Kind kind_;
};

}  // namespace oloid::dynamics
