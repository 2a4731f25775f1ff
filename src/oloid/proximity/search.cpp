#include "oloid/proximity/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "oloid/base/contract.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/proximity/newton.h"

namespace oloid::proximity {
namespace {

constexpr std::size_t kFacing = 20;         // starts that are near and face each other
constexpr std::size_t kOther = 24;          // starts that are made with overlaps in mind
constexpr std::size_t kNearestFacing = 12;  // the same where one pair suffices
constexpr std::size_t kPool = 1000;         // from how many they are chosen,
constexpr std::size_t kNearestPool = 50;    // where one pair suffices,
constexpr std::size_t kPairsPool = 400;     // and where others are of interest
constexpr int kToAndFro = 30;               // from place to nearest place,
constexpr std::size_t kToAndFroStarts = 4;  // from so many starts
constexpr int kManyCurves = 64;  // beyond this, the nearest of them is found by their samples
constexpr int kDirections = 120;
constexpr std::size_t kMostCrossings = 40000;  // of edges: beyond this, other starts must suffice
constexpr std::size_t kMostFacing = 4000000;   // starts of A times those of B, likewise
constexpr double kOpposite = -0.6;             // cosine between outward directions, at most
constexpr double kApart = 0.1;  // of the length: starts that are nearer than this lead to one pair
constexpr double kSamePair = 1e-6;  // of the length, and [rad]

using Start = SearchBody::Start;

// Two starts, B's and A's in B's frame, and a score: less is better.
struct Candidate {
  double score = 0;
  Start a, b;
  Vec3<double> p_A{0, 0, 0};  // in B's frame
  Vec3<double> normal{0, 0, 1};
};

// Evenly spread unit vectors.
Vec3<double> direction(int k) {
  const double z = 1 - (2 * k + 1.0) / kDirections;
  const double turn = k * std::numbers::pi * (3 - std::sqrt(5.0)), r = std::sqrt(1 - z * z);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

// How far a direction is from being normal to a feature, from 0 to 1.
double slant(const LocalFeature<double>& at, const Vec3<double>& along) {
  if (at.dimension == 2) return 1 - std::abs(at.z.dot(along));
  return at.dimension == 1 ? std::abs(at.E.col(0).dot(along)) : 0;
}

class Search {
 public:
  Search(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA)
      : A_(A),
        B_(B),
        X_BA_(X_BA),
        X_AB_(inverse(X_BA)),
        length_(pair_length(A.features(), B.features())) {}

  SearchResult run(double threshold) {
    const std::vector<Candidate> starts = chosen(facing(kPool), kFacing);
    for (const Candidate& start : starts) follow(start);
    if (pairs_.empty()) follow_to_and_fro(starts);
    follow_into_overlaps();
    join_continua();
    keep_overlaps();
    std::sort(pairs_.begin(), pairs_.end(),
              [](const TrackedPair& x, const TrackedPair& y) { return x.gap < y.gap; });
    SearchResult result;
    result.pairs.reserve(pairs_.size() + 1);
    for (const TrackedPair& pair : pairs_)
      if (result.pairs.empty() || pair.gap < threshold) result.pairs.push_back(pair);
    if (pairs_.empty() && failed_) result.pairs.push_back(*failed_);
    const bool sunk = !pairs_.empty() && pairs_.front().gap < -kTouching * length_;
    const bool apart = both_convex() && !pairs_.empty();
    result.overlap = sunk || (!apart && (any_inside(A_, B_, X_BA_) || any_inside(B_, A_, X_AB_)));
    return result;
  }

  // Nearest or deepest first; if none was found, the best try.
  std::vector<TrackedPair> nearest(std::size_t pool) {
    if (both_convex() && A_.is_smooth() && B_.is_smooth()) {
      follow(towards_middle());
      if (is_apart()) return {pairs_.back()};
    }
    const std::vector<Candidate> starts = chosen(facing(pool), kNearestFacing);
    for (const Candidate& start : starts) {
      if (!leads_to_known(start)) follow(start);
      if (is_apart()) return {pairs_.back()};
    }
    if (pairs_.empty()) follow_to_and_fro(starts);
    keep_overlaps();
    if (pairs_.empty()) {
      follow_into_overlaps();
      keep_overlaps();
    }
    std::sort(pairs_.begin(), pairs_.end(),
              [](const TrackedPair& x, const TrackedPair& y) { return x.gap < y.gap; });
    if (pairs_.empty()) pairs_.push_back(failed_.value_or(TrackedPair{}));
    return pairs_;
  }

 private:
  bool both_convex() const { return A_.convex() && B_.convex(); }
  // There is a plane between convex bodies.
  bool is_apart() const {
    return both_convex() && !pairs_.empty() && pairs_.back().gap > -kTouching * length_;
  }

  // --- Starts ---

  void follow_into_overlaps() {
    const bool by_directions = both_convex() && A_.bounded() && B_.bounded();
    for (const Candidate& start : chosen(by_directions ? supporting() : opposite(), kOther))
      follow(start);
  }
  bool leads_to_known(const Candidate& start) const {
    const double reach = kApart * length_;
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const TrackedPair& pair) {
      return (start.p_A - pair.point_A).norm() < reach &&
             (start.b.at.p - pair.point_B).norm() < reach && leads_to(pair.A, start.a.spot) &&
             leads_to(pair.B, start.b.spot);
    });
  }

