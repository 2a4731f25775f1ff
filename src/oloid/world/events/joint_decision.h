// Which contacts of connected bodies open, hold or start to move at one instant, and by which
// impulses if no finite forces exist: all decided together (docs/theory/contact_problem.md).
#pragma once

#include <optional>
#include <vector>

#include "oloid/numerics/contact_problem.h"
#include "oloid/world/events/grip.h"
#include "oloid/world/events/joining.h"

namespace oloid::world {

// What has just reached its limit: a channel that holds this many times the normal force [1] or
// [m], or a contact that presses no longer.
struct LetGo {
  int node;
  std::optional<Channel> channel;
  double held = 0;
};

// Contacts that have just been closed keep no speed of approach in the state. By node: that speed
// [m/s], the twists of the bodies, in their axes, before anything was closed, and the impulses that
// were found to press contacts together [N s].
struct Closing {
  std::vector<double> approach;
  std::vector<Twist<double>> before;
  std::vector<double> impulse;
};

class JointDecision {
 public:
  JointDecision(const IslandIndex& group, IslandState& state, Evaluation& instant)
      : group_(group), state_(state), discrete_(state.discrete), instant_(instant) {}

  // Whether the present forces obey all laws: contacts push, stuck channels can be held, starting
  // ones have a direction to start in. A single sliding contact with the ground is left to its
  // guards.
  bool holds_already() const;

  // Changes settings and y until the forces obey all laws. `loose` has just reached its limit and
  // moves if it can.
  enum class End {
    settled,
    no_force,   // no forces exist, and no impulse that would help
    not_found,  // nothing satisfies the laws to the tolerance
  };
  // `jams`: forces have grown without bound, so that an impulse is needed first.
  End settle(const std::optional<LetGo>& loose = std::nullopt, bool jams = false);

  // Impulses without rebound at all contacts together, so that none approaches any longer. Those
  // that part afterwards are released, the others take up their laws. False if no such impulses
  // were found. docs/theory/impact.md section 6.
  bool stop(Closing& closing);

  // The contact that was compressed most by the last impulse, if there was one, and the denominator
  // of its normal force before it [1/kg].
  int jammed_node() const { return jammed_; }
  double denominator() const { return denominator_; }
  double residual() const { return residual_; }

 private:
  // Rows of the forest's contact system that take part: u = T ẇ, f = B λ.
  struct Rows {
    std::vector<numerics::ForceCone> cones;        // by contact
    std::vector<std::array<Channel, 3>> channels;  // of each cone
    Eigen::MatrixXd T, B;
  };
  // Of all contacts, with the velocities that they leave.
  struct Impulses {
    Eigen::VectorXd P, u;
    double energy_loss;  // [J]
  };
  // `moving_too`: whether channels that move have rows of their own.
  Rows rows(bool moving_too) const;
  double limit(int node, Channel channel, bool kinetic) const;
  numerics::ContactProblem problem_of(const Rows& rows);
  void loosen(const Rows& rows, const LetGo& loose, numerics::ContactProblem& problem) const;
  numerics::Decision decide(const Rows& rows, numerics::ContactProblem& problem, bool may_hold);
  void apply(const Rows& rows, const numerics::Decision& decision);
  std::vector<Eigen::VectorXd> pushes(const numerics::ContactProblem& problem, bool grown) const;
  bool jam(const numerics::ContactProblem& problem, bool grown);
  Eigen::VectorXd velocities(const Rows& rows) const;
  void apply(const Rows& rows, const Impulses& hit, const std::vector<Twist<double>>& before);
  ModeSelector gripper() { return {group_, discrete_, instant_, state_.t(), state_.y.y}; }

  const IslandIndex& group_;
  IslandState& state_;
  DiscreteState& discrete_;
  Evaluation& instant_;
  int jams_ = 0, jammed_ = kGround;
  double denominator_ = 0, residual_ = 0;
};

}  // namespace oloid::world
