// What is known about an extremal pair of points of two bodies.
#pragma once

#include "oloid/contact/extremal_pair.h"
#include "oloid/proximity/spot.h"

namespace oloid::proximity {

enum class PairStatus {
  found,          // a genuine local contact or nearest pair
  conforming,     // the same, but the bodies are nearly flat against each other along `soft`
  not_minimum,    // an extremal pair, but no local contact
  left_surface,   // a point ran over a border beyond which there is no feature
  pair_vanished,  // it met another extremal pair, or a focal point
  no_convergence,
  continuum,     // one of a connected set of equally near pairs
  invalid_pose,  // numbers that are not finite, or not a rotation
};
const char* name(PairStatus);

enum class Phase { far, near, penetrating };
const char* name(Phase);

struct TrackedPair {
  PairStatus status = PairStatus::no_convergence;
  Phase phase = Phase::far;
  Spot A, B;
  double gap = 0;                                   // [m], negative when the bodies overlap
  Vec3<double> point_A{0, 0, 0}, point_B{0, 0, 0};  // [m], in B's frame
  Vec3<double> normal{0, 0, 1};                     // from B to A, unit, in B's frame
  Mat2<double> K_A = Mat2<double>::Zero(),
               K_B = K_A;      // [1/m], in tangents(normal); 0 across an edge and at a vertex
  double conformity = 0;       // as in PairQuality
  Vec3<double> soft{0, 0, 0};  // direction of the least relative curvature, in B's frame
  double residual = 0;         // dimensionless
  double condition = 0;        // of the system that was solved
  int iterations = 0;          // of Newton's method
  int feature_changes = 0;     // in this update
  bool usable() const {
    return status == PairStatus::found || status == PairStatus::conforming ||
           status == PairStatus::continuum;
  }
};

}  // namespace oloid::proximity
