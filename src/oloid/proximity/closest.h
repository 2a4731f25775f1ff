// Where two surfaces are nearest: Newton on the extremal-distance equations, and a search over
// starts.
#pragma once

#include <memory>
#include <vector>

#include "oloid/contact/coordinates.h"
#include "oloid/contact/side.h"
#include "oloid/geometry/core/ball_tree.h"

namespace oloid::proximity {

enum class ClosestStatus {
  found,        // a local minimum of the signed distance
  not_minimum,  // an extremal pair, but not a minimum
  at_border,    // ran over an open border of a surface
  no_convergence,
};

struct Closest {
  ClosestStatus status = ClosestStatus::no_convergence;
  Location A, B;
  double gap = 0;                                   // [m], signed: negative when the bodies overlap
  Vec3<double> point_A{0, 0, 0}, point_B{0, 0, 0};  // [m], in B's frame
  Vec3<double> normal_B{0, 0, 0};                   // outward from B, in B's frame
  double residual = 0;                              // dimensionless
  int iterations = 0;
};

// From given starts. Only the pose of A in B matters.
Closest closest_from(const Side& A, const Side& B, const Pose<double>& X_BA, Location a,
                     Location b);

// Starts for a global search, made once for each body.
struct BodyStarts {
  std::vector<Location> at;
  std::vector<Vec3<double>> normals;  // outward, in the body's frame
  BallTree points;                    // [m], in the body's frame
  bool dense = false;                 // whether the nearest of them serves for any place nearby
};
struct ClosestStarts {
  std::shared_ptr<const BodyStarts> A, B;
};
std::shared_ptr<const BodyStarts> make_starts(const Side& side);
inline ClosestStarts make_starts(const Side& A, const Side& B) {
  return {make_starts(A), make_starts(B)};
}

// The pair of least signed distance that is reached from any of the starts.
Closest closest_anywhere(const Side& A, const Side& B, const Pose<double>& X_BA,
                         const ClosestStarts& starts);

}  // namespace oloid::proximity
