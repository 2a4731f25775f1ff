// The right-hand side of all bodies, with its guards. A pure function of (t, y, setting).
#pragma once

#include "oloid/integrate/field.h"
#include "oloid/world/instant.h"

namespace oloid {

// Guards of a body that is held, in the order of the transition table; ties are resolved in that
// order. After those of all bodies comes one for each pair: its gap / ℓ.
enum class Guard { painleve, normal_force, slip, spin, roll, chart_A, chart_B, conformity };
inline constexpr int kBodyGuards = 8;
inline Eigen::Index guards_at(int node) { return Eigen::Index{kBodyGuards} * node; }

constexpr Guard guard_of(Channel channel) {
  return channel == Channel::slip   ? Guard::slip
         : channel == Channel::spin ? Guard::spin
                                    : Guard::roll;
}

class WorldField {
 public:
  static constexpr int kSize = Eigen::Dynamic;
  static constexpr int kGuards = Eigen::Dynamic;
  // The instant is scratch memory.
  WorldField(const Model& model, const Setting& setting, Instant& instant)
      : model_(model), setting_(setting), instant_(instant) {}

  int size() const { return state_size(model_.nodes()); }
  int guard_count() const {
    return kBodyGuards * model_.nodes() + static_cast<int>(model_.pairs.size());
  }
  bool rates(double t, const StateVector& y, StateVector& dy, StateVector& guards) const;

 private:
  bool inside_charts(const StateVector& y, StateVector& guards) const;
  bool still_starting() const;
  void held_rates(int node, StateVector& dy) const;
  void free_rates(int node, const StateVector& y, StateVector& dy) const;
  void held_guards(int node, StateVector& guards) const;

  const Model& model_;
  const Setting& setting_;
  Instant& instant_;
};

// Nearest points of a pair that is apart, from its witnesses, or anywhere if they have vanished;
// the status tells whether there are any.
Closest nearest(const Model& model, const Setting& setting, const Instant& instant, int pair);
Closest nearest_anywhere(const Model& model, const Instant& instant, int pair);
// Whether the bounding spheres of a pair are so far apart that its gap need not be known.
bool far_apart(const Model& model, const Instant& instant, int pair);

}  // namespace oloid
