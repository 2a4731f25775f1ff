#include "oloid/proximity/far.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oloid/base/constants.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/proximity/cell_pair.h"
#include "oloid/proximity/cell_tree.h"
#include "oloid/proximity/far_newton.h"

namespace oloid::proximity {
namespace {

constexpr double kWideAngle = 0.6;     // [rad]: cones above are cut before anything else
constexpr double kRowAngle = 0.25;     // [rad], and
constexpr double kRowSize = 0.25;      // of its body: smaller cells are searched for pairs in a row
constexpr double kRowBeside = 0.1;     // of its body: the same, also this far beside the cells
constexpr double kRowReach = 0.06;     // of its body: a fourth of how far neighbours are apart
constexpr double kSmallest = 1e-6;     // of the smaller body: nothing is cut further
constexpr double kSmallestAny = 0.02;  // the same where normals are not known at all
constexpr double kSamePoint = 1e-7;    // of the smaller body
constexpr double kSameGap = 1e-9;      // of the smaller body: of pairs in a row
constexpr double kInCell = 1 + 1e-6;   // of parameters

// A box around a ball.
class FarSearch {
 public:
  FarSearch(const CellTree& A, const CellTree& B, const Pose<double>& X_BA, double threshold,
            bool nearest, const FarOptions& options)
      : X_BA_(X_BA),
        X_(inverse(B.features().X_BS()) * X_BA * A.features().X_BS()),
        threshold_(threshold),
        nearest_(nearest),
        most_(options.most_cells),
        length_(length_of(A, B)),
        A_(A, around(inverse(X_) * B.middle(), B.radius() + threshold)),
        B_(B, around(X_ * A.middle(), A.radius() + threshold)) {
    certified_ = A.is_rigorous() && B.is_rigorous() && (A.is_bounded() || B.is_bounded());
  }

  FarResult run() {
    for (const int a : A_.roots())
      for (const int b : B_.roots()) push(a, b);
    while (!open_.empty()) {
      const Item item = pop();
      if (nearest_ && item.least >= threshold_) break;
      if (++cells_ > most_) {
        undecide(item.least);
        for (const Item& left : open_) undecide(left.least);
        search_without_bounds();
        break;
      }
      look(item);
    }
    return result();
  }

 private:
  struct Item {
    int a, b;
    double least;  // [m]
  };
  // Pairs in a row: with the size of the cells they were found in.
  struct Part {
    TrackedPair pair;
    double reach_A, reach_B;
  };

  static double length_of(const CellTree& A, const CellTree& B) {
    const auto size = [](const CellTree& tree) {
      return tree.radius() > 0 ? tree.radius() : kInfinity;
    };
    const double length = std::min(size(A), size(B));
    return std::isfinite(length) ? length : 1;
  }

  static bool farther(const Item& x, const Item& y) { return x.least > y.least; }
  void push(int a, int b) {
    const PairOfNodes pair{A_[a], B_[b], X_};
    const double least = pair.least_distance();
    if (least >= threshold_ || pair.cannot_face()) return;
    open_.push_back({a, b, std::max(least, 0.0)});
    if (nearest_) std::push_heap(open_.begin(), open_.end(), farther);
  }
  Item pop() {
    if (nearest_) std::pop_heap(open_.begin(), open_.end(), farther);
    const Item item = open_.back();
    open_.pop_back();
    return item;
  }

  void look(const Item& item) {
    const CellNode &a = A_[item.a], &b = B_[item.b];
    if (!a.cell || !b.cell || !a.cell->is_smooth() || !b.cell->is_smooth() || is_wide(a) ||
        is_wide(b)) {
      return divide(item);
    }
    const PairOfNodes pair{a, b, X_};
    const PairContent held = content(conditions(pair));
    if (held == PairContent::nothing) return;
    if (held == PairContent::one) {
      const PlaceOfPair at = solve(A_.tree(), B_.tree(), pair);
      if (is_within(at, kInCell)) {
        if (const auto found = contact(pair, at)) keep(*found, a.radius, b.radius);
        return;
      }
    } else if (is_in_row(pair)) {
      return;
    }
    divide(item);
  }

  bool is_wide(const CellNode& node) const {
    return node.kind != Spot::Kind::vertex && node.angle > kWideAngle;
  }
  bool is_any(const CellNode& node) const {
    return node.kind == Spot::Kind::surface && node.angle > std::numbers::pi / 2;
  }
  double size_of(const CellTree& tree) const {
    return std::isfinite(tree.radius()) ? tree.radius() : length_;
  }
  bool is_small(const CellNode& node, const CellTree& tree, double part) const {
    return node.kind == Spot::Kind::vertex ||
           (node.angle <= kRowAngle && node.radius <= part * size_of(tree));
  }
  static bool is_within(const PlaceOfPair& at, double most) {
    return at.converged && at.x.cwiseAbs().maxCoeff() <= most;
  }

