#include "oloid/contact/extremal_pair.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/numerics/small_solve.h"
#include "oloid/numerics/symmetric_eigen.h"

namespace oloid::contact {
namespace {

// Q with ways and distances counted in parts of `length`, in the upper left corner; 1 on the rest
// of the diagonal.
Mat<double, 6, 6> matrix(const ExtremalPair& pair, const Mat<double, 3, 2>& T, double length) {
  const int a = pair.A.dimension, b = pair.B.dimension;
  const Mat2<double> C_A = length * pair.A.bend(pair.n), C_B = -length * pair.B.bend(pair.n);
  const Mat2<double> D_A = pair.A.E.transpose() * T, D_B = -pair.B.E.transpose() * T;
  Mat<double, 6, 6> Q = Mat<double, 6, 6>::Identity();
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < a && j < a; ++i) Q(i, j) = C_A(i, j);
    for (int i = 0; i < b && j < b; ++i) Q(a + i, a + j) = C_B(i, j);
    for (int i = 0; i < a; ++i) Q(i, a + b + j) = Q(a + b + j, i) = D_A(i, j);
    for (int i = 0; i < b; ++i) Q(a + i, a + b + j) = Q(a + b + j, a + i) = D_B(i, j);
    Q(a + b + j, a + b + j) = -pair.gap() / length;
  }
  return Q;
}

constexpr double kZero = 1e-8;  // of eigenvalues, lengths counted in ℓ

// N of two surfaces, in B's tangents.
Mat2<double> offset_curvature(const ExtremalPair& pair) {
  const Mat2<double> M = pair.B.E.transpose() * pair.A.E;
  const Mat2<double> K_A = M * pair.A.K * M.transpose();
  return K_A + pair.B.K + pair.gap() * K_A * pair.B.K;
}

PairQuality surface_quality(const ExtremalPair& pair, double length) {
  const Mat2<double> N = offset_curvature(pair);
  const double trace = N.trace(), det = N.determinant(), half = 0.5 * (N(0, 0) - N(1, 1));
  const double spread = std::sqrt(std::max(0.0, half * half + N(0, 1) * N(1, 0)));
  const double least = 0.5 * trace - spread;
  PairQuality q;
  q.conformity = least * length;
  // Beyond a centre of curvature of B the distance has a maximum.
  const Mat2<double> shifted = Mat2<double>::Identity() + std::max(pair.gap(), 0.0) * pair.B.K;
  const bool facing = pair.n.dot(pair.A.z) < -0.5 && shifted(0, 0) > 0 && shifted.determinant() > 0;
  q.genuine = facing && least > 0 && det > 0;
  q.weak = facing && q.conformity > -kZero;
  // (N − λ) v = 0, from the longer row.
  const Vec2<double> row0(N(0, 0) - least, N(0, 1)), row1(N(1, 0), N(1, 1) - least);
  const Vec2<double> row = row0.squaredNorm() > row1.squaredNorm() ? row0 : row1;
  const double size = row.norm();
  const Vec2<double> v = size > 0 ? Vec2<double>(Vec2<double>(-row.y(), row.x()) / size)
                                  : Vec2<double>(Vec2<double>::UnitX());
  q.soft = pair.B.E * v;
  // Singular values: half the sum and half the difference.
  const double sum = std::hypot(trace, N(1, 0) - N(0, 1));
  const double difference = 2 * std::hypot(half, 0.5 * (N(1, 0) + N(0, 1)));
  const double twice_least = std::abs(sum - difference);
  q.condition =
      twice_least > 0 ? (sum + difference) / twice_least : std::numeric_limits<double>::infinity();
  return q;
}

PairQuality feature_quality(const ExtremalPair& pair, double length) {
  const int a = pair.A.dimension, b = pair.B.dimension;
  const SymmetricEigen<6> eigen(matrix(pair, tangents(pair.n), length), a + b + 2);
  PairQuality q;
  int nearest = 0, negative = 0, below = 0, above = 0;
  double largest = 0;
  for (int i = 0; i < a + b + 2; ++i) {
    if (std::abs(eigen.values(i)) < std::abs(eigen.values(nearest))) nearest = i;
    largest = std::max(largest, std::abs(eigen.values(i)));
    if (eigen.values(i) < 0) ++negative;
    if (eigen.values(i) < -kZero) ++below;
    if (eigen.values(i) > kZero) ++above;
  }
  const bool facing =
      (a < 2 || pair.n.dot(pair.A.z) < -0.5) && (b < 2 || pair.n.dot(pair.B.z) > 0.5);
  q.genuine = negative == 2 && facing;
  q.weak = below <= 2 && above <= a + b && facing;
  q.conformity = std::abs(eigen.values(nearest));
  q.condition = q.conformity > 0 ? largest / q.conformity : std::numeric_limits<double>::infinity();
  const Vec6<double> v = eigen.vectors.col(nearest);
  Vec3<double> way{0, 0, 0};
  for (int i = 0; i < a; ++i) way += v(i) * pair.A.E.col(i);
  for (int i = 0; i < b; ++i) way += v(a + i) * pair.B.E.col(i);
  const double size = way.norm();
  if (size > 0) q.soft = way / size;
  return q;
}

