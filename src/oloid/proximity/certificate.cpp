#include "oloid/proximity/certificate.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "oloid/proximity/cell_pair.h"
#include "oloid/proximity/far_newton.h"
#include "oloid/proximity/newton.h"

namespace oloid::proximity {
namespace {

// All in parts of the smaller body's radius.
constexpr double kFarApart = 0.1;  // cells that are farther apart need no other proof
constexpr double kRenewAt = 0.05;  // cells with less way left than this are examined
constexpr double kWidestSlack = 0.32;
constexpr double kTame = 0.05;             // with less, the pose gets slack instead
constexpr double kCreased = 0.02;          // at most, where an edge is about to touch or to let go
constexpr double kSmallestUnknown = 0.02;  // the same of cells whose normals are not known
constexpr double kSmallestCut = 0.01;      // cells are not cut further
constexpr double kBlindReach = 0.03;       // for cells about which nothing can be said
constexpr double kLeastReach = 1e-3;
constexpr double kBeyondBox = 4;          // of an unbounded body: how far cells are made
constexpr double kLetGo = 2;              // pairs of points with larger gaps are not followed
constexpr double kOneContact = 1e-6;      // points nearer than this are one
constexpr double kWideCone = 0.6;         // [rad], cut before anything else
constexpr double kInsideCell = 1 + 1e-6;  // of parameters
constexpr int kMostExamined = 10000;      // at one pose
constexpr int kFewExamined = 1000;        // after that was not enough,
constexpr int kHopeless = 50;             // for so many poses

}  // namespace

class Certificate::Front {
 public:
  Front(const ProximityBody& A, const ProximityBody& B, bool A_is_larger, double radius)
      : A_(A.features()),
        B_(B.features()),
        A_is_larger_(A_is_larger),
        small_((A_is_larger ? B : A).far()->tree()),
        large_((A_is_larger ? A : B).far()->tree()),
        radius_(radius),
        origin_(inverse(small_.features().X_BS()).p) {}

  void move_to(const Pose<double>& X_BA) {
    X_BA_ = X_BA;
    const Pose<double> X_LS = A_is_larger_ ? inverse(X_BA) : X_BA;
    const Pose<double> before = X_;
    X_ = inverse(large_.features().X_BS()) * X_LS * small_.features().X_BS();
    if (!in_small_) {
      build();
      return;
    }
    way_ += displacement(before);
    const bool all_there = follow();
    if (all_there && items_.size() < 2 * size_when_built_ + 100 && way_ < box_until_) {
      renew();
    } else {
      build();
    }
  }

  const std::vector<TrackedPair>& pairs() const { return pairs_; }
  double reach() const {
    return (items_.empty() ? box_until_ : std::min(items_.front().until, box_until_)) - way_;
  }
  bool certain() const { return unsure_ == 0; }
  std::int64_t examined() const { return examined_; }

 private:
  struct Item {
    int small, large;  // cells
    double until;      // [m], of the way
    bool sure = true;
  };
  static bool later(const Item& x, const Item& y) { return x.until > y.until; }

  // No point of the smaller body has moved farther over the larger one. [m]
  double displacement(const Pose<double>& before) const {
    const Mat3<double> turn = before.R.transpose() * X_.R;
    const Vec3<double> axis(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0),
                            turn(1, 0) - turn(0, 1));
    const double angle = std::atan2(0.5 * axis.norm(), 0.5 * (turn.trace() - 1));
    return (X_ * origin_ - before * origin_).norm() + angle * radius_;
  }

