// Linear complementarity problems: w = M z + q, w ≥ 0, z ≥ 0, w·z = 0.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>

#include "oloid/base/rooms.h"

namespace oloid::numerics {

struct Lcp {
  Eigen::Ref<const Eigen::MatrixXd> M;
  Eigen::Ref<const Eigen::VectorXd> q;
};

enum class LcpStatus {
  solved,
  ray,        // Lemke's path has no end; if M is positive semidefinite there is no solution
  inaccurate  // pivots exceed their bound, or the answer violates the conditions by `residual`
};

struct LcpReport {
  LcpStatus status;
  int pivots;
  double residual;  // largest |min(w_i, z_i)|, both in the units that make M_ii and |q| about 1
};

// Doubles that a problem of n unknowns needs as scratch.
constexpr std::size_t lcp_scratch(std::size_t n) { return n * (2 * n + 2) + 6 * n; }

// Lemke's method with the tie rule of docs/theory/contact_problem.md section 2. Allocates nothing;
// z has one entry for each row of M and is set to the solution, or to 0 where there is none.
LcpReport solve_lemke(const Lcp& lcp, std::span<double> z, std::span<double> scratch);

// The same, but tries first whether the entries of z that are positive on entry, those of the last
// solution, can be the positive ones again: one elimination instead of a path.
LcpReport solve_lcp(const Lcp& lcp, std::span<double> z, std::span<double> scratch);

}  // namespace oloid::numerics
