// Contact frames of features of any kind, and how they turn: with them every pair has six
// coordinates, two for each side, psi and the gap. Published vectors (rolling.json) are told in
// them.
//
//   surface   location (u, v)               x from the reference direction, z the outward normal
//   curve     arc length λ, angle φ         x = t,  z = −sin φ N + cos φ B, t, N, B Frenet's frame
//   vertex    outward direction ν           x nearest to a reference direction, z = ν
// The frame's way over its own body is (rates of the coordinates, turn), turn = ẋ·y; with the twist
// of A relative to B in C, ψ̇ = ω_z + turn_A + turn_B. docs/theory/proximity.md eqs. 8 to 10,
// [WarkenSchoemer01] theorems 1 to 3.
#pragma once

#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/curves/curve.h"
#include "oloid/spatial/pose.h"
#include "support/rooms.h"

namespace oloid::test {

struct CurveFrame {
  Frenet<double> frenet;
  double angle;        // φ [rad]
  Pose<double> frame;  // in the curve's own frame

  CurveFrame(const Frenet<double>& at, const Vec3<double>& point, double phi)
      : frenet(at), angle(phi) {
    frame.p = point;
    frame.R.col(0) = at.tangent;
    frame.R.col(2) = -std::sin(phi) * at.normal + std::cos(phi) * at.binormal;
    frame.R.col(1) = frame.R.col(2).cross(frame.R.col(0));
  }
  static double angle_of(const Frenet<double>& at, const Vec3<double>& outward) {
    return std::atan2(-outward.dot(at.normal), outward.dot(at.binormal));
  }
  // Of a frame that runs over the curve with λ' = `speed` [m/s], while its z turns by z' in the
  // curve's own frame: z'·y = −(φ' + τ λ').
  double angle_rate(double speed, const Vec3<double>& z_rate) const {
    return -z_rate.dot(frame.R.col(1)) - frenet.torsion * speed;
  }
  double turn(double speed) const { return frenet.curvature * std::cos(angle) * speed; }
};

struct VertexFrame {
  Vec3<double> reference;  // e, unit
  Pose<double> frame;

  VertexFrame(const Vec3<double>& point, const Vec3<double>& outward, const Vec3<double>& e)
      : reference(e) {
    double e_n, e_x;
    frame = {geometry::detail::reference_frame(outward, e, e_n, e_x), point};
  }
  // As of a surface with K = 1, eq. 4.
  double turn(const Vec3<double>& z_rate) const {
    const double e_n = reference.dot(frame.R.col(2)), e_x = reference.dot(frame.R.col(0));
    return -e_n / e_x * z_rate.dot(frame.R.col(1));
  }
};

}  // namespace oloid::test
