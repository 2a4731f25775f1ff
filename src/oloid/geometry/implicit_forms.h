// Surfaces of other families as functions f with bounds.
#pragma once

#include "oloid/geometry/implicit_field.h"
#include "oloid/geometry/quadric.h"
#include "oloid/geometry/superellipsoid.h"

namespace oloid {

// f = F − 1, F the left side of the equation in superellipsoid.h; −f of a cavity.
ImplicitField implicit_form(const Superellipsoid& surface);
ImplicitField implicit_form(const Quadric& surface);

}  // namespace oloid
