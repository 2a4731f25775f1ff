// Convex programmes over products of second-order cones, by a primal-dual interior-point method.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::numerics {

// Least ½ xᵀP x + q·x with h − G x in the product of the cones { s : s_0 ≥ |(s_1, s_2, ...)| },
// whose dimensions are listed: docs/theory/contact_problem.md eq. 14.
struct ConeProgram {
  Eigen::MatrixXd P;  // positive semidefinite
  Eigen::VectorXd q;
  Eigen::MatrixXd G;
  Eigen::VectorXd h;
  std::vector<int> cones;
};

// Conditions of the optimum are measured relative to the data: their violation proves how far x can
// be from the least value, whatever the path to it was.
struct ConeOptimum {
  Eigen::VectorXd x;
  Eigen::VectorXd multiplier;  // in the same cones
  int iterations;
  double residual;  // largest of h − Gx − s, Px + q + Gᵀz and s·z, relative
};

ConeOptimum solve(const ConeProgram& program);

}  // namespace oloid::numerics
