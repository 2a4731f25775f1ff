// External loads: forces by formulas, springs and dampers, drag, and user functions.
//
// Energy: with K the kinetic energy of the free bodies and U = potential(),
//   d/dt (K + U) = power + (power of gravity and contacts).
// The power of a load is that of its wrench. The elastic force of a spring does not count for free
// bodies: it is in U. Where a spring is attached to a prescribed body, what the drive spends
// against it (minus force times velocity) counts as power.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "oloid/base/id.h"
#include "oloid/dynamics/motion.h"
#include "oloid/formula/expression.h"
#include "oloid/spatial/twist.h"

namespace oloid::dynamics {

// What formulas of loads may use, in this order: time, then the body's centre of mass, its velocity
// and the angular velocity in world axes.
inline constexpr std::array<std::string_view, 10> kLoadVariables{"t",  "x",  "y",  "z",  "vx",
                                                                 "vy", "vz", "wx", "wy", "wz"};

// Values of kLoadVariables.
std::array<double, 10> load_variables(double t, const BodyMotion& body);

// On a free body. Formulas have kLoadVariables.
struct FormulaLoad {
  BodyId body;
  std::array<Expression, 3> force;            // [N]
  std::array<Expression, 3> torque;           // [N m], about the centre of mass
  Vec3<double> point = Vec3<double>::Zero();  // [m], where the force acts, in the body's frame
  bool body_axes = false;                     // of force and torque; otherwise world
};

// Pulls its two points together with k (|d| - length) + c d|d|/dt along d, from the first point to
// the second; with no force where d vanishes. Without a length, with k d + c ḋ: smooth everywhere.
struct Spring {
  std::array<BodyId, 2> bodies;
  std::array<Vec3<double>, 2> points{Vec3<double>::Zero(),
                                     Vec3<double>::Zero()};  // [m], body frames
  double stiffness = 0;                                      // [N/m], k
  double damping = 0;                                        // [N s/m], c
  double length = 0;                                         // [m]
  std::array<bool, 2> driven{};  // whether the body follows a prescribed motion
};

// Force -linear v and torque -angular ω on a free body.
struct Drag {
  BodyId body;
  double linear = 0;   // [N s/m]
  double angular = 0;  // [N m s]
};

// A load as a function of time and of the motion of its body: wrench in the body's frame at the
// centre of mass. It must be a pure function of its arguments, smooth in them (the integrator
// evaluates it at stages inside its steps and repeats steps), and must not allocate if steps must
// not.
using LoadFunction = std::function<Wrench<double>(double t, const BodyMotion& body)>;

class Loads {
 public:
  void add_load(FormulaLoad load) { formulas_.push_back(std::move(load)); }
  void add_spring(const Spring& spring) { springs_.push_back(spring); }
  void add_drag(const Drag& drag) { drags_.push_back(drag); }
  // The power of f counts as work.
  void add_callback(BodyId body, LoadFunction f) { callbacks_.push_back({body, std::move(f)}); }

  // Adds all loads to `loads`, each in its body's frame at the centre of mass, and to `power` [W]
  // their power on free bodies beyond -dU/dt. Bodies in the order of the scene. Wrenches on
  // prescribed bodies are added as well. No allocation.
  void add(double t, std::span<const BodyMotion> bodies, std::span<Wrench<double>> loads,
           double& power) const;
  // U [J]: elastic energy of the springs.
  double potential(std::span<const BodyMotion> bodies) const;

  // Those that act on at least one of the chosen bodies.
  Loads of(const std::function<bool(BodyId)>& chosen) const;
  // The same loads on bodies with other numbers.
  Loads renumbered(const std::function<BodyId(BodyId)>& number) const;
  const std::vector<Spring>& springs() const { return springs_; }

  bool empty() const;
  // Whether they may change while all free bodies are at rest.
  bool depends_on_time() const;

 private:
  struct Callback {
    BodyId body;
    LoadFunction f;
  };

  std::vector<FormulaLoad> formulas_;
  std::vector<Spring> springs_;
  std::vector<Drag> drags_;
  std::vector<Callback> callbacks_;
};

}  // namespace oloid::dynamics
