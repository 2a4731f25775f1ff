// Where on a body: on its surface, on one of its edges, or at a vertex.
#pragma once

#include "oloid/geometry/core/atlas.h"

namespace oloid::proximity {

inline constexpr double kOnePoint = 1e-9;  // of the size: points this near are one
inline constexpr double kTouching = 1e-9;  // of the length: gaps that are 0, or equal

struct Spot {
  enum class Kind { surface, curve, vertex };
  Kind kind = Kind::surface;
  int index = 0;  // which curve or vertex
  Location at;    // surface: its location; curve: chart is the piece, x = (t, 0, 0)
};

inline bool same_feature(const Spot& a, const Spot& b) {
  return a.kind == b.kind && a.index == b.index;
}

}  // namespace oloid::proximity
