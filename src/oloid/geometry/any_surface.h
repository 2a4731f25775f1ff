// The variant behind a Shape: the one place that knows all kinds of surfaces.
#pragma once

#include <utility>
#include <variant>

#include "oloid/geometry/analytic/circle_hull.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/analytic/plane.h"
#include "oloid/geometry/analytic/quadric.h"
#include "oloid/geometry/analytic/superellipsoid.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/implicit/implicit.h"
#include "oloid/geometry/polyhedral/polyhedron.h"
#include "oloid/geometry/revolution/revolution.h"
#include "oloid/geometry/revolution/surface_of_revolution.h"
#include "oloid/geometry/shape.h"

namespace oloid::geometry {

struct AnySurface {
  std::variant<Plane, Ellipsoid, Superellipsoid, Frustum, Torus, SurfaceOfRevolution, Patchwork,
               Quadric, Implicit, ImplicitIntersection, Polyhedron, CircleHull>
      kind;
};

template <class Visitor>
decltype(auto) visit(Visitor&& visitor, const Shape& shape) {
  return std::visit(std::forward<Visitor>(visitor), shape.surface().kind);
}

template <class S>
LocalSurface<S> local_surface(const Shape& shape, ChartId chart, const Vec3<S>& location,
                              const Vec3<double>& reference) {
  return visit(
      [&]<class F>(const F& surface) -> LocalSurface<S> {
        if constexpr (requires { surface.local(chart.index, location, reference); }) {
          return surface.local(chart.index, location, reference);
        } else if constexpr (ImplicitSurface<F, S>) {
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

}  // namespace oloid::geometry
