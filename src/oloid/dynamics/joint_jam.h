// Impact without collision in a group of contacts (Painlevé's paradox): impulses that compress some
// contacts until their bodies no longer approach, while all others obey their laws.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "oloid/numerics/force_cone.h"

namespace oloid::dynamics {

struct JointJam {
  bool found = false;      // else nothing approaches, or the impulses were not found
  Eigen::VectorXd P;       // impulses [N s]
  Eigen::VectorXd u;       // velocities after: u_before + W P [m/s]
  double energy_loss = 0;  // [J], ≥ 0
  int increments = 0;
};

// W is symmetric; u are the velocities before, in the order of `cones`: normals (> 0 where
// bodies part, < 0 where they approach) and all channels that resist, at rest or not. `push` has a
// number for each contact: in these proportions they are compressed, as long as they approach.
// docs/theory/impact.md section 3.
JointJam joint_jam(const Eigen::MatrixXd& W, const Eigen::VectorXd& u,
                   const std::vector<numerics::ForceCone>& cones, const Eigen::VectorXd& push);

}  // namespace oloid::dynamics
