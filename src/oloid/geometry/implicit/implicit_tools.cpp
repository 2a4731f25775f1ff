#include "oloid/geometry/implicit/implicit_tools.h"

namespace oloid::geometry::implicit_tools {

Box grown(const Box& box, double by) {
  const auto less = [by](double x) { return base::detail::round_down(x - by); };
  const auto more = [by](double x) { return base::detail::round_up(x + by); };
  return {box.low.unaryExpr(less), box.high.unaryExpr(more)};
}

Box octant(const Box& box, int which) {
  const Vec3<double> middle = box.centre();
  Box part = box;
  for (int i = 0; i < 3; ++i) ((which >> i) % 2 == 0 ? part.high : part.low)(i) = middle(i);
  return part;
}

FirstOrder first_order(const ImplicitField& field, const Vec3<double>& p) {
  using D = Dual<double, 3>;
  const D f =
      field.value(Vec3<D>(D::variable(p.x(), 0), D::variable(p.y(), 1), D::variable(p.z(), 2)));
  return {f.v, {f.d[0], f.d[1], f.d[2]}};
}

OnLine on_line(const ImplicitField& field, const Vec3<double>& p, const Vec3<double>& direction) {
  using D = Dual<double, 1>;
  Vec3<D> x;
  for (int i = 0; i < 3; ++i) {
    x(i).v = p(i);
    x(i).d[0] = direction(i);
  }
  const D f = field.value(x);
  return {f.v, f.d[0]};
}

std::optional<Vec3<double>> find_zero(const ImplicitField& field, Vec3<double> p, double reach,
                                      double size) {
  constexpr int kMost = 60;
  FirstOrder at = first_order(field, p);
  for (int i = 0; i < kMost; ++i) {
    const double slope = at.gradient.norm();
    if (!at.is_finite()) return std::nullopt;
    if (std::abs(at.f) <= 1e-15 * size * slope) return slope > 0 ? std::optional(p) : std::nullopt;
    if (!(slope > 0)) return std::nullopt;
    double length = std::min(std::abs(at.f) / slope, reach);
    const Vec3<double> direction = at.gradient * ((at.f > 0 ? -1 : 1) / slope);
    bool better = false;
    for (int halving = 0; halving < 12 && !better; ++halving, length *= 0.5) {
      Vec3<double> q = p + length * direction;
      FirstOrder next = first_order(field, q);
      if (!next.is_finite()) continue;
      if ((next.f > 0) != (at.f > 0) && std::abs(next.f) > 0.25 * std::abs(at.f)) {
        const auto along = [&](double t) { return on_line(field, p + t * direction, direction); };
        const double t =
            at.f > 0 ? bracketed_newton(along, length, 0.0) : bracketed_newton(along, 0.0, length);
        q = p + t * direction;
        next = first_order(field, q);
      }
      better = next.is_finite() && std::abs(next.f) < std::abs(at.f);
      if (better) {
        p = q;
        at = next;
      }
    }
    if (!better) {  // round-off, or nowhere to go
      return std::abs(at.f) <= 1e-10 * size * slope ? std::optional(p) : std::nullopt;
    }
  }
  return std::nullopt;
}

FieldBounds tight_bounds(const ImplicitField& field, const Box& box) {
  FieldBounds bounds = field.bounds(box);
  const Vec3<double> middle = box.centre();
  Interval f = field.bounds({middle, middle}).f;
  const IntervalVector x = intervals(box);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    f = f + bounds.gradient[k] * (x[k] - Interval(middle(i)));
  }
  bounds.f = both(bounds.f, f);
  return bounds;
}

}  // namespace oloid::geometry::implicit_tools
