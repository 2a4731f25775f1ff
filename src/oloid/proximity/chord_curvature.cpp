#include "oloid/proximity/chord_curvature.h"

#include <algorithm>
#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/far.h"

namespace oloid::proximity {
namespace {

constexpr double kWidest = 0.5;          // [rad]: cells whose normals differ more are cut first
constexpr double kGraph = 0.7;           // [rad], of normals that make a graph
constexpr double kBeside = 8;            // in radii of a cell: what is nearer is beside it
constexpr double kAlongChart = 6;        // in sides of a cell, the same in its chart
constexpr double kSmallestPart = 0.2;    // of a cell's radius: no smaller ones are compared with it
constexpr double kPartBeside = 0.6;      // the same, beside it
constexpr double kSmallestChord = 0.01;  // of the body: no smaller ones are examined
constexpr double kOfSphere = 4;          // nor larger ones, than so much of the sphere's radius
constexpr int kMostCompared = 1000;
constexpr double kCapReach = 0.75;  // as in surface_cells.cpp
constexpr double kShare = 0.98;     // of the margin is used

// How far from 0 a number in [low, high] can be, and how near it.
double farthest(double low, double high) { return std::max(std::abs(low), std::abs(high)); }
double nearest(double low, double high) { return std::max({0.0, low, -high}); }

// An ellipsoid with semi-axes D lies in each ball of radius ρ that touches it at p, and holds each
// one, if ρ h is at least the square of the longest axis, or at most that of the shortest, with
// h = 1 / |D⁻² p| the distance of the tangent plane from the middle: ρ² − |y − p + ρ n|² is
// ρ h (1 − |D⁻¹ y|²) plus a quadratic form in y − p with the eigenvalues ρ h / a_k² − 1.
double of_ellipsoid(const Ellipsoid& round, const Region& x) {
  const auto axis = sphere_charts::axes(x.chart.index, round.cavity());
  const auto &low = x.low, &high = x.high;
  const double most_u = farthest(low(0), high(0)), most_v = farthest(low(1), high(1));
  const double least_u = nearest(low(0), high(0)), least_v = nearest(low(1), high(1));
  const double most_i = 1 / (1 + least_u * least_u + least_v * least_v),
               least_i = 1 / (1 + most_u * most_u + most_v * most_v);
  Vec3<double> most, least;  // |p_k| / a_k: û = 2u i b + 2v i c + (2 i − 1) a
  most(axis.b) = std::min(1.0, 2 * most_u * most_i);
  most(axis.c) = std::min(1.0, 2 * most_v * most_i);
  most(axis.a) = farthest(2 * least_i - 1, 2 * most_i - 1);
  least(axis.b) = 2 * least_u * least_i;
  least(axis.c) = 2 * least_v * least_i;
  least(axis.a) = nearest(2 * least_i - 1, 2 * most_i - 1);
  const Vec3<double>& D = round.semi_axes();
  const double a = D.maxCoeff(), c = D.minCoeff();
  if (!round.cavity()) return std::max(c, 1 / most.cwiseQuotient(D).norm()) / (a * a);
  return -std::min(a, 1 / least.cwiseQuotient(D).norm()) / (c * c);
}

// With x = m + r N on the tube about the circle of radius R, and y likewise,
//   −2 N·(y − x) = cos φ / R |m' − m|² + r |N' − N|²  ≥  cos φ / (R + r cos φ) |y − x|²,
// where φ is the angle from the outer equator: the normal curvature around the axis.
double of_ring(const Torus& ring, const Region& x) {
  const double middle = 0.5 * (x.low(1) + x.high(1)), half = 0.5 * (x.high(1) - x.low(1));
  const double from_inside = std::abs(std::remainder(middle - kPi, 2 * kPi));
  const double least = half < from_inside ? -std::cos(from_inside - half) : -1.0;
  return least / (ring.major_radius() + ring.minor_radius() * least);
}

// Of all pairs of points, the first in a region, where the kind of shape says so.
double of_kind(const Shape& shape, const Region& x) {
  if (const auto* round = shape.as<Ellipsoid>()) return of_ellipsoid(*round, x);
  if (const auto* ring = shape.as<Torus>()) return of_ring(*ring, x);
  if (is_convex(shape)) return 0;
  if (const auto* bore = shape.as<Frustum>()) {  // balls around its axis fit where it is narrowest
    double most = 0;
    for (const double v : {bore->extent().from, bore->extent().to}) {
      const Jet<double, 1> c = bore->jet<1>(0, Uv<double>(0, std::isfinite(v) ? v : 0));
      most = std::max(most, c.d(0, 1).z() / c.d(0, 0).head<2>().norm());
    }
    return -most;
  }
  return -kInfinity;
}

// Whether the first coordinate of its charts is an angle.
bool is_turned(const Shape& shape) {
  return shape.is<Frustum>() || shape.is<SurfaceOfRevolution>();
}

// For other shapes, intervals are too wide to be useful.
bool is_polynomial(const Patchwork& patches) {
  for (int i = 0; i < patches.patches(); ++i) {
    const Patch& patch = patches.patch(i);
    if (std::holds_alternative<SPatch>(patch) || rational(patch)) return false;
  }
  return true;
}

bool overlap(const Cell& cell, const Region& x) {
  return (cell.low.array() <= x.high.array()).all() && (x.low.array() <= cell.high.array()).all();
}
bool is_within(const Cell& cell, const Cell& larger) {
  return cell.chart == larger.chart && (larger.low.array() <= cell.low.array()).all() &&
         (cell.high.array() <= larger.high.array()).all();
}

double reach(const CellNode& node, const Vec3<double>& direction) {
  if (!node.cell) return node.radius;
  const Vec3<double> d = node.cell->frame.transpose() * direction;
  double sum = 0;
  for (const VectorRange& P : node.cell->P) sum += std::abs(d.dot(P.mid)) + d.cwiseAbs().dot(P.rad);
  return std::min(sum, node.cell->radius);
}
const Vec3<double>& middle(const CellNode& node) { return node.cell ? node.cell->p : node.centre; }

}  // namespace

// Whether κ ≥ k for all x of a cell X and all y of the body.
class ChordCurvature::Scan {
 public:
  Scan(CellView& cells, int node, double k) : cells_(cells), X_(cells[node]), k_(k) {}

