// The smallest convex body that contains given points.
//
// Quickhull [Barber96] with exact predicates on points that are thought to be moved by an
// infinitely small amount (orientation.h): no four of them lie in a plane, so every hull is a
// proper mesh of triangles, whatever the rounding. The corners are thought to be moved outwards
// most, so that points within faces and edges seldom become vertices. Then triangles that lie in
// one plane become one face, and vertices that are left within faces and edges go.
#pragma once

#include <vector>

#include "oloid/base/cage.h"
#include "oloid/base/result.h"

namespace oloid::geometry {

// How far from flat a face may be, and points apart that count as one, as a part of the size.
inline constexpr double kHullTolerance = 1e-13;

// Faces run counter-clockwise seen from outside; the vertices are those of the hull and no others,
// in order of their coordinates. Every point is inside within the tolerance. Refused: points that
// are not finite, and points in a plane.
Result<Cage> convex_hull(const std::vector<Vec3<double>>& points,
                         double tolerance = kHullTolerance);

}  // namespace oloid::geometry
