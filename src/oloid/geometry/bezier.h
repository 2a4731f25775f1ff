// One tensor-product Bezier patch of degree 3 each way; lower degrees are raised exactly.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/atlas.h"
#include "oloid/geometry/jet.h"

namespace oloid {

class BezierPatch {
 public:
  using Net =
      std::array<std::array<Vec3<double>, 4>, 4>;  // [m], net[i][j] multiplies B_i(u) B_j(v)

  // Rows of equal length, 2 to 4 each way. c_u × c_v must point out of the body and vanish nowhere.
  static Result<BezierPatch> make(const std::vector<std::vector<Vec3<double>>>& net);

  const Net& net() const { return net_; }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const;

  double margin(const Location& q) const {
    return std::min({q.x(0), 1 - q.x(0), q.x(1), 1 - q.x(1)});
  }
  ChartExit leave(const Location& q) const {
    return OpenEdge{{q.chart, q.x.cwiseMax(0.0).cwiseMin(1.0)}};
  }
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  double bounding_radius() const;

 private:
  explicit BezierPatch(const Net& net) : net_(net) {}
  Net net_;
};

namespace detail {

// Derivatives of order 0 to Order of the cubic Bernstein polynomials: row k, column i.
template <int Order, class S>
std::array<std::array<S, 4>, Order + 1> cubic_bernstein(const S& u) {
  const S s = S(1.0) - u;
  std::array<std::array<S, 4>, Order + 1> B;
  B[0] = {s * s * s, S(3.0) * u * s * s, S(3.0) * u * u * s, u * u * u};
  if constexpr (Order >= 1) {
    const S a = S(3.0) * s * s, b = S(6.0) * u * s, c = S(3.0) * u * u;
    B[1] = {-a, a - b, b - c, c};
  }
  if constexpr (Order >= 2) {
    const S a = S(6.0) * s, c = S(6.0) * u;
    B[2] = {a, c - S(2.0) * a, a - S(2.0) * c, c};
  }
  if constexpr (Order >= 3) B[3] = {S(-6.0), S(18.0), S(-18.0), S(6.0)};
  return B;
}

}  // namespace detail

template <int Order, class S>
Jet<S, Order> BezierPatch::jet(int /*chart*/, const Uv<S>& q) const {
  const auto Bu = detail::cubic_bernstein<Order>(S(q.x()));
  const auto Bv = detail::cubic_bernstein<Order>(S(q.y()));
  // First along v: rows[i] = Σ_j net[i][j] B_j^(l)(v); then along u.
  const auto sum = [](const std::array<S, 4>& b, const auto& p) {
    Vec3<S> r;
    for (int x = 0; x < 3; ++x)
      r(x) = S(p[0](x)) * b[0] + S(p[1](x)) * b[1] + S(p[2](x)) * b[2] + S(p[3](x)) * b[3];
    return r;
  };
  Jet<S, Order> c;
#pragma GCC unroll 4  // keeps rows in registers
  for (int l = 0; l <= Order; ++l) {
    const auto& b = Bv[static_cast<std::size_t>(l)];
    const std::array<Vec3<S>, 4> rows{sum(b, net_[0]), sum(b, net_[1]), sum(b, net_[2]),
                                      sum(b, net_[3])};
#pragma GCC unroll 4
    for (int k = 0; k + l <= Order; ++k) c.d(k, l) = sum(Bu[static_cast<std::size_t>(k)], rows);
  }
  return c;
}

}  // namespace oloid
