#include "oloid/geometry/shape.h"

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

Shape::Shape() : Shape(Plane{}) {}

template <KindOfSurface Kind>
Shape::Shape(Kind surface)
    : surface_(std::make_shared<const AnySurface>(AnySurface{std::move(surface)})) {}

template <KindOfSurface Kind>
const Kind* Shape::as() const {
  return std::get_if<Kind>(&surface_->kind);
}

#define OLOID_KIND(Kind)       \
  template Shape::Shape(Kind); \
  template const Kind* Shape::as() const
OLOID_KIND(Plane);
OLOID_KIND(Ellipsoid);
OLOID_KIND(Superellipsoid);
OLOID_KIND(Frustum);
OLOID_KIND(Torus);
OLOID_KIND(SurfaceOfRevolution);
OLOID_KIND(Patchwork);
OLOID_KIND(Quadric);
OLOID_KIND(Implicit);
OLOID_KIND(ImplicitIntersection);
OLOID_KIND(Polyhedron);
OLOID_KIND(CircleHull);
#undef OLOID_KIND

template LocalSurface<double> local_surface(const Shape&, ChartId, const Vec3<double>&,
                                            const Vec3<double>&);

double margin(const Shape& shape, const Location& q) {
  return visit([&](const auto& surface) { return surface.margin(q); }, shape);
}

ChartExit leave(const Shape& shape, const Location& q) {
  return visit([&](const auto& surface) { return surface.leave(q); }, shape);
}

Location settled(const Shape& shape, const Location& q) {
  return visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F>) {
          return Location{q.chart, project(surface, q.x, kProjectionSteps)};
        } else if constexpr (requires { surface.field(q.chart.index); }) {
          return Location{q.chart, project(surface.field(q.chart.index), q.x, kProjectionSteps)};
        } else {
          return q;
        }
      },
      shape);
}

Location near(const Shape& shape, const Vec3<double>& p) {
  return visit([&](const auto& surface) { return surface.near(p); }, shape);
}

std::vector<Location> seeds(const Shape& shape) {
  return visit([](const auto& surface) { return surface.seeds(); }, shape);
}

bool is_convex(const Shape& shape) {
  return visit(
      []<class F>(const F& surface) {
        if constexpr (requires { surface.is_convex(); }) {
          return surface.is_convex();
        } else {
          return false;
        }
      },
      shape);
}

double bounding_radius(const Shape& shape) {
  return visit([](const auto& surface) { return surface.bounding_radius(); }, shape);
}

Box bounding_box(const Shape& shape) {
  return visit([](const auto& surface) { return surface.box(); }, shape);
}

std::vector<Edge> edges(const Shape& shape) {
  return visit(
      []<class F>(const F& surface) {
        if constexpr (requires { surface.edges(); }) {
          return surface.edges();
        } else {
          return std::vector<Edge>();
        }
      },
      shape);
}

std::vector<Tip> tips(const Shape& shape) {
  return visit(
      []<class F>(const F& surface) {
        if constexpr (requires { surface.tips(); }) {
          return surface.tips();
        } else {
          return std::vector<Tip>();
        }
      },
      shape);
}

// The edge itself is a reference direction: it lies in the tangent planes of both faces.
EdgeSection section(const Shape& shape, const Edge& edge, double s) {
  const Vec3<double> along = edge.curve.jet<1>(0, s)[1].normalized();
  const auto normal = [&](const Location& q) {
    return Vec3<double>(local_surface<double>(shape, q.chart, q.x, along).R.col(2));
  };
  return section(normal, edge, s);
}

Result<Solid> solid(const Shape& shape) {
  return visit([](const auto& surface) { return surface.solid(); }, shape);
}

std::vector<Tile> tiles(const Shape& shape, double reach) {
  return visit([&](const auto& surface) { return surface.tiles(reach); }, shape);
}

}  // namespace oloid::geometry
