// A tiny disc that closes a patchwork around a point where infinitely many patches would meet: the
// graph of a polynomial over the tangent plane, fitted to the patches around it.
//
//   c(u, v) = O + r (u e₁ + v e₂ + h n),   h = Re Q₀(z) + z̄ Q₁(z) + z̄² Q₂(z),   z = u + i v
//
// Q_k(z) = Σ_m c_km z^(m+k): to each harmonic of the angle belong three powers of the radius, as
// many as there are data on the rim: height, slope and curvature.
#pragma once

#include <array>
#include <vector>

#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

class PatchCap {
 public:
  // A point of the surface around, as the graph of h over the plane of u and v.
  struct Sample {
    Uv<double> q;
    double h;
    Vec2<double> gradient;
    Mat2<double> hessian;
  };

  // O [m]; R has columns e₁, e₂, n; r [m] is the greatest distance of the hole's rim.
  PatchCap(const Vec3<double>& O, const Mat3<double>& R, double r) : O_(O), R_(R), r_(r) {}

  // From the 2-jet of a surface, points counted from O.
  Sample sample(const Jet<double, 2>& c) const;
  // The polynomial nearest to the samples, which lie on the rim, with harmonics up to the given
  // one.
  void fit(const std::vector<Sample>& samples, int harmonics);
  // The rim as a chain of points, seen along n.
  void set_rim(const std::vector<Uv<double>>& points);

  double radius() const { return r_; }  // [m]
  std::vector<int> neighbours;          // patches that it overlaps

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const;

  // Positive inside; the disc reaches a little beyond the hole.
  double margin(const Uv<double>& q) const;
  // The coordinates of the point below p.
  Uv<double> below(const Vec3<double>& p) const {
    return R_.leftCols<2>().transpose() * (p - O_) / r_;
  }

 private:
  static constexpr std::size_t kPowers = 3;
  using Complex = std::array<double, 2>;

  // d(a, b) = ∂^(a+b) h / ∂u^a ∂v^b.
  template <int Order, class S>
  std::array<S, static_cast<std::size_t>(jet_size(Order))> height(const Uv<S>& q) const;

  Vec3<double> O_;
  Mat3<double> R_;
  double r_;
  std::array<std::vector<Complex>, kPowers> Q_;  // c_km by m
  std::vector<double> rim_;  // distance of the rim over r, at equal angles from −π
};

namespace detail {

// k (k − 1) … (k − n + 1)
constexpr double falling(int k, int n) { return n == 0 ? 1 : k * falling(k - 1, n - 1); }

// From F_ab = ∂^(a+b) F / ∂z^a ∂z̄^b, real parts and imaginary ones, derivatives of Re F by u and v:
// ∂_u = ∂_z + ∂_z̄, ∂_v = i (∂_z − ∂_z̄).
template <int Order, class S, class F>
std::array<S, static_cast<std::size_t>(jet_size(Order))> real_derivatives(const F& f) {
  std::array<S, static_cast<std::size_t>(jet_size(Order))> h;
  for (int i = 0; i <= Order; ++i) {
    for (int j = 0; i + j <= Order; ++j) {
      S sum(0.0);
      for (int p = 0; p <= i; ++p) {    // of ∂_u^i: p times ∂_z̄
        for (int q = 0; q <= j; ++q) {  // of ∂_v^j: q times −∂_z̄
          const double binomial =
              falling(i, p) / falling(p, p) * falling(j, q) / falling(q, q) * (q % 2 ? -1 : 1);
          const auto [re, im] = f(i + j - p - q, p + q);
          // i^j (re + i im)
          const S part = j % 4 == 0 ? re : j % 4 == 1 ? S(-im) : j % 4 == 2 ? S(-re) : im;
          sum = sum + S(binomial) * part;
        }
      }
      h[static_cast<std::size_t>(jet_index(i, j))] = sum;
    }
  }
  return h;
}

}  // namespace detail

template <int Order, class S>
std::array<S, static_cast<std::size_t>(jet_size(Order))> PatchCap::height(const Uv<S>& q) const {
  using C = std::array<S, 2>;
  const auto times = [](const C& a, const C& b) {
    return C{a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
  };
  const C z{q.x(), q.y()}, z_bar{q.x(), S(-q.y())};
  std::array<std::array<C, static_cast<std::size_t>(Order) + 1>, kPowers> D;  // Q_k^(a)(z)
  for (std::size_t k = 0; k < kPowers; ++k) {
    auto& d = D[k];
    for (C& x : d) x = {S(0.0), S(0.0)};
    // Horner's scheme with derivatives, each over a!; the lowest k coefficients are 0.
    const auto step = [&](const Complex& c) {
      for (std::size_t a = d.size(); a-- > 0;) {
        d[a] = times(d[a], z);
        if (a > 0) d[a] = {d[a][0] + d[a - 1][0], d[a][1] + d[a - 1][1]};
      }
      d[0] = {d[0][0] + S(c[0]), d[0][1] + S(c[1])};
    };
    for (std::size_t m = Q_[k].size(); m-- > 0;) step(Q_[k][m]);
    for (std::size_t m = 0; m < k; ++m) step({0, 0});
    for (std::size_t a = 2; a < d.size(); ++a) {
      const S factorial(detail::falling(static_cast<int>(a), static_cast<int>(a)));
      d[a] = {factorial * d[a][0], factorial * d[a][1]};
    }
  }
  return detail::real_derivatives<Order, S>([&](int a, int b) {
    C sum{S(0.0), S(0.0)}, z_bar_to{S(1.0), S(0.0)};
    for (std::size_t k = static_cast<std::size_t>(b); k < kPowers; ++k) {
      const C term = times(D[k][static_cast<std::size_t>(a)], z_bar_to);
      const S factor(detail::falling(static_cast<int>(k), b));
      sum = {sum[0] + factor * term[0], sum[1] + factor * term[1]};
      z_bar_to = times(z_bar_to, z_bar);
    }
    return sum;
  });
}

template <int Order, class S>
Jet<S, Order> PatchCap::jet(const Uv<S>& q) const {
  const S r(r_);
  const Vec3<S> e1 = R_.col(0).cast<S>(), e2 = R_.col(1).cast<S>(), n = R_.col(2).cast<S>();
  const auto h = height<Order>(q);
  Jet<S, Order> c;
  for (std::size_t i = 0; i < c.terms.size(); ++i) c.terms[i] = (r * h[i]) * n;
  c.d(0, 0) = O_.cast<S>() + r * (q.x() * e1 + q.y() * e2) + c.d(0, 0);
  if constexpr (Order >= 1) {
    c.d(1, 0) = r * e1 + c.d(1, 0);
    c.d(0, 1) = r * e2 + c.d(0, 1);
  }
  return c;
}

}  // namespace oloid::geometry