  Candidate candidate(const Start& a, const Start& b) const {
    Candidate c{0, a, b, X_BA_ * a.at.p};
    const Vec3<double> r = c.p_A - b.at.p, out = b.outward - X_BA_.R * a.outward;
    const double distance = r.norm();
    // From B to A, unless the outward directions say that the points have passed each other.
    const bool passed = out.norm() > 0.1 && r.dot(out) < 0;
    if (passed || !(distance > 1e-12 * length_)) {
      c.normal = out.norm() > 0.1 ? out.normalized() : Vec3<double>::UnitZ();
    } else {
      c.normal = r / distance;
    }
    const double against =
        a.outward.isZero() || b.outward.isZero() ? 0 : 1 + b.outward.dot(X_BA_.R * a.outward);
    c.score = distance / length_ + against +
              0.5 * (slant(X_BA_ * a.at, c.normal) + slant(b.at, c.normal));
    return c;
  }

  // For smooth bodies: the place on the larger one near the middle of the other, and the place on
  // the other near to that. For balls and planes this is the answer.
  Candidate towards_middle() const {
    const bool A_is_smaller = A_.features().size() <= B_.features().size();
    const SearchBody &small = A_is_smaller ? A_ : B_, &large = A_is_smaller ? B_ : A_;
    const Pose<double>&X = A_is_smaller ? X_BA_ : X_AB_, &X_back = A_is_smaller ? X_AB_ : X_BA_;
    const Start l = large.start_near(X * small.features().side()->X_BS.p);
    const Start s = small.start_near(X_back * l.at.p);
    return A_is_smaller ? candidate(s, l) : candidate(l, s);
  }

  // Where Newton's method leads nowhere: from a place to the nearest of the other body, and back,
  // which never leads farther apart.
  void follow_to_and_fro(const std::vector<Candidate>& starts) {
    for (std::size_t i = 0; i < std::min(starts.size(), kToAndFroStarts); ++i) {
      Start a = starts[i].a, b = starts[i].b;
      for (int n = 0; n < kToAndFro; ++n) {
        const TrackedPair on_B = B_.nearest_to(X_BA_ * a.at.p);
        if (!on_B.usable()) break;
        b = B_.start_at(on_B.B);
        const TrackedPair on_A = A_.nearest_to(X_AB_ * b.at.p);
        if (!on_A.usable()) break;
        a = A_.start_at(on_A.B);
      }
      follow(candidate(a, b));
    }
  }

