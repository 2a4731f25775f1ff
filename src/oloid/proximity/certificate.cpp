#include "oloid/proximity/certificate.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "oloid/proximity/body_cells.h"
#include "oloid/proximity/cell_pair.h"
#include "oloid/proximity/far_newton.h"
#include "oloid/proximity/newton.h"
#include "oloid/spatial/rotation.h"

namespace oloid::proximity {
namespace {

// All in parts of the smaller body's radius.
constexpr double kHorizon = 0.5;      // cells that are farther apart need no other proof
constexpr double kFarApart = 0.1;     // nor do these, if nothing else is known about them
constexpr double kRenewAhead = 0.02;  // proofs that end within this way are always renewed
constexpr double kStartAnew = 1;      // after a longer way
constexpr double kFollow = 0.1;       // the longest way in one go of Newton's method
constexpr double kWidestSlack = 0.32, kLeastSlack = 0.02;
constexpr double kTame = 0.05;     // with less, the pose gets slack instead
constexpr double kCreased = 0.02;  // at least, where an edge is about to touch or to separate
constexpr double kSmallestUnknown = 0.02;  // the same of cells whose normals are not known
constexpr double kSmallestCut = 0.01;      // cells are not cut further,
constexpr double kSmallestBent = 1e-3;     // unless their normals turn
constexpr double kBent = 0.1;              // by more than this [rad]
constexpr double kBlindReach = 0.03;       // for cells about which nothing is known
constexpr double kLeastReach = 1e-3;
constexpr double kBeyondBox = 4;          // of an unbounded body: how far cells are made
constexpr double kLetGo = 2;              // pairs of points with larger gaps are not followed
constexpr double kOneContact = 1e-6;      // points nearer than this are one
constexpr double kHeld = 1e-4;            // and those nearer to a contact that is held are that
constexpr double kWideCone = 0.6;         // [rad], cut before anything else
constexpr double kInsideCell = 1 + 1e-6;  // of parameters
constexpr int kMostExamined = 4000;       // at one pose
constexpr int kFewExamined = 400;         // after that was not enough,
constexpr int kHopeless = 50;             // for so many poses

// A pose part of the way from one pose to another.
Pose<double> between(const Pose<double>& from, const Pose<double>& to, double part) {
  const Vec3<double> turn = rotation_vector(from.R.transpose() * to.R);
  const double angle = turn.norm();
  Pose<double> X{from.R, from.p + part * (to.p - from.p)};
  if (angle > 0) X.R = from.R * axis_angle(Vec3<double>(turn / angle), part * angle);
  return X;
}

}  // namespace

class Certificate::Front {
 public:
  Front(const ProximityBody& A, const ProximityBody& B, bool A_is_larger, double radius)
      : A_(A.features()),
        B_(B.features()),
        A_is_larger_(A_is_larger),
        small_(A_is_larger ? B : A),
        large_(A_is_larger ? A : B),
        radius_(radius),
        origin_(small_.is_ball() ? Vec3<double>(0, 0, 0) : inverse(small_.body().X_BS()).p) {}

  void move_to(const Pose<double>& X_BA) {
    X_BA_ = X_BA;
    const Pose<double> before = X_, X_LS = A_is_larger_ ? inverse(X_BA) : X_BA;
    X_ = inverse(large_.body().X_BS()) * X_LS * small_.body().X_BS();
    X_SL_ = inverse(X_);
    if (small_.is_ball()) X_.R.setIdentity();  // however it is turned
    if (in_small_) way_ += displacement(before);
  }

  void renew(double way, const Vec3<double>* contact) {
    contact_ = contact ? std::optional(*contact) : std::nullopt;
    if (!in_small_ || way_ - way_followed_ > kStartAnew * radius_) {
      pairs_.clear();
      build();
    } else {
      follow();
      // Not only at the end of the box: a stretch that ends there, but for round-off, leaves no
      // way.
      const bool at_end_of_box = box_until_ - way_ < kRenewAhead * radius_;
      if (items_.size() > 2 * size_when_built_ + 100 || at_end_of_box) {
        build();
      } else {
        examine_what_ends(std::max(way, kRenewAhead * radius_));
      }
    }
    X_followed_ = X_BA_;
    way_followed_ = way_;
    set_free();
  }

  void add(const TrackedPair& pair) {
    keep(pair);
    set_free();
  }