// The inverse, or where it does not exist, to round-off, what leaves out the direction that N maps
// to nothing: a matrix of rank 1 has the pseudo-inverse Nᵀ / |N|².
Mat2<double> pseudo_inverse(const Mat2<double>& N) {
  const double squares = N.squaredNorm();
  if (std::abs(N.determinant()) > 1e-15 * squares) return inverse(N);
  if (squares == 0) return Mat2<double>::Zero();
  return N.transpose() / squares;
}

// Q x = f for the first n unknowns. Where Q is singular, to round-off, along an eigenvector, x has
// no part along it.
Vec6<double> solved(const Mat<double, 6, 6>& Q, const Vec6<double>& f, int n) {
  Vec6<double> x = Q.partialPivLu().solve(f);
  const double size = Q.cwiseAbs().maxCoeff();
  if (x.allFinite() && x.norm() * size < 1e14 * f.norm()) return x;
  const SymmetricEigen<6> eigen(Q, n);
  x.setZero();
  for (int i = 0; i < n; ++i) {
    const auto v = eigen.vectors.col(i);
    if (std::abs(eigen.values(i)) > 1e-14 * size) x += v.dot(f) / eigen.values(i) * v;
  }
  return x;
}

// n for features without a surface: as near to the hint as curves allow.
Vec3<double> free_normal(const LocalFeature<double>& A, const LocalFeature<double>& B,
                         const Vec3<double>& hint) {
  Vec3<double> n = hint;
  if (A.dimension == 1 && B.dimension == 1) {
    const Vec3<double> across = A.E.col(0).cross(B.E.col(0));
    if (across.norm() > 1e-3) n = across.dot(hint) < 0 ? Vec3<double>(-across) : across;
  } else if (A.dimension == 1) {
    n -= n.dot(A.E.col(0)) * A.E.col(0);
  } else if (B.dimension == 1) {
    n -= n.dot(B.E.col(0)) * B.E.col(0);
  }
  const double size = n.norm();
  return size > 0 ? Vec3<double>(n / size) : hint;
}

}  // namespace

ExtremalPair::ExtremalPair(const LocalFeature<double>& A_in_B, const LocalFeature<double>& B_in_B,
                           const Vec3<double>& hint)
    : A(A_in_B), B(B_in_B) {
  n = B.dimension == 2 ? B.z : A.dimension == 2 ? Vec3<double>(-A.z) : free_normal(A, B, hint);
}

double ExtremalPair::residual(double length) const {
  const Vec3<double> d = r();
  const double off = (d - n.dot(d) * n).squaredNorm() / (length * length);
  return std::sqrt((A.E.transpose() * n).squaredNorm() + (B.E.transpose() * n).squaredNorm() + off);
}

// Q (s_A, s_B, m) = (f_A, −f_B, Tᵀ f_r). Between two surfaces n is that of B, and two unknowns are
// enough:
//   C_A s_A + Mᵀ K_B s_B = f_A,   M s_A − (1 + χ K_B) s_B = E_Bᵀ f_r,   M = E_Bᵀ E_A
PairStep ExtremalPair::solve(const Vec2<double>& f_A, const Vec2<double>& f_B,
                             const Vec3<double>& f_r) const {
  PairStep step;
  if (surfaces()) {
    const Mat2<double> M = B.E.transpose() * A.E, C_A = A.bend(n);
    const Mat2<double> C_M = C_A * inverse(M);
    const Mat2<double> shifted = Mat2<double>::Identity() + gap() * B.K;
    const Vec2<double> f = B.E.transpose() * f_r;
    const Mat2<double> N = C_M * shifted + M.transpose() * B.K;
    step.s_B = pseudo_inverse(N) * (f_A - C_M * f);
    step.s_A = inverse(M) * (shifted * step.s_B + f);
    step.n = B.E * (B.K * step.s_B);
    return step;
  }
  const int a = A.dimension, b = B.dimension;
  const Mat<double, 3, 2> T = tangents(n);
  Vec6<double> f = Vec6<double>::Zero();
  for (int i = 0; i < a; ++i) f(i) = f_A(i);
  for (int i = 0; i < b; ++i) f(a + i) = -f_B(i);
  f.segment<2>(a + b) = T.transpose() * f_r;
  const Vec6<double> x = solved(matrix(*this, T, 1), f, a + b + 2);
  for (int i = 0; i < a; ++i) step.s_A(i) = x(i);
  for (int i = 0; i < b; ++i) step.s_B(i) = x(a + i);
  step.n = T * x.segment<2>(a + b);
  return step;
}

PairStep ExtremalPair::newton() const {
  return solve(-A.E.transpose() * n, -B.E.transpose() * n, -r());
}

// The particles of A at p_A move with V, its tangents turn with ω; B rests.
PairStep ExtremalPair::rates(const Twist<double>& V_BA) const {
  return solve(A.E.transpose() * V_BA.w.cross(n), Vec2<double>::Zero(),
               -(V_BA.v + V_BA.w.cross(A.p)));
}

double ExtremalPair::gap_rate(const Twist<double>& V_BA) const {
  return n.dot(V_BA.v + V_BA.w.cross(A.p));
}

PairQuality ExtremalPair::quality(double length) const {
  return surfaces() ? surface_quality(*this, length) : feature_quality(*this, length);
}

}  // namespace oloid::contact
