// A surface of Bezier patches glued along their sides: one patch, a NURBS surface, a whole body.
//
// Each patch is a chart over its square, triangle or regular polygon. Sides with the same border
// curve are glued, a side also to two half as long: found by comparing the curves, or declared. A
// contact crosses a seam a little beyond it (1e-10 of a patch if G2, else 1e-13), so that it lies
// inside the next patch by as much and one that runs along a seam does not chatter. Around a corner
// it crosses side by side, always the way it is heading, or counter-clockwise if it leaves exactly
// through the corner. Sharp seams (G0), free sides, trimmed edges and sides that have shrunk to a
// point are where the surface ends for a contact. docs/theory/surfaces.md eqs. S1 to S4.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier.h"
#include "oloid/geometry/bezier/border_curve.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/bezier/patch_cap.h"
#include "oloid/geometry/bezier/trimming.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/ball_tree.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"
#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {

struct ChartSegment;
struct Edge;
struct Tip;
struct TrimmingFlank;

// One patch of a patchwork, before it is glued.
struct PatchPiece {
  Patch patch;
  std::string name;  // in messages
  std::shared_ptr<const Trimming> trimming = nullptr;
  Rect within = {0, 1, 0, 1};  // the part of the trimming's plane that is this patch
  // Added to every point. A small patch far from the origin keeps its derivatives to the last digit
  // if its control points are counted from a point nearby.
  Vec3<double> origin = Vec3<double>::Zero();  // [m]
};

// The Bezier pieces of a NURBS surface, row by row.
std::vector<PatchPiece> pieces_of(const NurbsNet& surface, const std::string& name,
                                  const std::shared_ptr<const Trimming>& trimming = nullptr);

struct PatchSide {
  int patch = -1;  // -1: none
  int side = -1;
  bool valid() const { return patch >= 0; }
  friend bool operator==(const PatchSide&, const PatchSide&) = default;
};

// A part of a side, from s = from to s = to: a whole one, or a half.
struct SidePart {
  PatchSide at;
  double from = 0, to = 1;
};

// Which sides belong together.
struct Gluing {
  bool automatic = true;                            // find all sides that match
  std::vector<std::array<SidePart, 2>> declared{};  // these, whether or not others are looked for
  double tolerance = 1e-9;  // of the surface's size: how far border curves may be apart
};

// A tiny hole that sides, in counter-clockwise order round it, leave about a point: closed by a
// disc, or, if the surface is sharp there, a tip where it ends for a contact.
struct PatchHole {
  Vec3<double> point;   // [m], where they would meet
  Vec3<double> normal;  // out of the body
  std::vector<PatchSide> around{};
  bool sharp = false;
  std::vector<SidePart> across{};  // sharp: parts of sides that meet nothing but the hole
};

class Patchwork {
 public:
  static Result<Patchwork> make(std::vector<PatchPiece> pieces, const Gluing& gluing = {},
                                const std::vector<PatchHole>& holes = {});

  // What lies beyond a part of a side.
  struct Seam {
    SidePart beyond;          // invalid: the surface ends here
    double from = 0, to = 1;  // the part of this side
    double pace = 1;          // eq. S2
    Joint joint{};            // the worst along the seam
    double angle = 0;         // [rad], the largest between normals along the seam
    int cap = -1;             // beyond is a cap
    bool tip = false;         // beyond is a sharp hole
    bool open() const { return !beyond.at.valid() && cap < 0 && !tip; }
  };
  struct PlacedShape {
    std::array<Seam, 2> seams;  // in order along the side
    int parts = 1;
    bool collapsed = false;  // the side has shrunk to a point
    double slack = 0;        // how far beyond it, in (u, v), the next patch takes over
    bool open() const { return !collapsed && (seams[0].open() || (parts == 2 && seams[1].open())); }
  };
  int patches() const { return static_cast<int>(charts_.size()); }
  int caps() const { return static_cast<int>(caps_.size()); }
  const Patch& patch(int i) const { return charts_[static_cast<std::size_t>(i)].patch; }
  const PlacedShape& side(const PatchSide& at) const {
    return charts_[static_cast<std::size_t>(at.patch)].sides[static_cast<std::size_t>(at.side)];
  }
  const Seam& seam(const PatchSide& at, int part = 0) const {
    return side(at).seams[static_cast<std::size_t>(part)];
  }
  bool trimmed(int i) const { return charts_[static_cast<std::size_t>(i)].trimming != nullptr; }
  bool closed() const;  // every side is glued or has shrunk, nothing is trimmed

