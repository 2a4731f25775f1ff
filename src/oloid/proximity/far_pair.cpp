#include "oloid/proximity/far_pair.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "oloid/contact/surface_surface.h"

namespace oloid {
namespace {

constexpr double kInside = -1e-9;      // least margin to a border
constexpr double kSlack = 1e-7;        // [rad], of normal cones
constexpr double kNotIsolated = 1e-8;  // least eigenvalue of Q

// Whether ν, outward in the body's frame, can be the direction of a contact at the spot.
bool supports(const Features& body, const Spot& spot, const Vec3<double>& nu) {
  if (spot.kind == Spot::Kind::surface) return margin(body.side()->shape, spot.at) >= kInside;
  if (spot.kind == Spot::Kind::vertex) return !body.larger(spot, nu, kSlack);
  const double t = spot.at.x(0);
  if (t < -1e-12 || t > 1 + 1e-12) return false;
  const std::optional<EdgeSection> at = body.section(spot.index, t);
  if (!at) return true;
  if (nu.dot(at->left.cross(at->tangent)) > kSlack) return false;
  return !at->right || nu.dot(at->tangent.cross(*at->right)) <= kSlack;
}

// Directions that may be normal to both features.
struct Directions {
  std::array<Vec3<double>, 2> n;
  int count = 0;
  void add(const Vec3<double>& direction) {
    n[static_cast<std::size_t>(count)] = direction;
    ++count;
  }
};
Directions directions(const LocalFeature<double>& A, const LocalFeature<double>& B, double length) {
  Directions d;
  if (B.dimension == 2) {
    d.add(B.z);
    return d;
  }
  if (A.dimension == 2) {
    d.add(-A.z);
    return d;
  }
  const Vec3<double> r = A.p - B.p;
  const double distance = r.norm();
  const bool curves = A.dimension == 1 && B.dimension == 1;
  const Vec3<double> across = A.E.col(0).cross(B.E.col(0));
  const bool touching = distance < 1e-9 * length;
  if (curves && across.norm() > 1e-6 && touching) {
    d.add(across.normalized());
  } else if (distance > 0) {
    d.add(r / distance);
  }
  if (curves && d.count == 1) d.add(-d.n[0]);  // edges that have passed each other
  return d;
}

// The matrix Q of contact/extremal_pair.h in units of `length`: a local contact has two negative
// eigenvalues and no zero.
struct Spectrum {
  int negative = 0, positive = 0, size = 0;
  double least;  // |eigenvalue|
};
Spectrum spectrum(const LocalFeature<double>& A, const LocalFeature<double>& B,
                  const Vec3<double>& n, double gap, double length) {
  const Crosswise axes = crosswise(n);
  Mat<double, 3, 2> T;
  T << axes.a, axes.b;
  const int a = A.dimension, b = B.dimension, size = a + b + 2;
  Mat<double, 6, 6> Q = Mat<double, 6, 6>::Zero();
  Q.topLeftCorner(a, a) = length * A.bend(n).topLeftCorner(a, a);
  Q.block(a, a, b, b) = -length * B.bend(n).topLeftCorner(b, b);
  Q.block(0, a + b, a, 2) = A.E.leftCols(a).transpose() * T;
  Q.block(a, a + b, b, 2) = -B.E.leftCols(b).transpose() * T;
  Q.block(a + b, 0, 2, a + b) = Q.block(0, a + b, a + b, 2).transpose();
  Q.block(a + b, a + b, 2, 2) = -gap / length * Mat2<double>::Identity();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Q.topLeftCorner(size, size),
                                                        Eigen::EigenvaluesOnly);
  Spectrum result;
  result.size = size;
  result.least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < size; ++i) {
    const double x = solver.eigenvalues()(i);
    result.least = std::min(result.least, std::abs(x));
    if (x < -kNotIsolated) ++result.negative;
    if (x > kNotIsolated) ++result.positive;
  }
  return result;
}

// A feature's shape operator in other tangents; 0 across an edge and at a vertex.
Mat2<double> curvature_in(const LocalFeature<double>& at, const Vec3<double>& outward,
                          const Crosswise& axes) {
  Mat<double, 3, 2> T;
  T << axes.a, axes.b;
  const Mat2<double> E = at.E.transpose() * T;
  return at.dimension == 0 ? Mat2<double>(Mat2<double>::Zero())
                           : Mat2<double>(-(E.transpose() * at.bend(outward) * E));
}

}  // namespace

std::optional<TrackedPair> local_contact(const Features& A, const Features& B,
                                         const Pose<double>& X_BA, const Spot& a, const Spot& b,
                                         double length) {
  const LocalFeature<double> at_A = X_BA * A.at(a), at_B = B.at(b);
  if (at_A.dimension == 2 && at_B.dimension == 2 && at_A.z.dot(at_B.z) > -0.5) return std::nullopt;
  const Directions candidates = directions(at_A, at_B, length);
  for (int i = 0; i < candidates.count; ++i) {
    const Vec3<double>& n = candidates.n[static_cast<std::size_t>(i)];
    const double gap = n.dot(at_A.p - at_B.p);
    if (!supports(B, b, n) || !supports(A, a, -(X_BA.R.transpose() * n))) continue;
    const Spectrum Q = spectrum(at_A, at_B, n, gap, length);
    const bool isolated = Q.least > kNotIsolated;
    if (Q.negative > 2 || Q.positive > Q.size - 2) continue;
    TrackedPair pair;
    pair.phase = gap < 0 ? Phase::penetrating : Phase::far;
    pair.A = a;
    pair.B = b;
    pair.gap = gap;
    pair.point_A = at_A.p;
    pair.point_B = at_B.p;
    pair.normal = n;
    const Crosswise axes = crosswise(n);
    pair.K_A = curvature_in(at_A, -n, axes);
    pair.K_B = curvature_in(at_B, n, axes);
    pair.conformity = Q.least;
    pair.status = !isolated                     ? PairStatus::continuum
                  : Q.least < kConformityRefuse ? PairStatus::conforming
                                                : PairStatus::found;
    return pair;
  }
  return std::nullopt;
}

}  // namespace oloid
