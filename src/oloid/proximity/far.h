// All places where two bodies are nearest, by bounds that cannot miss one.
//
// A tree of cells over each body, made once and refined on demand: every cell has a ball, a cone of
// the outward normals and a range of curvatures that hold for all of its points. Pairs of cells
// that are farther apart than the threshold, or whose normals cannot face each other, are dropped;
// what is left is small enough for Newton's method. docs/theory/proximity.md.
#pragma once

#include <memory>
#include <vector>

#include "oloid/proximity/features.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid {

class FarBody;  // a body with its tree

struct FarResult {
  std::vector<TrackedPair>
      pairs;  // every local minimum of distance below the threshold, nearest first
  bool certified =
      false;  // none is missing: both bodies have rigorous bounds and nothing was left undecided
  int cells = 0;  // pairs of cells that were looked at
};

}  // namespace oloid
