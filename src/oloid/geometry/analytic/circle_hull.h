// Convex hulls of two circles, the oloid among them, and the sphericon: developable bodies.
//
// A plane that touches both circles from outside touches their hull along the segment between the
// two points. With n its normal, p_i and q_i the components of n in the plane of circle i,
// s_i = |(p_i, q_i)|, the points are x_i = c_i + r_i (p_i a_i + q_i b_i) / s_i, and the planes are
//   F(n) = n·(x₂ − x₁) = (c₂ − c₁)·n + r₂ s₂ − r₁ s₁ = 0,     ∇F = x₂ − x₁,
// curves on the sphere of normals, regular as long as no segment shrinks to a point. F < 0 where
// the first circle alone is touched.
//
// Charts:
// - Strips: n = n₀ + x τ + y(x) ν, τ along F = 0, y by Newton's method; x runs evenly with u from 0
//   to 1, and v from 0 on the first circle to 1 on the second: (1 − v) x₁ + v x₂. Strips end where
//   the arc of a circle ends; there, and only there, |c_u| = 0 and the curvature is infinite.
//   Seams between strips are smooth (G2).
// - Discs, where all of a circle's plane touches: points (u a + v b) r about its centre.
// - Half cones of the sphericon: (1 − v) apex + v circle; glued along rulings, where the curvature
//   jumps (G1). The surface ends 1e-3 of the ruling before the apex.
// Edges are the arcs v = 0 and v = 1, where the surface ends for a contact.
// docs/theory/surfaces.md eqs. H1 to H4; [DirnboeckStachel97] for the oloid.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "oloid/base/interval_linalg.h"
#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/series.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

struct Circle {
  Vec3<double> centre = Vec3<double>::Zero();  // [m]
  Vec3<double> axis = Vec3<double>::UnitZ();   // of any length
  double radius = 1;                           // [m]
};

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

// The flat face inside a circle; n points out of the body.
struct DiscFace {
  FramedCircle rim;

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    for (int i = 0; i < 3; ++i) {
      const double a = rim.radius * rim.a(i), b = rim.radius * rim.b(i);
      c.d(0, 0)(i) = S(rim.centre(i)) + S(a) * q.x() + S(b) * q.y();
      if constexpr (Order >= 1) {
        c.d(1, 0)(i) = S(a);
        c.d(0, 1)(i) = S(b);
      }
    }
    return c;
  }
};

// Half a cone: from its apex to a half circle, from `from` by half a turn.
struct HalfCone {
  static constexpr double kTip = 1e-3;

  Vec3<double> apex;
  Winding rim;

  template <int Order, class S>
  Jet<S, Order> jet(const Uv<S>& q) const {
    const auto x = geometry::jet<Order>(rim, S(q.x()));
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    for (int k = 0; k <= Order; ++k) {
      Vec3<S> ruling = x[static_cast<std::size_t>(k)];
      if (k == 0)
        for (int i = 0; i < 3; ++i) ruling(i) = ruling(i) - S(apex(i));
      c.d(k, 0) = q.y() * ruling;
      if (k < Order) c.d(k, 1) = ruling;
    }
    for (int i = 0; i < 3; ++i) c.d(0, 0)(i) = S(apex(i)) + c.d(0, 0)(i);
    return c;
  }
};

class CircleHull {
 public:
  // Refused: circles in one plane, a circle that touches the plane of the other from one side,
  // circles that meet on the surface of the hull.
  static Result<CircleHull> of_circles(const Circle& first, const Circle& second);
  // Two circles of one radius in perpendicular planes, centred at y = ∓distance / 2: the first in
  // the plane z = 0, the second in x = 0. The oloid has distance = radius; with √2 radius the
  // centre stays at one height over a plane that it rolls on.
  static Result<CircleHull> oloid(double radius, double distance);
  static Result<CircleHull> oloid(double radius) { return oloid(radius, radius); }
  // The hull of two half circles about the origin, one in x ≤ 0 of the plane z = 0, one in x ≥ 0 of
  // y = 0. Each ends at the apexes of the cones over the other: (0, 0, ±r) and (0, ±r, 0).
  static Result<CircleHull> sphericon(double radius);

  int charts() const { return static_cast<int>(charts_.size()); }
  int strips() const { return count<RulingStrip>(); }
  int discs() const { return count<DiscFace>(); }
  int cones() const { return count<HalfCone>(); }
  const RulingStrip* strip(int chart) const { return face<RulingStrip>(chart); }  // if it is one
  bool is_cone(int chart) const { return face<HalfCone>(chart) != nullptr; }
  bool is_disc(int chart) const {
    return std::holds_alternative<DiscFace>(charts_[static_cast<std::size_t>(chart)].face);
  }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    return std::visit([&](const auto& face) { return face.template jet<Order>(q); },
                      charts_[static_cast<std::size_t>(chart)].face);
  }
  double margin(const Location& q) const;
  ChartExit leave(const Location& q) const;
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  bool is_convex() const { return true; }
  double bounding_radius() const { return radius_; }
  Box box() const { return box_; }
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;
  std::vector<Edge> edges() const;
  std::vector<Tip> tips() const;  // of cones

 private:
  struct Chart {
    std::variant<RulingStrip, DiscFace, HalfCone> face;
    std::array<int, 2> beyond{-1, -1};  // chart across u = 0 and u = 1
    // The arc of the first or second circle ends at u = 0 or 1: indexed by circle, then end.
    std::array<std::array<bool, 2>, 2> arc_ends{};
  };
  // All strips between normals of one closed curve, in order.
  struct Loop {
    int first = 0, count = 0;
    // For each circle: the strips (counted from `first`) where its arc ends, or none.
    std::array<std::vector<int>, 2> turns{};
  };
  // The strips beside an arc of a circle, in the order of u; the angle runs evenly from `from`.
  struct Run {
    int loop = 0, first = 0, count = 0;  // strips, counted from the loop's first, cyclic
    double from = 0, to = 0;             // [rad]
    bool upper = true;                   // which of the two tangent planes
    bool closed = false;                 // once round the circle
  };
  template <class F>
  int count() const {
    int n = 0;
    for (const Chart& chart : charts_) n += std::holds_alternative<F>(chart.face) ? 1 : 0;
    return n;
  }
  template <class F>
  const F* face(int chart) const {
    return std::get_if<F>(&charts_[static_cast<std::size_t>(chart)].face);
  }
  Vec3<double> point(const Location& q) const {
    return jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0);
  }
  std::optional<Error> add_loop(const std::vector<Vec3<double>>& trace);
  void add_runs(std::size_t circle, std::size_t loop);
  void add_disc(std::size_t circle, double side);
  Vec3<double> tangent_plane(std::size_t circle, double angle, bool upper) const;
  double place(std::size_t circle, const Run& run, double angle) const;
  Location inside(std::size_t loop, double U, double v) const;
  double angle_at(const Run& run, double phase) const;
  std::vector<double> stations(const Run& run) const;
  void ladder(const std::shared_ptr<const CircleHull>& hull, std::size_t loop,
              std::vector<Tile>& tiles) const;

  CircleHull() = default;
  std::vector<Chart> charts_;
  SupportPair pair_;
  std::vector<Loop> loops_;
  std::array<std::vector<Run>, 2> runs_;
  std::array<int, 2> disc_of_{-1, -1};  // chart of a circle's face
  double size_ = 0, radius_ = 0;        // [m]
  Box box_;
};

}  // namespace oloid::geometry
