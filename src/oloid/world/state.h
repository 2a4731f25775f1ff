// What changes during a run, as plain data.
#pragma once

#include <cmath>
#include <cstdint>

#include "oloid/integrate/guard.h"
#include "oloid/world/fields.h"

namespace oloid {

struct State {
  Mode mode = Mode::separated;
  // In contact.
  ContactSetting contact_setting;
  StepperState<kContactSize, ContactField::kGuards> contact;
  Armed<ContactField::kGuards> contact_armed;
  // In flight.
  FlightSetting flight_setting;
  StepperState<kRootSize, FlightField::kGuards> flight;
  Armed<FlightField::kGuards> flight_armed;

  double removed_normal_speed = 0;  // [m/s], of approach, removed before the start
  double removed_slip_speed = 0;    // [m/s], removed because friction is unlimited
  double booked = 0;  // [J], dissipated so far as of the last change between contact and flight
  double energy_start = 0;      // [J]
  double kinetic_largest = 0;   // [J]
  std::int64_t next_frame = 0;  // frames are at k · dt
  // How far the contact has run since a second one was looked for [m].
  double unchecked_path = INFINITY;
  // Changes of mode at one instant, against endless cycles.
  double last_change_t = -1;
  int changes_at_once = 0;
  Quat<double> last_orientation;
  bool warned_conforming = false;
  Summary summary;

  bool in_contact() const { return mode != Mode::separated; }
  double t() const { return in_contact() ? contact.t : flight.t; }
};

// The start of a run: contact coordinates, first mode, motion made consistent with the contact.
State initial_state(const Model& model);

}  // namespace oloid
