// One side of a contact: a shape placed in a body, and where on it the contact is.
#pragma once

#include <optional>

#include "oloid/geometry/shape.h"
#include "oloid/spatial/pose.h"

namespace oloid::contact {

// What stays constant over a step: where charts and tangent frames come from.
struct ChartAnchor {
  ChartId chart{0};
  Vec3<double> reference = Vec3<double>::UnitX();  // e, unit, in the shape's frame
  friend bool operator==(const ChartAnchor&, const ChartAnchor&) = default;
};

// The shape sits in the body's frame by X_BS; this is the only place where that is applied.
struct PlacedShape {
  Shape shape;
  Pose<double> X_BS;

  // A jet of the shape in the body's frame.
  template <class S, int Order>
  Jet<S, Order> placed(Jet<S, Order> c) const {
    const Mat3<S> R = X_BS.R.template cast<S>();
    for (Vec3<S>& term : c.terms) term = R * term;
    c.d(0, 0) += X_BS.p.template cast<S>();
    return c;
  }

  template <class S>
  LocalSurface<S> at(const ChartAnchor& anchor, const Vec3<S>& location) const {
    LocalSurface<S> local = local_surface<S>(shape, anchor.chart, location, anchor.reference);
    const Mat3<S> R = X_BS.R.template cast<S>();
    local.p = R * local.p + X_BS.p.template cast<S>();
    local.R = R * local.R;
    return local;
  }
};

// Derivatives to order 3 in the body's frame, for the parameter-rate form; none where the location
// is not a pair of parameters: on implicit surfaces and quadrics.
std::optional<Jet<double, 3>> third_order_jet(const PlacedShape&, const Location&);

// A reference direction that lies in the tangent plane at the location, so that the frame turns
// least.
Vec3<double> fresh_reference(const PlacedShape&, const Location&);

// True when the normal is so near to the reference direction that a new one is needed.
bool reference_is_stale(const LocalSurface<double>& local, const PlacedShape&, const ChartAnchor&);

// The current x axis as new reference: the frame stays as it is at this instant, only its future
// turning changes, so neither psi nor the twist's components jump.
Vec3<double> renewed_reference(const LocalSurface<double>& local, const PlacedShape&);

}  // namespace oloid::contact
