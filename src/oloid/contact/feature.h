// A surface, a curve or a point of a body, as an extremal pair sees it: features of dimension 2, 1
// and 0 of one family.
//
// A point that moves over the feature by E v has the second derivative −(vᵀ K v) z, up to what lies
// in the feature's own tangents: K is the shape operator and z the outward normal of a surface; for
// a curve K₁₁ = 1 and z is the curvature vector, reversed. docs/theory/proximity.md eq. 1.
#pragma once

#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/curves/curve.h"
#include "oloid/geometry/shape.h"
#include "oloid/spatial/pose.h"

namespace oloid::contact {

template <class S>
struct LocalFeature {
  int dimension = 0;  // 2, 1, 0
  Vec3<S> p;          // [m]
  Mat<S, 3, 2> E;     // unit tangents, at right angles: the first `dimension` columns
  Vec3<S> z;          // outward unit normal; of a curve −κ N [1/m]
  Mat2<S> K;          // [1/m]; of a curve (1, 0; 0, 0)
  Mat<S, 3, 2> L;     // rate of the stored location for tangential velocity

  // Second derivatives of the point seen along n: −(n·z) K. [1/m]
  Mat2<S> bend(const Vec3<S>& n) const { return -n.dot(z) * K; }
};

template <class S>
LocalFeature<S> local_feature(const LocalSurface<S>& surface) {
  return {2, surface.p, surface.R.template leftCols<2>(), surface.R.col(2), surface.K, surface.L};
}

// With whatever tangents are available, in the shape's frame: one evaluation, and no reference
// direction to choose. The first tangent runs along c_u; on implicit surfaces it is the one nearest
// to the axis farthest from the normal.
LocalFeature<double> local_feature(const Shape& shape, const Location& q);

// The location of a curve is (t, 0, 0) in a piece.
template <class S>
LocalFeature<S> local_feature(const CurveJet<S, 2>& x) {
  using std::sqrt;
  const S square = x[1].squaredNorm();
  const S inverse_speed = S(1.0) / sqrt(square);
  LocalFeature<S> at;
  at.dimension = 1;
  at.p = x[0];
  at.E.setZero();
  at.E.col(0) = inverse_speed * x[1];
  at.z = -(S(1.0) / square) * (x[2] - (x[2].dot(x[1]) / square) * x[1]);
  at.K << S(1.0), S(0.0), S(0.0), S(0.0);
  at.L.setZero();
  at.L(0, 0) = inverse_speed;
  return at;
}

template <class S>
LocalFeature<S> local_feature(const Vec3<S>& vertex) {
  LocalFeature<S> at;
  at.p = vertex;
  at.E.setZero();
  at.z.setZero();
  at.K.setZero();
  at.L.setZero();
  return at;
}

// The same feature written in another frame.
template <class S>
LocalFeature<S> operator*(const Pose<S>& X, LocalFeature<S> at) {
  at.p = X * at.p;
  at.E = X.R * at.E;
  at.z = X.R * at.z;
  return at;
}

}  // namespace oloid::contact
