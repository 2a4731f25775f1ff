// Bodies to measure with: convex ones that other libraries have too, and one of each of our kinds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/contact/placed_shape.h"
#include "oloid/geometry/polyhedral/convex_polyhedron.h"
#include "support/rooms.h"

namespace oloid::bench {

// A convex body about its origin, as every library can build it.
struct ConvexBody {
  enum class Kind { sphere, ellipsoid, cylinder, box, hull };
  Kind kind;
  // [m]. Sphere and ellipsoid: semi-axes. Cylinder along z: radius, radius, half of the length.
  // Box: half of its edges.
  Vec3<double> half;
  std::optional<ConvexPolyhedron> polyhedron{};  // of boxes and hulls

  static ConvexBody sphere(double radius);
  static ConvexBody ellipsoid(const Vec3<double>& semi_axes);
  static ConvexBody cylinder(double radius, double length);
  static ConvexBody box(const Vec3<double>& edges);
  static ConvexBody hull(const std::vector<Vec3<double>>& points);

  bool has_faces() const { return polyhedron.has_value(); }
};

// The same body in our own words.
PlacedShape side_of(const ConvexBody& body);

// Points that are spread evenly over an ellipsoid.
std::vector<Vec3<double>> spread_points(int n, const Vec3<double>& semi_axes);

// One body of each kind, about 0.1 m in radius.
struct NamedSide {
  std::string name;
  PlacedShape side;
};
std::vector<NamedSide> bodies_of_all_kinds();

}  // namespace oloid::bench
