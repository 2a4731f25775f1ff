// S-patches [LoopDeRose89]: Bezier surfaces with 3 to 10 sides, polynomial or rational in their
// net.
//
// The domain is the regular n-gon (patch_domain.h). With α_j the distance from its side j, positive
// inside, a point p of it has the coordinates
//   l_k(p) = π_k / Σ π,   π_k = Π α_j over the sides j that do not meet corner k:
// they are 1 at corner k and 0 on all sides that do not meet it, their sum is 1 and Σ l_k corner_k
// is p. An S-patch of depth d is a Bezier simplex of degree d in them,
//   c(p) = Σ_i h_i (d over i) l_1^(i_1) ⋯ l_n^(i_n),   i_1 + ⋯ + i_n = d.
// So side k, from corner k to the next, is the Bezier curve of degree d of the points between the
// two. Σ π depends on |p| alone; it vanishes first at |p| = cos(π/n) / cos(2π/n): 2.6 for n = 5,
// 1.31 for 8, 1.18 for 10, never for 3 and 4. Up to there the jets are those of the surface.
// Weights that differ may let the quotient's denominator vanish earlier. docs/theory/surfaces.md,
// section S-patches.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/bezier/patch_domain.h"
#include "oloid/geometry/bezier/patch_points.h"
#include "oloid/geometry/core/box.h"

namespace oloid::geometry {

class SPatch {
 public:
  static constexpr int kMostSides = PatchDomain::kMostSides, kMostDepth = 5;

  // A control point goes with a list of `depth` corners, in any order: {0, 0, 1} is the one with
  // l_0² l_1. Points are kept in dictionary order of their sorted lists: of depth 2
  //   00 01 02 ... 11 12 ... 22 ...
  using Corners = std::vector<int>;
  SPatch(int sides, int depth, const std::vector<Vec<double, 4>>& points);

  const PatchDomain& domain() const { return *domain_; }
  int sides() const { return domain_->sides(); }
  int depth() const { return depth_; }
  bool rational() const { return rational_; }  // whether weights differ
  const std::vector<StoredPoint>& points() const { return points_; }
  Vec<double, 4> point(const Corners& corners) const;
  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const;

  BezierCurve<3> side_curve(int side) const;
  // What part_box of bezier.h says.
  Box part_box(const Uv<double>& low, const Uv<double>& high) const;

  static std::size_t count(int sides, int depth);  // control points: (n + d − 1 over d)
  static std::vector<Corners> all_corners(int sides, int depth);
  static std::size_t index(int sides, Corners corners);

 private:
  // Where the points with one corner more are kept: above[degree][i n + k] is point i of that
  // degree with corner k.
  using Above = std::array<std::vector<std::uint16_t>, kMostDepth>;
  static const Above& above(int sides);

  template <int Order, int C, std::size_t Room, class S>
  Jet<S, Order> evaluate(const Uv<S>& q) const;

  const PatchDomain* domain_;
  const Above* above_;
  int depth_;
  bool rational_;
  std::vector<StoredPoint> points_;
};

namespace detail {

// Truncated power series of a function about a point: term jet_index(i, j) goes with u^i v^j.
template <class S, int Order>
using Series = ScalarJet<S, Order>;

template <int Order, class S>
Series<S, Order> product(const Series<S, Order>& f, const Series<S, Order>& g) {
  constexpr auto at = [](int i, int j) { return static_cast<std::size_t>(jet_index(i, j)); };
  Series<S, Order> h;
#pragma GCC unroll 4
  for (int i = 0; i <= Order; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j <= Order - i; ++j) {
      S sum = f[0] * g[at(i, j)];
#pragma GCC unroll 4
      for (int k = 0; k <= i; ++k) {
#pragma GCC unroll 4
        for (int m = k == 0 ? 1 : 0; m <= j; ++m) sum = sum + f[at(k, m)] * g[at(i - k, j - m)];
      }
      h[at(i, j)] = sum;
    }
  }
  return h;
}

// f times a linear function with value a and constant slopes.
template <int Order, class S>
Series<S, Order> times_linear(const Series<S, Order>& f, const S& a, const Uv<double>& slope) {
  constexpr auto at = [](int i, int j) { return static_cast<std::size_t>(jet_index(i, j)); };
  Series<S, Order> h;
#pragma GCC unroll 4
  for (int i = 0; i <= Order; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j <= Order - i; ++j) {
      S sum = a * f[at(i, j)];
      if (i > 0) sum = sum + S(slope.x()) * f[at(i - 1, j)];
      if (j > 0) sum = sum + S(slope.y()) * f[at(i, j - 1)];
      h[at(i, j)] = sum;
    }
  }
  return h;
}

