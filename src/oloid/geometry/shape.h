// Any of our surfaces: a cheap handle on something constant. Which kinds there are, and all that
// depends on the kind, is in any_surface.h, which few sources need.
#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/local_surface.h"

namespace oloid::geometry {

class CircleHull;
class Ellipsoid;
class Frustum;
class Implicit;
class ImplicitIntersection;
class Patchwork;
class Plane;
class Polyhedron;
class Quadric;
class Superellipsoid;
class SurfaceOfRevolution;
class Torus;
enum class EdgeFace;
struct AnySurface;
struct Edge;
struct EdgeSection;
struct Solid;
struct Tile;
struct Tip;

template <class T, class... Kinds>
concept OneOf = (std::same_as<T, Kinds> || ...);
template <class T>
concept KindOfSurface =
    OneOf<T, Plane, Ellipsoid, Superellipsoid, Frustum, Torus, SurfaceOfRevolution, Patchwork,
          Quadric, Implicit, ImplicitIntersection, Polyhedron, CircleHull>;

class Shape {
 public:
  Shape();  // a plane
  template <KindOfSurface Kind>
  Shape(Kind surface);  // NOLINT(google-explicit-constructor): a plane is a shape

  // The surface, if it is of this kind.
  template <KindOfSurface Kind>
  const Kind* as() const;
  template <KindOfSurface Kind>
  bool is() const {
    return as<Kind>() != nullptr;
  }
  const AnySurface& surface() const { return *surface_; }

 private:
  std::shared_ptr<const AnySurface> surface_;
};

// Chart and reference direction are constant over a step; the location moves. Other scalars than
// double: any_surface.h.
template <class S>
LocalSurface<S> local_surface(const Shape& shape, ChartId chart, const Vec3<S>& location,
                              const Vec3<double>& reference);

// How far inside its chart a location lies: > 0 inside, 0 on the border.
double margin(const Shape&, const Location&);

// What lies beyond the border of the chart.
ChartExit leave(const Shape&, const Location&);

// The location with what integration may have left of it removed: implicit points are put back on
// the surface, chart coordinates are as they are.
Location settled(const Shape&, const Location&);

// A location near a point given in the shape's frame: a start for Newton, not the nearest point.
Location near(const Shape&, const Vec3<double>& p);

// Locations spread over the whole surface: starts for a global search.
std::vector<Location> seeds(const Shape&);

// Whether the body is known to be convex: then it touches another convex one at one point at most.
bool is_convex(const Shape&);

// Radius about the shape's origin, infinite for unbounded shapes. [m]
double bounding_radius(const Shape&);

// A box that contains the surface, in its own frame; infinite for unbounded shapes.
Box bounding_box(const Shape&);

// Where the surface is sharp or ends; none of surfaces that tell nothing about it.
std::vector<Edge> edges(const Shape&);

// Where the surface comes to a point; none of surfaces that tell nothing about it.
std::vector<Tip> tips(const Shape&);

// An edge of this shape at its parameter s: the location on a face beside it, which must be there,
// and its normals. They do not allocate.
Location location(const Shape&, const Edge&, EdgeFace face, double s);
EdgeSection section(const Shape&, const Edge&, double s);

// What the surface encloses; refused if it is open, inside out or a cavity.
Result<Solid> solid(const Shape&);

// Pieces for pictures; unbounded shapes are cut off at ±reach. Empty where there is none yet:
// quadrics other than ellipsoids and paraboloids, implicit surfaces that are not star-shaped.
std::vector<Tile> tiles(const Shape&, double reach);
// Where a tile of this shape is, and a number that is positive where it is part of the surface and
// 0 on a trimmed edge.
Location location(const Shape&, const Tile&, double s, double t);
double kept(const Shape&, const Tile&, double s, double t);

}  // namespace oloid::geometry