  bool succeeds() {
    if (X_.angle > kWidest || !(X_.curvature >= k_)) return false;
    if (-k_ * X_.radius > kOfSphere) return false;
    along_ = cells_.tree().grown(X_, kAlongChart);
    if (!along_ || !(along_->curvature >= k_)) along_ = X_;
    for (const int root : cells_.roots())
      if (cells_[root].kind == Spot::Kind::surface) open_.push_back(root);
    while (!open_.empty()) {
      if (++compared_ > kMostCompared || !compare(next())) return false;
    }
    return farthest_beside_ == 0 || is_graph();
  }

 private:
  int next() {
    const int node = open_.back();
    open_.pop_back();
    return node;
  }
  void cut(int node) {
    const CellView::Parts parts = cells_.parts(node);
    for (int i = 0; i < parts.count; ++i) open_.push_back(parts.first + i);
  }

  // With y in Y. What lies beside X is left to `is_graph`. False if it is not so, or not known.
  bool compare(int node) {
    const CellNode& Y = cells_[node];
    if (Y.cell && is_within(*Y.cell, *along_->cell)) return true;
    const double distance = (Y.centre - X_.centre).norm();
    if (from_afar(Y, distance) >= k_) return true;
    const double far = distance + Y.radius;
    if (Y.radius < kPartBeside * X_.radius && far < kBeside * X_.radius) {
      farthest_beside_ = std::max(farthest_beside_, far);
      return true;
    }
    if (Y.radius < kSmallestPart * X_.radius || is_refuted(Y)) return false;
    cut(node);
    return true;
  }

