// Newton's method from suitable starts, where the bounds of the far phase do not decide.
#pragma once

#include <optional>
#include <vector>

#include "oloid/proximity/far_pair.h"

namespace oloid::proximity {

// The local contact to which Newton's method leads from two spots, if any.
std::optional<TrackedPair> contact_from(const TouchableBody& A, const TouchableBody& B,
                                        const Pose<double>& X_BA, const Spot& a, const Spot& b);

// Appends the local contacts found from spots spread over both bodies; the same one may appear more
// than once.
void contacts_from_seeds(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                         std::vector<TrackedPair>& found);

}  // namespace oloid::proximity
