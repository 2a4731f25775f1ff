// From the integrated state to what a recorder sees.
#pragma once

#include "oloid/world/evaluate/evaluation.h"
#include "oloid/world/islands/step.h"

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

BodyFrame body_frame(const BodyMotion& x);

// Starts an observation with all ground at t, energy 0 and no contacts.
void observe_ground(const Model& model, double t, Observation& out);
// Starts an observation of only some bodies.
void observe_nothing(const Model& model, Observation& out);
void observe_one_ground(const Model& model, BodyId ground, double t, Observation& out);
// Adds a group's bodies, contacts and energy, at an instant that has been evaluated.
void observe_group(const IslandIndex& group, const Snapshot& snapshot, const Evaluation& instant,
                   Observation& out);
// Adds bodies of an island that has ended: they have no energy, but what they have dissipated still
// counts.
void observe_ended(const IslandIndex& group, const Snapshot& snapshot, const Evaluation& instant,
                   Observation& out);
// A pair that is apart, whose bodies have been observed; starts from the nearest points in
// `witness` and updates them.
ContactFrame observe_apart(const Model& model, int pair, Witness& witness, const Observation& seen);
// A spot of a body as events name it.
ContactFeature feature_of(const Spot& spot);
// Pairs of bodies, in order, whose bounding balls are less than ℓ apart. Allocates only in scenes
// of many bodies.
void near_pairs(const Model& model, const Observation& seen, std::vector<int>& pairs);

// Energies at an instant that has been placed. [J]
EnergyFrame energies(const IslandIndex& group, const DiscreteState& discrete, double booked,
                     const Evaluation& instant, const StateVector& y);

// Measures of the quality of a contact: its gap [m], which should be 0, and its conformity,
// theory/contact.md eq. 23.
struct ContactQuality {
  double gap, conformity;
};
ContactQuality quality(const IslandIndex& group, const Contact& hold, const ContactEvaluation& c);

}  // namespace oloid::world
