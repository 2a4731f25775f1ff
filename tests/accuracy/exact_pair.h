// The extremal pair of two bodies to 40 digits: Newton's method on the surfaces as they are defined
// here, from the same numbers in double, run through the same templates with a longer scalar.
#pragma once

#include "oloid/contact/placed_shape.h"
#include "support/multiprecision.h"
#include "support/rooms.h"

namespace oloid::test {

struct ExactPair {
  bool converged = false;
  Real gap = 0;                                     // [m]
  Vec3<double> point_A{0, 0, 0}, point_B{0, 0, 0};  // [m], in B's frame, rounded
  double residual = 0;                              // dimensionless
  int iterations = 0;
};

// The pair next to a given one; charts are not left. The pose is taken at its word: where R is no
// rotation in its last digits, A is the image that this R makes of it.
ExactPair exact_pair(const PlacedShape& A, const PlacedShape& B, const Pose<double>& X_BA,
                     const Location& a, const Location& b);

}  // namespace oloid::test
