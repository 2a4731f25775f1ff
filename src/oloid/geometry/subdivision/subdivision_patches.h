// Regular faces of a subdivided mesh as Bezier patches of the limit surface.
#pragma once

#include "oloid/geometry/bezier/bezier.h"
#include "oloid/geometry/subdivision/subdivision_mesh.h"

namespace oloid::geometry::subdivision {

// Control points are counted from the origin. Catmull-Clark: bicubic.
Patch quad_patch(const Mesh& mesh, int f, const Vec3<double>& origin);

// Loop: a quartic triangle.
Patch triangle_patch(const Mesh& mesh, int f, const Vec3<double>& origin);

}  // namespace oloid::geometry::subdivision