  // N·v is at most |v|, and at most what its range over X allows.
  double from_afar(const CellNode& Y, double distance) const {
    const double radii = X_.radius + Y.radius, longest = distance + radii;
    const double shortest = distance - radii;
    if (shortest > 0 && -2 / shortest >= k_) return -2 / shortest;
    const double along = most_along(Y, radii, longest);
    if (along <= 0) return -2 * along / (longest * longest);
    return shortest > 0 ? -2 * along / (shortest * shortest) : -kInfinity;
  }
  // The largest N·v, with unit N = a in the middle: N turns by no more than α, or it is
  // N₀ + N_s s + N_t t, which turns across a direction of little curvature as a rule.
  double most_along(const CellNode& Y, double radii, double longest) const {
    const Vec3<double>& a = X_.axis;
    const Vec3<double> v = middle(Y) - middle(X_);
    const double flat = a.dot(v) + reach(X_, a) + reach(Y, a) + 1e-14 * longest;
    const double by_cone = flat + X_.angle * longest;
    const Vec3<double> v_cell = X_.cell->frame.transpose() * v;
    const double N = X_.cell->N.mid.norm(), off = X_.cell->N.rad.norm();
    double turned = 0;
    for (const VectorRange& rate : X_.cell->N_rate)
      turned +=
          std::abs(rate.mid.dot(v_cell)) + rate.rad.dot(v_cell.cwiseAbs()) + rate.largest() * radii;
    const double by_rates = flat * N + turned;
    if (!(off < N)) return by_cone;
    return std::min(by_cone, by_rates / (by_rates > 0 ? N - off : N + off));
  }
  bool is_refuted(const CellNode& Y) const {
    if (!Y.cell) return false;
    const Vec3<double> v = middle(Y) - middle(X_);
    return v.norm() > 2 * X_.radius && -2 * X_.axis.dot(v) < k_ * v.squaredNorm();
  }

  // A surface without borders nearby, whose normals are all within θ of one direction, is a graph
  // over a plane. With normal curvatures of at least c along the way from x to y that is straight
  // as seen along this direction, κ ≥ c / cos³θ if c < 0, and c cos³θ else.
  bool is_graph() {
    const double far = X_.radius + (farthest_beside_ + X_.radius) / std::cos(kGraph);
    double least = kInfinity, widest = 0;
    open_ = cells_.roots();
    while (!open_.empty()) {
      const int node = next();
      const CellNode& Y = cells_[node];
      if ((Y.centre - X_.centre).norm() - Y.radius > far) continue;
      const double angle = angle_between(X_.axis, Y.axis) + Y.angle;
      if (Y.kind == Spot::Kind::surface && Y.cell && angle <= kGraph && Y.curvature >= k_) {
        widest = std::max(widest, angle);
        least = std::min(least, Y.curvature);
        continue;
      }
      if (Y.is_point() || Y.radius < kSmallestPart * X_.radius || ++compared_ > kMostCompared)
        return false;
      cut(node);
    }
    const double narrow = std::pow(std::cos(widest), 3);
    return (least < 0 ? least / narrow : least * narrow) >= k_;
  }