  // Whether what the two cells may hold belongs to pairs in a row, in the cells or beside them.
  bool is_in_row(const PairOfNodes& pair) {
    const auto both_small = [&](double part) {
      return is_small(pair.A, A_.tree(), part) && is_small(pair.B, B_.tree(), part);
    };
    if (!both_small(kRowSize)) return false;
    const bool beside = both_small(kRowBeside);
    const auto is_beside = [&](const Part& part) { return beside && is_near(pair, part.pair); };
    if (std::any_of(row_.begin(), row_.end(), is_beside)) return true;
    const PlaceOfPair at = solve(A_.tree(), B_.tree(), pair);
    if (!at.converged) return false;
    const auto found = contact(pair, at);
    if (!found || found->status != PairStatus::continuum) return false;
    if (found->gap >= limit()) return false;  // a pair that is not reported explains nothing
    if (!is_within(at, kInCell) && !(beside && is_near(pair, *found))) return false;
    keep(*found, pair.A.radius, pair.B.radius);
    return true;
  }
  // Within a tenth of the bodies' sizes from the middles of the cells.
  bool is_near(const PairOfNodes& pair, const TrackedPair& other) const {
    const Pose<double>& X_BS = B_.tree().features().X_BS();
    const auto distance = [&](const Vec3<double>& centre, const Vec3<double>& p) {
      return (X_BS * centre - p).norm();
    };
    return distance(pair.centre_A(), other.point_A) <= kRowBeside * size_of(A_.tree()) &&
           distance(pair.B.centre, other.point_B) <= kRowBeside * size_of(B_.tree());
  }

  // The larger one is cut; if both are about equally large, the one whose normals turn more.
  void divide(const Item& item) {
    const CellNode &a = A_[item.a], &b = B_[item.b];
    const bool fixed_a = a.is_point(), fixed_b = b.is_point();
    const double least = (is_any(a) || is_any(b) ? kSmallestAny : kSmallest) * length_;
    if ((fixed_a || a.radius < least) && (fixed_b || b.radius < least)) return give_up(item);
    const auto size = [&](const CellNode& node) {
      const double bend = node.kind == Spot::Kind::vertex ? 0 : std::min(node.angle, 1.6);
      return node.radius + 0.5 * bend * std::min(node.radius, length_) + (node.cell ? 0 : 1e-9);
    };
    if (fixed_b || (!fixed_a && size(a) >= size(b))) {
      const CellView::Parts parts = A_.parts(item.a);
      for (int i = 0; i < parts.count; ++i) push(parts.first + i, item.b);
    } else {
      const CellView::Parts parts = B_.parts(item.b);
      for (int i = 0; i < parts.count; ++i) push(item.a, parts.first + i);
    }
  }

  void undecide(double least) {
    certified_ = false;
    undecided_ = std::min(undecided_, least);
  }
  // Bounds cannot decide anything more about these two cells.
  void give_up(const Item& item) {
    undecide(item.least);
    const CellNode &a = A_[item.a], &b = B_[item.b];
    const auto found = contact_from(A_.tree().features(), B_.tree().features(), X_BA_,
                                    A_.tree().middle_of(a), B_.tree().middle_of(b));
    if (found) keep(*found, a.radius, b.radius);
  }
  void search_without_bounds() {
    std::vector<TrackedPair> all;
    contacts_from_seeds(A_.tree().features(), B_.tree().features(), X_BA_, all);
    for (const TrackedPair& pair : all) keep(pair, 0, 0);
  }

  std::optional<TrackedPair> contact(const PairOfNodes& pair, const PlaceOfPair& at) const {
    const Spot a = A_.tree().spot(pair.A, at.A), b = B_.tree().spot(pair.B, at.B);
    return local_contact(A_.tree().features(), B_.tree().features(), X_BA_, a, b);
  }
  void keep(const TrackedPair& found, double reach_A, double reach_B) {
    if (!(std::abs(found.gap) < limit())) return;
    if (found.status == PairStatus::continuum) {
      row_.push_back({found, std::max(reach_A, kRowReach * size_of(A_.tree())),
                      std::max(reach_B, kRowReach * size_of(B_.tree()))});
    } else {
      found_.push_back(found);
    }
    lower_threshold(found.gap);
  }
  double limit() const {
    if (nearest_) return kInfinity;
    return threshold_;
  }
  // For the nearest pair: candidates that are nearer only by round-off are ignored.
  void lower_threshold(double gap) {
    if (nearest_) threshold_ = std::min(threshold_, std::max(gap, 0.0));
  }

  bool same(const TrackedPair& x, const TrackedPair& y) const {
    const double distance = kSamePoint * length_;
    return (x.point_A - y.point_A).norm() < distance && (x.point_B - y.point_B).norm() < distance;
  }
  static bool before(const TrackedPair& x, const TrackedPair& y) {
    if (x.gap != y.gap) return x.gap < y.gap;
    return std::lexicographical_compare(x.point_B.begin(), x.point_B.end(), y.point_B.begin(),
                                        y.point_B.end());
  }

