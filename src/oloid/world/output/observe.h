// From the integrated state to what a recorder sees.
#pragma once

#include "oloid/world/evaluate/instant.h"
#include "oloid/world/islands/leg.h"

namespace oloid::world {

struct Observation {
  std::vector<BodyFrame> bodies;       // in the scene's order
  std::vector<ContactFrame> contacts;  // what touches and what is near, by pair
  std::vector<ContactFrame> asked;     // of pairs that formulas ask for, by pair
  EnergyFrame energy;
  std::vector<BodyMotion> motions;  // in the scene's order
  std::vector<double> probes;       // in the scene's order

  Frame frame(double t, int side, const Event* event) const {
    return {t, side, bodies, contacts, energy, probes, event};
  }
};

// Takes in ground at t, with energy 0 and no contacts.
void observe_ground(const Model& model, double t, Observation& out);
// Adds a group's bodies, contacts and energy, at an instant that has been evaluated.
void observe_group(const Group& group, const Moment& moment, const Instant& instant,
                   Observation& out);
// Bodies that stay where their island has ended: they count in no energy.
void observe_ended(const Group& group, const Instant& instant, Observation& out);
// A pair that is apart, after its bodies; from nearest points that are remembered in `witness`.
ContactFrame observe_apart(const Model& model, int pair, Witness& witness, const Observation& seen);
// What a spot of a body is called outside.
ContactFeature feature_of(const Spot& spot);
// Whether the balls around the bodies of a pair are nearer to each other than ℓ.
bool are_near(const Model& model, int pair, const Observation& seen);

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
