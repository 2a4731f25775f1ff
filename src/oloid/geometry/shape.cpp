#include "oloid/geometry/shape.h"

namespace oloid {

double margin(const Shape& shape, const Location& q) {
  return std::visit([&](const auto& surface) { return surface.margin(q); }, shape);
}

ChartExit leave(const Shape& shape, const Location& q) {
  return std::visit([&](const auto& surface) { return surface.leave(q); }, shape);
}

Location settled(const Shape& shape, const Location& q) {
  return std::visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F>) {
          return Location{q.chart, project(surface, q.x, kProjectionSteps)};
        } else {
          return q;
        }
      },
      shape);
}

Location near(const Shape& shape, const Vec3<double>& p) {
  return std::visit([&](const auto& surface) { return surface.near(p); }, shape);
}

std::vector<Location> seeds(const Shape& shape) {
  return std::visit([](const auto& surface) { return surface.seeds(); }, shape);
}

bool is_convex(const Shape& shape) {
  return std::visit(
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
  return std::visit([](const auto& surface) { return surface.bounding_radius(); }, shape);
}

Box bounding_box(const Shape& shape) {
  return std::visit([](const auto& surface) { return surface.box(); }, shape);
}

std::vector<Edge> edges(const Shape& shape) {
  return std::visit(
      []<class F>(const F& surface) {
        if constexpr (requires { surface.edges(); }) {
          return surface.edges();
        } else {
          return std::vector<Edge>();
        }
      },
      shape);
}

EdgeSection section(const Shape& shape, const Edge& edge, double s) {
  return std::visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F>) {
          return section(
              [&](const Location& q) {
                return Vec3<double>(surface.implicit_jet(q.x).gradient.normalized());
              },
              edge, s);
        } else {
          return section(
              [&](const Location& q) {
                const Jet<double, 1> c =
                    surface.template jet<1>(q.chart.index, Uv<double>(q.x.template head<2>()));
                return Vec3<double>(c.d(1, 0).cross(c.d(0, 1)).normalized());
              },
              edge, s);
        }
      },
      shape);
}

Result<Solid> solid(const Shape& shape) {
  return std::visit([](const auto& surface) { return surface.solid(); }, shape);
}

std::vector<Tile> tiles(const Shape& shape, double reach) {
  return std::visit([&](const auto& surface) { return surface.tiles(reach); }, shape);
}

}  // namespace oloid
