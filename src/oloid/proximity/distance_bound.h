// A distance that two bodies keep for certain, at little cost: for those who only have to know that
// bodies do not touch.
#pragma once

#include "oloid/proximity/far.h"

namespace oloid::proximity {

// No two points of the bodies are nearer than this [m]; 0 if that cannot be told. Stops looking as
// soon as the bound is `enough`. Means nothing unless both bodies are certified.
double distance_bound(const FarBody& A, const FarBody& B, const Pose<double>& X_BA, double enough,
                      int most_cells = 2000);

}  // namespace oloid::proximity