  // The best of all: each start of one body with the place on the other that is near to it. If not
  // both are convex, first of all the two that are nearest to each other, whichever way they face.
  std::vector<Candidate> facing(std::size_t most) const {
    std::vector<Candidate> best;  // a heap, the worst of them first
    best.reserve(most + 1);
    const auto better = [](const Candidate& x, const Candidate& y) { return x.score < y.score; };
    const auto worst = [&] {
      return best.size() < most ? std::numeric_limits<double>::infinity() : best.front().score;
    };
    std::optional<Candidate> nearest;
    const auto distance = [](const Candidate& c) { return (c.p_A - c.b.at.p).squaredNorm(); };
    const auto keep = [&](const Candidate& c) {
      if (!nearest || distance(c) < distance(*nearest)) nearest = c;
      if (!(c.score < worst())) return;
      if (best.size() == most) {
        std::pop_heap(best.begin(), best.end(), better);
        best.pop_back();
      }
      best.push_back(c);
      std::push_heap(best.begin(), best.end(), better);
    };
    look_at_starts(A_, B_, X_BA_, worst,
                   [&](const Start& a, const Start& b) { keep(candidate(a, b)); });
    look_at_starts(B_, A_, X_AB_, worst,
                   [&](const Start& b, const Start& a) { keep(candidate(a, b)); });
    if (nearest && !both_convex()) {
      nearest->score = 0;
      best.push_back(*nearest);
    }
    return best;
  }
  // Leaves out balls of starts that are too far from the other body to be better than the worst.
  template <class Worst, class Offer>
  void look_at_starts(const SearchBody& own, const SearchBody& other, const Pose<double>& X,
                      const Worst& worst, const Offer& offer) const {
    const BallTree& points = own.start_points();
    if (points.empty()) return;
    std::array<int, 64> open{};  // balls to look at; 0 is the root
    std::size_t count = 1;
    while (count > 0) {
      const BallTree::Ball& ball = points.ball(open[--count]);
      const double distance = other.distance_at_least(X * ball.centre) - ball.radius;
      if (distance > worst() * length_) continue;
      if (ball.first_part != 0) {
        OLOID_EXPECT(count + 2 <= open.size());
        open[count++] = ball.first_part + 1;
        open[count++] = ball.first_part;
        continue;
      }
      for (const int i : points.points_of(ball)) {
        const Start& start = own.starts()[static_cast<std::size_t>(i)];
        offer(start, other.start_near(X * start.at.p));
      }
    }
  }

  // The starts farthest towards each other, for many directions. Of convex bodies the best
  // direction is that of the distance, or of the least depth: normal to a face, or across two
  // edges.
  std::vector<Candidate> supporting() const {
    std::vector<Candidate> found;
    found.reserve(kDirections + A_.starts().size() + B_.starts().size());
    for (int k = 0; k < kDirections; ++k) {
      const Vec3<double> n = direction(k);
      found.push_back(supported(lowest(n), highest(n), n));
    }
    for (const Start& a : A_.starts()) {
      if (a.spot.kind != Spot::Kind::surface) continue;
      const Vec3<double> n = -(X_BA_.R * a.outward);
      found.push_back(supported(a, highest(n), n));
    }
    for (const Start& b : B_.starts()) {
      if (b.spot.kind != Spot::Kind::surface) continue;
      found.push_back(supported(lowest(b.outward), b, b.outward));
    }
    add_crossing_edges(found);
    return found;
  }

  Candidate supported(const Start& a, const Start& b, const Vec3<double>& n) const {
    const Vec3<double> p_A = X_BA_ * a.at.p;
    return {-n.dot(p_A - b.at.p), a, b, p_A, n};
  }
  const Start& lowest(const Vec3<double>& n) const {
    const Vec3<double> n_A = X_AB_.R * n;
    return *std::min_element(
        A_.starts().begin(), A_.starts().end(),
        [&](const Start& x, const Start& y) { return n_A.dot(x.at.p) < n_A.dot(y.at.p); });
  }
  const Start& highest(const Vec3<double>& n) const {
    return *std::max_element(
        B_.starts().begin(), B_.starts().end(),
        [&](const Start& x, const Start& y) { return n.dot(x.at.p) < n.dot(y.at.p); });
  }

  // Two edges whose common perpendicular lies in both normal cones; of a straight edge one start.
  void add_crossing_edges(std::vector<Candidate>& found) const {
    const std::vector<const Start*> of_A = edges_of(A_), of_B = edges_of(B_);
    if (of_A.size() * of_B.size() > kMostCrossings) return;
    for (const Start* a : of_A) {
      const Vec3<double> out_A = X_BA_.R * a->outward, along_A = X_BA_.R * a->at.E.col(0);
      for (const Start* b : of_B) {
        Vec3<double> n = along_A.cross(Vec3<double>(b->at.E.col(0)));
        const double size = n.norm();
        if (size < 1e-6) continue;
        n *= std::copysign(1 / size, n.dot(b->outward));
        if (n.dot(out_A) > 0) continue;
        if (A_.features().larger(a->spot, -(X_AB_.R * n)) || B_.features().larger(b->spot, n))
          continue;
        found.push_back(supported(*a, *b, n));
      }
    }
  }
  static std::vector<const Start*> edges_of(const SearchBody& body) {
    std::vector<const Start*> result;
    for (const Start& start : body.starts()) {
      if (start.spot.kind != Spot::Kind::curve) continue;
      const bool again = !result.empty() && result.back()->spot.index == start.spot.index &&
                         start.at.z.isZero(1e-9 / body.features().size());
      if (!again) result.push_back(&start);
    }
    return result;
  }

