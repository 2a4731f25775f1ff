// The curve in which two implicit surfaces meet, evaluated by Newton's method.
#pragma once

#include <type_traits>

#include "oloid/geometry/curves/curve.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry {

namespace detail {

// The vector w with a·w = r(0), b·w = r(1), c·w = r(2).
template <class S>
Vec3<S> solve_rows(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c, const Vec3<S>& r) {
  const Vec3<S> ab = a.cross(b);
  const Vec3<S> sum = r(0) * b.cross(c) + r(1) * c.cross(a) + r(2) * ab;
  return (S(1.0) / c.dot(ab)) * sum;
}

// wᵀ (∂H/∂w) w, H the Hessian of a field: its third derivative along w.
template <class S>
S third_along(const ImplicitField& field, const Vec3<S>& p, const Vec3<S>& w) {
  using D = Dual<S, 1>;
  Vec3<D> moving;
  for (int i = 0; i < 3; ++i) {
    moving(i).v = p(i);
    moving(i).d[0] = w(i);
  }
  const ImplicitJet<D> at = field.implicit_jet(moving);
  S sum = S(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum = sum + w(i) * at.hessian(i, j).d[0] * w(j);
  return sum;
}

}  // namespace detail

// All points for t in an interval, proved by Krawczyk's test; everything where that fails or the
// fields have no bounds. Third derivatives are not bounded. (traced_curve.cpp)
CurveJet<Interval, 3> enclosed(const TracedCurve& piece, const Interval& t);

// Derivatives of f(x) = g(x) = 0, chord·(x − start) = t |chord|² by t, one after the other:
//   J x' = (0, 0, |chord|²),   J x'' = −(x'ᵀ ∇²f x', x'ᵀ ∇²g x', 0), ...
template <int Order, class S>
CurveJet<S, Order> jet(const TracedCurve& piece, const S& t) {
  CurveJet<S, Order> x;
  if constexpr (std::is_same_v<S, Interval>) {
    const auto all = enclosed(piece, t);
    for (std::size_t k = 0; k <= Order; ++k) x[k] = all[k];
    return x;
  } else {
    Vec3<S> chord, p;
    const S bend = S(4.0) * t * (S(1.0) - t), square = S(piece.chord.squaredNorm());
    for (int i = 0; i < 3; ++i) {
      chord(i) = S(piece.chord(i));
      p(i) = S(piece.start(i)) + t * chord(i) + bend * S(piece.bow(i));
    }
    const auto start = p;
    constexpr int kMostSteps = std::is_same_v<S, double> ? 20 : 8;
    ImplicitJet<S> f, g;
    for (int step = 0; step < kMostSteps; ++step) {
      f = piece.f->implicit_jet(p);
      g = piece.g->implicit_jet(p);
      // The guess lies in its plane already.
      const Vec3<S> by = detail::solve_rows<S>(f.gradient, g.gradient, chord,
                                               {-f.f, -g.f, chord.dot(Vec3<S>(start - p))});
      p = p + by;
      if constexpr (std::is_same_v<S, double>) {
        const double size = piece.chord.norm() + p.norm();
        if (!(by.norm() > 4e-16 * size)) break;
      }
    }
    x[0] = p;
    if constexpr (Order >= 1) {
      f = piece.f->implicit_jet(p);
      g = piece.g->implicit_jet(p);
      const auto solved = [&](const S& of_f, const S& of_g, const S& along) {
        return detail::solve_rows<S>(f.gradient, g.gradient, chord, {of_f, of_g, along});
      };
      const S zero(0.0);
      x[1] = solved(zero, zero, square);
      const auto bent = [&](const ImplicitJet<S>& at, const Vec3<S>& a, const Vec3<S>& b) {
        S sum = S(0.0);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) sum = sum + a(i) * at.hessian(i, j) * b(j);
        return sum;
      };
      if constexpr (Order >= 2) x[2] = solved(-bent(f, x[1], x[1]), -bent(g, x[1], x[1]), zero);
      if constexpr (Order >= 3) {
        const auto third = [&](const ImplicitField& field, const ImplicitJet<S>& at) {
          return S(S(-3.0) * bent(at, x[1], x[2]) - detail::third_along<S>(field, p, x[1]));
        };
        x[3] = solved(third(*piece.f, f), third(*piece.g, g), zero);
      }
    }
    return x;
  }
}

}  // namespace oloid::geometry
