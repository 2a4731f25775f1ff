// Which contacts can be simulated.
#pragma once

#include <string_view>

#include "oloid/contact/surface_surface.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::world {

// Why two bodies that touch at a pair of points cannot be simulated from there on; empty if they
// can.
inline std::string_view why_unsupported(const TrackedPair& touch) {
  if (touch.status != PairStatus::found || !(touch.conformity > kConformityRefuse))
    return "the bodies touch along a line or over a face: only contacts at single points are "
           "simulated";
  const auto at = [&](Spot::Kind kind) { return touch.A.kind == kind || touch.B.kind == kind; };
  if (at(Spot::Kind::vertex))
    return "a body touches with a vertex: such contacts are not simulated";
  if (at(Spot::Kind::curve)) return "a body touches with an edge: such contacts are not simulated";
  return {};
}

}  // namespace oloid::world