  // For bodies that are not convex: each start with the nearest one of the other body that faces
  // the opposite way, however deep it lies.
  std::vector<Candidate> opposite() const {
    std::vector<Candidate> found;
    if (A_.starts().size() * B_.starts().size() > kMostFacing) return found;
    const std::size_t of_A = A_.starts().size();
    std::vector<const Start*> partner(of_A + B_.starts().size(), nullptr);
    std::vector<double> least(partner.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < of_A; ++i) {
      const Start& a = A_.starts()[i];
      const Vec3<double> p_A = X_BA_ * a.at.p, out_A = X_BA_.R * a.outward;
      for (std::size_t k = of_A; k < partner.size(); ++k) {
        const Start& b = B_.starts()[k - of_A];
        if (out_A.dot(b.outward) > kOpposite) continue;
        const double distance = (p_A - b.at.p).squaredNorm();
        if (distance < least[i]) {
          least[i] = distance;
          partner[i] = &b;
        }
        if (distance < least[k]) {
          least[k] = distance;
          partner[k] = &a;
        }
      }
    }
    found.reserve(partner.size());
    for (std::size_t i = 0; i < partner.size(); ++i) {
      if (!partner[i]) continue;
      const Start& a = i < of_A ? A_.starts()[i] : *partner[i];
      const Start& b = i < of_A ? *partner[i] : B_.starts()[i - of_A];
      Candidate c{std::sqrt(least[i]), a, b, X_BA_ * a.at.p};
      c.normal = (b.outward - X_BA_.R * a.outward).normalized();
      found.push_back(c);
    }
    return found;
  }