  // Charts are the patches, then the caps.
  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    const auto i = static_cast<std::size_t>(chart);
    if (i >= charts_.size()) return caps_[i - charts_.size()].template jet<Order>(q);
    Jet<S, Order> c = geometry::jet<Order>(charts_[i].patch, q);
    c.d(0, 0) += charts_[i].origin.template cast<S>();
    return c;
  }
  double margin(const Location& q) const;
  ChartExit leave(const Location& q) const;
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const { return seeds_; }
  double bounding_radius() const { return radius_; }
  Box box() const;
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;
  double kept(const Tile& tile, double s, double t) const;  // of a trimmed one
  std::vector<Edge> edges() const;  // sharp seams, free sides and trimmed borders
  std::vector<Tip> tips() const;    // sharp holes, and sides that have shrunk
  Location beside(const TrimmingFlank& flank, double s) const;

 private:
  static constexpr double kTip =
      1e-3;  // how near, in (u, v), a contact may come to a collapsed side

  struct Chart {
    Patch patch;
    std::string name;
    std::vector<PlacedShape> sides;
    std::shared_ptr<const Trimming> trimming;
    Rect within;
    Vec3<double> origin;
    Ball ball;  // around the patch, without the origin

    Uv<double> trimming_uv(const Uv<double>& q) const {
      return {within.u0 + q.x() * (within.u1 - within.u0),
              within.v0 + q.y() * (within.v1 - within.v0)};
    }
    Uv<double> patch_uv(const Uv<double>& plane) const {
      return {(plane.x() - within.u0) / (within.u1 - within.u0),
              (plane.y() - within.v0) / (within.v1 - within.v0)};
    }
    PlacedShape& side(int i) { return sides[static_cast<std::size_t>(i)]; }
    const PlacedShape& side(int i) const { return sides[static_cast<std::size_t>(i)]; }
  };
  const Chart& chart(int i) const { return charts_[static_cast<std::size_t>(i)]; }
  Chart& chart(int i) { return charts_[static_cast<std::size_t>(i)]; }
  bool is_cap(const Location& q) const { return q.chart.index >= patches(); }
  const PatchCap& cap(const Location& q) const {
    return caps_[static_cast<std::size_t>(q.chart.index - patches())];
  }
  BorderCurve border(const SidePart& part) const;
  std::string name(const SidePart& part) const;
  static double side_margin(const Chart&, int side, const Uv<double>& q);
  static int nearest_side(const Chart&, const Uv<double>& q);
  static const Seam& seam_at(const PlacedShape&, double s);
  struct Beyond {
    Location at;
    MeasuredJoint measured;
  };
  Beyond across(const Location& q, int side) const;
  Beyond off_cap(const Location& q) const;
  bool is_trimmed_off(const Location& q) const;
  Location in_trimming(ChartId here, const Uv<double>& plane) const;
  bool is_kept_beside(const PatchSide& at, double s) const;
  bool is_no_border_of_loop(int patch, const Uv<double>& q) const;
  void add_cuts(const PatchSide& at, std::vector<double>& cuts) const;
  Edge border_edge(const SidePart& part) const;
  void add_seam_edges(const PatchSide& at, const Seam& seam, std::vector<Edge>& edges) const;
  void add_loop_edges(const std::shared_ptr<const Patchwork>& self, int patch,
                      std::vector<Edge>& edges) const;
  ChartSegment beside_tip(const PatchSide& at, double off) const;
  std::optional<Error> glue(const Gluing& gluing);
  std::optional<Error> join(const SidePart& a, const SidePart& b, double tolerance);
  std::optional<Error> check_regular(const Chart& chart) const;
  Seam& take(const SidePart& part);
  void measure(const SidePart& part);
  void close(const PatchHole& hole);
  void end_at(const PatchHole& hole);
  SurfaceIntegral lid(const PatchHole& hole, const Vec3<double>& origin) const;
  void place_seeds();
  void place_seeds(int patch, int n);

  std::vector<Chart> charts_;
  std::vector<PatchCap> caps_;
  std::vector<PatchHole> holes_;
  std::vector<Location> seeds_;
  BallTree seed_points_;  // [m]
  double size_ = 0;       // [m], half the diagonal of the box
  double radius_ = 0;     // [m], about the origin
  int degree_ = 1;        // the highest of any patch
};

}  // namespace oloid::geometry
