#include "oloid/numerics/contact_problem.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/base/contract.h"
#include "oloid/numerics/lcp.h"

namespace oloid::numerics {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double kConsistent = 1e-9;  // residual of forces that hold everything
constexpr double kHolds = 1e-12;      // of the cap: a margin that is 0 but for round-off
constexpr double kSolved = 1e-11;     // residual of the natural map, relative to the forces
constexpr double kRoundOff = 1e-15;   // where Newton's method need not go on
constexpr int kMostSteps = 60;
constexpr int kMostHalvings = 12;
constexpr int kMostStalls = 4;         // steps that do not lower the residual
constexpr double kPolygonLimit = 1e3;  // stands for an unlimited channel in a polygon

// The natural map and, if asked for, its derivative with respect to the forces:
// docs/theory/contact_problem.md eq. 5.
class NaturalMap {
 public:
  explicit NaturalMap(const ContactProblem& problem) : p_(problem), step_(problem.b.size()) {
    force_ = 0;
    for (const ForceCone& cone : p_.cones) {
      const int n = cone.size();
      const double size = p_.W.block(cone.first, cone.first, n, n).norm();
      const double step = size > 0 ? 1 / size : 1;
      step_.segment(cone.first, n).setConstant(step);
      force_ = std::max(force_, step * p_.b.segment(cone.first, n).norm());
    }
  }

  // A force of the size that the problem has [N].
  double force_scale(const Vector& force) const {
    return std::max(force_, force.lpNorm<Eigen::Infinity>());
  }
  Vector argument(const Vector& force) const {
    return force - step_.cwiseProduct(p_.W * force + p_.b);
  }

  Vector value(const Vector& force) const {
    const Vector x = argument(force);
    Vector phi = force;
    for (const ForceCone& cone : p_.cones) {
      const double normal = std::max(0.0, x(cone.first));
      phi(cone.first) -= normal;
      for_each_channel(cone, [&](int at, const ConeChannel& channel) {
        const auto part = x.segment(at, channel.width);
        const double length = part.norm(), radius = normal > 0 ? channel.limit * normal : 0;
        if (length <= radius) {
          phi.segment(at, channel.width) -= part;
        } else {
          phi.segment(at, channel.width) -= radius / length * part;
        }
      });
    }
    return phi;
  }

  Matrix derivative(const Vector& force) const {
    const Vector x = argument(force);
    const Eigen::Index n = force.size();
    Matrix dx = -(step_.asDiagonal() * p_.W);
    dx.diagonal().array() += 1;
    Matrix D = Matrix::Identity(n, n);
    for (const ForceCone& cone : p_.cones) {
      if (x(cone.first) <= 0) continue;
      D.row(cone.first) -= dx.row(cone.first);
      for_each_channel(cone, [&](int at, const ConeChannel& channel) {
        const auto rows = dx.middleRows(at, channel.width);
        const Vector part = x.segment(at, channel.width);
        const double length = part.norm(), radius = channel.limit * x(cone.first);
        if (length <= radius) {
          D.middleRows(at, channel.width) -= rows;
        } else {
          const Vector e = part / length;
          D.middleRows(at, channel.width) -= channel.limit * e * dx.row(cone.first) +
                                             radius / length * (rows - e * (e.transpose() * rows));
        }
      });
    }
    return D;
  }

  // The branches of the map at a solution are the modes: no tolerance decides.
  std::vector<ContactMode> modes(const Vector& force) const {
    const Vector x = argument(force);
    std::vector<ContactMode> all;
    for (const ForceCone& cone : p_.cones) {
      ContactMode mode;
      mode.closed = x(cone.first) > 0;
      std::size_t k = 0;
      for_each_channel(cone, [&](int at, const ConeChannel& channel) {
        const auto part = x.segment(at, channel.width);
        ChannelMotion& motion = mode.channel[k++];
        motion.moves = mode.closed && part.norm() > channel.limit * x(cone.first);
        if (motion.moves) motion.direction.head(channel.width) = -part / part.norm();
      });
      all.push_back(mode);
    }
    return all;
  }