  // The best ones that are well apart from each other, or on different edges or vertices: in a
  // hollow, a start beside a vertex does not lead to the vertex.
  std::vector<Candidate> chosen(std::vector<Candidate> all, std::size_t most) const {
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& x, const Candidate& y) { return x.score < y.score; });
    std::vector<Candidate> result;
    result.reserve(most);
    const double apart = kApart * length_;
    for (const Candidate& c : all) {
      if (result.size() == most) break;
      const bool taken = std::any_of(result.begin(), result.end(), [&](const Candidate& other) {
        return (other.p_A - c.p_A).norm() < apart && (other.b.at.p - c.b.at.p).norm() < apart &&
               other.normal.dot(c.normal) > 0.5 && leads_to(other.a.spot, c.a.spot) &&
               leads_to(other.b.spot, c.b.spot);
      });
      if (!taken) result.push_back(c);
    }
    return result;
  }

  static bool leads_to(const Spot& from, const Spot& to) {
    return to.kind == Spot::Kind::surface || same_feature(from, to);
  }

  // --- Pairs ---

  void follow(const Candidate& start) {
    TrackedPair pair =
        nearest_from(A_.features(), B_.features(), X_BA_, start.a.spot, start.b.spot, start.normal);
    // Without surfaces the distance has no sign.
    if (pair.gap < 0 && !A_.features().side() && !B_.features().side())
      pair = nearest_from(A_.features(), B_.features(), X_BA_, pair.A, pair.B, -pair.normal);
    if (!pair.usable() || !in_cones(pair)) {
      if (pair.usable()) pair.status = PairStatus::no_convergence;
      if (!failed_ || pair.residual < failed_->residual) failed_ = pair;
      return;
    }
    const bool known = std::any_of(pairs_.begin(), pairs_.end(), [&](const TrackedPair& other) {
      return (other.point_A - pair.point_A).norm() < kSamePair * length_ &&
             (other.point_B - pair.point_B).norm() < kSamePair * length_ &&
             (other.normal - pair.normal).norm() < kSamePair;
    });
    if (!known) pairs_.push_back(pair);
  }

  // Newton's method may end between two features that send it back and forth.
  bool in_cones(const TrackedPair& pair) const {
    constexpr double kConeSlack = 1e-6;
    return !A_.features().larger(pair.A, -(X_AB_.R * pair.normal), kConeSlack) &&
           !B_.features().larger(pair.B, pair.normal, kConeSlack);
  }

  // Pairs that lie flat against each other at one gap are one set.
  void join_continua() {
    std::vector<TrackedPair> joined;
    const auto conforms = [](const TrackedPair& pair) {
      return pair.status == PairStatus::conforming;
    };
    for (auto it = pairs_.begin();
         (it = std::find_if(pairs_.begin(), pairs_.end(), conforms)) != pairs_.end();) {
      TrackedPair one = *it;
      const auto rest = std::remove_if(pairs_.begin(), pairs_.end(), [&](const TrackedPair& other) {
        return std::abs(other.gap - one.gap) <= kTouching * (length_ + std::abs(one.gap)) &&
               (conforms(other) || (other.normal - one.normal).norm() < kSamePair);
      });
      if (pairs_.end() - rest > 1 || goes_on(one)) one.status = PairStatus::continuum;
      pairs_.erase(rest, pairs_.end());
      joined.push_back(one);
    }
    pairs_.insert(pairs_.end(), joined.begin(), joined.end());
  }

  // Whether there is another pair with the same gap a little way along the soft direction.
  bool goes_on(const TrackedPair& pair) const {
    const LocalFeature<double> at_A = A_.features().at(pair.A), at_B = B_.features().at(pair.B);
    const Vec3<double> way = 0.01 * length_ * pair.soft;
    const auto a = A_.features().moved(pair.A, at_A, at_A.E.transpose() * (X_AB_.R * way));
    const auto b = B_.features().moved(pair.B, at_B, at_B.E.transpose() * way);
    if (!a || !b) return false;
    const TrackedPair next = nearest_from(A_.features(), B_.features(), X_BA_, *a, *b, pair.normal);
    return next.usable() && (next.point_A - pair.point_A).norm() > 0.001 * length_ &&
           std::abs(next.gap - pair.gap) <= kTouching * (length_ + std::abs(pair.gap));
  }

  // --- Overlap ---

  bool overlaps(const TrackedPair& pair) const {
    if (!A_.features().side()) return B_.encloses(pair.point_A);
    if (!B_.features().side()) return A_.encloses(X_AB_ * pair.point_B);
    for (const double part : {0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875}) {
      const Vec3<double> p = pair.point_B + part * (pair.point_A - pair.point_B);
      if (B_.encloses(p) && A_.encloses(X_AB_ * p)) return true;
    }
    return false;
  }

  // Whether a start of one body lies inside the other. Often a place near it shows at once that it
  // does not.
  bool any_inside(const SearchBody& of, const SearchBody& other, const Pose<double>& X) const {
    return std::any_of(of.starts().begin(), of.starts().end(), [&](const Start& start) {
      const Vec3<double> p = X * start.at.p;
      const Start near = other.start_near(p);
      return (p - near.at.p).dot(near.outward) < -kTouching * length_ && other.encloses(p);
    });
  }

  // The pairs with negative gaps that indicate an overlap, each once.
  void keep_overlaps() {
    // The shallowest first; of two convex bodies it is the only one, and none if they are apart.
    std::sort(pairs_.begin(), pairs_.end(),
              [](const TrackedPair& x, const TrackedPair& y) { return x.gap > y.gap; });
    if (both_convex()) {
      if (pairs_.size() > 1) pairs_.resize(1);
      return;
    }
    std::vector<TrackedPair> kept;
    kept.reserve(pairs_.size());
    for (const TrackedPair& pair : pairs_) {
      const bool apart = pair.gap >= -kTouching * length_;
      if (apart || (!is_other_way_out(kept, pair) && overlaps(pair))) kept.push_back(pair);
    }
    pairs_ = std::move(kept);
  }

  // Whether a pair runs through the middle of a shallower overlap.
  bool is_other_way_out(const std::vector<TrackedPair>& shallower, const TrackedPair& pair) const {
    const Vec3<double> r = pair.point_A - pair.point_B;
    return std::any_of(shallower.begin(), shallower.end(), [&](const TrackedPair& other) {
      if (other.gap >= 0) return false;
      const Vec3<double> m = 0.5 * (other.point_A + other.point_B);
      const double part = std::clamp((m - pair.point_B).dot(r) / r.squaredNorm(), 0.0, 1.0);
      return (pair.point_B + part * r - m).norm() <= -other.gap;
    });
  }

  const SearchBody &A_, &B_;
  Pose<double> X_BA_, X_AB_;
  double length_;
  std::vector<TrackedPair> pairs_;
  std::optional<TrackedPair> failed_;
};

}  // namespace

namespace {

// Bodies can enter an open surface, however convex it is.
bool has_border(const TouchableBody& features) {
  for (int i = 0; i < features.curves(); ++i) {
    const auto section = features.section(i, 0.5);
    if (section && !section->right) return true;
  }
  return false;
}

}  // namespace

