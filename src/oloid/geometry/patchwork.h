// A surface of Bezier patches glued along their sides: one patch, a NURBS surface, a whole body.
//
// Each patch is a chart over its unit square or triangle. Sides with the same border curve are
// glued: found by comparing the curves, or declared. A contact crosses a seam 1e-13 beyond it, so
// that it lies inside the next patch by as much and one that runs along a seam does not chatter.
// Around a corner it crosses side by side, always the way it is heading, or counter-clockwise if
// it leaves exactly through the corner. Sharp seams (G0), free sides, trimmed edges and sides that
// have shrunk to a point are where the surface ends for a contact.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/atlas.h"
#include "oloid/geometry/bezier.h"
#include "oloid/geometry/joint.h"
#include "oloid/geometry/nurbs.h"
#include "oloid/geometry/solid.h"
#include "oloid/geometry/tile.h"
#include "oloid/geometry/trimming.h"

namespace oloid {

// One patch of a patchwork, before it is glued.
struct PatchPiece {
  Patch patch;
  std::string name;  // in messages
  std::shared_ptr<const Trimming> trimming = nullptr;
  Rect within = {0, 1, 0, 1};  // the part of the trimming's plane that is this patch
};

// The Bezier pieces of a NURBS surface, row by row.
std::vector<PatchPiece> pieces_of(const NurbsNet& surface, const std::string& name,
                                  std::shared_ptr<const Trimming> trimming = nullptr);

struct PatchSide {
  int patch = -1;  // -1: none
  int side = -1;
  bool valid() const { return patch >= 0; }
  friend bool operator==(const PatchSide&, const PatchSide&) = default;
};

// Which sides belong together.
struct Gluing {
  bool automatic = true;                             // find all sides that match
  std::vector<std::array<PatchSide, 2>> declared{};  // these, whether or not others are looked for
  double tolerance = 1e-9;  // of the surface's size: how far border curves may be apart
};

class Patchwork {
 public:
  static Result<Patchwork> make(std::vector<PatchPiece> pieces, const Gluing& gluing = {});

  // A side of a patch and what lies beyond it.
  struct Seam {
    PatchSide beyond;        // invalid: the surface ends here
    double pace = 1;         // s' = pace (1 − s) / (s + pace (1 − s)) along the other side
    Joint joint{};           // the worst along the seam
    double angle = 0;        // [rad], the largest between normals along the seam
    bool collapsed = false;  // the side has shrunk to a point
  };
  int patches() const { return static_cast<int>(charts_.size()); }
  const Patch& patch(int i) const { return charts_[static_cast<std::size_t>(i)].patch; }
  const Seam& seam(const PatchSide& at) const {
    return charts_[static_cast<std::size_t>(at.patch)].seams[static_cast<std::size_t>(at.side)];
  }
  bool closed() const;  // every side is glued or has shrunk, nothing is trimmed

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    return oloid::jet<Order>(charts_[static_cast<std::size_t>(chart)].patch, q);
  }
  double margin(const Location& q) const;
  ChartExit leave(const Location& q) const;
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const { return seeds_; }
  double bounding_radius() const;
  Box box() const;
  Result<Solid> solid() const;
  std::vector<Tile> tiles(double reach) const;

 private:
  struct Chart {
    Patch patch;
    std::string name;
    int sides;
    std::array<Seam, 4> seams;
    std::shared_ptr<const Trimming> trimming;
    Rect within;

    Uv<double> trimming_uv(const Uv<double>& q) const {
      return {within.u0 + q.x() * (within.u1 - within.u0),
              within.v0 + q.y() * (within.v1 - within.v0)};
    }
  };
  const Chart& chart(const Location& q) const {
    return charts_[static_cast<std::size_t>(q.chart.index)];
  }
  static double side_margin(const Chart&, int side, const Uv<double>& q);
  static int nearest_side(const Chart&, const Uv<double>& q);
  struct Beyond {
    Location at;
    MeasuredJoint measured;
  };
  Beyond across(const Location& q, int side) const;
  std::optional<Error> glue(const Gluing& gluing);
  std::optional<Error> join(const PatchSide& a, const PatchSide& b, double tolerance);
  std::optional<Error> check_regular(const Chart& chart) const;
  void measure(const PatchSide& at);
  void place_seeds();

  std::vector<Chart> charts_;
  std::vector<Location> seeds_;
  std::vector<Vec3<double>> seed_points_;  // [m]
  double size_ = 0;                        // [m], half the diagonal of the box
};

}  // namespace oloid
