// A surface as an extremal pair sees it, with whatever tangents are available: one evaluation, and
// no reference direction to choose.
#pragma once

#include "oloid/contact/feature.h"
#include "oloid/geometry/shape.h"

namespace oloid::proximity {

// In the shape's frame. The first tangent runs along c_u; on implicit surfaces it is the one
// nearest to the axis farthest from the normal.
LocalFeature<double> surface_feature(const Shape& shape, const Location& q);

}  // namespace oloid::proximity
