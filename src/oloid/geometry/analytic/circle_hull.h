// Convex hulls of two circles, the oloid among them, and the sphericon: developable bodies.
//
// Charts:
// - Strips of segments between the circles (ruling_strip.h): u along the circles, v from 0 on the
//   first to 1 on the second. Strips end where the arc of a circle ends; there, and only there,
//   |c_u| = 0 and the curvature is infinite. Seams between strips are smooth (G2).
// - Discs, where all of a circle's plane touches: points (u a + v b) r about its centre.
// - Half cones of the sphericon: (1 − v) apex + v circle; glued along rulings, where the curvature
//   jumps (G1). The surface ends 1e-3 of the ruling before the apex.
// Edges are the arcs v = 0 and v = 1, where the surface ends for a contact.
// docs/theory/surfaces.md eqs. H1 to H4; [DirnboeckStachel97] for the oloid.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/analytic/ruling_strip.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

struct Circle {
  Vec3<double> centre = Vec3<double>::Zero();  // [m]
  Vec3<double> axis = Vec3<double>::UnitZ();   // of any length
  double radius = 1;                           // [m]
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
  Location beside(const HullFlank& flank, double s) const;
  Location on_tile(const StripTile& tile, double s, double t) const;
  Location on_tile(const SectorTile& tile, double s, double t) const;

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
  void ladder(std::size_t loop, std::vector<Tile>& tiles) const;

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
