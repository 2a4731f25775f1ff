// Edges of intersections of implicit bodies: the curves in which two of their faces meet.
#pragma once

#include <vector>

#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry {

// All that were found of the body where every face is ≤ 0, as far as it lies in the box; `size` is
// that of the body [m]. Cells that both faces may pass through give starts, from which the curve is
// followed to where it closes, meets a third face or leaves the box. Each edge is an arc that turns
// little; where they follow each other they share a tangent. What is smaller than 1/32 of the box,
// or where faces touch instead of crossing, may be missed.
std::vector<Edge> trace_edges(const std::vector<ImplicitField>& faces, const Box& box, double size);

}  // namespace oloid::geometry