// 1 / f: with f = f_0 (1 − x) it is (1 + x + x² + ...) / f_0, and x begins with order 1.
template <int Order, class S>
Series<S, Order> reciprocal(const Series<S, Order>& f) {
  const S inverse = S(1.0) / f[0];
  Series<S, Order> x, h;
  x[0] = S(0.0);
  h.fill(S(0.0));
  for (std::size_t t = 1; t < x.size(); ++t) x[t] = -(inverse * f[t]);
  h[0] = inverse;
  for (int order = 0; order < Order; ++order) {
    h = product<Order>(x, h);
    h[0] = inverse;
  }
  return h;
}

// The coordinates l_k with derivatives: term t of the jet, then corner k.
template <int Order, class S>
using CornerJets =
    std::array<std::array<S, SPatch::kMostSides>, static_cast<std::size_t>(jet_size(Order))>;

template <int Order, class S>
CornerJets<Order, S> corner_coordinates(const PatchDomain& domain, const Uv<S>& q) {
  const auto n = static_cast<std::size_t>(std::max(domain.sides(), 3));
  Series<S, Order> one;
  one.fill(S(0.0));
  one[0] = S(1.0);
  std::array<S, SPatch::kMostSides> distance;
  for (std::size_t j = 0; j < n; ++j) {
    const Uv<double>& inward = domain.inward(static_cast<int>(j));
    const Uv<double>& corner = domain.corner(static_cast<int>(j));
    distance[j] = S(inward.x()) * (q.x() - S(corner.x())) + S(inward.y()) * (q.y() - S(corner.y()));
  }
  const auto times = [&](const Series<S, Order>& f, std::size_t side) {
    return times_linear<Order>(f, distance[side], domain.inward(static_cast<int>(side)));
  };
  // Side k begins at corner k: corner k is met by sides k − 1 and k. The others are those before
  // k − 1 and those after k; of corner 0 all but the first and the last.
  std::array<Series<S, Order>, SPatch::kMostSides> after;  // product of the sides after k
  after[n - 1] = one;
  for (std::size_t k = n - 1; k > 0; --k) after[k - 1] = times(after[k], k);
  std::array<Series<S, Order>, SPatch::kMostSides> pi;
  Series<S, Order> before = one;  // product of the sides before k − 1
  pi[0] = one;
  for (std::size_t j = 1; j + 1 < n; ++j) pi[0] = times(pi[0], j);
  pi[1] = after[1];
  for (std::size_t k = 2; k < n; ++k) {
    before = times(before, k - 2);
    pi[k] = k + 1 < n ? product<Order>(before, after[k]) : before;
  }
  Series<S, Order> sum = pi[0];
  for (std::size_t k = 1; k < n; ++k)
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] = sum[t] + pi[k][t];
  const Series<S, Order> inverse = reciprocal<Order>(sum);
  constexpr double kFactorials[] = {1, 1, 1, 2, 1, 2, 6, 2, 2, 6};  // i! j! of the terms
  CornerJets<Order, S> l;
  for (std::size_t k = 0; k < n; ++k) {
    const Series<S, Order> coordinate = product<Order>(pi[k], inverse);
    for (std::size_t t = 0; t < l.size(); ++t) l[t][k] = S(kFactorials[t]) * coordinate[t];
  }
  return l;
}

inline double component(const StoredPoint& p, int c) { return p[static_cast<std::size_t>(c)]; }
template <class S, int C>
const S& component(const Mat<S, C, 1>& p, int c) {
  return p(c);
}

// The polar form with one argument x put in: a form of one degree less, point by point. In place if
// wanted: no point is needed any more where one is written.
template <int C, class S, class From>
void put_in(const std::vector<std::uint16_t>& above, std::size_t n, const From* from,
            const std::array<S, SPatch::kMostSides>& x, Vec<S, C>* to) {
  for (std::size_t i = 0; i * n < above.size(); ++i) {
    Vec<S, C> sum;
    sum.setConstant(S(0.0));
    for (std::size_t k = 0; k < n; ++k) {
      const From& point = from[above[i * n + k]];
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) sum(c) = sum(c) + x[k] * S(component(point, c));
    }
    to[i] = sum;
  }
}

}  // namespace detail

template <int Order, class S>
Jet<S, Order> SPatch::jet(const Uv<S>& q) const {
  // Work space for what is left after one argument: with depth 3 or five sides 70 will do.
  constexpr std::size_t kSmall = 70, kLarge = 715;
  if (depth_ == 1 || above_->at(static_cast<std::size_t>(depth_) - 1).size() <=
                         kSmall * static_cast<std::size_t>(sides()))
    return rational_ ? evaluate<Order, 4, kSmall>(q) : evaluate<Order, 3, kSmall>(q);
  return rational_ ? evaluate<Order, 4, kLarge>(q) : evaluate<Order, 3, kLarge>(q);
}

