// Where a number or a vector may lie: a middle, and how far each component may be off.
//
// Round-off of the middles is not counted; who uses ranges leaves a margin for it.
#pragma once

#include <cmath>

#include "oloid/base/interval_linalg.h"

namespace oloid::geometry {

struct NumberRange {
  double mid = 0, rad = 0;
};

struct VectorRange {
  Vec3<double> mid = Vec3<double>::Zero();
  Vec3<double> rad = Vec3<double>::Zero();

  static VectorRange everything() {
    return {Vec3<double>::Zero(), Vec3<double>::Constant(kInfinity)};
  }
  Vec3<double> most() const { return mid.cwiseAbs() + rad; }  // of the components
  double largest() const { return most().norm(); }
  bool is_bounded() const { return rad.allFinite(); }
};

inline VectorRange range_of(const Vec3<Interval>& v) {
  VectorRange range;
  for (int i = 0; i < 3; ++i) {
    if (!v(i).is_bounded()) return VectorRange::everything();
    range.mid(i) = v(i).middle();
    range.rad(i) = std::max(v(i).high - range.mid(i), range.mid(i) - v(i).low);
  }
  return range;
}

// The same vectors about another middle.
inline VectorRange about(const Vec3<double>& mid, const VectorRange& v) {
  return {mid, v.rad + (v.mid - mid).cwiseAbs()};
}
// What two ranges about one middle leave.
inline VectorRange both(const VectorRange& a, const VectorRange& b) {
  return {a.mid, a.rad.cwiseMin(b.rad)};
}

inline VectorRange operator+(const VectorRange& a, const VectorRange& b) {
  return {a.mid + b.mid, a.rad + b.rad};
}
inline VectorRange operator-(const VectorRange& a) { return {-a.mid, a.rad}; }
inline VectorRange operator-(const VectorRange& a, const VectorRange& b) { return a + (-b); }
inline VectorRange operator*(double x, const VectorRange& a) {
  return {x * a.mid, std::abs(x) * a.rad};
}
// In another frame; R a rotation.
inline VectorRange operator*(const Mat3<double>& R, const VectorRange& a) {
  if (!a.is_bounded()) return VectorRange::everything();
  return {R * a.mid, R.cwiseAbs() * a.rad};
}
namespace detail {
inline Vec3<double> largest_cross(const Vec3<double>& a, const Vec3<double>& b) {  // a, b ≥ 0
  return {a.y() * b.z() + a.z() * b.y(), a.z() * b.x() + a.x() * b.z(),
          a.x() * b.y() + a.y() * b.x()};
}
}  // namespace detail
inline VectorRange cross(const VectorRange& a, const VectorRange& b) {
  if (!a.is_bounded() || !b.is_bounded()) return VectorRange::everything();
  return {a.mid.cross(b.mid),
          detail::largest_cross(a.mid.cwiseAbs(), b.rad) + detail::largest_cross(a.rad, b.most())};
}
inline NumberRange dot(const VectorRange& a, const VectorRange& b) {
  return {a.mid.dot(b.mid), a.mid.cwiseAbs().dot(b.rad) + a.rad.dot(b.most())};
}
inline NumberRange operator+(const NumberRange& a, const NumberRange& b) {
  return {a.mid + b.mid, a.rad + b.rad};
}
inline NumberRange operator-(const NumberRange& a) { return {-a.mid, a.rad}; }

}  // namespace oloid::geometry
