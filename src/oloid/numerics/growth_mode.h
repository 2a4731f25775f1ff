// Where no forces, or no stable ones, satisfy a contact problem: the forces that grow without
// bound.
#pragma once

#include <optional>

#include "oloid/numerics/contact_problem.h"

namespace oloid::numerics {

// Whether forces that press less and less also let bodies approach less and less: the determinant
// that is left when everything moves as decided is positive (docs/theory/contact_problem.md
// eq. 17). Otherwise the forces satisfy the conditions, but nothing leads there.
bool is_regular(const ContactProblem& problem, const Decision& decision);

// A decision that is regular, if one is found: by `decide` or, for up to eight contacts, by trying
// every choice of those that stay closed. Of several that with most of them, and then the one that
// presses most. Otherwise what `decide` says, as `no_force` where it is not regular.
Decision decide_regular(const ContactProblem& problem, bool may_hold = true);

// Contacts that give way by ε per newton have forces for large ε. Followed towards ε = 0 these
// either become those of the rigid contacts, then there is no growth, or grow along a direction,
// whose normal forces are returned, the largest 1 (docs/theory/contact_problem.md eq. 18).
std::optional<Eigen::VectorXd> growth_mode(const ContactProblem& problem);

}  // namespace oloid::numerics
