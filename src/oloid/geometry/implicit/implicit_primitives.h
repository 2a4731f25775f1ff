// Ready-made functions for implicit bodies and the faces of intersections, with rigorous bounds.
//
// f is 0 on the surface and negative inside. Scene files write them as formulas.
#pragma once

#include "oloid/base/result.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry {

// normal·p ≤ offset [m]; the normal, of any length, points out of the body.
Result<ImplicitField> half_space_field(const Vec3<double>& normal, double offset);
Result<ImplicitField> ball_field(const Vec3<double>& centre, double radius);  // [m]
Result<ImplicitField> ellipsoid_field(const Vec3<double>& semi_axes);         // [m], about 0
// (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q ≤ 1 with p, q ≥ 2.
Result<ImplicitField> superellipsoid_field(const Vec3<double>& semi_axes, double p, double q);
// pᵀ Q p + 2 b·p + c ≤ 0, Q symmetric.
Result<ImplicitField> quadric_field(const Mat3<double>& Q, const Vec3<double>& b, double c);

}  // namespace oloid::geometry
