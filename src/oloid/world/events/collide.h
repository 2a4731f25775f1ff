// Collisions of two bodies, with whatever else they touch.
#pragma once

#include <functional>
#include <optional>

#include "oloid/world/events/joining.h"

namespace oloid::world {

// Speed at which the nearest points of a pair approach each other. [m/s]
double approach_speed(const IslandIndex& group, Evaluation& instant, int pair,
                      const TrackedPair& near);

// How fast that speed grows while no force acts between the two points; positive if the bodies are
// pressed together there. `instant` must have been evaluated. [m/s²]
double approach_acceleration(const IslandIndex& group, const Evaluation& instant, int pair,
                             const TrackedPair& near);

// Bouncing ends with a bounce lower than this fraction of ℓ.
inline constexpr double kLowestBounce = 1e-9;

struct Bounce {
  double approach = 0;     // [m/s], of the two points before; not positive: no collision
  double separation = 0;   // [m/s], after
  double energy_loss = 0;  // [J], ≥ 0
};

// Velocities after the bodies of a pair have met, by Chatterjee and Ruina's law with the inertia of
// everything connected to them, contacts in their modes. Contacts that would have to pull are
// released, and channels that would have to hold more than their law allows are let go. `released`
// is called for contacts that end.
Bounce bounce(const IslandIndex& group, IslandState& state, Evaluation& instant, int pair,
              const TrackedPair& near,
              const std::function<void(const ContactKey& contact, Mode before)>& released);

// Velocities after a contact has jammed: an impact without collision (Painlevé's paradox). Returns
// the energy lost [J], or nothing if the bodies part instead.
std::optional<double> unjam(const IslandIndex& group, IslandState& state, Evaluation& instant,
                            int node);

}  // namespace oloid::world
