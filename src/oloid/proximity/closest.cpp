#include "oloid/proximity/closest.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "oloid/contact/surface_surface.h"

namespace oloid {
namespace {

constexpr int kMaxIterations = 60;

// The surface at a location with whatever tangent frame is well defined there.
LocalSurface<double> any_frame(const Side& side, const Location& q) {
  const Vec3<double> first(1, 0, 0), second(0, 1, 0);
  LocalSurface<double> at = side.at<double>({q.chart, first}, q.x);
  const double e_n = at.R.col(2).dot(side.X_BS.R * first);
  if (!(std::abs(e_n) < 0.8)) at = side.at<double>({q.chart, second}, q.x);
  return at;
}

// Moves a location by a tangential displacement; changes chart where needed. False: open border.
bool move(const Side& side, const LocalSurface<double>& at, const Vec2<double>& displacement,
          Location& q) {
  q.x += at.L * displacement;
  q = settled(side.shape, q);
  if (margin(side.shape, q) >= 0) return true;
  const ChartExit exit = leave(side.shape, q);
  const auto* crossing = std::get_if<Crossing>(&exit);
  q = crossing ? crossing->to : std::get<OpenEdge>(exit).at;
  return crossing != nullptr;
}

// Conditions of an extremal pair, with normals n and tangent frames E, all in B's frame:
//   F = ( E_Aᵀ n_B;  E_Bᵀ r / ℓ ),  r = p_A − p_B
// Jacobian in tangential displacements of both points, up to terms that vanish with F:
//   ( −(n_A·n_B) K_A      E_Aᵀ E_B K_B     )
//   ( E_Bᵀ E_A / ℓ        −(1 + g K_B) / ℓ ),   g = r·n_B
struct Conditions {
  LocalSurface<double> A, B;  // A already in B's frame
  Vec3<double> r;
  double gap, length;
  Vec<double, 4> F;

  Conditions(const Side& side_A, const Side& side_B, const Pose<double>& X_BA, const Location& a,
             const Location& b, double length_scale)
      : A(any_frame(side_A, a)), B(any_frame(side_B, b)), length(length_scale) {
    A.p = X_BA * A.p;
    A.R = X_BA.R * A.R;
    r = A.p - B.p;
    gap = r.dot(B.R.col(2));
    F << A.R.leftCols<2>().transpose() * B.R.col(2), B.R.leftCols<2>().transpose() * r / length;
  }

  Vec<double, 4> newton_step() const {
    const Mat2<double> E_AB = A.R.leftCols<2>().transpose() * B.R.leftCols<2>();
    Mat<double, 4, 4> J;
    J.topLeftCorner<2, 2>() = -A.R.col(2).dot(B.R.col(2)) * A.K;
    J.topRightCorner<2, 2>() = E_AB * B.K;
    J.bottomLeftCorner<2, 2>() = E_AB.transpose() / length;
    J.bottomRightCorner<2, 2>() = -(Mat2<double>::Identity() + gap * B.K) / length;
    return J.partialPivLu().solve(-F);
  }

