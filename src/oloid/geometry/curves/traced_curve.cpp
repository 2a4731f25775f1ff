#include "oloid/geometry/curves/traced_curve.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/interval_linalg.h"
#include "oloid/geometry/curves/patch_curve.h"

namespace oloid::geometry {
namespace {

CurveJet<Interval, 3> everything_of_a_curve() {
  CurveJet<Interval, 3> x;
  for (auto& term : x) term.setConstant(Interval::everything());
  return x;
}

Box box_of(const Vec3<Interval>& v) {
  return {{v(0).low, v(1).low, v(2).low}, {v(0).high, v(1).high, v(2).high}};
}

Vec3<Interval> gradient_over(const ImplicitField& field, const Vec3<Interval>& x) {
  const IntervalVector g = field.bounds(box_of(x)).gradient;
  return {g[0], g[1], g[2]};
}

Interval bend_over(const ImplicitField& field, const Vec3<Interval>& x, const Vec3<Interval>& w) {
  const IntervalMatrix H = field.hessian_bounds(box_of(x));
  Interval sum(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sum = sum + w(i) * H[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] * w(j);
  return sum;
}

}  // namespace

// F(x; t) = (f, g, chord·(x − start) − t |chord|²). With x₀ the point at the middle of T, Y ≈ J⁻¹
// there and J over a box X, there is exactly one zero in X for every t of T if
//   K = x₀ − Y F(x₀; T) + (1 − Y J) (X − x₀)
// lies inside X ([Neumaier90]).
CurveJet<Interval, 3> enclosed(const TracedCurve& piece, const Interval& t) {
  if (!piece.f->is_bounded() || !piece.g->is_bounded()) return everything_of_a_curve();
  const double middle = t.middle();
  const auto x0 = jet<1>(piece, middle);
  const Vec3<double>&p = x0[0], &chord = piece.chord;
  Mat3<double> J;
  J.row(0) = piece.f->implicit_jet(p).gradient;
  J.row(1) = piece.g->implicit_jet(p).gradient;
  J.row(2) = chord;
  Mat3<double> Y;
  for (int k = 0; k < 3; ++k) {
    Y.col(k) = detail::solve_rows<double>(J.row(0), J.row(1), J.row(2), Vec3<double>::Unit(k));
  }
  if (!Y.allFinite()) return everything_of_a_curve();
  const Box at{p, p};
  const Interval square = Interval(chord.x()) * Interval(chord.x()) +
                          Interval(chord.y()) * Interval(chord.y()) +
                          Interval(chord.z()) * Interval(chord.z());
  Interval along = -t * square;
  for (int i = 0; i < 3; ++i)
    along = along + Interval(chord(i)) * (Interval(p(i)) - Interval(piece.start(i)));
  const Vec3<Interval> F{piece.f->bounds(at).f, piece.g->bounds(at).f, along};
  Vec3<Interval> centre;  // x₀ − Y F(x₀; T)
  for (int i = 0; i < 3; ++i) {
    centre(i) = Interval(p(i));
    for (int k = 0; k < 3; ++k) centre(i) = centre(i) - Interval(Y(i, k)) * F(k);
  }
  Vec3<Interval> X = centre, g_f, g_g;
  const Vec3<Interval> c{Interval(chord(0)), Interval(chord(1)), Interval(chord(2))};
  bool proved = false;
  for (int attempt = 0; attempt < 8 && !proved; ++attempt) {
    Vec3<Interval> wider;
    for (int i = 0; i < 3; ++i) {
      const double by = 0.1 * (X(i).high - X(i).low) + 1e-14 * (chord.norm() + std::abs(p(i)));
      wider(i) = Interval(X(i).low - by, X(i).high + by);
    }
    g_f = gradient_over(*piece.f, wider);
    g_g = gradient_over(*piece.g, wider);
    const std::array<const Vec3<Interval>*, 3> rows{&g_f, &g_g, &c};
    proved = true;
    Vec3<Interval> K = centre;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        Interval off(i == j ? 1.0 : 0.0);
        for (int k = 0; k < 3; ++k)
          off = off - Interval(Y(i, k)) * (*rows[static_cast<std::size_t>(k)])(j);
        K(i) = K(i) + off * (wider(j) - Interval(p(j)));
      }
      proved = proved && K(i).low > wider(i).low && K(i).high < wider(i).high;
    }
    for (int i = 0; i < 3; ++i) {
      if (!K(i).is_bounded()) return everything_of_a_curve();
      X(i) = proved ? K(i) : Interval(std::min(K(i).low, X(i).low), std::max(K(i).high, X(i).high));
    }
  }
  if (!proved) return everything_of_a_curve();
  CurveJet<Interval, 3> x = everything_of_a_curve();
  const Interval zero(0.0);
  x[0] = X;
  x[1] = detail::solve_rows<Interval>(g_f, g_g, c, {zero, zero, square});
  const Interval b_f = bend_over(*piece.f, X, x[1]), b_g = bend_over(*piece.g, X, x[1]);
  x[2] = detail::solve_rows<Interval>(g_f, g_g, c, {-b_f, -b_g, zero});
  return x;
}

#define OLOID_JETS(Piece)                                           \
  template CurveJet<double, 0> jet<0>(const Piece&, const double&); \
  template CurveJet<double, 1> jet<1>(const Piece&, const double&); \
  template CurveJet<double, 2> jet<2>(const Piece&, const double&); \
  template CurveJet<double, 3> jet<3>(const Piece&, const double&); \
  template CurveJet<Interval, 3> jet<3>(const Piece&, const Interval&)
OLOID_JETS(PatchCurve);
OLOID_JETS(TracedCurve);
#undef OLOID_JETS

}  // namespace oloid::geometry