// With b the polar form of the net, c = b(l, ..., l), and by the chain rule, d being the depth,
//   c_x   = d b(l_x)
//   c_xy  = d (d − 1) b(l_x, l_y) + d b(l_xy)
//   c_xyz = d (d − 1) (d − 2) b(l_x, l_y, l_z) + d (d − 1) [b(l_x, l_yz) + b(l_y, l_xz)
//           + b(l_z, l_xy)] + d b(l_xyz),
// arguments not written being l.
template <int Order, int C, std::size_t Room, class S>
Jet<S, Order> SPatch::evaluate(const Uv<S>& q) const {
  using Point = Vec<S, C>;
  using Linear = std::array<Point, kMostSides>;
  constexpr std::size_t kQuadratic = std::size_t{kMostSides} * (kMostSides + 1) / 2;
  const auto n = static_cast<std::size_t>(sides());
  const auto l = detail::corner_coordinates<Order>(*domain_, q);
  std::array<Point, static_cast<std::size_t>(jet_size(Order))> h;
  // To the degree of the derivatives that are wanted.
  std::array<Point, Room> work;
  int degree = depth_;
  for (; degree > std::max(Order, 1); --degree) {
    const auto& above = (*above_)[static_cast<std::size_t>(degree) - 1];
    if (degree == depth_)
      detail::put_in<C>(above, n, points_.data(), l[0], work.data());
    else
      detail::put_in<C>(above, n, work.data(), l[0], work.data());
  }
  // From `from`, of that degree, to forms of degree 1 with all but one argument put in.
  Linear first;                                   // l, ..., l
  [[maybe_unused]] std::array<Linear, 2> second;  // l_u or l_v, then l
  [[maybe_unused]] std::array<Linear, 3> third;   // l_u, l_u or l_u, l_v or l_v, l_v
  const auto with = [&](int of, const auto* from, std::size_t t, Point* to) {
    detail::put_in<C>((*above_)[static_cast<std::size_t>(of) - 1], n, from, l[t], to);
  };
  const auto reduce = [&](const auto* from) {
    if (degree == 1) {
      for (std::size_t k = 0; k < n; ++k)
        for (int c = 0; c < C; ++c) first[k](c) = S(detail::component(from[k], c));
    }
    if constexpr (Order >= 2) {
      const auto from_quadratic = [&](const auto* quadratic) {
        with(2, quadratic, 0, first.data());
        for (std::size_t x = 0; x < 2; ++x) with(2, quadratic, 1 + x, second[x].data());
      };
      if (degree == 2) from_quadratic(from);
      if constexpr (Order >= 3) {
        if (degree == 3) {
          std::array<Point, kQuadratic> quadratic;
          with(3, from, 1, quadratic.data());
          with(2, quadratic.data(), 1, third[0].data());
          with(2, quadratic.data(), 2, third[1].data());
          with(3, from, 2, quadratic.data());
          with(2, quadratic.data(), 2, third[2].data());
          with(3, from, 0, quadratic.data());
          from_quadratic(quadratic.data());
        }
      }
    }
  };
  if (degree == depth_)
    reduce(points_.data());
  else
    reduce(work.data());
  // The last argument: the term t of the coordinates' jets.
  const double d = depth_;
  const auto at = [&](const Linear& form, std::size_t t, double factor) {
    Point sum;
    sum.setConstant(S(0.0));
    for (std::size_t k = 0; k < n; ++k) {
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) sum(c) = sum(c) + l[t][k] * form[k](c);
    }
    for (int c = 0; c < C; ++c) sum(c) = S(factor) * sum(c);
    return sum;
  };
  h[0] = at(first, 0, 1);
  for (std::size_t t = 1; t < h.size(); ++t) h[t] = at(first, t, d);
  if constexpr (Order >= 2) {
    constexpr std::size_t u = 1, v = 2, uu = 3, uv = 4, vv = 5;
    if (depth_ >= 2) {
      const double f = d * (d - 1);
      h[uu] += at(second[0], u, f);
      h[uv] += at(second[0], v, f);
      h[vv] += at(second[1], v, f);
      if constexpr (Order >= 3) {
        constexpr std::size_t uuu = 6, uuv = 7, uvv = 8, vvv = 9;
        h[uuu] += at(second[0], uu, 3 * f);
        h[uuv] += at(second[0], uv, 2 * f) + at(second[1], uu, f);
        h[uvv] += at(second[1], uv, 2 * f) + at(second[0], vv, f);
        h[vvv] += at(second[1], vv, 3 * f);
        if (depth_ >= 3) {
          const double g = f * (d - 2);
          h[uuu] += at(third[0], u, g);
          h[uuv] += at(third[0], v, g);
          h[uvv] += at(third[1], v, g);
          h[vvv] += at(third[2], v, g);
        }
      }
    }
  }
  return detail::projected<Order, C>(h);
}

}  // namespace oloid::geometry
