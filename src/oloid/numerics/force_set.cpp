#include "oloid/numerics/force_set.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "oloid/base/contract.h"
#include "oloid/numerics/cone_program.h"
#include "oloid/numerics/lcp.h"

namespace oloid::numerics {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double kRank = 1e-9;       // singular values below this part of the largest are 0
constexpr double kSelfStress = 1e4;  // |z| beyond this many caps counts as infinite

// One condition of docs/theory/contact_problem.md eq. 9 as a cone: h + H z lies in {s_0 ≥ |s_1|}.
struct Condition {
  Vector h;
  Matrix H;
};

// The conditions that a contact sets to forces: one for its normal force alone, or one for each
// channel that is limited, which implies it.
std::vector<Condition> conditions(const ForceSet& set, std::span<const ForceCone> cones) {
  std::vector<Condition> all;
  for (const ForceCone& cone : cones) {
    const auto before = all.size();
    for_each_channel(cone, [&](int at, const ConeChannel& channel) {
      if (channel.limit == kUnlimited) return;
      Condition c{Vector(1 + channel.width), Matrix(1 + channel.width, set.nullity())};
      c.h << set.particular(cone.first), set.particular.segment(at, channel.width) / channel.limit;
      c.H << set.null.row(cone.first), set.null.middleRows(at, channel.width) / channel.limit;
      all.push_back(std::move(c));
    });
    if (all.size() == before) {
      all.push_back({set.particular.segment(cone.first, 1), set.null.row(cone.first)});
    }
  }
  return all;
}

// Programme in z, or in (z, m) with all conditions shifted by m, in units of `cap`.
ConeProgram programme(const std::vector<Condition>& all, int nullity, bool with_margin,
                      double cap) {
  const int unknowns = nullity + (with_margin ? 1 : 0);
  Eigen::Index rows = nullity + 1 + (with_margin ? 1 : 0);
  for (const Condition& c : all) rows += c.h.size();
  ConeProgram p{Matrix::Zero(unknowns, unknowns),
                Vector::Zero(unknowns),
                Matrix::Zero(rows, unknowns),
                Vector::Zero(rows),
                {}};
  Eigen::Index at = 0;
  for (const Condition& c : all) {
    p.h.segment(at, c.h.size()) = c.h / cap;
    p.G.block(at, 0, c.h.size(), nullity) = -c.H;
    if (with_margin) p.G(at, nullity) = 1;
    p.cones.push_back(static_cast<int>(c.h.size()));
    at += c.h.size();
  }
  p.h(at) = kSelfStress;
  p.G.block(at + 1, 0, nullity, nullity).setIdentity();
  p.cones.push_back(nullity + 1);
  at += nullity + 1;
  if (with_margin) {
    p.h(at) = 1;
    p.G(at, nullity) = 1;
    p.cones.push_back(1);
    p.q(nullity) = -1;
  }
  return p;
}

// s(z) = a + b z − |c + d z|, and where it is largest: docs/theory/contact_problem.md eq. 13.
struct Slack1 {
  double a, b;
  Vector c, d;

  double operator()(double z) const { return a + b * z - (c + d * z).norm(); }
  double peak(double bound) const {
    const double length = d.norm();
    if (std::abs(b) >= length) return b > 0 ? bound : b < 0 ? -bound : 0;
    const double z_0 = -c.dot(d) / (length * length), h = (c + d * z_0).norm(), beta = b / length;
    return std::clamp(z_0 + h / length * beta / std::sqrt((1 - beta) * (1 + beta)), -bound, bound);
  }
};

// Nullity 1: the largest least slack lies between the outermost peaks; each bisection goes towards
// the peak of the smallest slack.
double best_on_line(const std::vector<Condition>& all, double cap) {
  std::vector<Slack1> slacks;
  std::vector<double> peaks;
  for (const Condition& c : all) {
    const Eigen::Index n = c.h.size() - 1;
    slacks.push_back({c.h(0), c.H(0, 0), c.h.tail(n), c.H.col(0).tail(n)});
    peaks.push_back(slacks.back().peak(kSelfStress * cap));
  }
  double low = *std::min_element(peaks.begin(), peaks.end());
  double high = *std::max_element(peaks.begin(), peaks.end());
  const auto least = [&](double z) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < slacks.size(); ++i) {
      if (slacks[i](z) < slacks[worst](z)) worst = i;
    }
    return worst;
  };
  while (true) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) break;
    const std::size_t worst = least(middle);
    if (peaks[worst] == middle || slacks[worst](middle) >= cap) return middle;
    (peaks[worst] > middle ? low : high) = middle;
  }
  return slacks[least(low)](low) > slacks[least(high)](high) ? low : high;
}

}  // namespace

Vector ForceSet::nearest(const Vector& force) const {
  return null.transpose() * compliance.asDiagonal() * (force - particular);
}