 private:
  const ContactProblem& p_;
  Vector step_;  // ϱ of each contact [N s²/m]
  double force_;
};

// Semismooth Newton with least-squares steps (redundant forces make the derivative singular) and a
// line search on |Φ|.
struct NewtonResult {
  bool found;
  Vector force;
  double residual;  // relative
};
NewtonResult newton(const NaturalMap& map, Vector force, int& iterations) {
  Vector phi = map.value(force);
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  int stalls = 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const double size = phi.norm();
    if (size <= kRoundOff * map.force_scale(force)) break;
    ++iterations;
    solver.compute(map.derivative(force));
    const Vector step = -solver.solve(phi);
    double way = 1, best_way = 1, best = kUnlimited;
    for (int halving = 0; halving < kMostHalvings; ++halving, way *= 0.5) {
      const double now = map.value(force + way * step).norm();
      if (now < best) best = now, best_way = way;
      if (now < (1 - 1e-4 * way) * size) break;
    }
    const bool solved = size <= kSolved * map.force_scale(force);
    if (!(best < size) && (solved || ++stalls == kMostStalls)) break;
    force += best_way * step;
    phi = map.value(force);
  }
  const double residual = phi.norm() / map.force_scale(force);
  return {residual <= kSolved, force, residual};
}

// Directions in which a polygon stands for the disc of a channel of two components, as angles:
// evenly spread, or (`width` > 0) close to the angle `about`, where it then agrees with the disc to
// width².
std::vector<double> polygon(int sides, double width, double about) {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  if (width > 0) {
    std::vector<double> angles;
    for (const double turn : {0.0, width, -width, 3 * width, -3 * width, kQuarter + width,
                              -kQuarter - width, 1.5 * kQuarter, -1.5 * kQuarter, 2 * kQuarter}) {
      angles.push_back(about + turn);
    }
    return angles;
  }
  std::vector<double> angles(static_cast<std::size_t>(sides));
  for (std::size_t j = 0; j < angles.size(); ++j) {
    angles[j] = about + 4 * kQuarter * static_cast<double>(j) / sides;
  }
  return angles;
}

// Polygons in place of discs make the problem an LCP, which Lemke's method solves whenever it has a
// solution at slip zero: docs/theory/contact_problem.md eq. 15. `force` gives the angles about
// which polygons are laid, and becomes the solution.
LcpStatus solve_with_polygons(const ContactProblem& p, int sides, double width, Vector& force,
                              int& pivots) {
  // Columns of B turn unknowns of the LCP into forces; a bound γ of each channel has none.
  std::vector<Vector> columns;
  struct Bound {
    Eigen::Index normal, first, row;
    double limit;
  };
  std::vector<Bound> bounds;
  const auto index = [&] { return static_cast<Eigen::Index>(columns.size()); };
  for (const ForceCone& cone : p.cones) {
    const Eigen::Index normal = index();
    columns.push_back(Vector::Unit(p.b.size(), cone.first));
    for_each_channel(cone, [&](int at, const ConeChannel& channel) {
      Bound bound{normal, index(), 0, std::min(channel.limit, kPolygonLimit)};
      if (channel.width == 1) {
        columns.push_back(Vector::Unit(p.b.size(), at));
        columns.push_back(-Vector::Unit(p.b.size(), at));
      } else {
        for (const double angle : polygon(sides, width, std::atan2(force(at + 1), force(at)))) {
          columns.push_back(std::cos(angle) * Vector::Unit(p.b.size(), at) +
                            std::sin(angle) * Vector::Unit(p.b.size(), at + 1));
        }
      }
      bound.row = index();
      columns.push_back(Vector::Zero(p.b.size()));
      bounds.push_back(bound);
    });
  }
  Matrix B(p.b.size(), index());
  for (Eigen::Index j = 0; j < B.cols(); ++j) B.col(j) = columns[static_cast<std::size_t>(j)];
  Matrix M = B.transpose() * p.W * B;
  const Vector q = B.transpose() * p.b;
  for (const Bound& bound : bounds) {
    M(bound.row, bound.normal) = bound.limit;
    for (Eigen::Index j = bound.first; j < bound.row; ++j) {
      M(bound.row, j) = -1;
      M(j, bound.row) = 1;
    }
  }
  Vector z(q.size());
  std::vector<double> scratch(lcp_scratch(static_cast<std::size_t>(q.size())));
  const LcpReport report =
      solve_lemke({M, q}, {z.data(), static_cast<std::size_t>(z.size())}, scratch);
  pivots += report.pivots;
  if (report.status != LcpStatus::ray) force = B * z;
  return report.status;
}

