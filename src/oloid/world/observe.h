// From the integrated state to what a recorder sees.
#pragma once

#include "oloid/world/state.h"

namespace oloid {

struct Observation {
  std::vector<BodyFrame> bodies;       // in the scene's order
  std::vector<ContactFrame> contacts;  // by pair
  EnergyFrame energy;
  std::vector<double> probes;  // in the scene's order

  Frame frame(double t, int side) const { return {t, side, bodies, contacts, energy, probes}; }
};

// All that a frame shows, at (t, y) with the setting of `state`.
void observe(const Model& model, const State& state, double t, const StateVector& y,
             Instant& instant, Observation& out);

// Energies at an instant that has been placed. [J]
EnergyFrame energies(const Model& model, const State& state, const Instant& instant,
                     const StateVector& y);

// What tells of the quality of a contact: its gap [m], which should be 0, and its conformity,
// theory/contact.md eq. 23.
struct ContactQuality {
  double gap, conformity;
};
ContactQuality quality(const Model& model, const Hold& hold, const ContactInstant& c);

}  // namespace oloid
