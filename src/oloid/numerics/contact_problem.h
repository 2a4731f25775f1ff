// Which contacts of a group open, hold or start to slip, spin or roll, all decided together.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "oloid/numerics/force_cone.h"
#include "oloid/numerics/force_set.h"

namespace oloid::numerics {

// u = W λ + b: rates of the normal and of each channel at rest, caused by the forces λ
// (docs/theory/contact_problem.md eqs. 1 and 2). The same problem with velocities for u and
// impulses for λ is an impact without rebound.
struct ContactProblem {
  Eigen::MatrixXd W;
  Eigen::VectorXd b;
  std::vector<ForceCone> cones;
  double cap;  // [N], what counts as a large force: the weight of the group
};

enum class Outcome {
  holds,     // all rates are 0: the margin is not negative
  moves,     // some contact opens or starts to move
  no_force,  // no finite force exists (Painlevé, a jam): an impulse is needed
  not_found  // nothing satisfies the conditions to the tolerance; `residual` says how near it came
};

struct ChannelMotion {
  bool moves = false;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // unit; of one component (±1, 0)
};
struct ContactMode {
  bool closed = false;
  std::array<ChannelMotion, 3> channel{};
};

enum class Found { margin, lemke, newton_from_zero, newton_from_margin, newton_from_polygons };

struct Decision {
  Outcome outcome;
  Found found;
  Eigen::VectorXd force, rate;  // λ and u
  std::vector<ContactMode> modes;
  double margin;    // [N], −∞ if no force holds everything
  int iterations;   // of Newton's method, or pivots
  double residual;  // of the conditions, relative to the forces
};

// With `may_hold` false the margin is not asked whether everything holds: it has just fallen
// through zero, or is known to be negative.
Decision decide(const ContactProblem& problem, bool may_hold = true);

// The problem that is left when contacts are open and channels move as decided: these have no
// unknowns any more, friction of what moves is part of the column of its normal force.
ContactProblem with_modes(const ContactProblem& problem, const std::vector<ContactMode>& modes);

// How far forces are from satisfying the conditions [N]: the natural map of
// docs/theory/contact_problem.md eq. 5, one entry for each force.
Eigen::VectorXd natural_map(const ContactProblem& problem, const Eigen::VectorXd& force);

}  // namespace oloid::numerics
