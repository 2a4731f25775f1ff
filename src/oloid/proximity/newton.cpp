#include "oloid/proximity/newton.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace oloid::proximity {
namespace {

constexpr double kRoundOff = 1e-14;  // a residual that cannot be expected to fall further

// Moves both points together in the direction that lowers the gap: where features are flat against
// each other Newton's method has no step along them, and a contact slides to where they end.
PairStep slide(const ExtremalPair& pair, double length) {
  const Vec3<double> way =
      pair.B.E * (pair.B.E.transpose() * pair.n) - pair.A.E * (pair.A.E.transpose() * pair.n);
  const double size = way.norm();
  PairStep step;
  if (!(size > 0)) return step;
  step.s_A = length / size * (pair.A.E.transpose() * way);
  step.s_B = length / size * (pair.B.E.transpose() * way);
  return step;
}

double longest_way(const PairStep& step) { return std::max(step.s_A.norm(), step.s_B.norm()); }

struct Solver {
  const TouchableBody& A;
  const TouchableBody& B;
  const Pose<double>& X_BA;
  double length;

  std::optional<PairIterate> after(const PairIterate& at, const PairStep& step, double part) const {
    const auto a = A.moved(at.a, at.at_A, part * step.s_A);
    const auto b = B.moved(at.b, at.at_B, part * step.s_B);
    if (!a || !b) return std::nullopt;
    const Vec3<double> n = (at.pair.n + part * step.n).normalized();
    return iterate_at(A, B, X_BA, *a, *b, n, length);
  }

  // Halves the step until it leads to a smaller residual, or over to another feature. `slid`: a
  // smaller gap suffices.
  std::optional<PairIterate> better(const PairIterate& at, const PairStep& step, bool slid,
                                    bool& left) const {
    double part = 1;
    for (int halving = 0; halving < 8; ++halving, part *= 0.5) {
      auto next = after(at, step, part);
      if (!next) {
        left = true;
        continue;
      }
      if (!same_feature(next->a, at.a) || !same_feature(next->b, at.b)) return next;
      if (next->residual < at.residual || next->residual < kRoundOff) return next;
      if (slid && next->pair.gap() < at.pair.gap()) return next;
    }
    return std::nullopt;
  }

  // The features into whose normal cones n has moved, if any.
  std::optional<PairIterate> promoted(const PairIterate& at) const {
    const Vec3<double> nu_A = -(X_BA.R.transpose() * at.pair.n);
    const auto a = A.larger(at.a, nu_A);
    const auto b = B.larger(at.b, at.pair.n);
    if (!a && !b) return std::nullopt;
    return iterate_at(A, B, X_BA, a.value_or(at.a), b.value_or(at.b), at.pair.n, length);
  }

  // Whether a body is behind the open surface whose border the other end is on: there the surface
  // is nearer, but cannot be touched.
  bool is_behind(const PairIterate& at) const {
    return is_behind(A, at.a, -(X_BA.R.transpose() * at.pair.n)) || is_behind(B, at.b, at.pair.n);
  }
  static bool is_behind(const TouchableBody& body, const Spot& spot, const Vec3<double>& nu) {
    if (spot.kind != Spot::Kind::curve) return false;
    const auto section = body.section(spot.index, spot.at.x(0));
    return section && !section->right && nu.dot(section->left) <= 0 &&
           nu.dot(section->left.cross(section->tangent)) > 1e-9;
  }
};

}  // namespace

PairIterate iterate_at(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                       const Spot& a, const Spot& b, const Vec3<double>& hint, double length) {
  const LocalFeature<double> at_A = A.at(a), at_B = B.at(b);
  const ExtremalPair pair(X_BA * at_A, at_B, hint);
  return {a, b, at_A, at_B, pair, pair.residual(length)};
}

NewtonOutcome newton(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                     PairIterate from, double length, const NewtonLimits& limits) {
  const Solver solver{A, B, X_BA, length};
  NewtonOutcome out{std::move(from)};
  PairIterate& at = out.last;
  bool polished = false;
  while (std::isfinite(at.residual)) {
    const bool settled = at.residual < limits.residual || (at.residual < kConverged && polished);
    if (settled) {
      const auto next = solver.promoted(at);
      if (!next) {
        out.left = solver.is_behind(at);
        out.converged = !out.left;
        break;
      }
      if (++out.feature_changes > limits.feature_changes) return out;
      at = *next;
      polished = false;
      continue;
    }
    if (out.iterations == limits.iterations) break;
    PairStep step = at.pair.newton();
    if (!step.finite()) step = slide(at.pair, length);
    const double longest = longest_way(step),
                 reach = limits.reach * (length + std::abs(at.pair.gap()));
    double part = 1;
    if (longest > reach) part = reach / longest;
    step.s_A *= part;
    step.s_B *= part;
    step.n *= part;
    ++out.iterations;
    out.left = false;
    auto next = solver.better(at, step, part < 1, out.left);
    if (!next && !(at.residual < kConverged)) {
      next = solver.better(at, slide(at.pair, length), true, out.left);
    }
    if (!next) {
      if (!(at.residual < kConverged)) return out;
      polished = true;  // as accurate as the arithmetic allows
      continue;
    }
    const bool changed = !same_feature(next->a, at.a) || !same_feature(next->b, at.b);
    if (changed && ++out.feature_changes > limits.feature_changes) return out;
    polished = !changed && at.residual < kConverged;
    at = *next;
  }
  return out;
}

TrackedPair report(const PairIterate& at, double length) {
  TrackedPair pair;
  const PairQuality quality = at.pair.quality(length);
  pair.A = at.a;
  pair.B = at.b;
  pair.gap = at.pair.gap();
  pair.point_A = at.pair.A.p;
  pair.point_B = at.pair.B.p;
  pair.normal = at.pair.n;
  pair.phase = pair.gap < 0 ? Phase::penetrating : Phase::near;
  const Mat<double, 3, 2> T = tangents(at.pair.n);
  const Mat2<double> M_A = T.transpose() * at.pair.A.E, M_B = T.transpose() * at.pair.B.E;
  pair.K_A = M_A * at.pair.A.bend(at.pair.n) * M_A.transpose();
  pair.K_B = -(M_B * at.pair.B.bend(at.pair.n) * M_B.transpose());
  pair.conformity = quality.conformity;
  pair.soft = quality.soft;
  pair.condition = quality.condition;
  pair.residual = at.residual;
  if (std::abs(quality.conformity) < kConformityTrack) {
    pair.status = PairStatus::conforming;
  } else {
    pair.status = quality.genuine ? PairStatus::found : PairStatus::not_minimum;
  }
  return pair;
}

double pair_length(const TouchableBody& A, const TouchableBody& B) {
  const double length = std::min(A.size(), B.size());
  return std::isfinite(length) && length > 0 ? length : 1.0;
}

TrackedPair nearest_from(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                         const Spot& a, const Spot& b, const Vec3<double>& normal,
                         const NewtonLimits& limits) {
  TrackedPair pair;
  if (!is_pose(X_BA)) {
    pair.status = PairStatus::invalid_pose;
    return pair;
  }
  const double length = pair_length(A, B);
  const NewtonOutcome out =
      newton(A, B, X_BA, iterate_at(A, B, X_BA, a, b, normal, length), length, limits);
  pair = report(out.last, length);
  pair.iterations = out.iterations;
  pair.feature_changes = out.feature_changes;
  if (!out.converged)
    pair.status = out.left ? PairStatus::left_surface : PairStatus::no_convergence;
  return pair;
}

}  // namespace oloid::proximity
