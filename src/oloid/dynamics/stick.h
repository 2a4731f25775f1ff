// Impulses and directions at the border between sliding and sticking, with body B fixed.
#pragma once

#include "oloid/dynamics/contact_kernel.h"

namespace oloid {

struct StickImpulse {
  Vec5<double> w;      // after the impulse: normal velocity and slip are 0
  double energy_loss;  // [J], ≥ 0
};

// The impulse that removes a velocity v at the contact (slip and normal part, in C): W_vv P = −v.
// Never just delete the slip: this is the projection that is orthogonal in the metric of the mass,
// docs/theory/contact.md eq. 21.
StickImpulse remove_contact_velocity(const PairGeometry<double>& pair,
                                     const BodyInertia<double>& body, const Vec3<double>& omega,
                                     const Vec3<double>& v);

// The normal part only, without friction: w keeps its slip direction free.
StickImpulse remove_normal_velocity(const PairGeometry<double>& pair,
                                    const BodyInertia<double>& body, const Vec3<double>& omega,
                                    const Vec3<double>& v);

struct SlipOnset {
  Vec2<double> direction;  // unit, in C
  bool found;
};

// The direction in which slip starts from rest: the slip accelerates along it under its own
// friction, v̇_s(v̂) ∥ +v̂, and stays there (docs/theory/contact.md eq. 22). Found near the guess,
// which is the direction against the sticking force, or the last one found.
SlipOnset slip_onset(const PairGeometry<double>& pair, const ContactState<double>& state,
                     const BodyInertia<double>& body, const Wrench<double>& load,
                     double kinetic_friction, const Vec2<double>& guess);

}  // namespace oloid
