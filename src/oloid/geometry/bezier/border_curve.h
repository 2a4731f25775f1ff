// The border of a patch in a form that can be compared: two sides match if their curves do.
#pragma once

#include "oloid/geometry/bezier/bezier_curve.h"

namespace oloid::geometry {

// Raised to a common degree, then in standard form: both end weights are 1. That takes a change of
// parameter, t / (1 − t) growing by a constant factor, so two borders may be one curve and still
// run along it at different paces.
class BorderCurve {
 public:
  BorderCurve(BezierCurve<3> given, int degree);

  double ratio() const { return ratio_; }  // given t / (1 − t) over that of the standard form
  double length_scale() const;  // [m], largest distance of a control point from the first
  Vec3<double> middle() const { return point_on(curve_, 0.5); }
  BorderCurve reversed() const;

  // Largest distance between corresponding control points of curves of equal degree; differing
  // weights count as parts of the curve's size. [m]
  friend double distance(const BorderCurve& a, const BorderCurve& b);

 private:
  BezierCurve<3> curve_;
  double ratio_;
};

}  // namespace oloid::geometry
