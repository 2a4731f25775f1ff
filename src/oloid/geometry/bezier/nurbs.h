// B-spline curves and nets cut into Bezier pieces, exactly, by inserting every knot to the full.
//
// Any degree, any multiplicity of knots up to the degree, clamped or not. A Bezier point is a value
// of the polar form: its arguments are the two end knots of the piece (Farin, section 8.4).
#pragma once

#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier_curve.h"

namespace oloid::geometry {

struct KnotVector {
  int degree = 0;
  std::vector<double> knots;  // as many as control points + degree + 1

  std::size_t control_points() const { return knots.size() - static_cast<std::size_t>(degree) - 1; }
};

// A clamped knot vector with equal spans over [0, 1].
KnotVector uniform_knots(int degree, std::size_t control_points);

// Of a closed curve with n control points, none repeated, and n + 1 knots over one period: the
// knots go on periodically. The caller repeats the first `degree` control points at the end.
Result<KnotVector> periodic_knots(int degree, const std::vector<double>& period,
                                  std::string_view what);

// Sorted, finite, as many as they should be, no gap in the curve. `what` names them in messages.
// Knots closer than 1e-9 of the domain are made equal: what lies between them is no piece of its
// own.
Result<KnotVector> checked_knots(KnotVector given, std::size_t control_points,
                                 std::string_view what);

// A rational B-spline surface: homogeneous control points (w p, w), net[i][j] over knots u and v.
struct NurbsNet {
  KnotVector u, v;
  std::vector<std::vector<Vec<double, 4>>> net;
};

// The spans of positive length over which the curve is defined.
struct Span {
  double from, to;
  std::size_t index;  // knots[index] = from, knots[index + 1] = to
};
std::vector<Span> spans(const KnotVector& knots);

// Control points of the Bezier piece over one span: `row(i)` gives control point i.
template <class Point, class Row>
std::vector<Point> bezier_piece(const KnotVector& knots, const Span& span, const Row& row) {
  const auto p = static_cast<std::size_t>(knots.degree);
  const std::vector<double>& u = knots.knots;
  std::vector<Point> piece(p + 1), d(p + 1);
  for (std::size_t k = 0; k <= p; ++k) {
    for (std::size_t j = 0; j <= p; ++j) d[j] = row(span.index - p + j);
    // De Boor's algorithm with the argument `to` k times and `from` p − k times.
    for (std::size_t r = 1; r <= p; ++r) {
      const double t = r <= k ? span.to : span.from;
      for (std::size_t j = p; j >= r; --j) {
        const std::size_t i = span.index - p + j;
        const double a = (t - u[i]) / (u[i + p - r + 1] - u[i]);
        d[j] = (1 - a) * d[j - 1] + a * d[j];
      }
    }
    piece[k] = d[p];
  }
  return piece;
}

template <int Dim>
std::vector<BezierCurve<Dim>> bezier_pieces(const KnotVector& knots,
                                            const std::vector<Vec<double, Dim + 1>>& points) {
  std::vector<BezierCurve<Dim>> pieces;
  for (const Span& span : spans(knots)) {
    pieces.push_back({bezier_piece<Vec<double, Dim + 1>>(
        knots, span, [&](std::size_t i) { return points[i]; })});
  }
  return pieces;
}

}  // namespace oloid::geometry
