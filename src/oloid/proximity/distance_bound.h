// A certain lower bound of the distance of two bodies, at little cost: for callers that only need
// to know that bodies do not touch.
#pragma once

#include "oloid/proximity/far.h"

namespace oloid::proximity {

// No two points of the bodies are nearer than this [m]; 0 if none can be found. Stops searching as
// soon as the bound is `enough`. Meaningless unless both bodies are certified.
double distance_bound(const FarBody& A, const FarBody& B, const Pose<double>& X_BA, double enough,
                      int most_cells = 2000);

}  // namespace oloid::proximity
