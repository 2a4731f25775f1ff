// What the far phase says about an extremal pair that it has found.
#pragma once

#include <optional>

#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::proximity {

// The pair at two spots where the conditions of an extremal pair hold; none if it is not a local
// contact: normals that do not face each other, a spot beyond its surface's border, a direction
// outside an edge's or a vertex's normal cone, or no minimum. Status found, or continuum where the
// pair is not isolated: |conformity| < 1e-8.
std::optional<TrackedPair> local_contact(const TouchableBody& A, const TouchableBody& B,
                                         const Pose<double>& X_BA, const Spot& a, const Spot& b);

}  // namespace oloid::proximity
