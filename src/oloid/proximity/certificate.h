// Which pairs of points of two moving bodies can touch next, and a proof that no others can.
//
// The pairs of cells of both bodies form a front. For each of them it is known how far the bodies
// may move while its cells stay apart, contain no extremal pair, or contain at most one, which is
// followed. When the bodies have moved that far, the two cells are examined again and cut if
// necessary; all others wait. docs/theory/encounters.md, section "Certificates".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

class Certificate {
 public:
  // Whether both bodies have rigorous bounds, and at least one of them is finite in size.
  static bool possible(const ProximityBody& A, const ProximityBody& B);

  // `radius` is that of a ball about the smaller body's origin that holds it [m]. The bodies must
  // outlive this.
  Certificate(const ProximityBody& A, const ProximityBody& B, bool A_is_larger, double radius);
  ~Certificate();

  // Moves to any other pose. This costs nothing: earlier proofs remain valid, for a shorter way.
  void move_to(const Pose<double>& X_BA);
  // How far the bodies can move from here before the proof ends or a pair that is followed touches.
  // [m]
  double free_way() const;
  // Follows the pairs to this pose and, where possible, completes the proof for a way of this
  // length [m]. `contact`, if given, is where the bodies are held together, on B in its frame: that
  // pair does not count.
  void renew(double way, const Vec3<double>* contact = nullptr);
  // Another pair to follow, at this pose, after it was renewed.
  void add(const TrackedPair& pair);

  // Local minima of the distance, when it was last renewed, but for a contact.
  const std::vector<TrackedPair>& pairs() const;
  // Only `pairs` can touch while no point of the smaller body moves farther than this relative to
  // the larger one, and its rotation angle times the radius is not larger either. [m]
  double reach() const;
  // Whether that is proven; otherwise nothing could be proven about some cells.
  bool certain() const;
  std::int64_t examined() const;  // pairs of cells, since the beginning

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace oloid::proximity
