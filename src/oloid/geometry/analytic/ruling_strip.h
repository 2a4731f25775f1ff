// Strips of the hull of two circles: the segments along which planes touch both.
//
// A plane that touches both circles from outside touches their hull along the segment between the
// two points. With n its normal, p_i and q_i the components of n in the plane of circle i,
// s_i = |(p_i, q_i)|, the points are x_i = c_i + r_i (p_i a_i + q_i b_i) / s_i, and the planes are
//   F(n) = n·(x₂ − x₁) = (c₂ − c₁)·n + r₂ s₂ − r₁ s₁ = 0,     ∇F = x₂ − x₁,
// curves on the sphere of normals, regular as long as no segment shrinks to a point. F < 0 where
// the first circle alone is touched.
//
// In a strip n = n₀ + x τ + y(x) ν, τ along F = 0, y by Newton's method; x runs evenly with u from
// 0 to 1, and v from 0 on the first circle to 1 on the second: (1 − v) x₁ + v x₂.
// docs/theory/surfaces.md eqs. H1 to H4.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "oloid/base/interval_linalg.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/series.h"

namespace oloid::geometry {

// A circle with a right-handed frame [a b n]; angles run from a to b.
struct FramedCircle {
  Vec3<double> centre, a, b, n;
  double radius = 0;

  Vec3<double> at(double angle) const {
    return centre + radius * (std::cos(angle) * a + std::sin(angle) * b);
  }
  double angle_of(const Vec3<double>& direction) const {
    return std::atan2(direction.dot(b), direction.dot(a));
  }
};

// The two discs of a hull as seen from normals.
struct SupportPair {
  std::array<FramedCircle, 2> circles;

  double radius_across(std::size_t i, const Vec3<double>& n) const {  // s_i
    return std::hypot(n.dot(circles[i].a), n.dot(circles[i].b));
  }
  Vec3<double> point(std::size_t i, const Vec3<double>& n) const;  // x_i
  double F(const Vec3<double>& n) const;
  Vec3<double> ruling(const Vec3<double>& n) const { return point(1, n) - point(0, n); }
  // Along F = 0 such that c_u × c_v will point outwards: on a convex body normals turn the way that
  // the point moves.
  Vec3<double> heading(const Vec3<double>& n) const { return ruling(n).cross(n).normalized(); }
};

// One strip of rulings.
class RulingStrip {
 public:
  static constexpr double kReach = 1.15;  // how far it can be evaluated, in parts of [0, 1]

  // Between two normals on F = 0; `middle` lies between them. None if y(x) is not found well.
  static std::optional<RulingStrip> make(const SupportPair& pair, const Vec3<double>& from,
                                         const Vec3<double>& middle, const Vec3<double>& to);

  // The normal at u, not of length 1.
  template <class S>
  Vec3<S> normal(const S& u) const {
    const S x = S(from_) + S(to_ - from_) * u, y = solved(u, x);
    Vec3<S> n;
    for (int i = 0; i < 3; ++i) n(i) = S(frame_(i, 0)) + x * S(frame_(i, 1)) + y * S(frame_(i, 2));
    return n;
  }
  // The same with its derivative by u.
  template <class S>
  std::array<Vec3<S>, 2> normal_jet(const S& u) const {
    const auto [x, y] = on_curve<2>(u);
    std::array<Vec3<S>, 2> n;
    for (int i = 0; i < 3; ++i) {
      n[0](i) = S(frame_(i, 0)) + x[0] * S(frame_(i, 1)) + y[0] * S(frame_(i, 2));
      n[1](i) = x[1] * S(frame_(i, 1)) + y[1] * S(frame_(i, 2));
    }
    return n;
  }
  // u of a normal on F = 0; negative or larger than 1 beyond the ends.
  double u_of(const Vec3<double>& n) const {
    return (n.dot(frame_.col(1)) / n.dot(frame_.col(0)) - from_) / (to_ - from_);
  }
  bool faces(const Vec3<double>& n) const { return n.dot(frame_.col(0)) > 0.5 * n.norm(); }

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    constexpr auto kTerms = static_cast<std::size_t>(Order) + 1;
    using Terms = std::array<S, kTerms>;
    const auto [x, y] = on_curve<kTerms>(S(q.x()));
    std::array<std::array<Vec3<S>, kTerms>, 2> ends;  // derivatives of x₁, x₂
    for (std::size_t i = 0; i < 2; ++i) {
      const Half& half = halves_[i];
      const Terms p = linear(half.p, x, y), r = linear(half.q, x, y);
      const Terms s = series::root(sum(series::product(p, p), series::product(r, r)));
      const Terms cosine = series::quotient(p, s), sine = series::quotient(r, s);
      double factorial = 1;
      for (std::size_t k = 0; k < kTerms; ++k) {
        if (k > 0) factorial *= static_cast<double>(k);
        const S along_a = S(factorial * half.circle.radius) * cosine[k];
        const S along_b = S(factorial * half.circle.radius) * sine[k];
        for (int j = 0; j < 3; ++j) {
          ends[i][k](j) = S(half.circle.a(j)) * along_a + S(half.circle.b(j)) * along_b;
          if (k == 0) ends[i][k](j) = S(half.circle.centre(j)) + ends[i][k](j);
        }
      }
    }
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    for (int k = 0; k <= Order; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Vec3<S> ruling = ends[1][i] - ends[0][i];
      c.d(k, 0) = ends[0][i] + q.y() * ruling;
      if (k < Order) c.d(k, 1) = ruling;
    }
    return c;
  }

