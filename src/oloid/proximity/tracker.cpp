#include "oloid/proximity/tracker.h"

#include <algorithm>
#include <cmath>

#include "oloid/spatial/rotation.h"

namespace oloid::proximity {
namespace {

// The twist, in B's frame, that takes A from one pose to the other in unit time; for short motions,
// to which the velocity form applies: the rotation counts with the sine of its angle.
Twist<double> twist_between(const Pose<double>& from, const Pose<double>& to) {
  const Mat3<double> R = to.R * from.R.transpose();
  const Vec3<double> w =
      0.5 * Vec3<double>(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return {w, to.p - from.p - w.cross(0.5 * (from.p + to.p))};
}

}  // namespace

const TrackedPair& Tracker::start(const Pose<double>& X_BA, const TrackedPair& pair) {
  pair_ = nearest_from(*A_, *B_, X_BA, pair.A, pair.B, pair.normal);
  X_BA_ = X_BA;
  ++counters_.misses;
  alive_ = pair_.usable();
  if (alive_) {
    at_A_ = A_->at(pair_.A);
    at_B_ = B_->at(pair_.B);
  }
  return pair_;
}

PairStep Tracker::rates(const Twist<double>& V_BA) const {
  return ExtremalPair(X_BA_ * at_A_, at_B_, pair_.normal).rates(V_BA);
}

void Tracker::lose(PairStatus why) {
  alive_ = false;
  why_lost_ = why;
  ++(why == PairStatus::left_surface    ? counters_.left
     : why == PairStatus::pair_vanished ? counters_.vanished
                                        : counters_.failed);
}

// A lost pair moves with its bodies: points and gap follow from the rigid motion.
void Tracker::keep(const Pose<double>& X_BA) {
  ++counters_.misses;
  X_BA_ = X_BA;
  pair_.status = why_lost_;
  pair_.point_A = X_BA * at_A_.p;
  pair_.gap = pair_.normal.dot(pair_.point_A - pair_.point_B);
}

// One prediction and its correction. If that fails, the reason, and everything stays as it was.
std::optional<PairStatus> Tracker::advance(const Pose<double>& X_BA) {
  // Corrections after a good prediction are few and short.
  constexpr NewtonLimits kLimits{12, 12, 0.2, kConverged};
  constexpr double kTrust = 1e-3;  // of the length: how far a correction may lead in any case
  constexpr double kNearFold = 0.05;
  const PairStep step = rates(twist_between(X_BA_, X_BA));
  const double predicted = std::max(step.s_A.norm(), step.s_B.norm());
  std::optional<Spot> a, b;
  if (step.finite() && predicted < kLimits.reach * (length_ + std::abs(pair_.gap))) {
    a = A_->moved(pair_.A, at_A_, step.s_A);
    b = B_->moved(pair_.B, at_B_, step.s_B);
  }
  const bool followed = a && b;
  const Vec3<double> n = followed ? (pair_.normal + step.n).normalized() : pair_.normal;
  const PairIterate from =
      iterate_at(*A_, *B_, X_BA, followed ? *a : pair_.A, followed ? *b : pair_.B, n, length_);
  const NewtonOutcome out = newton(*A_, *B_, X_BA, from, length_, kLimits);
  counters_.iterations += out.iterations;
  const bool near_fold = pair_.conformity < kNearFold;
  if (!out.converged) {
    return out.left    ? PairStatus::left_surface
           : near_fold ? PairStatus::pair_vanished
                       : PairStatus::no_convergence;
  }
  const double corrected = std::max((out.last.pair.A.p - from.pair.A.p).norm(),
                                    (out.last.pair.B.p - from.pair.B.p).norm());
  const bool stayed = same_feature(out.last.a, pair_.A) && same_feature(out.last.b, pair_.B);
  if (stayed && corrected > 0.5 * predicted + kTrust * length_)
    return PairStatus::pair_vanished;  // this is another pair
  TrackedPair next = report(out.last, length_);
  if (next.status == PairStatus::not_minimum) return PairStatus::pair_vanished;
  next.iterations = out.iterations;
  next.feature_changes = out.feature_changes;
  counters_.feature_changes += out.feature_changes;
  pair_ = next;
  at_A_ = out.last.at_A;
  at_B_ = out.last.at_B;
  X_BA_ = X_BA;
  return std::nullopt;
}

const TrackedPair& Tracker::update(const Pose<double>& X_BA) {
  constexpr double kLeastPart = 1.0 / 64;
  constexpr double kLeastMotion = 1e-4;  // of the length: parts that are shorter save no pair
  ++counters_.updates;
  if (!is_pose(X_BA)) {
    pair_.status = PairStatus::invalid_pose;
    ++counters_.misses;
    return pair_;
  }
  if (!alive_) {
    keep(X_BA);
    return pair_;
  }
  std::optional<PairStatus> trouble = advance(X_BA);
  if (trouble) {
    const Pose<double> from = X_BA_;
    const Vec3<double> turn = rotation_vector(Mat3<double>(X_BA.R * from.R.transpose()));
    const double angle = turn.norm();
    const Vec3<double> axis = angle > 0 ? Vec3<double>(turn / angle) : Vec3<double>::UnitX();
    const double motion = (X_BA.p - from.p).norm() + angle * length_;
    const double least = std::max(kLeastPart, kLeastMotion * length_ / motion);
    double done = 0, part = 0.5;
    while (done < 1 && part >= least) {
      const double to = std::min(1.0, done + part);
      const Pose<double> X{axis_angle<double>(axis, to * angle) * from.R,
                           from.p + to * (X_BA.p - from.p)};
      trouble = advance(to < 1 ? X : X_BA);
      ++counters_.parts;
      if (trouble) {
        part *= 0.5;
      } else {
        done = to;
      }
    }
  }
  if (trouble) {
    lose(*trouble);
    keep(X_BA);
  } else {
    ++counters_.hits;
  }
  return pair_;
}

}  // namespace oloid::proximity