ForceSet solve_forces(const Matrix& E, const Vector& e, const Vector& compliance) {
  OLOID_EXPECT(E.rows() == e.size());
  OLOID_EXPECT(compliance.size() == 0 || compliance.size() == E.cols());
  ForceSet set;
  set.compliance = compliance.size() ? compliance : Vector::Ones(E.cols());
  // In x = C^½ λ the norm is Euclidean; rows are scaled to length 1.
  const Vector root = set.compliance.cwiseSqrt();
  Matrix A = E * root.cwiseInverse().asDiagonal();
  Vector a = e;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double length = A.row(i).norm();
    if (length > 0) {
      A.row(i) /= length;
      a(i) /= length;
    }
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(A);
  Vector x = decomposition.solve(a);
  x += decomposition.solve(a - A * x);
  set.rank = static_cast<int>(decomposition.rank());
  const Eigen::Index nullity = A.cols() - set.rank;
  set.particular = root.cwiseInverse().asDiagonal() * x;
  set.null =
      root.cwiseInverse().asDiagonal() *
      (decomposition.colsPermutation() * decomposition.matrixZ().transpose().rightCols(nullity));
  const double size = a.norm();
  set.residual = size > 0 ? (A * x - a).norm() / size : 0;
  return set;
}

Margin margin(const ForceSet& set, std::span<const ForceCone> cones, double cap) {
  OLOID_EXPECT(cap > 0 && !cones.empty());
  const int n = set.nullity();
  if (n <= 1) {
    const Vector z =
        n == 0 ? Vector() : Vector::Constant(1, best_on_line(conditions(set, cones), cap));
    return {std::min(cap, least_slack(cones, set.at(z))), z, 0, 0};
  }
  const ConeOptimum best = solve(programme(conditions(set, cones), n, true, cap));
  const Vector z = cap * best.x.head(n);
  return {std::min(cap, least_slack(cones, set.at(z))), z, best.iterations, best.residual};
}

// In z the problem is min ½|z|² with a + A z ≥ 0, a and A the normal rows of the set. With
// multipliers ν ≥ 0 of these conditions z = Aᵀν, and a + A Aᵀν ≥ 0 is complementary to ν: a
// positive semidefinite LCP (docs/theory/contact_problem.md eq. 8).
BoundedForces bounded_least_norm(const ForceSet& set, std::span<const ForceCone> cones,
                                 std::span<const char> last) {
  const auto contacts = static_cast<Eigen::Index>(cones.size());
  Vector a(contacts);
  Matrix A(contacts, set.nullity());
  for (Eigen::Index i = 0; i < contacts; ++i) {
    const int row = cones[static_cast<std::size_t>(i)].first;
    a(i) = set.particular(row);
    A.row(i) = set.null.row(row);
  }
  BoundedForces result{true, set.particular, std::vector<char>(cones.size(), 0), kUnlimited};
  const double size = set.particular.lpNorm<Eigen::Infinity>();
  Vector nu = Vector::Zero(contacts);
  if (a.size() > 0 && a.minCoeff() < 0) {
    const Matrix AA = A * A.transpose();
    std::vector<double> scratch(lcp_scratch(cones.size()));
    for (std::size_t i = 0; i < last.size(); ++i) nu(static_cast<Eigen::Index>(i)) = last[i];
    const LcpReport report = solve_lcp({AA, a}, {nu.data(), cones.size()}, scratch);
    result.exist = report.status == LcpStatus::solved;
    if (!result.exist) return result;
    result.force = set.at(A.transpose() * nu);
  }
  for (Eigen::Index i = 0; i < contacts; ++i) {
    const auto k = static_cast<std::size_t>(i);
    double& normal = result.force(cones[k].first);
    result.held_at_zero[k] = static_cast<char>(nu(i) > 0);
    if (nu(i) > 0 && std::abs(normal) <= 1e-12 * size) normal = 0;
    if (A.row(i).norm() > kRank) {
      // ν moves the forces by A Aᵀ ν, so that its part of the normal force is in newtons.
      const double guard = nu(i) > 0 ? nu(i) * A.row(i).squaredNorm() : normal;
      result.redistribution = std::min(result.redistribution, guard);
    }
  }
  return result;
}

ConeForces least_norm_in_cones(const ForceSet& set, std::span<const ForceCone> cones,
                               const Margin& margin, double cap) {
  const double plain = least_slack(cones, set.particular);
  if (plain >= 0 || set.nullity() == 0) return {set.particular, plain, 0};
  const int n = set.nullity();
  ConeProgram p = programme(conditions(set, cones), n, false, cap);
  p.P.setIdentity();
  const ConeOptimum best = solve(p);
  // Round-off may leave the optimum outside by a little; on the way to the margin's maximiser it
  // comes inside.
  Vector z = cap * best.x;
  const double outside = -least_slack(cones, set.at(z));
  if (outside > 0 && margin.m > 0) z += outside / (outside + margin.m) * (margin.z - z);
  const Vector force = set.at(z);
  return {force, least_slack(cones, force), best.residual};
}

ForceInterval force_interval(const ForceSet& set, std::span<const ForceCone> cones,
                             const Vector& direction, double cap) {
  const double fixed = direction.dot(set.particular);
  const Vector slope = set.null.transpose() * direction;
  if (set.nullity() == 0 || slope.norm() <= kRank * direction.norm()) return {fixed, fixed, 0};
  ConeProgram p = programme(conditions(set, cones), set.nullity(), false, cap);
  ForceInterval interval{fixed, fixed, 0};
  const auto end = [&](double sign) {
    p.q = sign * slope / slope.norm();
    const ConeOptimum best = solve(p);
    interval.residual = std::max(interval.residual, best.residual);
    const double way = slope.dot(best.x) / slope.norm();
    const bool unbounded = std::abs(way) > 0.01 * kSelfStress;
    return unbounded ? -sign * kUnlimited : fixed + cap * slope.dot(best.x);
  };
  interval.low = end(1);
  interval.high = end(-1);
  return interval;
}

}  // namespace oloid::numerics
