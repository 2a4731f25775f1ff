// Decisions between rest and motion of the channels of a contact law: slip, spin and roll.
#pragma once

#include <cmath>
#include <optional>

#include "oloid/world/evaluate/evaluation.h"

namespace oloid::world {

// Largest force or moment over normal force that holds a channel, and the kinetic one.
double holding_limit(const PairLaw& law, Channel channel);
double kinetic_limit(const PairLaw& law, Channel channel);

// Below this a channel counts as stopped: 1e-8 of the larger of its speed at entry and √(gℓ) (over
// ℓ for turning), or the scene's threshold for slip.
double least_speed(const IslandIndex& group, Channel channel, double entry_speed);

// For a channel that moves: positive while the speed |v| is above its least value and v has turned
// by less than a right angle during the step.
inline double moving_guard(const Friction& friction, Channel channel, const Vec2<double>& v,
                           const Mat3<double>& R_BC) {
  const Vec3<double> start = R_BC.transpose() * friction.direction_B;
  const double ahead = channel == Channel::spin ? start.z() * v.x() : start.head<2>().dot(v);
  return (ahead > 0 ? v.norm() : ahead) / friction.least_speed - 1;
}
// For one that is stuck: positive while its force or moment is below `limit` times the normal
// force. `scale` is the scale of forces or moments; an infinite limit holds anything.
inline double stuck_guard(double limit, double scale, double normal_force, const Vec2<double>& f) {
  if (std::isinf(limit)) return 1;
  return (limit * limit * normal_force * std::abs(normal_force) - f.squaredNorm()) /
         (scale * scale);
}
// Scale of a channel's force: the force scale of the body, times ℓ for moments.
double force_scale(const IslandIndex& group, int node, Channel channel);

// Positive while the assumption of a channel's grip is true; dimensionless.
double grip_guard(const IslandIndex& group, const Contact& hold, const Evaluation& instant,
                  int node, Channel channel);

// How fast the direction of a motion relaxes under friction, at most: μ f_n tr(W) / |v| [1/s].
double relaxation_rate(const Contact& hold, const Evaluation& instant, int node, Channel channel);

// These change settings and y; `instant` is left evaluated for the result.
class ModeSelector {
 public:
  ModeSelector(const IslandIndex& group, DiscreteState& discrete, Evaluation& instant, double t,
               StateVector& y)
      : group_(group), discrete_(discrete), instant_(instant), t_(t), y_(y) {}

  // First grips of a contact: each channel sticks, starts or moves, depending on the velocity it
  // has.
  void decide_all(int node);
  // The same, however large the force must be.
  void grip_by_velocity(int node);
  // Every channel that can resist moves, with the twist w.
  void resist(int node, const Vec5<double>& w);
  // A channel that has come to rest: it sticks if what holds it is strong enough, else it starts.
  void stick_or_start(int node, Channel channel);
  // Stuck channels whose force exceeds what holds them start to move.
  void test(int node);
  // The same for all contacts at once: if one starts, another one may be able to hold.
  void test_all();
  // Makes a channel stick, whatever the force: removes the rest of its velocity and records the
  // energy as dissipated.
  void stick(int node, Channel channel);
  // Starts a channel from rest, in the direction in which it begins to move. The search for it
  // begins opposite to the force that held the channel, or along `way`.
  void start(int node, Channel channel);
  void start_along(int node, Channel channel, const Vec2<double>& way);
  // Moves with the velocity that y has.
  void move(int node, Channel channel);
  // After impulses at other contacts: what was starting and has been given a velocity moves with
  // it, and what moves does so in the direction that it has now.
  void follow_velocities();
  // Removes the velocities that the law of a contact forbids, by an impulse on the whole forest.
  // Returns the energy lost [J].
  double remove_forbidden(int node, const Vec6<double>& v);

 private:
  Vec2<double> velocity(int node, Channel channel) const {
    return part(instant_.contact(node).state.w, channel);
  }
  struct Loose {
    int node;
    Channel channel;
  };
  // The channel, of one contact or of all, that exceeds its limit most, if any does.
  std::optional<Loose> most_violated(int node, double& excess) const;
  std::optional<Loose> most_violated() const;
  // A channel that was to start but has no direction to start in.
  std::optional<Loose> without_onset() const;
  // The twist stays as it is; what the state stores of it may depend on the law.
  void set_grip(int node, Channel channel, Grip grip);

  const IslandIndex& group_;
  DiscreteState& discrete_;
  Evaluation& instant_;
  double t_;
  StateVector& y_;
};

// What contacts dissipate by the impulses that the forest of an instant has found: each works
// against the mean of its velocities before and after, docs/theory/impact.md eq. 12. The contact of
// `node` also approaches, with v_z. [J]
double loss_by_impulses(const DiscreteState& discrete, const Evaluation& instant,
                        int node = kGround, double v_z = 0);

// Of all nodes, in their own axes.
std::vector<Twist<double>> twists_of(const IslandIndex& group, const Evaluation& instant);

// Adds velocity jumps that the forest of an instant has found to y.
void apply_jumps(const DiscreteState& discrete, const Evaluation& instant, StateVector& y);

}  // namespace oloid::world
