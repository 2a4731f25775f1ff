// What changes during a run, as plain data.
#pragma once

#include <cmath>
#include <cstdint>

#include "oloid/integrate/guard.h"
#include "oloid/world/fields.h"

namespace oloid {

struct State {
  Setting setting;
  StepperState<Eigen::Dynamic, Eigen::Dynamic> y;
  Armed<Eigen::Dynamic> armed;

  double removed_normal_speed = 0;     // [m/s], of approach, removed before the start
  double removed_slip_speed = 0;       // [m/s], removed because friction is unlimited
  double booked = 0;                   // [J], dissipated by impacts and by contacts that have ended
  double energy_start = 0;             // [J]
  double kinetic_largest = 0;          // [J]
  std::int64_t next_frame = 0;         // frames are at k · dt
  std::vector<double> unchecked_path;  // by pair: how far the contact has run since a second one
                                       // was looked for [m]
  double last_look_t = 0;              // [s]
  // Changes of mode at one instant, against endless cycles.
  double last_change_t = -1;
  int changes_at_once = 0;
  std::vector<Quat<double>> last_orientations;  // by body
  bool warned_conforming = false;
  Summary summary;

  double t() const { return y.t; }
  bool any_contact() const {
    for (const Hold& hold : setting.holds) {
      if (hold.on) return true;
    }
    return false;
  }
};

// The start of a run: contact coordinates, first modes, motion made consistent with the contacts.
State initial_state(const Model& model);

}  // namespace oloid
