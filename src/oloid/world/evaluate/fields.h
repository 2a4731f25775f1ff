// The right-hand side of a group of bodies, with its guards. A pure function of (t, y, discrete
// state).
#pragma once

#include "oloid/integrate/field.h"
#include "oloid/world/evaluate/evaluation.h"
#include "oloid/world/evaluate/guards.h"
#include "oloid/world/evaluate/single_contact.h"

namespace oloid::world {

class IslandField {
 public:
  static constexpr int kSize = Eigen::Dynamic;
  static constexpr int kGuards = Eigen::Dynamic;
  // `instant` is scratch memory.
  IslandField(const IslandIndex& group, const DiscreteState& discrete, Evaluation& instant)
      : group_(group), discrete_(discrete), instant_(instant), single_(group) {}

  int size() const { return state_size(group_.nodes()); }
  int guard_count() const { return kBodyGuards * group_.nodes(); }
  // May or may not evaluate `instant`.
  bool rates(double t, const StateVector& y, StateVector& dy, StateVector& guards) const;
  // The same with the equations of the whole forest, even for a single body; evaluates `instant`.
  bool forest_rates(double t, const StateVector& y, StateVector& dy, StateVector& guards) const;

 private:
  bool inside_charts(const StateVector& y, StateVector& guards) const;
  bool still_starting() const;
  void held_rates(int node, StateVector& dy) const;
  void free_rates(int node, const StateVector& y, StateVector& dy) const;
  void held_guards(int node, StateVector& guards) const;

  const IslandIndex& group_;
  const DiscreteState& discrete_;
  Evaluation& instant_;
  mutable SingleContact single_;  // follows the discrete state
};

}  // namespace oloid::world
