#include "oloid/proximity/first_touch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "oloid/base/constants.h"
#include "oloid/proximity/newton.h"

namespace oloid::proximity {
namespace {

constexpr double kNear = 1e-6;     // of the length: from here on Newton's method takes over
constexpr double kLastWay = 1e-3;  // of the length: it may go as far as this
constexpr double kAlong = 1e-9;    // a motion with less approach than this runs along the surface
constexpr int kMostQueries = 1000;
constexpr FarOptions kCells{100000};
constexpr int kMostCells = 200000;  // of all queries: along a steep wall there are many hard ones

struct Ball {
  Vec3<double> centre{0, 0, 0};
  double radius = kInfinity;
};
Ball bounding_ball(const TouchableBody& body, const Pose<double>& X_WB) {
  const PlacedShape* side = body.side();
  if (!side) return {};
  return {X_WB * side->X_BS.p, bounding_radius(side->shape)};
}

class Fall {
 public:
  Fall(const ProximityBody& A, const Pose<double>& X_WA, const Vec3<double>& direction,
       std::span<const Obstacle> others)
      : A_(A), X_WA_(X_WA), u_(direction), others_(others) {
    result_.certified = true;
  }

  FirstTouch run() {
    for (result_.other = 0; result_.other < others_.size(); ++result_.other) {
      if (overlaps(others_[result_.other])) return with(FirstTouch::Status::overlap);
    }
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (!out_of_reach(others_[i])) open_.push_back(i);
    }
    while (!open_.empty() && result_.queries < kMostQueries && cells_ < kMostCells) {
      if (const auto end = advance()) return with(*end);
    }
    result_.other = open_.empty() ? 0 : open_.front();
    return with(open_.empty() ? FirstTouch::Status::never : FirstTouch::Status::lost);
  }

 private:
  FirstTouch with(FirstTouch::Status status) {
    result_.status = status;
    return result_;
  }

  Pose<double> X_BA(const Obstacle& other, double way) const {
    Pose<double> X = X_WA_;
    X.p += way * u_;
    return inverse(other.X_WB) * X;
  }
  const TouchableBody& features(const Obstacle& other) const { return other.body->features(); }
  double length(const Obstacle& other) const {
    const double l = pair_length(A_.features(), features(other));
    return std::isfinite(l) ? l : 1;
  }
  bool convex(const Obstacle& other) const {
    return A_.search().convex() && other.body->search().convex();
  }

  bool overlaps(const Obstacle& other) {
    ++result_.queries;
    return search_pairs(A_.search(), other.body->search(), X_BA(other, 0), 0).overlap;
  }

  // Whether the balls around both bodies never meet from here on.
  bool out_of_reach(const Obstacle& other) const {
    Ball A = bounding_ball(A_.features(), X_WA_);
    const Ball B = bounding_ball(features(other), other.X_WB);
    const double reach = (A.radius + B.radius) * (1 + 1e-6);
    if (!std::isfinite(reach)) return false;
    A.centre += result_.way * u_;
    const Vec3<double> r = B.centre - A.centre;
    const double along = r.dot(u_);
    return along < -reach || (r - along * u_).norm() > reach;
  }

  // How far A can go before it touches this body; none if it never will.
  struct Free {
    double way = 0;
    bool lost = false;
  };
  std::optional<Free> free_way(const Obstacle& other) {
    ++result_.queries;
    const Pose<double> X = X_BA(other, result_.way);
    const SearchResult found = search_pairs(A_.search(), other.body->search(), X, 0);
    const bool usable = !found.pairs.empty() && found.pairs.front().usable();
    if (convex(other) && usable) {
      const TrackedPair& pair = found.pairs.front();
      const double approach = -pair.normal.dot(other.X_WB.R.transpose() * u_);
      if (!(approach > kAlong)) return std::nullopt;
      return Free{pair.gap / approach};
    }
    if (A_.far() && other.body->far()) {
      const FarResult far = globally_nearest(*A_.far(), *other.body->far(), X, kCells);
      cells_ += far.cells;
      if (far.certified && !far.pairs.empty()) return Free{far.pairs.front().gap};
    }
    result_.certified = false;
    if (!usable) return Free{0, true};
    return Free{found.pairs.front().gap};
  }

  // One step with all bodies; a status at the end of the way.
  std::optional<FirstTouch::Status> advance() {
    double way = kInfinity, scale = kInfinity;
    std::vector<std::size_t> kept;
    kept.reserve(open_.size());
    for (const std::size_t i : open_) {
      const auto free = out_of_reach(others_[i]) ? std::nullopt : free_way(others_[i]);
      if (!free) continue;
      kept.push_back(i);
      if (free->lost || free->way < way) {
        way = free->way;
        scale = length(others_[i]);
        result_.other = i;
      }
      if (free->lost) return FirstTouch::Status::lost;
    }
    open_ = std::move(kept);
    if (open_.empty()) return FirstTouch::Status::never;
    if (way < kNear * scale && touch_near(way, scale)) return FirstTouch::Status::touches;
    // If the other body is only grazed, small steps lead past it.
    result_.way += std::max(way, kTouching * scale);
    return std::nullopt;
  }

  // The first zero of the gaps of all pairs nearby. False if there is none.
  bool touch_near(double way, double scale) {
    FirstTouch best = result_;
    best.way = kInfinity;
    for (const std::size_t i : open_) {
      const double threshold = 4 * (std::max(way, 0.0) + kNear * scale);
      const SearchResult found = search_pairs(A_.search(), others_[i].body->search(),
                                              X_BA(others_[i], result_.way), threshold);
      for (const TrackedPair& pair : found.pairs) {
        if (pair.usable()) keep_zero(i, pair, kLastWay * scale, best);
      }
    }
    if (!std::isfinite(best.way)) return false;
    result_ = best;
    return true;
  }

  void keep_zero(std::size_t i, TrackedPair pair, double farthest, FirstTouch& best) const {
    const Obstacle& other = others_[i];
    const Vec3<double> u_B = other.X_WB.R.transpose() * u_;
    double way = result_.way;
    const double eps = 4e-16 * (length(other) + X_BA(other, way).p.norm());
    for (int k = 0; k < 30; ++k) {
      const double approach = -pair.normal.dot(u_B);
      if (!(approach > kAlong)) return;
      const double step = pair.gap / approach;
      way += step;
      if (!(std::abs(way - result_.way) <= farthest)) return;
      pair = nearest_from(A_.features(), features(other), X_BA(other, way), pair.A, pair.B,
                          pair.normal);
      if (!pair.usable()) return;
      if (std::abs(step) <= eps || std::abs(pair.gap) <= 0.25 * eps) break;
    }
    if (std::abs(pair.gap) > 1e-12 * length(other) + eps || way >= best.way) return;
    best.way = way;
    best.other = i;
    best.pair = pair;
  }

  const ProximityBody& A_;
  Pose<double> X_WA_;
  Vec3<double> u_;
  std::span<const Obstacle> others_;
  std::vector<std::size_t> open_;  // those that may still be touched
  int cells_ = 0;                  // pairs of cells examined so far
  FirstTouch result_;
};

}  // namespace

FirstTouch first_touch(const ProximityBody& A, const Pose<double>& X_WA,
                       const Vec3<double>& direction, std::span<const Obstacle> others) {
  return Fall(A, X_WA, direction, others).run();
}

}  // namespace oloid::proximity
