// Where a tool that overlaps a model should be drawn: moved out, without turning, until it just
// touches. docs/haptics.md eqs. 4 and 5.
#pragma once

#include <span>

#include "oloid/proximity/newton.h"
#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::haptics {

inline constexpr NewtonLimits kSoon{8, 4, 0.2};  // from spots that are nearly right
inline constexpr double kTurned = 0.5;  // cosine between normals: beyond, it is another pair

struct Proxy {
  Pose<double> X_BA;
  // How deep it still overlaps, by the planes of the last round: 0 but for round-off, unless the
  // pairs leave no room for the tool, as walls that are too narrow. [m]
  double depth = 0;
};

// The nearest pose with the same rotation at which none of the pairs overlaps; not more than 8,
// usable. Of one pair in closed form; of several by linearising them at the pose found so far, a
// few times. Does not allocate.
Proxy proxy_of(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
               std::span<const TrackedPair> pairs);

}  // namespace oloid::haptics