  const std::vector<TrackedPair>& pairs() const { return free_; }
  double reach() const {
    double first = kInfinity;
    if (!items_.empty()) first = items_.front().until;
    return std::min({first, tame_until_, box_until_}) - way_;
  }
  double free_way() const {
    if (!in_small_) return 0;
    return std::min(reach(), least_gap_ - (way_ - way_followed_));
  }
  bool certain() const { return unsure_ == 0; }
  std::int64_t examined() const { return examined_; }

 private:
  enum class Known {
    apart,    // the cells are too far apart
    empty,    // no extremal pair is in them
    one,      // at most one, which may have come from beside
    tame,     // no new pair can appear in them near enough to touch
    nothing,  // is known
  };
  struct Item {
    int small, large;  // cells
    double until = 0;  // [m], of the way
    Known known = Known::nothing;
  };
  static bool later(const Item& x, const Item& y) { return x.until > y.until; }

  // The two cells of an item, or one of them with a plane.
  struct Nodes {
    const CellNode& s;
    const CellNode* l;
  };
  Nodes nodes(const Item& item) const {
    return {(*in_small_)[item.small], in_large_ ? &(*in_large_)[item.large] : nullptr};
  }
  PairOfNodes pair(const Nodes& at) const { return {at.s, *at.l, X_}; }
  NodeOnPlane on_plane(const Nodes& at) const { return {at.s, X_}; }

  // The parts of the bodies that belong to two cells are at least this far apart. [m]
  double apart(const Nodes& at) const {
    if (!at.l) return on_plane(at).least_distance() - small_.radius();
    if (large_.is_hollow_ball())
      return large_.radius() - pair(at).most_distance() - small_.radius();
    return pair(at).least_distance() - small_.radius() - large_.radius();
  }
  bool cannot_face(const Nodes& at, const PoseSlack& slack) const {
    if (!at.l) return on_plane(at).cannot_face(slack);
    const int sense = small_.is_ball() || large_.is_hollow_ball() ? 1 : large_.is_ball() ? -1 : 0;
    return pair(at).cannot_face(slack, sense);
  }
  Conditions conditions_at(const Nodes& at, const PoseSlack& slack) const {
    return at.l ? conditions(pair(at), slack) : conditions(on_plane(at), slack);
  }
  PlaceOfPair solution(const Nodes& at) const {
    return at.l ? solve(small_.tree(), large_.tree(), pair(at))
                : solve(small_.tree(), on_plane(at));
  }

  // Points in the frames of the cells, in those of the bodies: their own, and that of the other.
  Vec3<double> of_small(const Vec3<double>& p) const { return small_.body().X_BS() * p; }
  Vec3<double> of_large(const Vec3<double>& p) const { return large_.body().X_BS() * p; }
  Vec3<double> small_on_large(const Vec3<double>& p) const { return of_large(X_ * p); }
  Vec3<double> large_on_small(const Spot& spot) const {
    return of_small(X_SL_ * (inverse(large_.body().X_BS()) * large_.body().at(spot).p));
  }

  // Upper bound for how far points of the smaller body have moved relative to the larger one. [m]
  // The rotation of a ball does not count, and over a plane only height and tilt do.
  double displacement(const Pose<double>& before) const {
    const Vec3<double> shift = X_ * origin_ - before * origin_;
    if (small_.is_ball()) return large_.is_plane() ? std::abs(shift.z()) : shift.norm();
    if (large_.is_plane()) {
      const Vec3<double> up = X_.R.row(2), up_before = before.R.row(2);
      return std::abs(shift.z()) + angle_between(up, up_before) * radius_;
    }
    const Mat3<double> turn = before.R.transpose() * X_.R;
    const Vec3<double> axis(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0),
                            turn(1, 0) - turn(0, 1));
    const double angle = std::atan2(0.5 * axis.norm(), 0.5 * (turn.trace() - 1));
    return shift.norm() + angle * radius_;
  }

