// What closed meshes of polygons have in common, convex or not: edges, planes, flat regions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oloid/base/cage.h"
#include "oloid/base/result.h"

namespace oloid::geometry {

// A plane through a polygon: the mean normal by its area, through the mean of its vertices.
struct PolygonPlane {
  Vec3<double> normal;  // unit, if the area is not 0
  Vec3<double> middle;  // [m]
  double area;          // [m²]
};
PolygonPlane plane_of(const std::vector<Vec3<double>>& vertices, const std::vector<int>& face);

// The face that has an edge from the first vertex to the second.
using FaceOfEdge = std::map<std::pair<int, int>, int>;

// Vertices that coincide within a distance [m] become one, the first of them; corners that coincide
// in a face too, and faces with fewer than three corners go. Vertices without faces stay.
Cage welded(const Cage& cage, double distance);

// Closed, each edge shared by two faces that run along it in opposite directions, in one piece and
// without handles; else what is wrong.
std::optional<Error> topology_error(const Cage& cage);

// Faces that lie in one plane within a distance [m] become one polygon if that is convex, and
// vertices that are left straight within edges go. Starts from the largest.
Result<Cage> with_whole_faces(const Cage& closed, double distance);

// "face 3 (line 12)", faces counted from 1.
std::string name_of_face(const Cage& cage, int face);

// Coordinates up to here can be multiplied without overflow; bodies smaller than its inverse
// without underflow. [m]
inline constexpr double kFarthest = 1e30;
inline bool is_near(const Vec3<double>& p) {
  return p.allFinite() && p.cwiseAbs().maxCoeff() <= kFarthest;
}

// The largest extent along an axis. [m]
double size_of(const std::vector<Vec3<double>>& points);

}  // namespace oloid::geometry
