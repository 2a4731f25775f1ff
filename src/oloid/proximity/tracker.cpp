#include "oloid/proximity/tracker.h"

#include <algorithm>
#include <cmath>

#include "oloid/proximity/newton.h"
#include "oloid/spatial/rotation.h"

namespace oloid {
namespace {

bool is_pose(const Pose<double>& X) {
  return X.p.allFinite() &&
         (X.R * X.R.transpose() - Mat3<double>::Identity()).cwiseAbs().maxCoeff() < 1e-6;
}

TrackedPair invalid() {
  TrackedPair pair;
  pair.status = PairStatus::invalid_pose;
  return pair;
}

// The twist, in B's frame, that takes A from one pose to the other in unit time, to first order in
// the way of the origin and exactly in the rotation.
Twist<double> twist_between(const Pose<double>& from, const Pose<double>& to) {
  const Vec3<double> w = rotation_vector(Mat3<double>(to.R * from.R.transpose()));
  return {w, to.p - from.p - w.cross(0.5 * (from.p + to.p))};
}

}  // namespace

double pair_length(const Features& A, const Features& B) {
  const double length = std::min(A.size(), B.size());
  return std::isfinite(length) && length > 0 ? length : 1.0;
}

TrackedPair nearest_from(const Features& A, const Features& B, const Pose<double>& X_BA,
                         const Spot& a, const Spot& b, const Vec3<double>& normal) {
  if (!is_pose(X_BA)) return invalid();
  const double length = pair_length(A, B);
  const NewtonOutcome out =
      newton(A, B, X_BA, iterate_at(A, B, X_BA, a, b, normal, length), length, {});
  TrackedPair pair = report(out.last, length);
  pair.iterations = out.iterations;
  pair.feature_changes = out.feature_changes;
  if (!out.converged)
    pair.status = out.left ? PairStatus::left_surface : PairStatus::no_convergence;
  return pair;
}

const TrackedPair& Tracker::start(const Pose<double>& X_BA, const TrackedPair& pair) {
  pair_ = nearest_from(*A_, *B_, X_BA, pair.A, pair.B, pair.normal);
  X_BA_ = X_BA;
  ++counters_.misses;
  if (pair_.usable()) {
    at_A_ = A_->at(pair_.A);
    at_B_ = B_->at(pair_.B);
  }
  return pair_;
}

PairStep Tracker::rates(const Twist<double>& V_BA) const {
  return ExtremalPair(X_BA_ * at_A_, at_B_, pair_.normal).rates(V_BA);
}

// Keeps the pair with its bodies: points and gap as the rigid motion makes them.
void Tracker::lose(PairStatus why, const Pose<double>& X_BA) {
  if (pair_.status != PairStatus::invalid_pose && is_pose(X_BA)) {
    pair_.point_A = X_BA * at_A_.p;
    pair_.gap = pair_.normal.dot(pair_.point_A - pair_.point_B);
    X_BA_ = X_BA;
  }
  pair_.status = why;
  ++counters_.misses;
  ++(why == PairStatus::left_surface    ? counters_.left
     : why == PairStatus::pair_vanished ? counters_.vanished
                                        : counters_.failed);
}

const TrackedPair& Tracker::update(const Pose<double>& X_BA) {
  // Corrections after a good prediction are few and short.
  constexpr NewtonLimits kLimits{12, 8, 0.2};
  ++counters_.updates;
  if (!is_pose(X_BA)) {
    lose(PairStatus::invalid_pose, X_BA);
    return pair_;
  }
  if (!tracking()) {
    lose(pair_.status, X_BA);
    return pair_;
  }
  const PairStep step = rates(twist_between(X_BA_, X_BA));
  const double reach = kLimits.reach * (length_ + std::abs(pair_.gap));
  std::optional<Spot> a, b;
  Vec3<double> n = pair_.normal;
  if (step.finite() && std::max(step.s_A.norm(), step.s_B.norm()) < reach) {
    a = A_->moved(pair_.A, at_A_, step.s_A);
    b = B_->moved(pair_.B, at_B_, step.s_B);
    n = (n + step.n).normalized();
  }
  const NewtonOutcome out =
      newton(*A_, *B_, X_BA,
             iterate_at(*A_, *B_, X_BA, a.value_or(pair_.A), b.value_or(pair_.B), n, length_),
             length_, kLimits);
  counters_.iterations += out.iterations;
  counters_.feature_changes += out.feature_changes;
  TrackedPair next = report(out.last, length_);
  next.iterations = out.iterations;
  next.feature_changes = out.feature_changes;
  if (!out.converged) {
    lose(out.left ? PairStatus::left_surface : PairStatus::no_convergence, X_BA);
  } else if (next.status == PairStatus::not_minimum) {
    lose(PairStatus::pair_vanished, X_BA);
  } else {
    ++counters_.hits;
    pair_ = next;
    at_A_ = out.last.at_A;
    at_B_ = out.last.at_B;
    X_BA_ = X_BA;
  }
  return pair_;
}

}  // namespace oloid
