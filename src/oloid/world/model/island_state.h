// What changes during a run of bodies that are advanced together, as plain data.
#pragma once

#include <cstdint>

#include "oloid/integrate/guard.h"
#include "oloid/integrate/stepper.h"
#include "oloid/world/model/discrete_state.h"

namespace oloid::world {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325ull;

// Beside a contact, a certificate that was not certain is not tried again at once.
struct CertificateWait {
  int in_vain = 0;  // so many steps are to be taken before it is tried again,
  int left = 0;     // of which these are left
};

struct IslandState {
  DiscreteState discrete;
  StepperState<Eigen::Dynamic, Eigen::Dynamic> y;
  Armed<Eigen::Dynamic> armed;

  double booked = 0;        // [J], dissipated by impacts and by contacts that have ended
  double energy_start = 0;  // [J], what energy + dissipated − work would be without error
  // For the checks at the end of each step (islands/watchdog.h): dissipated so far, and the largest
  // kinetic energy [J]; since when so many steps have been taken [s].
  double dissipated = 0, kinetic_largest = 0;
  double counting_since = 0;
  int steps_since = 0;
  double energy_at_end = 0;  // [J], kinetic and potential, of an island that has ended: when it did
  std::vector<CertificateWait> waits;  // by watch
  // Changes at one instant, to detect infinite cycles, and in a very short time, to detect Zeno
  // behaviour.
  double last_change_t = -1;
  int changes_at_once = 0;
  double busy_since = -1;
  int busy_changes = 0;
  bool warned_conforming = false;
  std::vector<std::uint64_t> hashes;  // by node

  double t() const { return y.t; }
  // Sets the sizes for a group: no contacts, no known nearest points.
  void resize(const IslandIndex& group);
};

}  // namespace oloid::world
