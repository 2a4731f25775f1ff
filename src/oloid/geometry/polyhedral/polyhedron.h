// The surface of a union of convex polyhedra: flat charts, sharp edges.
//
// Each face is a chart with Cartesian coordinates about its middle, scaled by a power of two so
// that its farthest corner is between 1/2 and 1 away. Parts may touch and overlap; what of a face
// lies inside another part, or against it, is not part of the surface. Where two faces of different
// parts lie in one plane a contact crosses from one to the other; all other borders are where the
// surface ends for it: sharp edges, and notches, where a face runs into another part.
// docs/theory/surfaces.md eqs. S5 to S7.
#pragma once

#include <span>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"
#include "oloid/geometry/polyhedral/convex_polyhedron.h"

namespace oloid::geometry {

class Polyhedron {
 public:
  static Result<Polyhedron> make(std::vector<ConvexPolyhedron> parts);

  // Each part of the cage by itself; with `hull` the hull of each part's vertices.
  static Result<Polyhedron> make(const Cage& cage, bool hull = false, double tolerance = kFlatness);

  std::span<const ConvexPolyhedron> parts() const { return parts_; }
  int charts() const { return static_cast<int>(charts_.size()); }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    const Chart& at = charts_[static_cast<std::size_t>(chart)];
    const Mat<S, 3, 2> axes = at.axes.template cast<S>();
    Jet<S, Order> c;
    for (auto& term : c.terms) term.setZero();
    c.d(0, 0) = at.origin.template cast<S>() + axes * q;
    if constexpr (Order >= 1) {
      c.d(1, 0) = axes.col(0);
      c.d(0, 1) = axes.col(1);
    }
    return c;
  }
  double margin(const Location& q) const;
  ChartExit leave(const Location& q) const;
  Location near(const Vec3<double>& p) const;  // the nearest point, or one just inside its face
  std::vector<Location> seeds() const;
  bool is_convex() const { return parts_.size() == 1; }
  double bounding_radius() const;
  Box box() const;
  // Parts that overlap count once. Refused if too many do so at one place.
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;
  // Where two faces of a part meet outside all other parts; not the notches between parts.
  std::vector<Edge> edges() const;

 private:
  // a·(u, v) ≤ b, with a of length 1.
  struct Line {
    Vec2<double> a;
    double b;
    double beyond(const Uv<double>& q) const { return a.dot(q) - b; }
  };
  struct Range {
    int first = 0, count = 0;
  };
  // A convex region of a face that lies in another part.
  struct Cover {
    Range lines;
    bool flush;  // the other part's surface goes on there, in the same plane
  };
  struct Chart {
    Vec3<double> origin;     // [m]
    Mat<double, 3, 2> axes;  // [m], of length `scale` and at right angles
    Vec3<double> normal;
    double scale;  // [m]
    int part, face;
    Range outline, lines, covers, flush;
    double slack;  // how far beyond its borders another flush face takes over
  };
  // A convex region of a face that belongs to the surface.
  struct Piece {
    int chart;
    std::vector<Uv<double>> corners;
    Uv<double> middle;
  };

  template <class T>
  static std::span<const T> part_of(const std::vector<T>& all, const Range& range) {
    return std::span(all).subspan(static_cast<std::size_t>(range.first),
                                  static_cast<std::size_t>(range.count));
  }
  Chart& chart(int i) { return charts_[static_cast<std::size_t>(i)]; }
  const Chart& chart(int i) const { return charts_[static_cast<std::size_t>(i)]; }
  Uv<double> coordinates(const Chart& chart, const Vec3<double>& p) const;
  double deepest(const Cover& cover, const Uv<double>& q) const;
  void add_chart(int part, int face);
  bool add_cover(Chart& chart, int other_part);
  void set_flush(int chart, const std::vector<std::vector<int>>& charts_of);
  bool cut_pieces(int chart);

  std::vector<ConvexPolyhedron> parts_;
  std::vector<Chart> charts_;  // of all faces of all parts
  std::vector<Uv<double>> outlines_;
  std::vector<Line> lines_;
  std::vector<Cover> covers_;
  std::vector<int> flush_;  // charts in the same plane
  std::vector<Piece> pieces_;
  double distance_ = 0;  // [m], what counts as touching
};

}  // namespace oloid::geometry
