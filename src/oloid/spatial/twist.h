// Motion and force of a rigid body as six numbers, angular part first.
#pragma once

#include "oloid/base/linalg.h"
#include "oloid/spatial/pose.h"

namespace oloid::spatial {

// v is the velocity of the point at the origin of the frame in which the twist is written.
template <class S>
struct Twist {
  Vec3<S> w = Vec3<S>::Zero();  // [rad/s]
  Vec3<S> v = Vec3<S>::Zero();  // [m/s]
};

// t is the moment about the origin of the frame in which the wrench is written.
template <class S>
struct Wrench {
  Vec3<S> t = Vec3<S>::Zero();  // [N m]
  Vec3<S> f = Vec3<S>::Zero();  // [N]
};

template <class S>
Twist<S> operator+(const Twist<S>& a, const Twist<S>& b) {
  return {a.w + b.w, a.v + b.v};
}
template <class S>
Twist<S> operator-(const Twist<S>& a, const Twist<S>& b) {
  return {a.w - b.w, a.v - b.v};
}
template <class S>
Twist<S> operator-(const Twist<S>& a) {
  return {-a.w, -a.v};
}
template <class S>
Wrench<S> operator+(const Wrench<S>& a, const Wrench<S>& b) {
  return {a.t + b.t, a.f + b.f};
}

// As six numbers, and back.
template <class S>
Vec6<S> stacked(const Twist<S>& phi) {
  return (Vec6<S>() << phi.w, phi.v).finished();
}
template <class S>
Vec6<S> stacked(const Wrench<S>& f) {
  return (Vec6<S>() << f.t, f.f).finished();
}
template <class S>
Twist<S> as_twist(const Vec6<S>& x) {
  return {x.template head<3>(), x.template tail<3>()};
}
template <class S>
Wrench<S> as_wrench(const Vec6<S>& x) {
  return {x.template head<3>(), x.template tail<3>()};
}

template <class S>
S power(const Wrench<S>& f, const Twist<S>& phi) {
  return f.t.dot(phi.w) + f.f.dot(phi.v);
}

// Ad(X_AB) φ: the same motion, written in A.
template <class S>
Twist<S> transform(const Pose<S>& X_AB, const Twist<S>& phi_B) {
  const Vec3<S> w = X_AB.R * phi_B.w;
  return {w, X_AB.R * phi_B.v + X_AB.p.cross(w)};
}

// Ad(X)⁻¹ φ: a motion written in a body's frame, seen in the frame that has the pose X there.
template <class S>
Twist<S> seen_from(const Pose<S>& X, const Twist<S>& phi) {
  const Mat3<S> R = X.R.transpose();
  return {R * phi.w, R * (phi.v + phi.w.cross(X.p))};
}

// Ad(X) as a matrix, and its inverse.
template <class S>
Mat6<S> adjoint(const Pose<S>& X) {
  Mat6<S> Ad;
  Ad.template topLeftCorner<3, 3>() = X.R;
  Ad.template topRightCorner<3, 3>().setConstant(S(0.0));
  Ad.template bottomLeftCorner<3, 3>() = cross_matrix(X.p) * X.R;
  Ad.template bottomRightCorner<3, 3>() = X.R;
  return Ad;
}
template <class S>
Mat6<S> inverse_adjoint(const Pose<S>& X) {
  const Mat3<S> R = X.R.transpose();
  Mat6<S> Ad;
  Ad.template topLeftCorner<3, 3>() = R;
  Ad.template topRightCorner<3, 3>().setConstant(S(0.0));
  Ad.template bottomLeftCorner<3, 3>() = -R * cross_matrix(X.p);
  Ad.template bottomRightCorner<3, 3>() = R;
  return Ad;
}

// Ad(X_BA)ᵀ f: the same force, written in A. Keeps power(f, φ).
template <class S>
Wrench<S> transform(const Pose<S>& X_AB, const Wrench<S>& f_B) {
  const Vec3<S> f = X_AB.R * f_B.f;
  return {X_AB.R * f_B.t + X_AB.p.cross(f), f};
}

// ad_φ ψ.
template <class S>
Twist<S> cross(const Twist<S>& phi, const Twist<S>& psi) {
  return {phi.w.cross(psi.w), phi.v.cross(psi.w) + phi.w.cross(psi.v)};
}

// ad_φᵀ f, with power(ad_φᵀ f, ψ) = power(f, ad_φ ψ).
template <class S>
Wrench<S> cross_transpose(const Twist<S>& phi, const Wrench<S>& f) {
  return {-(phi.w.cross(f.t) + phi.v.cross(f.f)), -phi.w.cross(f.f)};
}

}  // namespace oloid::spatial
