// Any of our surfaces, held by value. This is the one place that knows them all.
#pragma once

#include <variant>
#include <vector>

#include "oloid/geometry/box.h"
#include "oloid/geometry/circle_hull.h"
#include "oloid/geometry/edge.h"
#include "oloid/geometry/ellipsoid.h"
#include "oloid/geometry/implicit.h"
#include "oloid/geometry/local_surface.h"
#include "oloid/geometry/patchwork.h"
#include "oloid/geometry/plane.h"
#include "oloid/geometry/polyhedron.h"
#include "oloid/geometry/quadric.h"
#include "oloid/geometry/revolution.h"
#include "oloid/geometry/solid.h"
#include "oloid/geometry/superellipsoid.h"
#include "oloid/geometry/surface_of_revolution.h"
#include "oloid/geometry/tile.h"
#include "oloid/geometry/tip.h"

namespace oloid {

using Shape =
    std::variant<Plane, Ellipsoid, Superellipsoid, Frustum, Torus, SurfaceOfRevolution, Patchwork,
                 Quadric, Implicit, ImplicitIntersection, Polyhedron, CircleHull>;

// Chart and reference direction are constant over a step; the location moves.
template <class S>
LocalSurface<S> local_surface(const Shape& shape, ChartId chart, const Vec3<S>& location,
                              const Vec3<double>& reference) {
  return std::visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F, S>) {
          return local_surface(surface, location, reference);
        } else if constexpr (requires { surface.field(chart.index); }) {
          return local_surface(surface.field(chart.index), location, reference);
        } else {
          return local_surface(
              surface.template jet<2>(chart.index, Uv<S>(location.template head<2>())), reference);
        }
      },
      shape);
}

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

// An edge of this shape at its parameter s.
EdgeSection section(const Shape&, const Edge&, double s);

// What the surface encloses; refused if it is open, inside out or a cavity.
Result<Solid> solid(const Shape&);

// Pieces for pictures; unbounded shapes are cut off at ±reach. Empty where there is none yet:
// quadrics other than ellipsoids and paraboloids, implicit surfaces that are not star-shaped.
std::vector<Tile> tiles(const Shape&, double reach);

}  // namespace oloid