  // Follows the pairs to the present pose. If one has vanished, all places are examined again.
  void follow() {
    const double way = way_ - way_followed_;
    const int parts = std::max(1, static_cast<int>(std::ceil(way / (kFollow * radius_))));
    for (int i = 1; i <= parts; ++i) {
      const Pose<double> X =
          i == parts ? X_BA_ : between(X_followed_, X_BA_, static_cast<double>(i) / parts);
      for (TrackedPair& pair : pairs_) pair = nearest_from(A_, B_, X, pair.A, pair.B, pair.normal);
      const auto vanished = [](const TrackedPair& pair) { return !pair.usable(); };
      if (std::erase_if(pairs_, vanished) > 0) tame_until_ = way_;
    }
    std::erase_if(pairs_, [&](const TrackedPair& pair) { return pair.gap > kLetGo * radius_; });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto twice =
          std::remove_if(pairs_.begin() + static_cast<std::ptrdiff_t>(i) + 1, pairs_.end(),
                         [&](const TrackedPair& other) { return same(pairs_[i], other); });
      pairs_.erase(twice, pairs_.end());
    }
  }
  bool same(const TrackedPair& x, const TrackedPair& y) const {
    const double one = kOneContact * radius_;
    return (x.point_A - y.point_A).norm() < one && (x.point_B - y.point_B).norm() < one;
  }

  // All pairs except that of a held contact, which is followed as well since another pair may
  // replace it.
  void set_free() {
    free_.clear();
    least_gap_ = kInfinity;
    for (const TrackedPair& pair : pairs_) {
      if (is_contact(pair)) continue;
      free_.push_back(pair);
      least_gap_ = std::min(least_gap_, pair.gap);
    }
  }
  // If the surfaces at a contact curve away from each other, there is no other extremal pair near
  // it, so no precision is needed.
  bool is_contact(const TrackedPair& pair) const {
    const double one = kHeld * radius_;
    return contact_ && (pair.point_B - *contact_).norm() < one &&
           (pair.point_A - *contact_).norm() < one;
  }

  void build() {
    unsure_ = 0;
    way_ = 0;
    items_.clear();
    tame_until_ = kInfinity;
    in_small_.emplace(small_.tree(), everywhere());
    box_until_ = kInfinity;
    std::vector<int> roots{0};
    if (!large_.is_plane()) {
      in_large_.emplace(large_.tree(), around(X_ * origin_, (1 + kBeyondBox) * radius_));
      roots = in_large_->roots();
      if (!large_.tree().is_bounded()) box_until_ = kBeyondBox * radius_;
    }
    for (const int s : in_small_->roots())
      for (const int l : roots) open_.push_back({s, l});
    examine();
    size_when_built_ = items_.size();
  }

  // Renews the proofs that end within a way. If the common end of all tame cells, or of all that a
  // pair may enter from beside, is among them, all of these are examined again, with those that
  // would end soon after.
  void examine_what_ends(double way) {
    const bool all = tame_until_ < way_ + way;
    const double until = way_ + (all ? std::max(way, kHorizon * radius_) : way);
    const auto stays = [&](const Item& item) {
      const bool beside = item.known == Known::one || item.known == Known::tame;
      return item.until >= until && !(all && beside);
    };
    if (all) {
      const auto ends = std::partition(items_.begin(), items_.end(), stays);
      std::for_each(ends, items_.end(), [&](const Item& item) { reopen(item); });
      items_.erase(ends, items_.end());
      std::make_heap(items_.begin(), items_.end(), later);
      tame_until_ = kInfinity;
      for (const Item& item : items_) limit_tame(item);
    }
    while (!items_.empty() && !stays(items_.front())) {
      std::pop_heap(items_.begin(), items_.end(), later);
      reopen(items_.back());
      items_.pop_back();
    }
    examine();
  }
  void reopen(const Item& item) {
    if (item.known == Known::nothing) --unsure_;
    open_.push_back(item);
  }

  // Examines what is open. If that is too much, a part is left undecided, and for a while less is
  // tried.
  void examine() {
    int examined_now = 0;
    hopeless_ = std::max(0, hopeless_ - 1);
    while (!open_.empty()) {
      const Item item = open_.back();
      open_.pop_back();
      ++examined_;
      if (examined_now == kMostExamined) hopeless_ = kHopeless;
      const Nodes at = nodes(item);
      const double apart = this->apart(at);
      if (apart >= kHorizon * radius_) {
        hold(item, apart, Known::apart);
      } else if (++examined_now > (hopeless_ > 0 ? kFewExamined : kMostExamined)) {
        give_up(item, apart);
      } else if (!decide(item, at)) {
        if (apart >= std::max(kFarApart * radius_, 0.5 * size(at))) {
          hold(item, apart, Known::apart);
        } else {
          cut(item, at, apart);
        }
      }
    }
  }

  void hold(const Item& item, double way, Known known) {
    if (!(way >= kLeastReach * radius_)) {
      way = kLeastReach * radius_;
      known = Known::nothing;
    }
    items_.push_back({item.small, item.large, way_ + way, known});
    if (known == Known::nothing) ++unsure_;
    limit_tame(items_.back());
    std::push_heap(items_.begin(), items_.end(), later);
  }
  // A pair of points may come from cells beside, where it was far apart and not followed, or has
  // come into being at a distance. It does not touch before their way is used up.
  void limit_tame(const Item& item) {
    if (item.known != Known::empty && item.known != Known::one)
      tame_until_ = std::min(tame_until_, item.until);
  }

  static bool can_be_decided(const CellNode& node) {
    return node.cell && node.cell->is_smooth() &&
           (node.kind == Spot::Kind::vertex || node.angle <= kWideCone);
  }
  static bool can_be_decided(const Nodes& at) {
    return can_be_decided(at.s) && (!at.l || can_be_decided(*at.l));
  }
  static double size(const Nodes& at) { return std::max(at.s.radius, at.l ? at.l->radius : 0); }

  // Whether it is known what two nearby cells contain, and for how long.
  bool decide(const Item& item, const Nodes& at) {
    if (is_barren(at)) {
      hold(item, kInfinity, Known::empty);
      return true;
    }
    const double tame = tame_way(at);
    const bool is_tame = tame > kTame * radius_;
    const double part = is_tame ? 0.0 : std::clamp(size(at) / radius_, kLeastSlack, kWidestSlack);
    const PoseSlack slack{part * radius_, small_.is_ball() ? 0 : part};
    const double way = is_tame ? tame : slack.moved;
    const Known none = is_tame ? Known::tame : Known::empty;
    if (cannot_face(at, slack)) {
      hold(item, way, none);
      return true;
    }
    if (!can_be_decided(at)) return false;
    const Conditions near = conditions_at(at, slack);
    const PairContent held = content(near);
    if (held == PairContent::one) return keep_the_one(item, at, near, way, is_tame);
    if (held == PairContent::nothing) hold(item, way, none);
    return held == PairContent::nothing;
  }

  // Where in some direction the surfaces bend into each other, whatever the pose, there is never a
  // minimum: the relative curvature is negative there, the more so the larger the gap.
  bool is_barren(const Nodes& at) const {
    const BodyCells::Bend s = small_.bend(&at.s), l = large_.bend(at.l);
    return s.most_least + l.most < 0 || l.most_least + s.most < 0;
  }

  // Minima are born in pairs with saddles. There is none where the relative curvature is positive,
  // whatever the pose: at a gap g, that of κ_A and κ_B / (1 + g κ_B). Whatever is born at a larger
  // gap has at least that to go. [m]
  double tame_way(const Nodes& at) const {
    const double small = small_.bend(&at.s).least, large = large_.bend(at.l).least;
    const double low = std::min(small, large), high = std::max(small, large);
    if (low >= 0) return high > 0 ? kInfinity : 0;
    return high > 0 ? std::max(0.0, -1 / low - 1 / high) : 0;
  }

  // At most one extremal pair at any pose within the slack.
  bool keep_the_one(const Item& item, const Nodes& at, Conditions near, double way, bool is_tame) {
    const Known known = is_tame ? Known::tame : Known::one;
    const PlaceOfPair place = solution(at);
    if (!place.converged || place.x.cwiseAbs().maxCoeff() > kInsideCell) {
      near.slack.setZero();
      if (content(near) != PairContent::nothing) return false;
      hold(item, way, known);  // a pair may enter from beside, and is then followed
      return true;
    }
    const Vec3<double>&s = place.A.p, &l = place.B.p;
    const Spot on_large = large_.spot(at.l, place.B, small_on_large(s));
    keep_local(small_.spot(&at.s, place.A, large_on_small(on_large)), on_large);
    // An edge may begin or cease to face the other body. But before it touches, the bodies must
    // move by its distance.
    const bool smooth = is_smooth(small_, at.s) && (!at.l || is_smooth(large_, *at.l));
    const double distance = (X_ * s - l).norm();
    hold(item, smooth ? way : std::min(way, std::max(distance, kCreased * radius_)), known);
    return true;
  }
  static bool is_smooth(const BodyCells& cells, const CellNode& node) {
    return node.kind == Spot::Kind::surface || cells.radius() > 0;
  }

  // Bodies that overlap where nothing was followed have their backs to each other.
  void keep(const TrackedPair& found) {
    if (found.gap < -kTouching * radius_) return;
    const auto twice = [&](const TrackedPair& other) { return same(found, other); };
    if (std::none_of(pairs_.begin(), pairs_.end(), twice)) pairs_.push_back(found);
  }

  void give_up(const Item& item, double apart) {
    const double blind = kBlindReach * radius_;
    hold(item, std::max(apart, blind), apart >= blind ? Known::apart : Known::nothing);
  }

  // The larger one is cut; if both are about equally large, the one whose normals turn more.
  void cut(const Item& item, const Nodes& at, double apart) {
    const bool known = can_be_decided(at);
    const auto is_fixed = [&](const CellNode& node) {
      const double least = !known ? kSmallestUnknown
                           : node.kind == Spot::Kind::surface && node.angle > kBent ? kSmallestBent
                                                                                    : kSmallestCut;
      return node.is_point() || node.radius < least * radius_;
    };
    const bool fixed_s = is_fixed(at.s), fixed_l = !at.l || is_fixed(*at.l);
    if (fixed_s && fixed_l) {
      look_between(at);
      give_up(item, apart);
      return;
    }
    const auto size = [&](const CellNode& node) {
      const double bend = node.kind == Spot::Kind::vertex ? 0 : std::min(node.angle, 1.6);
      return node.radius + 0.5 * bend * std::min(node.radius, radius_) + (node.cell ? 0 : 1e-9);
    };
    if (fixed_l || (!fixed_s && size(at.s) >= size(*at.l))) {
      const CellView::Parts parts = in_small_->parts(item.small);
      for (int i = 0; i < parts.count; ++i) open_.push_back({parts.first + i, item.large});
    } else {
      const CellView::Parts parts = in_large_->parts(item.large);
      for (int i = 0; i < parts.count; ++i) open_.push_back({item.small, parts.first + i});
    }
  }

  // Where bounds say nothing: what Newton's method finds, unless it is followed already.
  void look_between(const Nodes& at) {
    const Vec3<double> s = at.s.centre;
    const Vec3<double> p_B = A_is_larger_ ? of_small(s) : small_on_large(s);
    const auto beside = [&](const TrackedPair& other) {
      return (other.point_B - p_B).norm() < 10 * kSmallestCut * radius_;
    };
    if (std::any_of(pairs_.begin(), pairs_.end(), beside)) return;
    const Spot on_l = large_.middle_of(at.l, small_on_large(s)),
               on_s = small_.middle_of(&at.s, large_on_small(on_l));
    const auto found =
        contact_from(A_, B_, X_BA_, A_is_larger_ ? on_l : on_s, A_is_larger_ ? on_s : on_l);
    if (found) keep(*found);
  }
  void keep_local(const Spot& s, const Spot& l) {
    const auto found = local_contact(A_, B_, X_BA_, A_is_larger_ ? l : s, A_is_larger_ ? s : l);
    if (found) keep(*found);
  }

  const TouchableBody &A_, &B_;
  const bool A_is_larger_;
  const BodyCells small_, large_;
  const double radius_;        // [m], of the smaller body about its origin
  const Vec3<double> origin_;  // of the smaller body, in its shape's frame
  Pose<double> X_BA_;
  Pose<double> X_, X_SL_;  // of the smaller body's shape in the larger one's, and the other way
  std::optional<CellView> in_small_, in_large_;
  double way_ = 0;                // [m], since the front was built
  double box_until_ = kInfinity;  // [m], of the way: cells of an unbounded body reach so far
  double tame_until_ = 0;         // [m], of the way: all that is tame or may be entered from beside
  std::vector<Item> items_;       // heap, the first to expire in front
  std::vector<Item> open_;
  std::vector<TrackedPair> pairs_, free_;
  std::optional<Vec3<double>> contact_;  // where bodies are held together, on B in its frame
  Pose<double> X_followed_;              // where the pairs were last followed to,
  double way_followed_ = 0;              // [m], at this way,
  double least_gap_ = 0;                 // [m], and the least of their gaps there
  std::size_t size_when_built_ = 0;
  int unsure_ = 0;  // items about which nothing is known
  int hopeless_ = 0;
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
double Certificate::free_way() const { return front_->free_way(); }
void Certificate::renew(double way, const Vec3<double>* contact) { front_->renew(way, contact); }
void Certificate::add(const TrackedPair& pair) { front_->add(pair); }
const std::vector<TrackedPair>& Certificate::pairs() const { return front_->pairs(); }
double Certificate::reach() const { return front_->reach(); }
bool Certificate::certain() const { return front_->certain(); }
std::int64_t Certificate::examined() const { return front_->examined(); }

}  // namespace oloid::proximity
