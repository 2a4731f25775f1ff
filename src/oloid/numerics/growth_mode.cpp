#include "oloid/numerics/growth_mode.h"

#include <Eigen/LU>
#include <algorithm>
#include <bit>

namespace oloid::numerics {
namespace {

constexpr double kStiffest = 1e-12;  // of the softest ε: where contacts count as rigid
constexpr int kBisections = 30;
constexpr std::size_t kMostTried = 8;  // contacts: 256 choices
constexpr double kOpens = 1e-9;        // of the rates: what counts as not approaching

bool has_forces(const Decision& decision) {
  return decision.outcome == Outcome::holds || decision.outcome == Outcome::moves;
}

// The forces that keep these contacts closed, if they are all pressed and the others do not
// approach.
std::optional<Decision> with_closed(const ContactProblem& problem, unsigned closed, bool may_hold) {
  Decision out{};
  out.outcome = Outcome::moves;
  out.margin = -kUnlimited;
  out.force.setZero(problem.b.size());
  out.modes.resize(problem.cones.size());
  for (std::size_t i = 0; i < problem.cones.size(); ++i) out.modes[i].closed = closed >> i & 1;
  const ContactProblem left = with_modes(problem, out.modes);
  if (!left.cones.empty()) {
    const Decision part = decide(left, may_hold);
    if (!has_forces(part) || !is_regular(left, part)) return {};
    std::size_t k = 0;
    for (std::size_t i = 0; i < problem.cones.size(); ++i) {
      if (!out.modes[i].closed) continue;
      if (!part.modes[k].closed) return {};
      const ForceCone &to = problem.cones[i], &from = left.cones[k];
      out.force.segment(to.first, to.size()) = part.force.segment(from.first, from.size());
      out.modes[i] = part.modes[k++];
    }
    out.residual = part.residual;
  }
  out.rate = problem.W * out.force + problem.b;
  const double scale = problem.b.lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    if (!out.modes[i].closed && out.rate(problem.cones[i].first) < -kOpens * scale) return {};
  }
  return out;
}

// The normal forces of contacts that give way, if there are regular ones.
std::optional<Eigen::VectorXd> forces_of(const ContactProblem& rigid, double give) {
  ContactProblem soft = rigid;
  for (const ForceCone& cone : rigid.cones) soft.W(cone.first, cone.first) += give;
  const Decision decision = decide_regular(soft, false);
  if (!has_forces(decision)) return {};
  Eigen::VectorXd normals(static_cast<Eigen::Index>(rigid.cones.size()));
  for (std::size_t i = 0; i < rigid.cones.size(); ++i)
    normals(static_cast<Eigen::Index>(i)) = decision.force(rigid.cones[i].first);
  return normals;
}

}  // namespace

bool is_regular(const ContactProblem& problem, const Decision& decision) {
  const ContactProblem left = with_modes(problem, decision.modes);
  if (left.cones.empty()) return true;
  const Eigen::VectorXd scale = left.W.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  if (!scale.allFinite()) return false;
  const Eigen::MatrixXd A = scale.asDiagonal() * left.W * scale.asDiagonal();
  return A.partialPivLu().determinant() > 0;
}

Decision decide_regular(const ContactProblem& problem, bool may_hold) {
  Decision best = decide(problem, may_hold);
  if (has_forces(best) && is_regular(problem, best)) return best;
  if (has_forces(best)) best.outcome = Outcome::no_force;
  if (problem.cones.size() > kMostTried) return best;
  int most = -1;
  double pressing = 0;
  for (unsigned closed = 0; closed < 1u << problem.cones.size(); ++closed) {
    const int count = std::popcount(closed);
    if (count < most) continue;
    const auto other = with_closed(problem, closed, may_hold);
    if (!other) continue;
    double sum = 0;
    for (const ForceCone& cone : problem.cones) sum += other->force(cone.first);
    if (count == most && sum <= pressing) continue;
    most = count;
    pressing = sum;
    best = *other;
  }
  return best;
}

std::optional<Eigen::VectorXd> growth_mode(const ContactProblem& problem) {
  double largest = 0;  // of the columns of normal forces
  for (const ForceCone& cone : problem.cones)
    largest = std::max(largest, problem.W.col(cone.first).cwiseAbs().sum());
  const double softest = 4 * largest;
  double good = softest, bad = -1;
  std::optional<Eigen::VectorXd> forces = forces_of(problem, good);
  if (!forces) return {};
  for (double give = 0.5 * softest; give > kStiffest * softest; give *= 0.5) {
    const auto next = forces_of(problem, give);
    if (!next) {
      bad = give;
      break;
    }
    good = give;
    forces = next;
  }
  if (bad < 0) return {};
  for (int k = 0; k < kBisections; ++k) {
    const double give = 0.5 * (good + bad);
    const auto next = forces_of(problem, give);
    if (next) {
      good = give;
      forces = next;
    } else {
      bad = give;
    }
  }
  const double most = forces->maxCoeff();
  if (!(most > 0)) return {};
  return *forces / most;
}

}  // namespace oloid::numerics
