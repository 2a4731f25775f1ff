// Decisions between sticking and sliding for a contact at the instant its slip is zero.
#pragma once

#include "oloid/world/fields.h"

namespace oloid {

// Below this the slip counts as stopped: 1e-8 of the larger of its speed at entry and √(gℓ).
double least_slip_speed(const Model& model, double entry_speed);

// Sliding with the slip that y has.
void slide(const Model& model, ContactSetting& setting, const ContactVector& y);

// How fast the direction of the slip relaxes under friction, at most: μ f_n tr(W_t) / |v_s| [1/s].
double friction_relaxation_rate(const Model& model, const ContactEvaluation& at);

// Sticks: removes what is left of the slip by the sticking impulse and books its energy.
void stick(const Model& model, ContactSetting& setting, ContactVector& y);

// Sticks if the sticking force lies inside the static cone, and slides from rest otherwise.
void stick_or_slide(const Model& model, ContactSetting& setting, ContactVector& y);

// Slides on from zero slip in the direction in which it sets in.
void slide_from_rest(const Model& model, ContactSetting& setting, const ContactVector& y);

}  // namespace oloid