  // False if one has vanished.
  bool follow() {
    bool all_there = true;
    for (TrackedPair& pair : pairs_) {
      const TrackedPair now = nearest_from(A_, B_, X_BA_, pair.A, pair.B, pair.normal);
      all_there = all_there && now.usable();
      pair = now;
    }
    std::erase_if(pairs_, [&](const TrackedPair& pair) {
      return !pair.usable() || pair.gap > kLetGo * radius_;
    });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto twice =
          std::remove_if(pairs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, pairs_.end(),
                         [&](const TrackedPair& other) { return same(pairs_[i], other); });
      pairs_.erase(twice, pairs_.end());
    }
    return all_there;
  }
  bool same(const TrackedPair& x, const TrackedPair& y) const {
    const double one = kOneContact * radius_;
    return (x.point_A - y.point_A).norm() < one && (x.point_B - y.point_B).norm() < one;
  }

  void build() {
    unsure_ = 0;
    way_ = 0;
    items_.clear();
    in_small_.emplace(small_, everywhere());
    in_large_.emplace(large_, around(X_ * origin_, (1 + kBeyondBox) * radius_));
    box_until_ = large_.is_bounded() ? kInfinity : kBeyondBox * radius_;
    examined_now_ = 0;
    for (const int s : in_small_->roots())
      for (const int l : in_large_->roots()) open_.push_back({s, l, 0, true});
    examine();
    size_when_built_ = items_.size();
  }

  void renew() {
    examined_now_ = 0;
    while (!items_.empty() && items_.front().until < way_ + kRenewAt * radius_) {
      std::pop_heap(items_.begin(), items_.end(), later);
      if (!items_.back().sure) --unsure_;
      open_.push_back(items_.back());
      items_.pop_back();
    }
    examine();
  }

  // What is open. Where it is too much, a part of it is left undecided, and for a while less is
  // tried.
  void examine() {
    hopeless_ = std::max(0, hopeless_ - 1);
    while (!open_.empty()) {
      const Item item = open_.back();
      open_.pop_back();
      ++examined_;
      if (examined_now_ == kMostExamined) hopeless_ = kHopeless;
      const PairOfNodes pair{(*in_small_)[item.small], (*in_large_)[item.large], X_};
      const double apart = pair.least_distance();
      if (apart >= kFarApart * radius_) {
        hold(item, apart);
      } else if (++examined_now_ > (hopeless_ > 0 ? kFewExamined : kMostExamined)) {
        give_up(item, apart);
      } else if (!decide(item, pair)) {
        cut(item, pair, apart);
      }
    }
  }

  void hold(const Item& item, double way, bool sure = true) {
    if (!(way >= kLeastReach * radius_)) {
      way = kLeastReach * radius_;
      sure = false;
    }
    items_.push_back({item.small, item.large, way_ + way, sure});
    if (!sure) ++unsure_;
    std::push_heap(items_.begin(), items_.end(), later);
  }

  static bool can_be_decided(const CellNode& node) {
    return node.cell && node.cell->is_smooth() &&
           (node.kind == Spot::Kind::vertex || node.angle <= kWideCone);
  }

  // Whether it is known what two near cells hold, and for how long.
  bool decide(const Item& item, const PairOfNodes& pair) {
    const double tame = tame_way(pair);
    const double slack =
        tame > kTame * radius_
            ? 0.0
            : std::min(kWidestSlack, std::max(pair.A.radius, pair.B.radius) / radius_);
    const PoseSlack at{slack * radius_, slack};
    const double way = slack > 0 ? at.moved : tame;
    if (pair.cannot_face(at)) {
      hold(item, slack > 0 ? way : until_beside(way));
      return true;
    }
    if (!can_be_decided(pair.A) || !can_be_decided(pair.B)) return false;
    const Conditions near = conditions(pair, at);
    const PairContent held = content(near);
    if (held == PairContent::one) return keep_the_one(item, pair, near, until_beside(way));
    if (held == PairContent::nothing) hold(item, slack > 0 ? way : until_beside(way));
    return held == PairContent::nothing;
  }

  // A pair of points may come from cells beside, where it was far apart and not followed. It does
  // not touch before those cells are examined again.
  double until_beside(double way) const { return std::min(way, kRenewAt * radius_); }

  // Minima are born in pairs with saddles. There is none where the relative curvature is positive,
  // whatever the pose: at a gap g, that of κ_A and κ_B / (1 + g κ_B). Whatever is born at a larger
  // gap has at least that to go. [m]
  static double tame_way(const PairOfNodes& pair) {
    const double low = std::min(pair.A.curvature, pair.B.curvature),
                 high = std::max(pair.A.curvature, pair.B.curvature);
    if (low >= 0) return high > 0 ? kInfinity : 0;
    return high > 0 ? std::max(0.0, -1 / low - 1 / high) : 0;
  }

  // At most one extremal pair at any pose within the slack.
  bool keep_the_one(const Item& item, const PairOfNodes& pair, Conditions near, double way) {
    const PlaceOfPair at = solve(small_, large_, pair);
    if (!at.converged || at.x.cwiseAbs().maxCoeff() > kInsideCell) {
      near.slack.setZero();
      if (content(near) != PairContent::nothing) return false;
      hold(item, way);  // one may come from beside, and is followed then
      return true;
    }
    const Spot s = small_.spot(pair.A, at.A), l = large_.spot(pair.B, at.B);
    const auto found = local_contact(A_, B_, X_BA_, A_is_larger_ ? l : s, A_is_larger_ ? s : l);
    if (found) keep(*found);
    const bool smooth = pair.A.kind == Spot::Kind::surface && pair.B.kind == Spot::Kind::surface;
    hold(item, smooth ? way : std::min(way, kCreased * radius_));
    return true;
  }

  // Bodies that overlap where nothing was followed have their backs to each other.
  void keep(const TrackedPair& found) {
    if (found.gap < -kTouching * radius_) return;
    const auto twice = [&](const TrackedPair& other) { return same(found, other); };
    if (std::none_of(pairs_.begin(), pairs_.end(), twice)) pairs_.push_back(found);
  }

  void give_up(const Item& item, double apart) {
    const double blind = kBlindReach * radius_;
    hold(item, std::max(apart, blind), apart >= blind);
  }

  // The larger one is cut; if both are about equally large, the one whose normals turn more.
  void cut(const Item& item, const PairOfNodes& pair, double apart) {
    const CellNode &s = pair.A, &l = pair.B;
    const bool known = can_be_decided(s) && can_be_decided(l);
    const double least = (known ? kSmallestCut : kSmallestUnknown) * radius_;
    const bool fixed_s = s.is_point() || s.radius < least,
               fixed_l = l.is_point() || l.radius < least;
    if (fixed_s && fixed_l) {
      look_between(pair);
      give_up(item, apart);
      return;
    }
    const auto size = [&](const CellNode& node) {
      const double bend = node.kind == Spot::Kind::vertex ? 0 : std::min(node.angle, 1.6);
      return node.radius + 0.5 * bend * std::min(node.radius, radius_) + (node.cell ? 0 : 1e-9);
    };
    if (fixed_l || (!fixed_s && size(s) >= size(l))) {
      const CellView::Parts parts = in_small_->parts(item.small);
      for (int i = 0; i < parts.count; ++i) open_.push_back({parts.first + i, item.large, 0, true});
    } else {
      const CellView::Parts parts = in_large_->parts(item.large);
      for (int i = 0; i < parts.count; ++i) open_.push_back({item.small, parts.first + i, 0, true});
    }
  }

  // Where bounds say nothing: what Newton's method finds, unless it is followed already.
  void look_between(const PairOfNodes& pair) {
    const Vec3<double> p_B = B_.X_BS() * (A_is_larger_ ? pair.A.centre : pair.B.centre);
    const auto beside = [&](const TrackedPair& other) {
      return (other.point_B - p_B).norm() < 10 * kSmallestCut * radius_;
    };
    if (std::any_of(pairs_.begin(), pairs_.end(), beside)) return;
    const Spot s = small_.middle_of(pair.A), l = large_.middle_of(pair.B);
    const auto found = contact_from(A_, B_, X_BA_, A_is_larger_ ? l : s, A_is_larger_ ? s : l);
    if (found) keep(*found);
  }

  const TouchableBody &A_, &B_;
  const bool A_is_larger_;
  const CellTree &small_, &large_;
  const double radius_;        // [m], of the smaller body about its origin
  const Vec3<double> origin_;  // of the smaller body, in its shape's frame
  Pose<double> X_BA_, X_;      // X_: of the smaller body's shape in the larger one's
  std::optional<CellView> in_small_, in_large_;
  double way_ = 0;                // [m], since the front was built
  double box_until_ = kInfinity;  // [m], of the way: cells of an unbounded body reach so far
  std::vector<Item> items_;       // heap, the first to expire in front
  std::vector<Item> open_;
  std::vector<TrackedPair> pairs_;
  std::size_t size_when_built_ = 0;
  int unsure_ = 0;  // items about which nothing is known
  int examined_now_ = 0, hopeless_ = 0;
  std::int64_t examined_ = 0;
};

bool Certificate::possible(const ProximityBody& A, const ProximityBody& B) {
  const FarBody *a = A.far(), *b = B.far();
  if (!a || !b || !a->certified() || !b->certified()) return false;
  return a->tree().is_bounded() || b->tree().is_bounded();
}

Certificate::Certificate(const ProximityBody& A, const ProximityBody& B, bool A_is_larger,
                         double radius)
    : front_(std::make_unique<Front>(A, B, A_is_larger, radius)) {}
Certificate::~Certificate() = default;

void Certificate::move_to(const Pose<double>& X_BA) { front_->move_to(X_BA); }
const std::vector<TrackedPair>& Certificate::pairs() const { return front_->pairs(); }
double Certificate::reach() const { return front_->reach(); }
bool Certificate::certain() const { return front_->certain(); }
std::int64_t Certificate::examined() const { return front_->examined(); }

}  // namespace oloid::proximity
