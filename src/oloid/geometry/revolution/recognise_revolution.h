// Tells that a NURBS surface is a full surface of revolution, up to an affine map, and says which.
//
// Such a surface, a sphere say, has poles and seams as a net of patches, and neither as a
// SurfaceOfRevolution. With s the parameter that goes round and p the other one,
//   S(s, p) = O + M (ρ(p) cos θ(s), ρ(p) sin θ(s), ζ(p))
// O, M come from the conic at one p, the profile (ρ, ζ) from the control points at the first s. The
// identity is then verified at (2 m + 1) (2 n + 1) points of each m × n Bezier piece, enough for
// polynomials of the degrees that it has when multiplied by its denominators.
#pragma once

#include <optional>

#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/revolution/surface_of_revolution.h"

namespace oloid::geometry {

// None unless the surface turns exactly once about an axis and all of it fits to 1e-12 of its size.
// Its normal is that of the NURBS surface, c_u × c_v: never called a cavity, the profile runs the
// other way instead. Expects checked knots and a net that fits them.
std::optional<SurfaceOfRevolution> recognise_revolution(const NurbsNet& surface);

}  // namespace oloid::geometry