  CellView& cells_;
  const CellNode X_;
  const double k_;
  std::optional<CellNode> along_;  // X and what lies beside it in its chart
  double farthest_beside_ = 0;     // [m], of what else lies beside it
  std::vector<int> open_;
  int compared_ = 0;
};

ChordCurvature::ChordCurvature(const TouchableBody& features, const FarBody* bounds)
    : shape_(features.side() ? &features.side()->shape : nullptr) {
  if (!shape_ || !bounds || !bounds->certified() || !bounds->tree().is_bounded()) return;
  const Shape& shape = *shape_;
  // For other shapes nothing more can be proven, or locations are not those of their cells.
  if (!shape.is<Patchwork>() && !shape.is<Implicit>() && !shape.is<Quadric>() && !is_turned(shape))
    return;
  if (const auto* patches = shape.as<Patchwork>(); patches && !is_polynomial(*patches)) return;
  const auto* turned = shape.as<SurfaceOfRevolution>();
  angular_charts_ = turned ? turned->spans() : is_turned(shape) ? 1 : 0;
  smallest_ = kSmallestChord * bounds->tree().radius();
  cells_ = std::make_unique<CellView>(bounds->tree(), geometry::everywhere());
  std::vector<int> open = bounds->tree().roots();
  while (!open.empty()) {
    const CellNode& at = (*cells_)[open.back()];
    const int node = open.back();
    open.pop_back();
    if (at.kind != Spot::Kind::surface) continue;
    if (at.cell) {
      const auto chart = static_cast<std::size_t>(at.cell->chart.index);
      if (roots_.size() <= chart) roots_.resize(chart + 1);
      roots_[chart].push_back(node);
    } else {
      for (int i = 0; i < at.count; ++i) open.push_back(at.first + i);
    }
  }
}

// Over all cells of a region; unknown if there are none.
template <class Holds, class Test>
bool ChordCurvature::all_of(const Region& x, int level, const Holds& holds,
                            const Test& test) const {
  const auto chart = static_cast<std::size_t>(x.chart.index);
  if (chart >= roots_.size() || is_beyond_cells(x)) return false;
  const std::lock_guard lock(mutex_);
  bool any = false;
  const auto tested = [&](int node) { return any = test(node); };
  const auto known = [&](int node) {
    const bool is_known = holds(node);
    any = any || is_known;
    return is_known;
  };
  const Parts parts = turned_back(x);
  for (std::size_t n = 0; n < parts.count; ++n) {
    const Region& in = parts.all[n];
    for (const int root : roots_[chart]) {
      if (!all_below(root, in, 2 * level, known, tested)) return false;
    }
  }
  return any;
}

// Cells of the cap of a pole leave out its rim.
bool ChordCurvature::is_beyond_cells(const Region& x) const {
  if (angular_charts_ == 0 || x.chart.index < angular_charts_) return false;
  return x.low.cwiseAbs().cwiseMax(x.high.cwiseAbs()).head<2>().norm() > kCapReach;
}

// An angle may have grown beyond a turn: the same region within the first.
ChordCurvature::Parts ChordCurvature::turned_back(const Region& x) const {
  Parts parts;
  parts.all[0] = x;
  if (x.chart.index >= angular_charts_) return parts;
  const double turns = std::floor(x.low(0) / (2 * kPi)) * 2 * kPi;
  Region& part = parts.all[0];
  part.low(0) -= turns;
  part.high(0) -= turns;
  if (!(part.high(0) > 2 * kPi)) return parts;
  Region& rest = parts.all[parts.count++] = part;
  rest.low(0) -= 2 * kPi;
  rest.high(0) -= 2 * kPi;
  return parts;
}

// `holds` may know of a larger cell already, `test` decides about one that is not cut.
template <class Holds, class Test>
bool ChordCurvature::all_below(int node, const Region& x, int splits, const Holds& holds,
                               const Test& test) const {
  const CellNode& at = (*cells_)[node];
  if (!overlap(*at.cell, x) || holds(node)) return true;
  if (splits == 0 || at.radius < smallest_) return test(node);
  const CellView::Parts parts = cells_->parts(node);
  for (int i = 0; i < parts.count; ++i)
    if (!all_below(parts.first + i, x, splits - 1, holds, test)) return false;
  return true;
}

double ChordCurvature::of_kind(const Region& x) const {
  return shape_ ? proximity::of_kind(*shape_, x) : -kInfinity;
}

double ChordCurvature::normal_curvature(const Region& x, int level) const {
  double least = kInfinity;
  const auto never = [](int) { return false; };
  const bool known = all_of(x, level, never, [&](int node) {
    least = std::min(least, (*cells_)[node].curvature);
    return least > -kInfinity;
  });
  return known && least < kInfinity ? std::max(least, of_kind(x)) : of_kind(x);
}

bool ChordCurvature::is_at_least(double k, const Region& x, int level) const {
  if (of_kind(x) >= k) return true;
  const auto proven = [&](int node) {
    const auto i = static_cast<std::size_t>(node);
    return i < known_.size() && known_[i].proven >= k;
  };
  return all_of(x, level, proven, [&](int node) { return examine(node, k); });
}

bool ChordCurvature::examine(int node, double k) const {
  const auto i = static_cast<std::size_t>(node);
  if (known_.size() <= i) known_.resize(i + 1);
  if (known_[i].failed <= k) return false;
  const bool proven = Scan(*cells_, node, k).succeeds();
  if (proven) {
    known_[i].proven = k;
  } else {
    known_[i].failed = k;
  }
  return proven;
}

bool touch_nowhere_else(const ChordCurvature& A, const Region& x_A, const ChordCurvature& B,
                        const Region& x_B) {
  const double kind_A = A.of_kind(x_A), kind_B = B.of_kind(x_B);
  if (kind_A + kind_B > 0) return true;
  for (int level = 0; level < ChordCurvature::kLevels; ++level) {
    const double a = A.normal_curvature(x_A, level), b = B.normal_curvature(x_B, level);
    if (!(a + b > 0) || !std::isfinite(a + b)) continue;
    // A bound from the kind of shape needs no margin.
    const bool in_A = a > kind_A, in_B = b > kind_B;
    const double share_A = in_A && in_B ? 0.5 * kShare
                           : in_A       ? kShare
                                        : 0,
                 share_B = kShare - share_A;
    if (A.is_at_least(a - share_A * (a + b), x_A, level) &&
        B.is_at_least(b - share_B * (a + b), x_B, level))
      return true;
  }
  return false;
}

}  // namespace oloid::proximity
