// A bent finger and an uneven sheet, both free-form B-spline surfaces.
#pragma once

#include "oloid/haptics/tool.h"

namespace oloid::example {

using namespace haptics;

// The underside of a finger, around its tip and up to the nail: bicubic, with seams that cannot be
// felt. It points along +x, its pad faces −z; the origin is the middle of the tip. 7 mm thick.
TouchableBody finger();

// 12 cm × 8 cm about the origin, facing +z, bumps of 1.5 mm. At x = −2 cm its patches share
// tangents but not curvature; at x = 2 cm it has a sharp ridge; all around it ends at open borders.
TouchableBody sheet();

}  // namespace oloid::example
