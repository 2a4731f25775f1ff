// The right-hand side of a group of bodies, with its guards. A pure function of (t, y, discrete
// state).
#pragma once

#include "oloid/integrate/field.h"
#include "oloid/world/evaluate/evaluation.h"

namespace oloid::world {

// Guards of a body that is held, in the order of the transition table; ties are resolved in that
// order.
enum class Guard { painleve, normal_force, slip, spin, roll, chart_A, chart_B, conformity };
inline constexpr int kBodyGuards = 8;
inline Eigen::Index guards_at(int node) { return Eigen::Index{kBodyGuards} * node; }

constexpr Guard guard_of(Channel channel) {
  return channel == Channel::slip   ? Guard::slip
         : channel == Channel::spin ? Guard::spin
                                    : Guard::roll;
}

class IslandField {
 public:
  static constexpr int kSize = Eigen::Dynamic;
  static constexpr int kGuards = Eigen::Dynamic;
  // The instant is scratch memory.
  IslandField(const IslandIndex& group, const DiscreteState& discrete, Evaluation& instant)
      : group_(group), discrete_(discrete), instant_(instant) {}

  int size() const { return state_size(group_.nodes()); }
  int guard_count() const { return kBodyGuards * group_.nodes(); }
  bool rates(double t, const StateVector& y, StateVector& dy, StateVector& guards) const;

 private:
  bool inside_charts(const StateVector& y, StateVector& guards) const;
  bool still_starting() const;
  void held_rates(int node, StateVector& dy) const;
  void free_rates(int node, const StateVector& y, StateVector& dy) const;
  void held_guards(int node, StateVector& guards) const;

  const IslandIndex& group_;
  const DiscreteState& discrete_;
  Evaluation& instant_;
};

}  // namespace oloid::world