class Decider {
 public:
  Decider(const ContactProblem& problem, bool may_hold)
      : p_(problem), may_hold_(may_hold), map_(problem) {
    OLOID_EXPECT(p_.W.rows() == p_.b.size() && p_.W.cols() == p_.b.size());
    OLOID_EXPECT(p_.cap > 0 && !p_.cones.empty());
  }

  Decision decide() {
    ask_margin();
    if (may_hold_ && d_.margin >= -kHolds * p_.cap) return all_hold();
    const bool any_channel = std::any_of(p_.cones.begin(), p_.cones.end(),
                                         [](const ForceCone& cone) { return cone.channels > 0; });
    return any_channel ? with_channels() : without_channels();
  }

 private:
  void ask_margin() {
    d_.margin = -kUnlimited;
    set_ = solve_forces(p_.W, -p_.b);
    if (set_.residual > kConsistent) return;
    margin_ = margin(set_, p_.cones, p_.cap);
    d_.margin = margin_.m;
    d_.iterations = margin_.iterations;
  }

  Decision all_hold() {
    d_.outcome = Outcome::holds;
    d_.found = Found::margin;
    d_.force = least_norm_in_cones(set_, p_.cones, margin_, p_.cap).force;
    d_.rate = Vector::Zero(p_.b.size());
    d_.residual = set_.residual;
    d_.modes.assign(p_.cones.size(), ContactMode{true, {}});
    return d_;
  }

  // Frictionless or sliding contacts: some open, the forces of the others are a bounded least norm.
  Decision without_channels() {
    d_.found = Found::lemke;
    Vector z = Vector::Zero(p_.b.size());
    std::vector<double> scratch(lcp_scratch(p_.cones.size()));
    const LcpReport report = solve_lemke({p_.W, p_.b}, {z.data(), p_.cones.size()}, scratch);
    d_.iterations = report.pivots;
    if (report.status == LcpStatus::ray) return none(Outcome::no_force, z);
    return finish(z);
  }

  Decision with_channels() {
    Vector nearest;
    double least = kUnlimited;
    const auto try_from = [&](const Vector& start, Found found) {
      const NewtonResult result = newton(map_, start, d_.iterations);
      if (result.residual < least) nearest = result.force, least = result.residual;
      if (!result.found) return false;
      d_.found = found;
      return true;
    };
    if (try_from(Vector::Zero(p_.b.size()), Found::newton_from_zero)) return finish(nearest);
    if (d_.margin > -kUnlimited && try_from(set_.at(margin_.z), Found::newton_from_margin)) {
      return finish(nearest);
    }
    struct Polygon {
      int sides;
      double width;
    };
    bool ray_only = true;
    Vector force = Vector::Zero(p_.b.size());
    for (const Polygon& polygon : {Polygon{4, 0},
                                   {8, 0},
                                   {10, 0.3},
                                   {10, 0.1},
                                   {10, 0.03},
                                   {10, 0.01},
                                   {10, 0.003},
                                   {16, 0},
                                   {10, 0.1},
                                   {10, 0.03},
                                   {10, 0.01},
                                   {12, 0},
                                   {10, 0.1},
                                   {10, 0.02}}) {
      const LcpStatus status =
          solve_with_polygons(p_, polygon.sides, polygon.width, force, d_.iterations);
      if (status == LcpStatus::ray) continue;
      ray_only = false;
      if (try_from(force, Found::newton_from_polygons)) return finish(nearest);
    }
    d_.found = Found::newton_from_polygons;
    return none(ray_only ? Outcome::no_force : Outcome::not_found, nearest);
  }

