// Which contacts can be simulated: impacts, and contacts that last.
#pragma once

#include <string_view>

#include "oloid/contact/surface_surface.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::world {

inline bool touches_with(const TrackedPair& touch, Spot::Kind kind) {
  return touch.A.kind == kind || touch.B.kind == kind;
}

// Why an impact at a pair of points has no answer: it has no normal, as where a vertex meets a
// vertex or an edge, or no single point. Empty if it has one.
inline std::string_view why_no_impact(const TrackedPair& touch) {
  if (touches_with(touch, Spot::Kind::vertex) && !touches_with(touch, Spot::Kind::surface))
    return "a vertex touches an edge or another vertex: such contacts are not simulated";
  if (touch.status != PairStatus::found || !(touch.conformity > kConformityRefuse))
    return "the bodies touch along a line or over a face: only contacts at single points are "
           "simulated";
  return {};
}

// Why two bodies that stay in contact at a pair of points cannot be simulated from there on; empty
// if they can.
inline std::string_view why_unsupported(const TrackedPair& touch) {
  if (const std::string_view why = why_no_impact(touch); !why.empty()) return why;
  if (touches_with(touch, Spot::Kind::vertex))
    return "the bodies touch at a vertex: such contacts are not simulated";
  if (touches_with(touch, Spot::Kind::curve))
    return "the bodies touch at an edge: such contacts are not simulated";
  return {};
}

}  // namespace oloid::world
