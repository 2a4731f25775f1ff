// Newton's method on the conditions of an extremal pair, from feature to feature.
#pragma once

#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::proximity {

// Where the iteration is.
struct PairIterate {
  Spot a, b;
  LocalFeature<double> at_A, at_B;  // each in its own body
  ExtremalPair pair;                // in B's frame
  double residual;
};
PairIterate iterate_at(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                       const Spot& a, const Spot& b, const Vec3<double>& hint, double length);

struct NewtonLimits {
  int iterations = 60;
  int feature_changes = 24;
  double reach = 0.5;  // the longest step, in parts of the length plus the gap
  // Where it stops. The gap is exact to the square of the residual.
  double residual = 1e-14;
};
struct NewtonOutcome {
  PairIterate last;
  bool converged = false, left = false;
  int iterations = 0, feature_changes = 0;
};
// Does not allocate.
NewtonOutcome newton(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                     PairIterate from, double length, const NewtonLimits& limits);

// The result to report; status found, conforming or not_minimum.
TrackedPair report(const PairIterate& at, double length);

// The smaller body's size: what lengths are compared with. [m]
double pair_length(const TouchableBody& A, const TouchableBody& B);

// The extremal pair that given spots lead to. `normal`, from B to A, unit, says on which side
// curves and vertices face each other. Does not allocate.
TrackedPair nearest_from(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                         const Spot& a, const Spot& b, const Vec3<double>& normal,
                         const NewtonLimits& limits = {});

inline constexpr double kConverged = 1e-11;       // residual
inline constexpr double kConformityTrack = 1e-8;  // below, a pair is reported as conforming

}  // namespace oloid::proximity
