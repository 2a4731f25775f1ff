// Surfaces of other families as functions f with bounds.
#pragma once

#include "oloid/geometry/analytic/quadric.h"
#include "oloid/geometry/analytic/superellipsoid.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry {

// f = F − 1, F the left side of the equation in superellipsoid.h; −f of a cavity.
ImplicitField implicit_form(const Superellipsoid& surface);
ImplicitField implicit_form(const Quadric& surface);

}  // namespace oloid::geometry
