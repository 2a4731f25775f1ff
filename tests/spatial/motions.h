// Random rotations, poses, twists and wrenches for rapidcheck, and how far two are apart.
#pragma once

#include <algorithm>
#include <ostream>

#include "laws/difference.h"
#include "laws/generators.h"
#include "oloid/spatial/inertia.h"
#include "oloid/spatial/pose.h"
#include "oloid/spatial/rotation.h"
#include "oloid/spatial/twist.h"
#include "support/rooms.h"

namespace oloid::test {

inline Vec<double, 4> coefficients(const Quat<double>& q) { return {q.w, q.x, q.y, q.z}; }

inline double difference(const Quat<double>& a, const Quat<double>& b) {
  return difference(coefficients(a), coefficients(b));
}
inline double difference(const Pose<double>& a, const Pose<double>& b) {
  return std::max(difference(a.R, b.R), difference(a.p, b.p));
}
inline double difference(const Twist<double>& a, const Twist<double>& b) {
  return std::max(difference(a.w, b.w), difference(a.v, b.v));
}
inline double difference(const Wrench<double>& a, const Wrench<double>& b) {
  return std::max(difference(a.t, b.t), difference(a.f, b.f));
}

}  // namespace oloid::test

// Printed when a property fails.
namespace oloid::spatial {

inline std::ostream& operator<<(std::ostream& out, const Quat<double>& q) {
  return out << "(" << q.w << ", " << q.x << ", " << q.y << ", " << q.z << ")";
}
inline std::ostream& operator<<(std::ostream& out, const Pose<double>& X) {
  return out << "R = [" << X.R.row(0) << "; " << X.R.row(1) << "; " << X.R.row(2) << "], p = ["
             << X.p.transpose() << "]";
}
inline std::ostream& operator<<(std::ostream& out, const Twist<double>& phi) {
  return out << "w = [" << phi.w.transpose() << "], v = [" << phi.v.transpose() << "]";
}
inline std::ostream& operator<<(std::ostream& out, const Wrench<double>& f) {
  return out << "t = [" << f.t.transpose() << "], f = [" << f.f.transpose() << "]";
}

}  // namespace oloid::spatial

namespace oloid::test {

inline rc::Gen<Quat<double>> unit_quaternion() {
  const auto not_small = rc::gen::suchThat(
      matrix<4>(), [](const Vec<double, 4>& c) { return c.squaredNorm() > 0.01; });
  return rc::gen::map(not_small, [](const Vec<double, 4>& c) {
    return unit(Quat<double>{c(0), c(1), c(2), c(3)});
  });
}
inline rc::Gen<Mat3<double>> rotation() {
  return rc::gen::map(unit_quaternion(), [](const Quat<double>& q) { return rotation_matrix(q); });
}
inline rc::Gen<Vec3<double>> unit_vector() {
  return rc::gen::map(rotation(), [](const Mat3<double>& R) { return Vec3<double>(R.col(0)); });
}
inline rc::Gen<Pose<double>> pose() {
  return rc::gen::exec([] {
    const Mat3<double> R = *rotation();
    return Pose<double>{R, *matrix<3>()};
  });
}
inline rc::Gen<Twist<double>> twist() {
  return rc::gen::exec([] {
    const Vec3<double> w = *matrix<3>();
    return Twist<double>{w, *matrix<3>()};
  });
}
inline rc::Gen<Wrench<double>> wrench() {
  return rc::gen::exec([] {
    const Vec3<double> t = *matrix<3>();
    return Wrench<double>{t, *matrix<3>()};
  });
}
inline rc::Gen<Inertia<double>> inertia() {
  return rc::gen::exec([] {
    const Mat3<double> J = *positive_definite<3>();
    return Inertia<double>{1.5 + *real(), J};
  });
}

// A few products of numbers of order 1 to 10: round-off stays below this.
inline constexpr double kRoundOff = 256 * kEps;

using Time = Dual<double, 1>;

// A pose that moves with twist φ, written in its own frame: R' = R [ω], p' = R v.
inline Pose<Time> moving(const Pose<double>& X, const Twist<double>& phi) {
  return {moving(X.R, Mat3<double>(X.R * cross_matrix(phi.w))), moving<3, 1>(X.p, X.R * phi.v)};
}
inline Twist<Time> constant(const Twist<double>& phi) {
  return {phi.w.cast<Time>(), phi.v.cast<Time>()};
}
inline Twist<double> rate(const Twist<Time>& phi) {
  return {derivative(phi.w, 0), derivative(phi.v, 0)};
}
inline Wrench<double> rate(const Wrench<Time>& f) {
  return {derivative(f.t, 0), derivative(f.f, 0)};
}

}  // namespace oloid::test