  // Opposite normals, and the distance grows in all directions: 1 + g K_B and the curvature of A
  // against that of B's parallel surface through A's point are positive definite.
  bool is_minimum() const {
    if (A.R.col(2).dot(B.R.col(2)) > -0.5) return false;
    const Mat2<double> shifted = Mat2<double>::Identity() + gap * B.K;
    if (!(shifted(0, 0) > 0) || !(shifted.determinant() > 0)) return false;
    const Mat2<double> E = B.R.leftCols<2>().transpose() * A.R.leftCols<2>();
    const Mat2<double> K = A.K + E.transpose() * (B.K * inverse(shifted)) * E;
    return conformity(Mat2<double>(0.5 * (K + K.transpose())), 1.0) > 0;
  }
};

double length_of(const Side& A, const Side& B) {
  const double length = std::min(bounding_radius(A.shape), bounding_radius(B.shape));
  return std::isfinite(length) ? length : 1.0;
}

}  // namespace

Closest closest_from(const Side& A, const Side& B, const Pose<double>& X_BA, Location a,
                     Location b) {
  const double length = length_of(A, B);
  Closest result;
  bool border = false;
  Conditions at(A, B, X_BA, a, b, length);
  double merit = at.F.norm();
  int polished = 0;
  for (result.iterations = 0; result.iterations < kMaxIterations && std::isfinite(merit);
       ++result.iterations) {
    Vec<double, 4> step = at.newton_step();
    if (!step.allFinite()) break;
    const double longest = std::max(step.head<2>().norm(), step.tail<2>().norm());
    const double reach = length + std::abs(at.gap);
    if (longest > 0.5 * reach) step *= 0.5 * reach / longest;
    // Halve until the residual falls; near the solution it stays at round-off.
    bool better = false;
    for (int halving = 0; halving < 8 && !better; ++halving, step *= 0.5) {
      Location next_a = a, next_b = b;
      const bool inside_a = move(A, at.A, step.head<2>(), next_a);
      const bool inside_b = move(B, at.B, step.tail<2>(), next_b);
      const Conditions next(A, B, X_BA, next_a, next_b, length);
      const double next_merit = next.F.norm();
      if (next_merit < merit || next_merit < 1e-14) {
        better = true;
        border = !inside_a || !inside_b;
        a = next_a;
        b = next_b;
        at = next;
        merit = next_merit;
      }
    }
    if (!better || merit < 1e-16 || (merit < 1e-14 && ++polished == 2)) break;
  }
  result.A = a;
  result.B = b;
  result.gap = at.gap;
  result.point_A = at.A.p;
  result.point_B = at.B.p;
  result.normal_B = at.B.R.col(2);
  result.residual = merit;
  if (!(merit < 1e-11)) {
    result.status = border ? ClosestStatus::at_border : ClosestStatus::no_convergence;
  } else {
    result.status = at.is_minimum() ? ClosestStatus::found : ClosestStatus::not_minimum;
  }
  return result;
}

ClosestStarts make_starts(const Side& A, const Side& B) { return {seeds(A.shape), seeds(B.shape)}; }

Closest closest_anywhere(const Side& A, const Side& B, const Pose<double>& X_BA,
                         const ClosestStarts& starts) {
  const Pose<double> X_AB = inverse(X_BA);
  const double length = length_of(A, B);
  Closest best;
  best.gap = INFINITY;
  // The most promising starts: nearly opposite normals and little distance.
  struct Start {
    double score;
    Location a, b;
  };
  std::array<Start, 12> kept;
  kept.fill({INFINITY, {}, {}});
  const auto offer = [&](const Location& a, const Location& b) {
    const Conditions at(A, B, X_BA, a, b, length);
    const double against = 1 + at.A.R.col(2).dot(at.B.R.col(2));
    const double score = against + at.r.norm() / length;
    auto* worst = &*std::max_element(
        kept.begin(), kept.end(), [](const Start& x, const Start& y) { return x.score < y.score; });
    if (score < worst->score) *worst = {score, a, b};
  };
  const Pose<double> X_SB = inverse(B.X_BS), X_SA = inverse(A.X_BS);
  for (const Location& a : starts.A) {
    offer(a, near(B.shape, X_SB * (X_BA * any_frame(A, a).p)));
  }
  for (const Location& b : starts.B) {
    offer(near(A.shape, X_SA * (X_AB * any_frame(B, b).p)), b);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Start& x, const Start& y) { return x.score < y.score; });
  for (const Start& start : kept) {
    if (!std::isfinite(start.score)) continue;
    const Closest candidate = closest_from(A, B, X_BA, start.a, start.b);
    const bool first = best.status != ClosestStatus::found;
    if (candidate.status == ClosestStatus::found && (first || candidate.gap < best.gap))
      best = candidate;
    if (first && candidate.status != ClosestStatus::found &&
        best.status == ClosestStatus::no_convergence)
      best = candidate;
  }
  return best;
}

}  // namespace oloid