SearchBody::SearchBody(const TouchableBody& features) : features_(&features) {
  const std::vector<Spot> seeds = features.seeds();
  starts_.reserve(seeds.size());
  std::vector<Vec3<double>> points;
  points.reserve(seeds.size());
  for (const Spot& spot : seeds) {
    starts_.push_back(start_at(spot));
    points.push_back(starts_.back().at.p);
  }
  start_points_ = BallTree(std::move(points));
  const Shape* shape = features.side() ? &features.side()->shape : nullptr;
  dense_ = (shape && shape->is<Patchwork>()) || features.curves() > kManyCurves;
  convex_ = shape && is_convex(*shape) && !has_border(features);
}

bool SearchBody::bounded() const { return std::isfinite(features_->size()); }
bool SearchBody::is_smooth() const {
  return features_->side() && features_->curves() == 0 && features_->vertices() == 0;
}

SearchBody::Start SearchBody::start_at(const Spot& spot) const {
  const LocalFeature<double> at = features_->at(spot);
  return {spot, at, outward(spot, at)};
}

SearchBody::Start SearchBody::start_near(const Vec3<double>& p) const {
  if (dense_) return starts_[static_cast<std::size_t>(start_points_.nearest(p).point)];
  return start_at(features_->near(p));
}

double SearchBody::distance_at_least(const Vec3<double>& p) const {
  if (dense_) return start_points_.nearest(p).distance;
  const PlacedShape* side = features_->side();
  return side ? (p - side->X_BS.p).norm() - bounding_radius(side->shape) : 0;
}

// The normal; of an edge between those of its faces, of a vertex away from all its edges.
Vec3<double> SearchBody::outward(const Spot& spot, const LocalFeature<double>& at) const {
  Vec3<double> sum = Vec3<double>::Zero();
  if (spot.kind == Spot::Kind::surface) return at.z;
  if (spot.kind == Spot::Kind::curve) {
    if (const auto section = features_->section(spot.index, spot.at.x(0)))
      sum = section->left + section->right.value_or(section->left);
  } else if (features_->side()) {
    for (const TouchableBody::Spoke& spoke : features_->spokes(spot.index)) sum -= spoke.direction;
  }
  const double size = sum.norm();
  return size > 1e-6 ? Vec3<double>(sum / size) : Vec3<double>::Zero();
}

TrackedPair SearchBody::nearest_to(const Vec3<double>& p) const {
  constexpr std::size_t kNearest = 8;
  const TouchableBody point({p});
  std::vector<const Start*> order;
  order.reserve(starts_.size());
  for (const Start& start : starts_) order.push_back(&start);
  const auto nearer = [&](const Start* x, const Start* y) {
    return (x->at.p - p).squaredNorm() < (y->at.p - p).squaredNorm();
  };
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(kNearest, order.size()));
  std::partial_sort(order.begin(), last, order.end(), nearer);
  TrackedPair best;
  best.gap = std::numeric_limits<double>::infinity();
  const auto look = [&](const Start& start) {
    const Vec3<double> r = p - start.at.p;
    const double distance = r.norm();
    const Vec3<double> hint = distance > 0 ? Vec3<double>(r / distance) : Vec3<double>::UnitZ();
    const TrackedPair pair =
        nearest_from(point, *features_, {}, {Spot::Kind::vertex, 0, {}}, start.spot, hint);
    if (pair.usable() && std::abs(pair.gap) < std::abs(best.gap)) best = pair;
  };
  look(start_at(features_->near(p)));
  for (auto it = order.begin(); it != last; ++it) look(**it);
  return best;
}

// The nearest point of the surface shows on which side we are.
bool SearchBody::encloses(const Vec3<double>& p) const {
  if (!features_->side()) return false;
  const TrackedPair pair = nearest_to(p);
  return pair.usable() && pair.B.kind == Spot::Kind::surface && pair.gap < 0;
}

SearchResult search_pairs(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA,
                          double threshold) {
  return Search(A, B, X_BA).run(threshold);
}

std::vector<TrackedPair> nearest_pairs(const SearchBody& A, const SearchBody& B,
                                       const Pose<double>& X_BA) {
  return Search(A, B, X_BA).nearest(kPairsPool);
}

TrackedPair nearest_pair(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA,
                         std::optional<TrackedPair>* next) {
  const std::vector<TrackedPair> pairs = Search(A, B, X_BA).nearest(kNearestPool);
  if (next) *next = pairs.size() > 1 ? std::optional(pairs[1]) : std::nullopt;
  return pairs.front();
}

}  // namespace oloid::proximity
