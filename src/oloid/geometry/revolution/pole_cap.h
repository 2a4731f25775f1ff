// A surface of revolution round a pole, as a graph over a disc in the plane ⊥ axis. With t counted
// from the pole, and without cancellation there because t is divided out of the Bernstein
// polynomials,
//   ρ = t a,  h − h₀ = t² b,   a = R / w,  b = Z / w
//   z  = h₀ + ρ² H,            H = b / a²
//   zᵢ = G xᵢ,                 G = h'/ρ = (2 b + t b') / (a (a + t a'))
//   zᵢⱼ = G δᵢⱼ + G' xᵢ cⱼ,    c = x / ρ, ' = d/dρ below
//   zᵢⱼₖ = G' (δᵢⱼ cₖ + δᵢₖ cⱼ + δⱼₖ cᵢ) + (ρ G'' − G') cᵢ cⱼ cₖ
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "oloid/base/interval_linalg.h"
#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/series.h"

namespace oloid::geometry {

class PoleCap {
 public:
  // How far beyond its rim the graph can be evaluated, as a part of the radius.
  static constexpr double kReach = 1.1;

  // Round t = 0 of a span of degree 2 or more with ρ = ζ' = 0 there and ρ' > 0; `mirrored`: the
  // normal points down the axis. None if Newton's method converges nowhere.
  static std::optional<PoleCap> make(const BezierCurve<2>& span, bool mirrored);

  double radius() const { return radius_; }  // of the unit disc [m]
  double rim() const { return rim_; }        // the parameter there
  bool mirrored() const { return mirrored_; }

  // The parameter at a distance from the axis, given as a part of the radius: Newton's method for
  // t R(t) = ρ w(t) from a polynomial in r. That all of the cap converges is checked when it is
  // made.
  template <class S>
  S parameter(const S& r, int newton_steps = kNewtonSteps) const {
    if constexpr (std::is_same_v<S, Interval>) {  // it grows with r
      constexpr double kSlack = 1e-13;
      return {parameter(std::max(r.low, 0.0)) - kSlack, parameter(r.high) + kSlack};
    } else {
      return solved_parameter(r, newton_steps);
    }
  }

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    using std::sqrt;
    const std::array<S, 2> x{S(q.x()), S(q.y())};
    const S rr = x[0] * x[0] + x[1] * x[1];
    const auto off_pole = rr > S(kPole);
    const S root = sqrt(select(off_pole, rr, S(1.0)));
    S r = select(off_pole, root, S(0.0));
    if constexpr (std::is_same_v<S, Interval>) r = sqrt(rr);
    const S t = parameter(r);
    const auto B = bernstein<Order>(degree(), t);
    const auto w = series::of_polynomial<Order>(w_, B);
    const auto a = series::quotient(series::of_polynomial<Order>(R_, B), w);
    const auto b = series::quotient(series::of_polynomial<Order>(Z_, B), w);

    const S scale = S(radius_);
    const std::size_t first = mirrored_ ? 1 : 0;
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    c.d(0, 0)(0) = scale * x[first];
    c.d(0, 0)(1) = scale * x[1 - first];
    c.d(0, 0)(2) = S(height_) + scale * scale * rr * (b[0] / (a[0] * a[0]));
    if constexpr (Order >= 1) {
      c.d(1, 0)(mirrored_ ? 1 : 0) = scale;
      c.d(0, 1)(mirrored_ ? 0 : 1) = scale;
      // Series of ρ' and G, one term shorter.
      constexpr auto kTerms = static_cast<std::size_t>(Order);
      std::array<S, kTerms> along;  // t + ε
      along.fill(S(0.0));
      along[0] = t;
      if constexpr (Order >= 2) along[1] = S(1.0);
      const auto a_head = series::head<kTerms>(a), b_head = series::head<kTerms>(b);
      auto rho_t = series::product(along, series::derivative(a));
      auto slope = series::product(along, series::derivative(b));
      for (std::size_t k = 0; k < kTerms; ++k) {
        rho_t[k] = a_head[k] + rho_t[k];
        slope[k] = S(2.0) * b_head[k] + slope[k];
      }
      const auto G = series::quotient(slope, series::product(a_head, rho_t));
      const S ss = scale * scale;
      c.d(1, 0)(2) = ss * G[0] * x[0];
      c.d(0, 1)(2) = ss * G[0] * x[1];
      if constexpr (Order >= 2) {
        const S inverse_r = select(off_pole, S(1.0) / root, S(0.0));
        std::array<S, 2> n{x[0] * inverse_r, x[1] * inverse_r};  // c above
        if constexpr (std::is_same_v<S, Interval>) n = {both(n[0], {-1, 1}), both(n[1], {-1, 1})};
        const S inverse_rho_t = S(1.0) / rho_t[0];
        const S G1 = G[1] * inverse_rho_t;  // dG/dρ [1/m²]
        const S sss = ss * scale;
        c.d(2, 0)(2) = ss * G[0] + sss * G1 * x[0] * n[0];
        c.d(1, 1)(2) = sss * G1 * x[0] * n[1];
        c.d(0, 2)(2) = ss * G[0] + sss * G1 * x[1] * n[1];
        if constexpr (Order >= 3) {
          const S G2 = (S(2.0) * G[2] - G1 * rho_t[1]) * inverse_rho_t * inverse_rho_t;
          const S E = scale * r * G2 - G1;
          c.d(3, 0)(2) = sss * n[0] * (S(3.0) * G1 + E * n[0] * n[0]);
          c.d(2, 1)(2) = sss * n[1] * (G1 + E * n[0] * n[0]);
          c.d(1, 2)(2) = sss * n[0] * (G1 + E * n[1] * n[1]);
          c.d(0, 3)(2) = sss * n[1] * (S(3.0) * G1 + E * n[1] * n[1]);
        }
      }
    }
    return c;
  }

 private:
  static constexpr int kNewtonSteps = 4;
  static constexpr std::size_t kStart = 8;
  static constexpr double kPole = 1e-60;  // u² + v² below this is the pole itself
  bool converges(double t_end) const;
  template <class S>
  S solved_parameter(const S& r, int newton_steps) const {
    S t = S(start_.back());
    for (std::size_t k = start_.size() - 1; k-- > 0;) t = S(start_[k]) + r * t;
    t = r * t;
    const S rho = S(radius_) * r;
    for (int i = 0; i < newton_steps; ++i) {
      const auto B = bernstein<1>(degree(), t);
      const auto R = series::of_polynomial<1>(R_, B), w = series::of_polynomial<1>(w_, B);
      t = t - (t * R[0] - rho * w[0]) / (R[0] + t * R[1] - rho * w[1]);
    }
    return t;
  }
  int degree() const { return static_cast<int>(w_.size()) - 1; }

  double radius_ = 0, height_ = 0;  // [m], of the unit disc; of the pole above ζ = 0
  double rim_ = 0;                  // t at the rim
  bool mirrored_ = false;
  std::vector<double> R_, Z_, w_;       // Bernstein coefficients, all of one degree; R_, Z_ [m]
  std::array<double, kStart> start_{};  // t ≈ Σ start_k r^(k+1)
};

}  // namespace oloid::geometry
