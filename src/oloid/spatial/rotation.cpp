#include "oloid/spatial/rotation.h"

#include <cmath>

namespace oloid::spatial {

Quat<double> quaternion(const Mat3<double>& R) {
  // Shepperd's choice: divide by the largest of |w|, |x|, |y|, |z|.
  const double trace = R.trace();
  Quat<double> q;
  if (trace > 0) {
    q = {1 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    q = {R(2, 1) - R(1, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2), R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
  } else if (R(1, 1) >= R(2, 2)) {
    q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 - R(0, 0) + R(1, 1) - R(2, 2), R(1, 2) + R(2, 1)};
  } else {
    q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
  }
  return unit(q);
}

Vec3<double> rotation_vector(const Mat3<double>& R) {
  const Quat<double> q = quaternion(R);
  const Vec3<double> v = (q.w < 0 ? -1 : 1) * Vec3<double>(q.x, q.y, q.z);
  const double sine = v.norm();
  return sine > 0 ? Vec3<double>(2 * std::atan2(sine, std::abs(q.w)) / sine * v) : v;
}

Quat<double> nearer_sign(const Quat<double>& q, const Quat<double>& reference) {
  const double dot = q.w * reference.w + q.x * reference.x + q.y * reference.y + q.z * reference.z;
  return dot >= 0 ? q : Quat<double>{-q.w, -q.x, -q.y, -q.z};
}

}  // namespace oloid::spatial
