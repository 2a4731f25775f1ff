// Whether two convex polyhedra overlap, tracked from step to step by a witness. [Baraff90] section
// 9.
//
// A witness of separation is a face, or an edge of each body, that spans a plane with the bodies on
// both sides; one of overlap is an edge that meets the interior of the other body. While the bodies
// move a little it usually remains one, and checking it is enough: a hit. If it does not, all
// candidates are searched: a miss.
#pragma once

#include <cstdint>
#include <optional>

#include "oloid/geometry/polyhedral/convex_polyhedron.h"
#include "oloid/spatial/pose.h"

namespace oloid::proximity {

struct Witness {
  enum class Kind { none, face_of_A, face_of_B, edge_pair, edge_of_A, edge_of_B };
  Kind kind = Kind::none;
  int A = -1, B = -1;    // face or edge of each
  bool flipped = false;  // of two edges: the normal is −a × b
};
const char* name(Witness::Kind);

struct Overlap {
  bool separated = false;  // or touching
  Witness witness;         // none: touching along faces and edges only, or not asked yet
  // Of the plane, from B to A: the least of A minus the most of B along its normal. Never more than
  // the distance. While the bodies overlap, of the plane that was best when last searched for.
  double separation = 0;         // [m]
  Vec3<double> normal{0, 0, 1};  // of that plane, unit, in B's frame
  bool hit = false;              // of this update
};

class WitnessCache {
 public:
  // The bodies are not copied and must outlive the cache.
  WitnessCache(const ConvexPolyhedron& A, const ConvexPolyhedron& B) : A_(&A), B_(&B) {}

  // At a new pose. Counts one hit or one miss. Does not allocate.
  const Overlap& update(const Pose<double>& X_BA);

  const Overlap& overlap() const { return overlap_; }
  std::int64_t hits() const { return hits_; }
  std::int64_t misses() const { return misses_; }

 private:
  struct Plane {
    Witness witness;
    Vec3<double> normal{0, 0, 1};  // from B to A, unit, in B's frame
    double separation = 0;         // [m]
  };
  std::optional<Vec3<double>> normal(const Witness& plane, const Pose<double>& X_BA) const;
  double separation(const Vec3<double>& n, const Pose<double>& X_BA);
  std::optional<Plane> rebuilt(const Witness& plane, const Pose<double>& X_BA);
  Plane best_plane(const Pose<double>& X_BA);
  double length_inside(const Witness& edge, const Pose<double>& X_BA) const;
  Witness best_edge(const Pose<double>& X_BA) const;
  bool still_holds(const Pose<double>& X_BA);
  void search(const Pose<double>& X_BA);
  void take(const Plane& plane);

  const ConvexPolyhedron* A_;
  const ConvexPolyhedron* B_;
  Overlap overlap_;
  Witness plane_;                    // the best when last searched for
  int vertex_A_ = 0, vertex_B_ = 0;  // where the last climbs ended
  std::int64_t hits_ = 0, misses_ = 0;
};

}  // namespace oloid::proximity
