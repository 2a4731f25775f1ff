#include "accuracy/exact_pair.h"

#include <Eigen/LU>

#include "oloid/base/contract.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test {
namespace {

constexpr double kLength = 0.1;  // [m], by which distances become comparable with angles
constexpr int kMaxIterations = 25;
constexpr double kConverged = 1e-32;

// One of the surfaces of the table, at a location with 40 digits.
LocalSurface<Real> at(const Shape& shape, ChartId chart, const Vec3<Real>& x,
                      const Vec3<double>& reference) {
  LocalSurface<Real> result;
  const auto parametric = [&]<class F>(const F* surface) {
    if (!surface) return false;
    result = local_surface(surface->template jet<2>(chart.index, Uv<Real>(x.head<2>())), reference);
    return true;
  };
  if (const auto* body = shape.as<Implicit>()) {
    result = local_surface(std::get<ImplicitExpression>(body->field(0).kind()), x, reference);
    return result;
  }
  const bool known = parametric(shape.as<Ellipsoid>()) || parametric(shape.as<Torus>()) ||
                     parametric(shape.as<Frustum>()) || parametric(shape.as<Superellipsoid>()) ||
                     parametric(shape.as<Patchwork>()) || parametric(shape.as<Polyhedron>());
  OLOID_EXPECT(known);
  return result;
}

// A surface with a point that moves over it, in its body's frame.
class Moving {
 public:
  Moving(const PlacedShape& side, const Location& q)
      : side_(side), chart_(q.chart), reference_(fresh_reference(side, q)), x_(q.x.cast<Real>()) {}

  LocalSurface<Real> here() const {
    LocalSurface<Real> local = at(side_.shape, chart_, x_, reference_);
    const Mat3<Real> R = side_.X_BS.R.cast<Real>();
    local.p = R * local.p + side_.X_BS.p.cast<Real>();
    local.R = R * local.R;
    return local;
  }
  void move(const LocalSurface<Real>& from, const Vec2<Real>& displacement) {
    x_ += from.L * displacement;
  }

 private:
  const PlacedShape& side_;
  ChartId chart_;
  Vec3<double> reference_;
  Vec3<Real> x_;
};

// With normals n and tangents E, all in B's frame, the conditions of an extremal pair and their
// derivative by displacements along E_A and E_B, up to terms that vanish with F:
//   F = ( E_Aᵀ n_B;  E_Bᵀ r / ℓ ),  r = p_A − p_B,  g = r·n_B
//   ( −(n_A·n_B) K_A   E_AᵀE_B K_B ;   E_BᵀE_A / ℓ   −(1 + g K_B) / ℓ )
struct Conditions {
  LocalSurface<Real> A, B;
  Real gap;
  Vec<Real, 4> F;

  Conditions(const Moving& a, const Moving& b, const Pose<Real>& X_BA) : A(a.here()), B(b.here()) {
    A.p = X_BA * A.p;
    A.R = X_BA.R * A.R;
    const Vec3<Real> r = A.p - B.p, n = B.R.col(2);
    gap = r.dot(n);
    F.head<2>() = A.R.leftCols<2>().transpose() * n;
    F.tail<2>() = B.R.leftCols<2>().transpose() * r / Real(kLength);
  }
  Vec<Real, 4> newton_step() const {
    const Mat2<Real> E_AB = A.R.leftCols<2>().transpose() * B.R.leftCols<2>();
    const Real length(kLength);
    Mat<Real, 4, 4> J;
    J.topLeftCorner<2, 2>() = -A.R.col(2).dot(B.R.col(2)) * A.K;
    J.topRightCorner<2, 2>() = E_AB * B.K;
    J.bottomLeftCorner<2, 2>() = E_AB.transpose() / length;
    J.bottomRightCorner<2, 2>() = -(Mat2<Real>::Identity() + gap * B.K) / length;
    const Vec<Real, 4> negative = -F;
    return J.partialPivLu().solve(negative);
  }
};

}  // namespace

ExactPair exact_pair(const PlacedShape& A, const PlacedShape& B, const Pose<double>& X_BA,
                     const Location& a, const Location& b) {
  const Pose<Real> X{X_BA.R.cast<Real>(), X_BA.p.cast<Real>()};
  Moving on_A(A, a), on_B(B, b);
  ExactPair result;
  while (true) {
    const Conditions here(on_A, on_B, X);
    result.gap = here.gap;
    result.point_A = here.A.p.cast<double>();
    result.point_B = here.B.p.cast<double>();
    result.residual = static_cast<double>(here.F.norm());
    result.converged = result.residual < kConverged;
    if (result.converged || !(result.residual < 1) || ++result.iterations > kMaxIterations) break;
    const Vec<Real, 4> step = here.newton_step();
    if (!(step.norm() < Real(kLength))) break;
    on_A.move(here.A, step.head<2>());
    on_B.move(here.B, step.tail<2>());
  }
  return result;
}

}  // namespace oloid::test
