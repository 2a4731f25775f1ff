// Everything on a body that another body can touch: its surface, the edges where the surface is
// sharp or ends, and the vertices where edges meet; and how a contact passes from one to another.
//
// A feature carries a contact while the outward direction ν lies in its normal cone: while ν makes
// no acute angle with any way that leads from it into a larger feature. docs/theory/proximity.md.
//
// Edges that continue smoothly into each other have no vertex between them. An edge whose faces
// become coplanar towards its end passes into the surface there. Tips of cones are vertices.
// Where an edge runs into a notch, into another part of the body, it ends without one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "oloid/contact/feature.h"
#include "oloid/contact/placed_shape.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/proximity/spot.h"

namespace oloid::proximity {

class TouchableBody {
 public:
  explicit TouchableBody(PlacedShape side);                           // with its edges and vertices
  explicit TouchableBody(Curve wire, const Pose<double>& X_BS = {});  // and its corners and ends
  explicit TouchableBody(const std::vector<Vec3<double>>& points);    // in the body's frame

  const PlacedShape* side() const {
    return side_ ? &*side_ : nullptr;
  }  // none for wires and points
  int curves() const { return static_cast<int>(curves_.size()); }
  int vertices() const { return static_cast<int>(vertices_.size()); }
  const Curve& path(int i) const { return curve(i).edge.curve; }  // in the shape's frame
  const Pose<double>& X_BS() const { return X_BS_; }
  // [m], bounding radius about the middle; infinite for unbounded shapes, 0 for one point.
  double size() const { return size_; }

  // In the body's frame. Does not allocate.
  LocalFeature<double> at(const Spot& spot) const;

  // The spot after a displacement s along the feature's tangents, on the feature or, if it runs
  // over its border, on the one beyond: a smaller feature, or the next of the same kind. None where
  // a surface ends without one. Does not allocate.
  std::optional<Spot> moved(const Spot& from, const LocalFeature<double>& at,
                            const Vec2<double>& s) const;

  // The larger feature that takes over if ν, an outward unit direction in the body's frame, has
  // left the spot's normal cone by more than `slack` [rad]; none while it is inside. A surface
  // keeps what it has. Does not allocate.
  std::optional<Spot> larger(const Spot& spot, const Vec3<double>& nu, double slack = 1e-9) const;

  // Starts for a search: spots spread over all features.
  std::vector<Spot> seeds() const;
  // A spot near a point in the body's frame, of any kind.
  Spot near(const Vec3<double>& p) const;

  // A way from a vertex into a curve.
  struct Spoke {
    Vec3<double> direction;  // unit, in the body's frame, away from the vertex
    int curve;
    CurveLocation at;  // the end of a piece
  };
  std::span<const Spoke> spokes(int vertex) const;
  // An edge at a place: its point and normals in the body's frame. None for wires.
  std::optional<EdgeSection> section(int curve, double s) const;

 private:
  // What lies beyond the end of a piece of a curve next to t, where the curve does not continue by
  // itself.
  struct End {
    int vertex = -1;        // none
    int next = -1;          // a curve that continues smoothly
    CurveLocation next_at;  // from this end of a piece of it
  };
  struct CurveFeature {
    Edge edge;          // in the shape's frame; a wire has no faces
    int first_end = 0;  // two for each piece
    int first_sample = 0, samples = 0;
  };
  struct Sample {
    CurveLocation at;
    Vec3<double> p;  // [m], in the body's frame
  };
  struct Vertex {
    Vec3<double> p;  // [m], in the body's frame
    int first_spoke = 0, spokes = 0;
    int tip = -1;  // none
  };
  struct Nearest {
    Spot spot;
    double distance;  // [m]
  };
  class Builder;  // features_make.cpp

  const CurveFeature& curve(int i) const { return curves_[static_cast<std::size_t>(i)]; }
  const Vertex& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  int end_index(int curve_index, const CurveLocation& q) const {
    return curve(curve_index).first_end + 2 * q.piece + (q.t > 0.5 ? 1 : 0);
  }
  const End& end(int curve_index, const CurveLocation& q) const {
    return ends_[static_cast<std::size_t>(end_index(curve_index, q))];
  }
  LocalFeature<double> on_surface(const Location& q) const;
  std::optional<Spot> moved_on_surface(Location q, const LocalFeature<double>& at,
                                       const Vec2<double>& s) const;
  std::optional<Spot> moved_on_curve(int index, CurveLocation q) const;
  std::optional<Spot> beyond_end(int index, const CurveLocation& q) const;
  std::optional<Spot> at_border(int chart, const Vec3<double>& p, double reach) const;
  std::optional<Spot> at_tip(const Vec3<double>& p, double reach) const;
  Nearest nearest_on(int index, const Vec3<double>& p) const;
  bool carries(int index, double s) const;
  std::optional<Spot> flank_of(const Spot& spot, const Vec3<double>& nu, double slack) const;
  std::optional<Spot> spoke_of(const Spot& spot, const Vec3<double>& nu, double slack) const;
  struct Way {
    Location at;
    Vec3<double> direction;  // unit, in the body's frame
  };
  Way way_off_tip(const Vertex& vertex, double s) const;
  std::optional<Way> best_way_off_tip(const Vertex& vertex, const Vec3<double>& nu,
                                      double least) const;
  std::optional<Spot> face_at_corner(const Spoke& spoke, const Vec3<double>& nu,
                                     double slack) const;

  std::optional<PlacedShape> side_;
  Pose<double> X_BS_;
  bool placed_ = false;  // X_BS is not the identity
  double size_ = 0;
  double scale_ = 1;  // [m], the size, or 1 m if that is 0 or infinite
  std::vector<CurveFeature> curves_;
  std::vector<End> ends_;
  std::vector<Sample> samples_;
  std::vector<Vertex> vertices_;
  std::vector<Tip> tips_;  // in the shape's frame
  std::vector<Spoke> spokes_;
  // Edges beside each chart of the surface: of chart i from first_beside_[i] to the next.
  std::vector<int> first_beside_, beside_;
};

}  // namespace oloid::proximity
