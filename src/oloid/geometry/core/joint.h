// How smoothly two pieces of surface meet at a common point, as measured there.
#pragma once

#include <cmath>

#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/local_surface.h"

namespace oloid::geometry {

// Normals within this angle are G1, curvatures within this part of the larger one G2.
inline constexpr double kSmoothAngle = 1e-6;      // [rad]
inline constexpr double kSmoothCurvature = 1e-6;  // of |K| on both sides and of 1 / size

// How far beyond a seam, as a part of its chart, the next chart takes over: where the curvature
// goes on smoothly, well above what integration leaves of a path along the seam; else as little as
// can be resolved.
inline constexpr double kSmoothSeam = 1e-10, kSeam = 1e-13;

struct MeasuredJoint {
  Joint joint;
  double angle;  // [rad], between the normals
  Mat2<double>
      rates;  // (u, v) rates here from those there: a velocity over the surface is one vector
};

// From the 2-jets of both charts at the common point; `size` is that of the surface.
inline MeasuredJoint measured_joint(const Jet<double, 2>& from, const Jet<double, 2>& to,
                                    double size) {
  const Vec3<double> e = from.d(1, 0).normalized();
  const LocalSurface<double> a = local_surface(from, e), b = local_surface(to, e);
  const Vec3<double> n_a = a.R.col(2), n_b = b.R.col(2);
  MeasuredJoint at;
  at.angle = std::atan2(n_a.cross(n_b).norm(), n_a.dot(n_b));
  Mat<double, 3, 2> c;
  c << from.d(1, 0), from.d(0, 1);
  at.rates = b.L.topRows<2>() * (b.R.leftCols<2>().transpose() * c);
  const double bend = kSmoothCurvature * (a.K.norm() + b.K.norm() + 1 / size);
  at.joint = at.angle > kSmoothAngle     ? Joint::G0
             : (a.K - b.K).norm() > bend ? Joint::G1
                                         : Joint::G2;
  return at;
}

}  // namespace oloid::geometry
