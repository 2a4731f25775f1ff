// From the integrated state to what a recorder sees.
#pragma once

#include "oloid/world/fields.h"

namespace oloid {

struct Observation {
  BodyFrame body;  // A; B stands still
  ContactFrame contact;
  EnergyFrame energy;
  double conformity = 1;  // in contact: theory/contact.md eq. 23
};

Observation observe(const Model& model, const ContactSetting& setting, const ContactVector& y);
Observation observe(const Model& model, const FlightSetting& setting, double booked,
                    const RootVector& y);

BodyFrame fixed_body_frame(const Model& model);

}  // namespace oloid
