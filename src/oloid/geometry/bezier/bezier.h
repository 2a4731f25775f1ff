// Bezier patches: tensor-product and triangular, of any degree, and S-patches with up to ten sides,
// polynomial or rational.
//
// Control points are homogeneous, (w p, w) with w > 0. Sides are numbered as they follow each other
// counter-clockwise, seen with c_u × c_v towards the eye; s runs from 0 to 1 along each.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bernstein.h"
#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/bezier/patch_domain.h"
#include "oloid/geometry/bezier/patch_points.h"
#include "oloid/geometry/bezier/s_patch.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

// The fast path: degree 3 each way, polynomial.
class BicubicPatch {
 public:
  using Net = std::array<std::array<Vec3<double>, 4>, 4>;  // [m], net[i][j] by B_i(u) B_j(v)
  explicit BicubicPatch(const Net& net) : net_(net) {}

  static const PatchDomain& domain() { return PatchDomain::square(); }
  const Net& net() const { return net_; }
  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const;

 private:
  Net net_;
};

// Degrees p and q of any size; points[i (q + 1) + j] goes with B_i(u) B_j(v).
class TensorPatch {
 public:
  TensorPatch(int p, int q, const std::vector<Vec<double, 4>>& points);

  static const PatchDomain& domain() { return PatchDomain::square(); }
  int degree_u() const { return p_; }
  int degree_v() const { return q_; }
  bool rational() const { return rational_; }
  Vec<double, 4> point(int i, int j) const {
    const std::size_t columns = static_cast<std::size_t>(q_) + 1;
    return Vec<double, 4>(
        points_[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)].data());
  }
  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const;

 private:
  template <int Order, int C, class S>  // C numbers a point: with or without weight
  Jet<S, Order> evaluate(const Uv<S>& q) const;

  int p_, q_;
  bool rational_;
  std::vector<StoredPoint> points_;
};

// Degree n in barycentric coordinates (u, v, 1 − u − v) over u, v ≥ 0, u + v ≤ 1. Point (i, j),
// with i + j ≤ n, goes with u^i v^j (1 − u − v)^(n−i−j); kept by rows of equal j.
class TrianglePatch {
 public:
  TrianglePatch(int n, const std::vector<Vec<double, 4>>& points);

  static const PatchDomain& domain() { return PatchDomain::triangle(); }
  int degree() const { return n_; }
  bool rational() const { return rational_; }
  static int index(int n, int i, int j) { return j * (n + 1) - j * (j - 1) / 2 + i; }
  Vec<double, 4> point(int i, int j) const {
    return Vec<double, 4>(points_[static_cast<std::size_t>(index(n_, i, j))].data());
  }
  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const;

 private:
  template <int Order, int C, class S>  // C numbers a point: with or without weight
  Jet<S, Order> evaluate(const Uv<S>& q) const;

  int n_;
  bool rational_;
  std::vector<StoredPoint> points_;
};

using Patch = std::variant<BicubicPatch, TensorPatch, TrianglePatch, SPatch>;

// Rows of control points, all equally long; row i goes with B_i(u). Weights default to 1. A
// polynomial patch of degree 3 or less each way takes the fast path, its degrees raised exactly.
Result<Patch> make_patch(const PointRows& net, const WeightRows& weights = {});

// Rows of n + 1, n, ..., 1 points: the first along the side v = 0, from (0, 0) to (1, 0), the last
// the corner (0, 1).
Result<Patch> make_triangle(const PointRows& rows, const WeightRows& weights = {});

// One row for each of 3 to 10 sides: row k has the points of all corner lists that begin with k, in
// dictionary order (s_patch.h). The depth, 1 to 5, follows from their number.
Result<Patch> make_s_patch(const PointRows& rows, const WeightRows& weights = {});

// From homogeneous control points that are known to be good: net[i][j].
Patch make_patch(const std::vector<std::vector<Vec<double, 4>>>& net);

// With three sides it is a Bezier triangle, with four a tensor-product patch of its depth each way:
// these are faster. Sides keep their numbers; (u, v) are those of the triangle and the square.
Patch make_patch(const SPatch& patch);

template <int Order, class S>
Jet<S, Order> jet(const Patch& patch, const Uv<S>& q) {
  return std::visit([&](const auto& p) { return p.template jet<Order>(q); }, patch);
}

const PatchDomain& domain(const Patch&);
inline int sides(const Patch& patch) { return domain(patch).sides(); }
int degree(const Patch&);     // the highest; of an S-patch the depth, which its borders have
bool rational(const Patch&);  // whether it is no polynomial
std::vector<Vec<double, 4>> control_points(const Patch&);

// Whether the control points prove that everywhere the sine of the angle between c_u and c_v is at
// least `sine`, that both are at least `speed` long [m], and that the normal stays on one side of a
// plane. Not even tried for rational patches and S-patches.
bool surely_regular(const Patch&, double sine, double speed);

// The border along a side, counter-clockwise.
BezierCurve<3> side_curve(const Patch&, int side);

