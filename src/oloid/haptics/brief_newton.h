// Newton's method that ends soon: from spots that are nearly right, for loops that cannot wait.
#pragma once

#include "oloid/proximity/newton.h"
#include "oloid/proximity/tracker.h"

namespace oloid {

// An iteration that used up its steps ran to and fro between an edge and a face, each of which
// holds the other to be in charge: no minimum of the distance, wherever it stopped.
inline constexpr int kMostIterations = 60, kMostTracking = 12, kMostSoon = 8;
inline bool is_settled(const TrackedPair& pair, int most) {
  return pair.usable() && pair.iterations < most;
}

// As nearest_from, with a tenth of its patience. The pose is one. Does not allocate.
inline TrackedPair nearest_soon(const Features& A, const Features& B, const Pose<double>& X_BA,
                                const TrackedPair& near) {
  constexpr NewtonLimits kLimits{kMostSoon, 4, 0.2};
  const double length = pair_length(A, B);
  const NewtonOutcome out = newton(
      A, B, X_BA, iterate_at(A, B, X_BA, near.A, near.B, near.normal, length), length, kLimits);
  TrackedPair pair = report(out.last, length);
  pair.iterations = out.iterations;
  if (!out.converged || out.iterations == kMostSoon)
    pair.status = out.left ? PairStatus::left_surface : PairStatus::no_convergence;
  return pair;
}

}  // namespace oloid