  // Pairs found from several cells, and minima that are part of a row, once.
  void put_together() {
    std::sort(found_.begin(), found_.end(), before);
    for (const TrackedPair& pair : found_) {
      const auto twice = [&](const TrackedPair& other) { return same(pair, other); };
      const auto in_row = [&](const Part& part) { return belongs(pair, part, 0, 0); };
      if (std::any_of(pairs_.begin(), pairs_.end(), twice)) continue;
      if (std::any_of(row_.begin(), row_.end(), in_row)) continue;
      pairs_.push_back(pair);
    }
    std::vector<bool> taken(row_.size(), false);
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (taken[i]) continue;
      pairs_.push_back(row_[i].pair);
      std::vector<std::size_t> reached{i};
      taken[i] = true;
      while (!reached.empty()) {
        const Part& part = row_[reached.back()];
        reached.pop_back();
        for (std::size_t k = 0; k < row_.size(); ++k) {
          if (taken[k] || !belongs(row_[k].pair, part, row_[k].reach_A, row_[k].reach_B)) continue;
          taken[k] = true;
          reached.push_back(k);
        }
      }
    }
    std::sort(pairs_.begin(), pairs_.end(), before);
  }
  bool belongs(const TrackedPair& pair, const Part& part, double reach_A, double reach_B) const {
    const double slack = kSamePoint * length_;
    return std::abs(pair.gap - part.pair.gap) < kSameGap * length_ &&
           (pair.point_A - part.pair.point_A).norm() < 2 * (reach_A + part.reach_A) + slack &&
           (pair.point_B - part.pair.point_B).norm() < 2 * (reach_B + part.reach_B) + slack;
  }

  FarResult result() {
    put_together();
    FarResult result;
    if (nearest_ && pairs_.size() > 1) pairs_.resize(1);
    if (nearest_ && (pairs_.empty() || pairs_[0].gap < 0)) certified_ = false;
    result.lower_bound = std::min(undecided_, threshold_);
    if (!A_.tree().is_rigorous() || !B_.tree().is_rigorous()) result.lower_bound = 0;
    result.pairs = std::move(pairs_);
    result.certified = certified_;
    result.cells = cells_;
    return result;
  }

  Pose<double> X_BA_, X_;  // X_: of A's shape in B's
  double threshold_;
  bool nearest_;
  int most_;
  double length_;
  CellView A_, B_;
  bool certified_ = false;
  int cells_ = 0;
  double undecided_ = kInfinity;  // [m]
  std::vector<Item> open_;
  std::vector<TrackedPair> found_, pairs_;
  std::vector<Part> row_;
};

FarResult invalid() {
  FarResult result;
  result.pairs.emplace_back();
  result.pairs[0].status = PairStatus::invalid_pose;
  return result;
}

// An upper bound for the distance of two bodies.
double upper_bound(const CellTree& A, const CellTree& B, const Pose<double>& X_BA) {
  const auto from = [](const CellTree& bounded, const CellTree& other, const Pose<double>& X) {
    // X: of the other body in the frame of the bounded one.
    const Vec3<double> p = inverse(X) * (bounded.features().X_BS() * bounded.middle());
    const Spot spot = other.features().near(p);
    return (other.features().at(spot).p - p).norm() + bounded.radius();
  };
  if (A.is_bounded()) return from(A, B, inverse(X_BA));
  return B.is_bounded() ? from(B, A, X_BA) : 0;
}

}  // namespace

bool few_cells(const Shape& shape) {
  constexpr int kMostPatches = 64;
  const Patchwork* patches = shape.as<Patchwork>();
  return !patches || patches->patches() <= kMostPatches;
}

FarBody::FarBody(const TouchableBody& features) : tree_(std::make_unique<CellTree>(features)) {}
FarBody::~FarBody() = default;
FarBody::FarBody(FarBody&&) noexcept = default;
FarBody& FarBody::operator=(FarBody&&) noexcept = default;

bool FarBody::certified() const { return tree_->is_rigorous(); }

FarResult far_pairs(const FarBody& A, const FarBody& B, const Pose<double>& X_BA, double threshold,
                    const FarOptions& options) {
  if (!is_pose(X_BA) || !std::isfinite(threshold)) return invalid();
  if (!A.tree().is_bounded() && !B.tree().is_bounded()) return {};
  return FarSearch(A.tree(), B.tree(), X_BA, threshold, false, options).run();
}

FarResult globally_nearest(const FarBody& A, const FarBody& B, const Pose<double>& X_BA,
                           const FarOptions& options) {
  if (!is_pose(X_BA)) return invalid();
  if (!A.tree().is_bounded() && !B.tree().is_bounded()) return {};
  const double most = upper_bound(A.tree(), B.tree(), X_BA) * (1 + 1e-9);
  return FarSearch(A.tree(), B.tree(), X_BA, most, true, options).run();
}

}  // namespace oloid::proximity