// The part over the parameter rectangle with the given corners, by de Casteljau's algorithm, as a
// patch of its own; of a triangle the part over the triangle (low, (high_u, low_v), (low_u,
// high_v)). A part of an S-patch is none, so this is not for them: see part_box.
Patch sub_patch(const Patch&, const Uv<double>& low, const Uv<double>& high);

// The box of the control points, which contains the patch, and a ball around them.
Box bounding_box(const Patch&);
struct Ball {
  Vec3<double> centre;  // [m]
  double radius;        // [m]
};
Ball bounding_ball(const Patch&);

// A box of the part over a parameter rectangle, as far as it lies in the domain. Boxes of smaller
// rectangles shrink to the surface quadratically.
Box part_box(const Patch&, const Uv<double>& low, const Uv<double>& high);

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
Jet<S, Order> BicubicPatch::jet(const Uv<S>& q) const {
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

template <int Order, class S>
Jet<S, Order> TensorPatch::jet(const Uv<S>& q) const {
  return rational_ ? evaluate<Order, 4>(q) : evaluate<Order, 3>(q);
}

template <int Order, int C, class S>
Jet<S, Order> TensorPatch::evaluate(const Uv<S>& q) const {
  const auto Bu = bernstein<Order>(p_, S(q.x()));
  const auto Bv = bernstein<Order>(q_, S(q.y()));
  const auto columns = static_cast<std::size_t>(q_) + 1;
  std::array<Vec<S, C>, static_cast<std::size_t>(jet_size(Order))> h;
  for (auto& term : h) term.setConstant(S(0.0));
  for (std::size_t i = 0; i <= static_cast<std::size_t>(p_); ++i) {
    // First along v: rows[l] = Σ_j net[i][j] B_j^(l)(v); then along u.
    std::array<Vec<S, C>, Order + 1> rows;
    for (auto& row : rows) row.setConstant(S(0.0));
    for (std::size_t j = 0; j < columns; ++j) {
      const StoredPoint& point = points_[i * columns + j];
      for (std::size_t l = 0; l <= Order; ++l)
        for (int x = 0; x < C; ++x)
          rows[l](x) = rows[l](x) + S(point[static_cast<std::size_t>(x)]) * Bv[l][j];
    }
    for (int l = 0; l <= Order; ++l) {
      for (int k = 0; k + l <= Order; ++k) {
        auto& term = h[static_cast<std::size_t>(jet_index(k, l))];
        const S& b = Bu[static_cast<std::size_t>(k)][i];
        for (int x = 0; x < C; ++x) term(x) = term(x) + b * rows[static_cast<std::size_t>(l)](x);
      }
    }
  }
  return detail::projected<Order, C>(h);
}

template <int Order, class S>
Jet<S, Order> TrianglePatch::jet(const Uv<S>& q) const {
  return rational_ ? evaluate<Order, 4>(q) : evaluate<Order, 3>(q);
}

// De Casteljau's algorithm: the differences of the net that is left at degree k, times
// n! / (n − k)!, are the derivatives of order k.
template <int Order, int C, class S>
Jet<S, Order> TrianglePatch::evaluate(const Uv<S>& q) const {
  constexpr std::size_t kRoom = std::size_t{kMaxDegree + 1} * (kMaxDegree + 2) / 2;
  constexpr double kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  const S u = q.x(), v = q.y(), w = S(1.0) - u - v;
  std::array<Vec<S, C>, static_cast<std::size_t>(jet_size(Order))> h;
  for (auto& term : h) term.setConstant(S(0.0));
  std::array<Vec<S, C>, kRoom> b;
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (int x = 0; x < C; ++x) b[i](x) = S(points_[i][static_cast<std::size_t>(x)]);
  for (int m = n_; m >= 0; --m) {
    if (m <= Order) {
      double factor = 1;
      for (int f = 0; f < m; ++f) factor *= n_ - f;
      for (int j = 0; j <= m; ++j) {  // Δ_u^(m−j) Δ_v^j
        auto& term = h[static_cast<std::size_t>(jet_index(m - j, j))];
        for (int k = 0; k <= m - j; ++k) {
          for (int l = 0; l <= j; ++l) {
            const double sign = (m - k - l) % 2 == 0 ? 1 : -1;
            const S c = S(sign * factor * kBinomial[m - j][k] * kBinomial[j][l]);
            const auto& point = b[static_cast<std::size_t>(index(m, k, l))];
            for (int x = 0; x < C; ++x) term(x) = term(x) + c * point(x);
          }
        }
      }
    }
    // One degree down, in place: every point is written where none is needed any more.
    std::size_t to = 0, from = 0;
    for (int j = 0; j < m; ++j, ++from) {
      const auto above = from + static_cast<std::size_t>(m - j) + 1;
      for (int i = 0; i + j < m; ++i, ++to, ++from) {
        const auto& bv = b[above + static_cast<std::size_t>(i)];
        for (int x = 0; x < C; ++x) b[to](x) = w * b[from](x) + u * b[from + 1](x) + v * bv(x);
      }
    }
  }
  return detail::projected<Order, C>(h);
}

}  // namespace oloid::geometry
