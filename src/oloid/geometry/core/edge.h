// An edge of a body: a curve where its surface is sharp or ends, with the faces beside it.
//
// Seen from outside and looking along the curve, one face lies to its left and one to its right. A
// border has only the left one, so that it runs counter-clockwise round its face.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/curves/curve.h"

namespace oloid::geometry {

// The location on a face at the edge's parameter s; no face if it is empty. Calls do not allocate.
using EdgeFlank = std::function<Location(double s)>;

struct Edge {
  Curve curve;  // one piece, so that s is its t, from 0 to 1
  EdgeFlank left, right = nullptr;
  // By start and end, where the edge fades out because its faces come into one plane: the location
  // on the surface that goes on beyond it, at a distance [m] from there; else none.
  std::array<std::function<Location(double distance)>, 2> beyond = {};
};

// What an edge is like at one place: normals that its point can have lie between those of its
// faces.
struct EdgeSection {
  Vec3<double> point, tangent;  // [m], unit
  Vec3<double> left;            // outward unit normals
  std::optional<Vec3<double>> right = {};

  // From the left normal to the right one: positive where the body is convex. [rad]
  double angle() const {
    return right ? std::atan2(tangent.dot(left.cross(*right)), left.dot(*right)) : 0;
  }
  bool convex() const { return angle() > 0; }
  // Whether a unit direction lies in the normal cone of a convex edge; `slack` in radians.
  bool supports(const Vec3<double>& n, double slack = 1e-9) const {
    if (!right || std::abs(n.dot(tangent)) > slack) return false;
    return tangent.dot(left.cross(n)) >= -slack && tangent.dot(n.cross(*right)) >= -slack &&
           n.dot(left + *right) > 0;
  }
};

// normal(location): that of the surface the edge belongs to.
template <class Normal>
EdgeSection section(const Normal& normal, const Edge& edge, double s) {
  const auto x = edge.curve.jet<1>(0, s);
  EdgeSection at{x[0], x[1].normalized(), normal(edge.left(s))};
  if (edge.right) at.right = normal(edge.right(s));
  return at;
}

}  // namespace oloid::geometry