  Decision none(Outcome outcome, const Vector& force) {
    d_.outcome = outcome;
    d_.force = force;
    d_.rate = p_.W * force + p_.b;
    d_.residual = map_.value(force).norm() / map_.force_scale(force);
    return d_;
  }

  Decision finish(const Vector& force) {
    none(Outcome::moves, force);
    if (d_.residual > kSolved) {
      d_.outcome = Outcome::not_found;
      return d_;
    }
    d_.modes = map_.modes(force);
    select();
    return d_;
  }

  // Where forces are redundant, the least norm that the modes allow, as long as it gives this
  // motion.
  void select() {
    const ContactProblem left = with_modes(p_, d_.modes);
    if (left.cones.empty()) return;
    const ForceSet set = solve_forces(left.W, -left.b);
    if (set.nullity() == 0 || set.residual > kConsistent) return;
    const Margin m = margin(set, left.cones, p_.cap);
    const Vector part = least_norm_in_cones(set, left.cones, m, p_.cap).force;
    Vector force = Vector::Zero(p_.b.size());
    Eigen::Index from = 0;
    for (std::size_t i = 0; i < p_.cones.size(); ++i) {
      if (!d_.modes[i].closed) continue;
      const double normal = part(from++);
      force(p_.cones[i].first) = normal;
      std::size_t k = 0;
      for_each_channel(p_.cones[i], [&](int at, const ConeChannel& channel) {
        const ChannelMotion& motion = d_.modes[i].channel[k++];
        if (motion.moves) {
          force.segment(at, channel.width) =
              -channel.limit * normal * motion.direction.head(channel.width);
        } else {
          force.segment(at, channel.width) = part.segment(from, channel.width);
          from += channel.width;
        }
      });
    }
    const double residual = map_.value(force).norm() / map_.force_scale(force);
    if (residual > kSolved) return;
    d_.force = force;
    d_.rate = p_.W * force + p_.b;
    d_.residual = residual;
  }

  const ContactProblem& p_;
  bool may_hold_;
  NaturalMap map_;
  ForceSet set_;
  Margin margin_{-kUnlimited, {}, 0, 0};
  Decision d_{};
};

}  // namespace

Decision decide(const ContactProblem& problem, bool may_hold) {
  return Decider(problem, may_hold).decide();
}

ContactProblem with_modes(const ContactProblem& p, const std::vector<ContactMode>& modes) {
  OLOID_EXPECT(modes.size() == p.cones.size());
  std::vector<int> rows;
  std::vector<Vector> columns;
  ContactProblem left{{}, {}, {}, p.cap};
  for (std::size_t i = 0; i < p.cones.size(); ++i) {
    if (!modes[i].closed) continue;
    ForceCone cone{static_cast<int>(rows.size())};
    const std::size_t normal = columns.size();
    rows.push_back(p.cones[i].first);
    columns.push_back(p.W.col(p.cones[i].first));
    std::size_t k = 0;
    for_each_channel(p.cones[i], [&](int at, const ConeChannel& channel) {
      const ChannelMotion& motion = modes[i].channel[k++];
      if (motion.moves) {
        columns[normal] -= channel.limit * p.W.middleCols(at, channel.width) *
                           motion.direction.head(channel.width);
        return;
      }
      cone.channel[static_cast<std::size_t>(cone.channels++)] = channel;
      for (int j = at; j < at + channel.width; ++j) {
        rows.push_back(j);
        columns.push_back(p.W.col(j));
      }
    });
    left.cones.push_back(cone);
  }
  const auto n = static_cast<Eigen::Index>(rows.size());
  left.W.resize(n, n);
  left.b.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    left.b(i) = p.b(row);
    for (Eigen::Index j = 0; j < n; ++j) left.W(i, j) = columns[static_cast<std::size_t>(j)](row);
  }
  return left;
}

Vector natural_map(const ContactProblem& problem, const Vector& force) {
  return NaturalMap(problem).value(force);
}

}  // namespace oloid::numerics
