// Rotations: matrices for computing, unit quaternions for storing and integrating.
#pragma once

#include <cmath>

#include "oloid/base/linalg.h"

namespace oloid::spatial {

// w + x i + y j + z k; a unit quaternion turns body vectors into world vectors.
template <class S>
struct Quat {
  S w = S(1), x = S(0), y = S(0), z = S(0);
};

template <class S>
Quat<S> operator*(const Quat<S>& a, const Quat<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,  //
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class S>
S squared_norm(const Quat<S>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

template <class S>
Quat<S> unit(const Quat<S>& q) {
  using std::sqrt;
  const S s = S(1) / sqrt(squared_norm(q));
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

// Valid for any q ≠ 0: the rotation of q / |q|, so that integration errors in |q| do not shear.
template <class S>
Mat3<S> rotation_matrix(const Quat<S>& q) {
  const S s = S(2) / squared_norm(q);
  const S xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  const S xy = s * q.x * q.y, yz = s * q.y * q.z, zx = s * q.z * q.x;
  const S wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  Mat3<S> R;
  R << S(1) - yy - zz, xy - wz, zx + wy,  //
      xy + wz, S(1) - zz - xx, yz - wx,   //
      zx - wy, yz + wx, S(1) - xx - yy;
  return R;
}

// Rate of q for an angular velocity given in body axes: q' = q (0, w) / 2.
template <class S>
Quat<S> quaternion_rate(const Quat<S>& q, const Vec3<S>& w_body) {
  const S h = S(0.5);
  return q * Quat<S>{S(0), h * w_body.x(), h * w_body.y(), h * w_body.z()};
}

// The unit quaternion of a rotation matrix, w ≥ 0 where that is well conditioned. Branches: double
// only.
Quat<double> quaternion(const Mat3<double>& R);

// Axis times angle, from 0 to π: axis_angle read backwards.
Vec3<double> rotation_vector(const Mat3<double>& R);

// q or −q, whichever is nearer to the reference: keeps recorded orientations continuous.
Quat<double> nearer_sign(const Quat<double>& q, const Quat<double>& reference);

// Turn by an angle about a unit axis (Rodrigues).
template <class S>
Mat3<S> axis_angle(const Vec3<S>& axis, const S& angle) {
  using std::cos;
  using std::sin;
  const Mat3<S> X = cross_matrix(axis);
  return Mat3<S>::Identity() + sin(angle) * X + (S(1) - cos(angle)) * (X * X);
}

}  // namespace oloid::spatial