 private:
  static constexpr int kNewtonSteps = 3;
  static constexpr std::size_t kStart = 10;

  // Of circle i: p = p₀ + p₁ x + p₂ y, and q as well.
  struct Half {
    FramedCircle circle;
    std::array<double, 3> p{}, q{};
  };

  template <std::size_t N, class S>
  static std::array<S, N> linear(const std::array<double, 3>& c, const std::array<S, N>& x,
                                 const std::array<S, N>& y) {
    std::array<S, N> f;
    for (std::size_t k = 0; k < N; ++k) f[k] = S(c[1]) * x[k] + S(c[2]) * y[k];
    f[0] = f[0] + S(c[0]);
    return f;
  }
  template <std::size_t N, class S>
  static std::array<S, N> sum(std::array<S, N> a, const std::array<S, N>& b) {
    for (std::size_t k = 0; k < N; ++k) a[k] = a[k] + b[k];
    return a;
  }

  // x and y as series in u.
  template <std::size_t N, class S>
  std::array<std::array<S, N>, 2> on_curve(const S& u) const {
    std::array<S, N> x, y, F, slope;
    x.fill(S(0.0));
    y.fill(S(0.0));
    x[0] = S(from_) + S(to_ - from_) * u;
    if constexpr (N >= 2) x[1] = S(to_ - from_);
    if constexpr (std::is_same_v<S, Interval>) {
      y[0] = enclosed(u, x[0]);
      for (std::size_t k = 1; k < N; ++k) {  // term by term: F is linear in the highest one
        evaluate(x, y, F, slope);
        y[k] = -F[k] / slope[0];
      }
    } else {
      y[0] = solved(u, x[0]);
      // Each step of Newton's method doubles the number of terms that are right.
      for (std::size_t right = 1; right < N; right *= 2) {
        evaluate(x, y, F, slope);
        const std::array<S, N> off = series::quotient(F, slope);
        for (std::size_t k = 0; k < N; ++k) y[k] = y[k] - off[k];
      }
    }
    return {x, y};
  }
  // All y(x) of an interval: if y₀ − F(X, y₀) / F_y(X, Y) lies in Y it holds the zeros.
  Interval enclosed(const Interval& u, const Interval& x) const {
    const double middle = u.middle(), y0 = solved(middle, from_ + (to_ - from_) * middle);
    double half = 1e-12 + x.width();
    for (int i = 0; i < 8; ++i, half *= 2) {
      const Interval guess(y0 - half, y0 + half);
      std::array<Interval, 1> F, slope, unused;
      evaluate<1, Interval>({x}, {Interval(y0)}, F, unused);
      evaluate<1, Interval>({x}, {guess}, unused, slope);
      const Interval y = Interval(y0) - F[0] / slope[0];
      if (y.low >= guess.low && y.high <= guess.high) return y;
    }
    return Interval::everything();
  }
  // F and ∂F/∂y.
  template <std::size_t N, class S>
  void evaluate(const std::array<S, N>& x, const std::array<S, N>& y, std::array<S, N>& F,
                std::array<S, N>& slope) const {
    F = linear(across_, x, y);
    slope.fill(S(0.0));
    slope[0] = S(across_[2]);
    for (std::size_t i = 0; i < 2; ++i) {
      const Half& half = halves_[i];
      const double r = i == 0 ? -half.circle.radius : half.circle.radius;
      const auto p = linear(half.p, x, y), q = linear(half.q, x, y);
      const auto s = series::root(sum(series::product(p, p), series::product(q, q)));
      std::array<S, N> turned;
      for (std::size_t k = 0; k < N; ++k) turned[k] = S(half.p[2]) * p[k] + S(half.q[2]) * q[k];
      turned = series::quotient(turned, s);
      for (std::size_t k = 0; k < N; ++k) {
        F[k] = F[k] + S(r) * s[k];
        slope[k] = slope[k] + S(r) * turned[k];
      }
    }
  }
  // y(x): Newton's method from a polynomial in 2 u − 1. That it converges is checked when the strip
  // is made.
  template <class S>
  S solved(const S& u, const S& x) const {
    const S w = S(2.0) * u - S(1.0);
    S y = S(start_.back());
    for (std::size_t k = start_.size() - 1; k-- > 0;) y = S(start_[k]) + w * y;
    for (int i = 0; i < kNewtonSteps; ++i) {
      std::array<S, 1> F, slope;
      evaluate<1, S>({x}, {y}, F, slope);
      y = y - F[0] / slope[0];
    }
    return y;
  }

  Mat3<double> frame_;        // n₀, τ, ν
  double from_ = 0, to_ = 0;  // of x
  std::array<double, kStart> start_{};
  std::array<double, 3> across_{};  // (c₂ − c₁) in the frame
  std::array<Half, 2> halves_;
};

}  // namespace oloid::geometry
