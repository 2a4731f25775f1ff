// What a surface is, in words for people.
#pragma once

#include <string>

#include "oloid/geometry/curves/curve.h"
#include "oloid/geometry/shape.h"

namespace oloid::world {

// One line: kind, parts and how smoothly they meet, open or closed, volume. For example
// "sphere, closed, volume 0.0042 m3" or "20 patches, 31 G2 seams, 4 G1 seams, 18 free sides, open".
std::string describe_shape(const Shape& shape);

// "curve, 3 pieces, 2 corners, closed, length 6.28 m, curvature up to 2 1/m, torsion 0 to 0.1 1/m".
// Curvature and torsion are sampled at many places.
std::string describe_curve(const Curve& curve);

}  // namespace oloid::world
