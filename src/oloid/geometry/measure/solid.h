// Volume, centre and inertia of what a closed surface encloses.
#pragma once

#include "oloid/base/linalg.h"

namespace oloid::geometry {

// For density 1, in the shape's frame.
struct Solid {
  double volume;         // [m³]
  Vec3<double> centre;   // [m]
  Mat3<double> inertia;  // [m⁵], about the centre: times the density it is the inertia in kg m²
};

}  // namespace oloid::geometry
