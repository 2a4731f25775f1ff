#include "oloid/geometry/shape.h"

#include <limits>
#include <type_traits>

#include "oloid/base/contract.h"
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

namespace {

// The point of f = 0 near p: Newton's steps along the gradient, as long as they grow shorter. After
// a long way along a tangent plane a fixed number of steps would leave the point beside the
// surface.
template <class F>
Vec3<double> zero_near(const F& surface, Vec3<double> p) {
  double last = std::numeric_limits<double>::infinity();
  while (true) {
    const ImplicitJet<double> at = surface.implicit_jet(p);
    const Vec3<double> step = at.f / at.gradient.squaredNorm() * at.gradient;
    const double length = step.norm();
    if (!(length < last)) return p;
    p -= step;
    last = length;
  }
}

}  // namespace

Location settled(const Shape& shape, const Location& q) {
  return visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F>) {
          return Location{q.chart, zero_near(surface, q.x)};
        } else if constexpr (requires { surface.field(q.chart.index); }) {
          return Location{q.chart, zero_near(surface.field(q.chart.index), q.x)};
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

Location location(const Shape& shape, const Edge& edge, EdgeFace face, double s) {
  return std::visit(
      [&]<class Flank>(const Flank& flank) {
        if constexpr (std::is_same_v<Flank, ChartSegment>) {
          return flank.at(s);
        } else if constexpr (std::is_same_v<Flank, HullFlank>) {
          return shape.as<CircleHull>()->beside(flank, s);
        } else if constexpr (std::is_same_v<Flank, TrimmingFlank>) {
          return shape.as<Patchwork>()->beside(flank, s);
        } else if constexpr (std::is_same_v<Flank, ImplicitFlank>) {
          return Location{flank.face, edge.curve.point({0, s})};
        } else {
          OLOID_EXPECT(false);
          return Location{};
        }
      },
      edge.flank(face));
}

// The edge itself is a reference direction: it lies in the tangent planes of both faces.
EdgeSection section(const Shape& shape, const Edge& edge, double s) {
  const auto x = edge.curve.jet<1>(0, s);
  EdgeSection at{x[0], x[1].normalized(), {}};
  const auto normal = [&](EdgeFace face) {
    const Location q = location(shape, edge, face, s);
    return Vec3<double>(local_surface<double>(shape, q.chart, q.x, at.tangent).R.col(2));
  };
  at.left = normal(EdgeFace::left);
  if (edge.has(EdgeFace::right)) at.right = normal(EdgeFace::right);
  return at;
}

Result<Solid> solid(const Shape& shape) {
  return visit([](const auto& surface) { return surface.solid(); }, shape);
}

std::vector<Tile> tiles(const Shape& shape, double reach) {
  return visit([&](const auto& surface) { return surface.tiles(reach); }, shape);
}

Location location(const Shape& shape, const Tile& tile, double s, double t) {
  return std::visit(
      [&]<class Place>(const Place& place) {
        if constexpr (std::is_same_v<Place, ChartTile>) {
          return place.at(s, t);
        } else {
          return visit(
              [&]<class F>(const F& surface) {
                if constexpr (requires { surface.on_tile(place, s, t); }) {
                  return surface.on_tile(place, s, t);
                } else {
                  OLOID_EXPECT(false);  // a tile of another kind of surface
                  return Location{};
                }
              },
              shape);
        }
      },
      tile.place);
}

double kept(const Shape& shape, const Tile& tile, double s, double t) {
  if (!tile.trimmed) return 1;
  return visit(
      [&]<class F>(const F& surface) {
        if constexpr (requires { surface.kept(tile, s, t); }) {
          return surface.kept(tile, s, t);
        } else {
          return 1.0;
        }
      },
      shape);
}

}  // namespace oloid::geometry
