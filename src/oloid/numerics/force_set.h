// All distributions of contact forces that give one motion, and the choices among them: least norm,
// margin, intervals.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "oloid/numerics/force_cone.h"

namespace oloid::numerics {

// The solutions of E λ = e: λ = particular + null z. `particular` has the least norm λᵀCλ, and the
// columns of `null` are orthonormal in it (docs/theory/contact_problem.md eqs. 6 and 7).
struct ForceSet {
  Eigen::VectorXd particular;
  Eigen::MatrixXd null;
  Eigen::VectorXd compliance;  // diagonal of C
  int rank;
  double
      residual;  // |E λ − e| of `particular` relative to |e|: > 0 where no force gives this motion

  int nullity() const { return static_cast<int>(null.cols()); }
  Eigen::VectorXd at(const Eigen::VectorXd& z) const { return particular + null * z; }
  // The z nearest to given forces, for example those of the step before.
  Eigen::VectorXd nearest(const Eigen::VectorXd& force) const;
};

// `compliance` has one positive entry for each force, or none: all 1, the Euclidean norm.
ForceSet solve_forces(const Eigen::MatrixXd& E, const Eigen::VectorXd& e,
                      const Eigen::VectorXd& compliance = {});

// How far inside all cones the best distribution lies: docs/theory/contact_problem.md eq. 10. The
// mode is admissible while m ≥ 0.
struct Margin {
  double m;  // [N], at most `cap`
  Eigen::VectorXd z;
  int iterations;
  double residual;  // of the convex programme; 0 where the answer is in closed form
};
Margin margin(const ForceSet& set, std::span<const ForceCone> cones, double cap);

// The least norm with all normal forces ≥ 0, for groups that slide or have no friction.
struct BoundedForces {
  bool exist;
  Eigen::VectorXd force;
  std::vector<char> held_at_zero;  // per contact: its normal force would be negative
  // Positive while the same contacts are held at 0; at 0 the forces have a kink, the event
  // `redistribution`. Infinite if there is nothing to distribute.
  double redistribution;  // [N]
};
// `held_at_zero` of the last call, or empty, is tried first.
BoundedForces bounded_least_norm(const ForceSet& set, std::span<const ForceCone> cones,
                                 std::span<const char> last = {});

// The least norm inside all cones, for groups that stick; exists while m ≥ 0.
struct ConeForces {
  Eigen::VectorXd force;
  double slack;     // [N], of the worst contact; negative by round-off, or if none exists
  double residual;  // of the convex programme; 0 if the plain least norm is inside
};
ConeForces least_norm_in_cones(const ForceSet& set, std::span<const ForceCone> cones,
                               const Margin& margin, double cap);

// The values that direction·λ takes inside all cones; infinite where self-stress can grow without
// bound. Exists while m ≥ 0.
struct ForceInterval {
  double low, high;
  double residual;
};
ForceInterval force_interval(const ForceSet& set, std::span<const ForceCone> cones,
                             const Eigen::VectorXd& direction, double cap);

}  // namespace oloid::numerics
