// Which pairs of points of two moving bodies can touch next, and a proof that no others can.
//
// The pairs of cells of both bodies form a front. For each one it is known how far the bodies may
// still move: so far its cells stay apart, or hold no extremal pair, or at most one, which is
// followed. Where the way is used up, the two cells are examined again and cut if need be; all
// others wait. docs/theory/encounters.md, section "Certificates".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

class Certificate {
 public:
  // Whether both bodies have bounds that can be relied on, and at least one is bounded.
  static bool possible(const ProximityBody& A, const ProximityBody& B);

  // `radius` is that of a ball about the smaller body's origin that holds it [m]. The bodies must
  // outlive this.
  Certificate(const ProximityBody& A, const ProximityBody& B, bool A_is_larger, double radius);
  ~Certificate();

  // To any other pose. This costs nothing: what was proven before still holds, for less way.
  void move_to(const Pose<double>& X_BA);
  // How far the bodies can move from here before the proof ends or a pair that is followed touches.
  // [m]
  double free_way() const;
  // Follows the pairs to this pose, and proves what is missing for a way of this length [m], where
  // that is possible. `contact`, if given, is where the bodies are held together, on B in its
  // frame: that pair does not count.
  void renew(double way, const Vec3<double>* contact = nullptr);
  // Another pair to follow, at this pose, after it was renewed.
  void add(const TrackedPair& pair);

  // Local minima of the distance, when it was last renewed, but for a contact.
  const std::vector<TrackedPair>& pairs() const;
  // While no point of the smaller body moves farther than this over the larger one, and its turning
  // times the radius is no more, only `pairs` can touch. [m]
  double reach() const;
  // Whether that is proven; else there were cells about which nothing could be said.
  bool certain() const;
  std::int64_t examined() const;  // pairs of cells, since the beginning

 private:
  class Front;
  std::unique_ptr<Front> front_;
};

}  // namespace oloid::proximity
