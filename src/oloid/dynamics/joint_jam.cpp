#include "oloid/dynamics/joint_jam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "oloid/numerics/contact_problem.h"
#include "oloid/numerics/root.h"

namespace oloid::dynamics {
namespace {

using Vector = Eigen::VectorXd;
using numerics::ContactProblem;
using numerics::Decision;
using numerics::Outcome;

constexpr int kMostIncrements = 4000;
constexpr double kLargestChange = 0.02;  // of velocities in one increment, relative to the first
constexpr double kPushed = 1e-6;         // of the largest push: contacts with less obey their laws

class Jamming {
 public:
  Jamming(const Eigen::MatrixXd& W, const Vector& u, const std::vector<numerics::ForceCone>& cones,
          const Vector& push)
      : W_(W), u_(u), P_(Vector::Zero(u.size())), problem_{W, u, cones, 1}, push_(push) {
    scale_ = u.lpNorm<Eigen::Infinity>();
    for (std::size_t i = 0; i < cones.size(); ++i) {
      if (push(static_cast<Eigen::Index>(i)) > kPushed * push.maxCoeff())
        pushed_.push_back(static_cast<int>(i));
    }
  }

  JointJam run() {
    JointJam out;
    const Vector before = u_;
    out.found = scale_ > 0 && compress();
    out.P = P_;
    out.u = u_;
    out.energy_loss = -0.5 * P_.dot(before + u_);
    out.increments = increments_;
    return out;
  }

 private:
  int normal(int contact) const { return problem_.cones[static_cast<std::size_t>(contact)].first; }

  // Impulses at all contacts when those of the pushed normals are given: implicit, so that friction
  // opposes the velocities after, and energy falls however large dp is (theory/impact.md eq. 15).
  std::optional<Vector> increment(double dp) {
    problem_.W = W_;
    problem_.b = u_;
    problem_.cap = dp;
    for (const int i : pushed_) {
      const int row = normal(i);
      problem_.W.row(row).setZero();
      problem_.W(row, row) = W_(row, row);
      problem_.b(row) = -W_(row, row) * dp * push_(i);
    }
    const Decision decision = numerics::decide(problem_, false);
    if (decision.outcome != Outcome::moves) return std::nullopt;
    return decision.force;
  }
  // Of the pushed contact that approaches least. [m/s]
  double least_approach(const Vector& u) const {
    double least = std::numeric_limits<double>::infinity();
    for (const int i : pushed_) least = std::min(least, -u(normal(i)));
    return least;
  }
  // Contacts that approach no longer obey their laws from then on.
  void leave(const Vector& u) {
    std::erase_if(pushed_, [&](int i) { return u(normal(i)) >= 0; });
  }

  bool compress() {
    double dp = 0;
    for (const int i : pushed_)
      dp = std::max(dp, kLargestChange * scale_ / (W_(normal(i), normal(i)) * push_(i)));
    bool approached = false;
    while (!pushed_.empty()) {
      if (++increments_ > kMostIncrements) return false;
      const auto P = increment(dp);
      if (!P) return false;
      const Vector change = W_ * *P;
      const double size = change.lpNorm<Eigen::Infinity>() / scale_;
      if (size > kLargestChange) {
        dp *= std::max(0.1, 0.9 * kLargestChange / size);
      } else if (least_approach(u_ + change) <= 0) {
        const double now = least_approach(u_);
        if (now > 0 && !advance_until_first_stops(dp)) return false;
        leave(now > 0 ? u_ : Vector(u_ + change));
      } else {
        approached = true;
        u_ += change;
        P_ += *P;
        dp *= std::min(2.0, 0.9 * kLargestChange / size);
      }
    }
    return approached;
  }

  // An increment of the length at which the first contact does not approach any longer.
  bool advance_until_first_stops(double dp) {
    bool good = true;
    Vector P = Vector::Zero(u_.size());
    const auto approach = [&](double part) {
      const auto found = increment(part);
      good = good && found;
      if (!found) return 0.0;
      P = *found;
      return least_approach(u_ + W_ * P);
    };
    const double end = approach(dp);
    if (end < 0) approach(numerics::find_root(approach, 0, least_approach(u_), dp, end).x);
    if (!good) return false;
    u_ += W_ * P;
    P_ += P;
    const double least = least_approach(u_);
    for (const int i : pushed_) {
      if (-u_(normal(i)) <= least + 1e-12 * scale_) u_(normal(i)) = 0;
    }
    return true;
  }

  const Eigen::MatrixXd& W_;
  Vector u_, P_;
  ContactProblem problem_;
  Vector push_;
  std::vector<int> pushed_;
  double scale_;  // [m/s]
  int increments_ = 0;
};

}  // namespace

JointJam joint_jam(const Eigen::MatrixXd& W, const Vector& u,
                   const std::vector<numerics::ForceCone>& cones, const Vector& push) {
  return Jamming(W, u, cones, push).run();
}

}  // namespace oloid::dynamics
