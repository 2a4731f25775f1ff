// Bodies f ≤ 0 with the surface f = 0, and intersections of them: f₁ ≤ 0, f₂ ≤ 0, …
//
// A location is the point itself; on an intersection the chart is the number of the face it lies
// on. Construction searches a box: cells that may hold the surface by bounds of f over them (fields
// without bounds: by signs at their corners), then Newton's method from each, with a bracket as
// soon as there is one. What is said about the whole surface (box, radius, distance_bound) is
// rigorous if the field has bounds. The body is the part of f ≤ 0 inside the box given.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/implicit/implicit_field.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

struct Edge;
struct RayHit;

// Where to look for the surface.
struct ImplicitDomain {
  Box box;
  // The surface may leave the box: a ground, a cavity. Then it is searched for in the box only, is
  // unbounded, and encloses nothing.
  bool open = false;
};

// What one face and several have in common.
class ImplicitBody {
 public:
  // A point of the surface near p; never fails. No allocation.
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const { return seeds_; }
  bool is_convex() const { return convex_; }  // proved: every f is convex over the body's box
  double bounding_radius() const { return bounding_radius_; }
  Box box() const { return domain_.open ? everywhere() : box_; }
  Result<Solid> solid() const;  // of star-shaped bodies
  // Of star-shaped bodies and of open heights over a side of the box, else none. With edges: six
  // trimmed ones for each face at most; where they meet inside a face they do not share sides.
  std::vector<Tile> tiles(double reach) const;
  Location on_tile(const CubeTile& tile, double s, double t) const;
  Location on_tile(const HeightTile& tile, double s, double t) const;
  double kept(const Tile& tile, double s, double t) const;  // of a trimmed one

  // Whether box(), bounding_radius() and distance_bound() are proved.
  bool is_certified() const { return certified_; }
  // A bound of the distance to the surface, positive outside: the true one is further from 0. 0 if
  // nothing is known. The cost is that of a few bounds of f.
  double distance_bound(const Vec3<double>& p) const;
  // The least distance between the surface and any point of a box, in the same sense: 0 if the
  // surface may pass through it, negative if the box is inside the body.
  double distance_bound(const Box& box) const;

  int faces() const { return static_cast<int>(faces_.size()); }
  const ImplicitField& field(int face) const { return faces_[static_cast<std::size_t>(face)]; }
  // From where all rays meet the surface once, as far as seen.
  const std::optional<Vec3<double>>& star_centre() const { return star_centre_; }

 protected:
  ImplicitBody() = default;
  static Result<ImplicitBody> search(std::vector<ImplicitField> faces,
                                     const ImplicitDomain& domain);

  double margin_against_others(int face, const Vec3<double>& p) const;
  Vec3<double> nearest_edge(int face, const Vec3<double>& p) const;
  std::vector<Edge> traced_edges() const;

 private:
  class Search;
  // Where a ray from inside leaves the body, or one face of it alone, perhaps beyond its edges.
  RayHit ray(const Vec3<double>& origin, const Vec3<double>& direction) const;
  RayHit ray_to_face(int face, const Vec3<double>& origin, const Vec3<double>& direction) const;
  std::vector<Tile> trimmed_tiles() const;
  bool is_star_shaped_about(const Vec3<double>& centre) const;
  double distance_bound_of_face(const ImplicitField& f, const Box& box) const;
  bool is_shown_convex() const;
  std::optional<Vec3<double>> kink() const;  // a place on the surface where a formula has one

  std::vector<ImplicitField> faces_;
  ImplicitDomain domain_;
  Box box_;                     // contains the part of the surface inside the domain
  double size_ = 1;             // [m], half of the box's diagonal
  double bounding_radius_ = 0;  // [m]
  bool certified_ = false, convex_ = false;
  std::vector<Location> seeds_;
  std::optional<Vec3<double>> star_centre_;
};

// One smooth face.
class Implicit : public ImplicitBody {
 public:
  static Result<Implicit> make(ImplicitField f, const ImplicitDomain& domain);
  static Result<Implicit> make(const Metaballs& f) { return make(f, {f.box()}); }

  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const {
    return field(0).implicit_jet(p);
  }
  double margin(const Location&) const { return 1; }  // never left
  ChartExit leave(const Location& q) const { return Crossing{q, Joint::G2}; }

 private:
  explicit Implicit(ImplicitBody body) : ImplicitBody(std::move(body)) {}
};

// Several faces, with edges where they meet.
class ImplicitIntersection : public ImplicitBody {
 public:
  // Refused also: a face that has no part of the surface.
  static Result<ImplicitIntersection> make(std::vector<ImplicitField> faces,
                                           const ImplicitDomain& domain);

  template <class S>
  ImplicitJet<S> implicit_jet(int face, const Vec3<S>& p) const {
    return field(face).implicit_jet(p);
  }
  // How far inside all other faces, in parts of the size: −max f_j / (|∇f_j| size).
  double margin(const Location& q) const { return margin_against_others(q.chart.index, q.x); }
  ChartExit leave(const Location& q) const {
    return OpenEdge{{q.chart, nearest_edge(q.chart.index, q.x)}, Border::edge};
  }
  std::vector<Edge> edges() const;  // arcs, traced when the body was made

 private:
  explicit ImplicitIntersection(ImplicitBody body);
  std::shared_ptr<const std::vector<Edge>> edges_;
};

}  // namespace oloid::geometry
