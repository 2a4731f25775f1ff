// All that another body can touch of a body: its surface, the edges where that is sharp or ends,
// and the vertices where edges meet; and how one goes over into the other.
//
// A feature carries a contact while the outward direction ν lies in its normal cone: while ν makes
// no acute angle with any way that leads from it into a larger feature. docs/theory/proximity.md.
#pragma once

#include <optional>
#include <vector>

#include "oloid/contact/feature.h"
#include "oloid/contact/side.h"
#include "oloid/geometry/edge.h"
#include "oloid/proximity/spot.h"

namespace oloid {

class Features {
 public:
  explicit Features(Side side);                                  // with its edges and vertices
  explicit Features(Curve wire, const Pose<double>& X_BS = {});  // and its corners and ends
  explicit Features(std::vector<Vec3<double>> points);           // in the body's frame

  const Side* side() const;  // none for wires and points
  int curves() const;
  int vertices() const;
  double size() const;  // [m], bounding radius about the middle; infinite for unbounded shapes

  // In the body's frame.
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
};

}  // namespace oloid
