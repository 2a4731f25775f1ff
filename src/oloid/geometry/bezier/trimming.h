// The part of a parameter rectangle that trimming loops leave over: which points are kept, and how
// far it is to the border.
//
// A loop is a closed chain of rational Bezier curves. Counter-clockwise loops enclose what is kept,
// clockwise ones are holes, an island in a hole is counter-clockwise again: what is kept lies to
// the left of every curve. If no loop runs counter-clockwise, the rectangle is the outer border.
//
// Distances are Euclidean in the plane in which the rectangle is the unit square,
// ((u − u0) / (u1 − u0), (v − v0) / (v1 − v0)). Queries allocate nothing; they look at boxes
// around pieces of the border, and closer only at those which are near.
#pragma once

#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

struct Rect {
  double u0, u1, v0, v1;
};

using TrimmingLoop = std::vector<BezierCurve<2>>;

// The closed polygon through the points, the last joined to the first.
TrimmingLoop polygon_loop(const std::vector<Uv<double>>& points);

class Trimming {
 public:
  static Result<Trimming> make(const Rect& domain, std::vector<TrimmingLoop> loops);

  const Rect& domain() const { return domain_; }
  const std::vector<TrimmingLoop>& loops() const { return loops_; }  // as given
  double area() const { return area_; }  // of what is kept, in units of u times v

  bool inside(const Uv<double>& q) const;
  // Positive where inside, negative outside, 0 on the border; Lipschitz constant 1 in the scaled
  // plane.
  double signed_distance(const Uv<double>& q) const;
  // The point of the border from which the distance is measured: one of them if there are many.
  Uv<double> nearest_on_border(const Uv<double>& q) const;

 private:
  using Point = Vec2<double>;  // in the scaled plane, as everything below

  // A part of a curve that turns by no more than a right angle or so.
  struct Piece {
    Point low, high;           // box of the control points
    Point start, end;          // the very numbers of the neighbours
    std::size_t first, count;  // control points (w p, w) in points_
  };
  struct Block {  // of pieces that follow each other, within one box
    Point low, high;
    std::size_t begin, end;
  };
  struct Nearest {
    double squared;  // distance
    Point offset;    // from the asking point to the border
    Point tangent;   // there, of any length
    bool on_curve;   // the distance is stationary along the curve: not at an end of a piece
  };

  Trimming() = default;
  Point scaled(const Uv<double>& q) const { return (q - low_).cwiseQuotient(size_); }
  int winding(const Point& q) const;
  Nearest nearest(const Point& q) const;

  Rect domain_{};
  std::vector<TrimmingLoop> loops_;
  Uv<double> low_, size_;
  double area_ = 0;
  std::vector<Block> blocks_;
  std::vector<Piece> pieces_;
  std::vector<Vec3<double>> points_;

  friend struct TrimmingSearch;
};

}  // namespace oloid::geometry
