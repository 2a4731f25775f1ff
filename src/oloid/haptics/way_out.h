// The shortest way out of a few half-spaces: where a tool that overlaps a model should be drawn.
#pragma once

#include <span>

#include "oloid/base/linalg.h"

namespace oloid::haptics {

// n·δ ≥ b.
struct HalfSpace {
  Vec3<double> n;  // unit
  double b;        // [m]
};

struct WayOut {
  Vec3<double> delta{0, 0, 0};  // [m]
  // By how much δ fails in the worst half-space. 0, to round-off, unless they have no point in
  // common: then δ is 0 or what one of them alone asks for, whichever leaves least. [m]
  double lacking = 0;
};

// The least |δ| in all of them; not more than 8. Its conditions: δ = Σ λ_i n_i over at most three
// half-spaces on whose borders it lies, λ ≥ 0; all sets of them are tried. Does not allocate.
WayOut shortest_way_out(std::span<const HalfSpace> spaces);

}  // namespace oloid::haptics
