// From the integrated state to what a recorder sees.
#pragma once

#include "oloid/world/evaluate/instant.h"
#include "oloid/world/islands/leg.h"

namespace oloid::world {

struct Observation {
  std::vector<BodyFrame> bodies;       // in the scene's order
  std::vector<ContactFrame> contacts;  // by pair
  EnergyFrame energy;
  std::vector<BodyMotion> motions;  // in the scene's order
  std::vector<double> probes;       // in the scene's order

  Frame frame(double t, int side) const { return {t, side, bodies, contacts, energy, probes}; }
};

// Takes in ground at t, with energy 0; contacts are not filled in.
void observe_ground(const Model& model, double t, Observation& out);
// Adds a group's bodies, contacts and energy, at an instant that has been evaluated.
void observe_group(const Group& group, const Moment& moment, const Instant& instant,
                   Observation& out);
// Bodies that stay where their island has ended: they count in no energy.
void observe_ended(const Group& group, const Instant& instant, Observation& out);
// A pair that is apart, after its bodies; from nearest points that are remembered in `witness`.
void observe_apart(const Model& model, int pair, Witness& witness, Observation& out);

// Energies at an instant that has been placed. [J]
EnergyFrame energies(const Group& group, const Setting& setting, double booked,
                     const Instant& instant, const StateVector& y);

// Measures of the quality of a contact: its gap [m], which should be 0, and its conformity,
// theory/contact.md eq. 23.
struct ContactQuality {
  double gap, conformity;
};
ContactQuality quality(const Group& group, const Hold& hold, const ContactInstant& c);

}  // namespace oloid::world
