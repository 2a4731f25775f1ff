// What an island has done: steps and events, as plain data.
#pragma once

#include <optional>
#include <string_view>

#include "oloid/integrate/segment.h"
#include "oloid/world/events/encounter.h"
#include "oloid/world/model/island_state.h"
#include "oloid/world/model/layout.h"

namespace oloid::world {

// Enough to see everything at an instant.
struct Snapshot {
  double t = 0;  // [s]
  DiscreteState discrete;
  StateVector y;
  double booked = 0;  // [J]
};

// A step: from the state at its start along a curve.
struct Step {
  IslandState start;
  Segment<Eigen::Dynamic> curve;
  bool curved = false;  // whether the curve was made
  double t1 = 0;        // [s], where it ends, before whatever happens there
  // At its end:
  double energy_error = 0;  // [J]
  double kinetic = 0;       // [J]
  double gap_error = 0;     // [m], largest of all contacts
  // Over its time, by node: bounds and boxes that hold the bodies; where their origins are at its
  // start.
  std::vector<MotionBound> bounds;
  std::vector<Box> boxes;
  std::vector<Vec3<double>> origins;
};

struct Change {
  EventKind kind;
  ContactKey contact{};  // of none: it concerns the whole run
  Mode before = Mode::separated, after = Mode::separated;
  double value = 0;
  std::string_view note = {};
  int probe = -1;                  // of events of formulas
  std::array<Spot, 2> features{};  // where the bodies touch
};

struct PendingEvent {
  double t = 0;  // [s]
  Change change;
  bool shown = false;  // with what was before and what is after
  Snapshot before, after;
  bool last = false;  // it ends the island, with what was before
};

}  // namespace oloid::world
