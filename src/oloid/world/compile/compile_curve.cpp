#include "oloid/world/compile/compile_curve.h"

#include <cmath>

#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/world/compile/checks.h"

namespace oloid::world {
namespace {

struct CurveMaker {
  const Place& place;  // of the whole curve

  Result<Curve, Errors> operator()(const CircleCurveSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    return placed(Curve::circle({0, 0, 0}, {0, 0, 1}, s.radius.value), s.radius.place);
  }
  Result<Curve, Errors> operator()(const EllipseCurveSpec& s) const {
    if (s.semi_axes.value.size() != 2) {
      return refuse(s.semi_axes.place,
                    fmt::format("there are {} semi-axes", s.semi_axes.value.size()),
                    "write semi_axes = [a, b]");
    }
    for (const double a : s.semi_axes.value)
      if (auto wrong = wrong_length({a, s.semi_axes.place}, "a semi-axis"))
        return Unexpected{*wrong};
    return placed(
        Curve::ellipse({0, 0, 0}, {s.semi_axes.value[0], 0, 0}, {0, s.semi_axes.value[1], 0},
                       s.from.value, s.to.value),
        Curve::ellipse({0, 0, 0}, {s.semi_axes.value[0], 0, 0}, {0, s.semi_axes.value[1], 0})
            ? s.to.place
            : s.semi_axes.place);
  }
  Result<Curve, Errors> operator()(const HelixCurveSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    if (!(std::abs(s.pitch.value) <= kLargest)) {
      return refuse(s.pitch.place, fmt::format("pitch is {}", s.pitch.value),
                    "must be a length in metres per turn");
    }
    return placed(Curve::helix(s.radius.value, s.pitch.value, s.turns.value), s.turns.place);
  }
  Result<Curve, Errors> operator()(const PolylineSpec& s) const {
    if (auto wrong = wrong_points(s.points.value, s.points.place)) return Unexpected{*wrong};
    return placed(Curve::polyline(s.points.value, s.closed), s.points.place);
  }
  Result<Curve, Errors> operator()(const SplineSpec& s) const {
    if (auto wrong = wrong_points(s.points.value, s.points.place)) return Unexpected{*wrong};
    const std::vector<Vec3<double>>& points = s.points.value;
    if (!s.degree) {
      return placed(Curve::bezier(points, s.weights.value),
                    Curve::bezier(points) ? s.weights.place : s.points.place);
    }
    const auto degree = degree_of(s.degree->value, s.degree->place, "the degree");
    if (!degree) return Unexpected{degree.error()};
    const std::size_t n = points.size();
    if (n < static_cast<std::size_t>(*degree) + 1) {
      return refuse(s.points.place, fmt::format("the curve has {} points", n),
                    fmt::format("degree {} needs at least {}", *degree, *degree + 1));
    }
    const bool own = !s.knots.value.empty();
    const KnotVector knots = own ? KnotVector{*degree, s.knots.value} : uniform_knots(*degree, n);
    const bool knots_fine = checked_knots(knots, n, "the curve").has_value();
    return placed(Curve::nurbs(knots, points, s.weights.value), !knots_fine ? s.knots.place
                                                                : Curve::nurbs(knots, points)
                                                                    ? s.weights.place
                                                                    : s.points.place);
  }
};

}  // namespace

Result<Curve, Errors> compile_curve(const WireSpec& given) {
  return std::visit(CurveMaker{given.curve.place}, given.curve.value);
}

Result<std::vector<BezierCurve<2>>, Errors> curve_pieces(CurveSpec spec, bool close) {
  std::vector<Vec2<double>>& points = spec.points.value;
  if (close && spec.degree.value == 1 && points.size() > 2 && points.front() != points.back()) {
    points.push_back(points.front());
    if (!spec.weights.value.empty()) spec.weights.value.push_back(spec.weights.value.front());
  }
  const auto weighted = weighted_points<2>(spec.points, spec.weights);
  if (!weighted) return Unexpected{weighted.error()};
  const auto degree = degree_of(spec.degree.value, spec.degree.place, "the degree");
  if (!degree) return Unexpected{degree.error()};
  const std::size_t n = points.size();
  const bool own = !spec.knots.value.empty();
  if (!own && n < static_cast<std::size_t>(*degree) + 1) {
    return refuse(spec.points.place, fmt::format("the curve has {} points", n),
                  fmt::format("degree {} needs at least {}", *degree, *degree + 1));
  }
  const auto knots = checked_knots(
      own ? KnotVector{*degree, spec.knots.value} : uniform_knots(*degree, n), n, "the curve");
  if (!knots) return refuse(spec.knots.place, knots.error().message, knots.error().remedy);
  return bezier_pieces<2>(*knots, *weighted);
}

}  // namespace oloid::world
