#include "oloid/proximity/closest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oloid/contact/extremal_pair.h"
#include "oloid/proximity/surface_feature.h"

namespace oloid::proximity {
namespace {

constexpr int kMaxIterations = 60;

LocalFeature<double> at_location(const Side& side, const Location& q) {
  return side.X_BS * surface_feature(side.shape, q);
}

// Moves a location by a tangential displacement; changes chart where needed. False: open border.
bool move(const Side& side, const LocalFeature<double>& at, const Vec2<double>& displacement,
          Location& q) {
  q.x += at.L * displacement;
  q = settled(side.shape, q);
  if (margin(side.shape, q) >= 0) return true;
  const ChartExit exit = leave(side.shape, q);
  const auto* crossing = std::get_if<Crossing>(&exit);
  q = crossing ? crossing->to : std::get<OpenEdge>(exit).at;
  return crossing != nullptr;
}

ExtremalPair facing(const Side& A, const Side& B, const Pose<double>& X_BA, const Location& a,
                    const Location& b) {
  return {X_BA * at_location(A, a), at_location(B, b), Vec3<double>::UnitZ()};
}

double length_of(const Side& A, const Side& B) {
  const double length = std::min(bounding_radius(A.shape), bounding_radius(B.shape));
  return std::isfinite(length) ? length : 1.0;
}

}  // namespace

Closest closest_from(const Side& A, const Side& B, const Pose<double>& X_BA, Location a,
                     Location b) {
  const double length = length_of(A, B);
  Closest result;
  bool border = false;
  ExtremalPair at = facing(A, B, X_BA, a, b);
  double merit = at.residual(length);
  int polished = 0;
  for (result.iterations = 0; result.iterations < kMaxIterations && std::isfinite(merit);
       ++result.iterations) {
    const PairStep step = at.newton();
    if (!step.finite()) break;
    const double longest = std::max(step.s_A.norm(), step.s_B.norm());
    const double reach = 0.5 * (length + std::abs(at.gap()));
    double part = longest > reach ? reach / longest : 1;
    // Halve until the residual falls; near the solution it stays at round-off.
    bool better = false;
    for (int halving = 0; halving < 8 && !better; ++halving, part *= 0.5) {
      Location next_a = a, next_b = b;
      const bool inside_a = move(A, at.A, part * step.s_A, next_a);
      const bool inside_b = move(B, at.B, part * step.s_B, next_b);
      const ExtremalPair next = facing(A, B, X_BA, next_a, next_b);
      const double next_merit = next.residual(length);
      if (next_merit < merit || next_merit < 1e-14) {
        better = true;
        border = !inside_a || !inside_b;
        a = next_a;
        b = next_b;
        at = next;
        merit = next_merit;
      }
    }
    if (!better || merit < 1e-16 || (merit < 1e-14 && ++polished == 2)) break;
  }
  result.A = a;
  result.B = b;
  result.gap = at.gap();
  result.point_A = at.A.p;
  result.point_B = at.B.p;
  result.normal_B = at.n;
  result.residual = merit;
  if (!(merit < 1e-11)) {
    result.status = border ? ClosestStatus::at_border : ClosestStatus::no_convergence;
  } else {
    result.status = at.quality(length).genuine ? ClosestStatus::found : ClosestStatus::not_minimum;
  }
  return result;
}

std::shared_ptr<const BodyStarts> make_starts(const Side& side) {
  auto starts = std::make_shared<BodyStarts>();
  starts->at = seeds(side.shape);
  starts->normals.reserve(starts->at.size());
  starts->dense = side.shape.is<Patchwork>();
  std::vector<Vec3<double>> points;
  points.reserve(starts->at.size());
  for (const Location& q : starts->at) {
    const LocalFeature<double> at = at_location(side, q);
    points.push_back(at.p);
    starts->normals.push_back(at.z);
  }
  starts->points = BallTree(std::move(points));
  return starts;
}

namespace {

// Two places from which Newton's method may start.
struct ClosestStart {
  double score = INFINITY;  // less is better
  Location a, b;
  Vec3<double> p_A{0, 0, 0}, p_B{0, 0, 0};  // [m], in B's frame
};

// The most promising starts: nearly opposite normals and little distance.
class Promising {
 public:
  Promising(const Side& A, const Side& B, const Pose<double>& X_BA, const ClosestStarts& starts,
            double length)
      : length_(length) {
    const Pose<double> X_AB = inverse(X_BA);
    look({*starts.A, *starts.B, B, X_BA, inverse(B.X_BS)},
         [&](const ClosestStart& start) { keep(start); });
    look({*starts.B, *starts.A, A, X_AB, inverse(A.X_BS)}, [&](const ClosestStart& start) {
      keep({start.score, start.b, start.a, X_BA * start.p_B, X_BA * start.p_A});
    });
    std::sort(kept_.begin(), kept_.end(),
              [](const ClosestStart& x, const ClosestStart& y) { return x.score < y.score; });
  }
  const std::array<ClosestStart, 12>& kept() const { return kept_; }

 private:
  // Each start of one body with the place on the other that is near to it.
  struct Facing {
    const BodyStarts& own;
    const BodyStarts& other;
    const Side& side;       // the other's
    const Pose<double>& X;  // of the own body in the other's frame
    Pose<double> X_SB;      // of the other's frame in its shape's
  };
  template <class Offer>
  void look(const Facing& f, const Offer& offer) {
    if (!f.own.points.empty()) look(f, f.own.points.root(), offer);
  }
  template <class Offer>
  void look(const Facing& f, const BallTree::Ball& ball, const Offer& offer) {
    // A start is no nearer to those of the other body, or to a ball around it, than the middle of
    // its own ball, but for the radius.
    const Vec3<double> centre = f.X * ball.centre;
    const double apart = f.other.dense
                             ? f.other.points.nearest(centre).distance
                             : (centre - f.side.X_BS.p).norm() - bounding_radius(f.side.shape);
    if (apart - ball.radius > worst() * length_) return;
    if (ball.first_part != 0) {
      look(f, f.own.points.ball(ball.first_part), offer);
      look(f, f.own.points.ball(ball.first_part + 1), offer);
      return;
    }
    for (const int i : f.own.points.points_of(ball)) offer(faced(f, i));
  }
  ClosestStart faced(const Facing& f, int i) const {
    const auto own = static_cast<std::size_t>(i);
    ClosestStart start;
    start.a = f.own.at[own];
    start.p_A = f.X * f.own.points.point(i);
    Vec3<double> normal;
    if (f.other.dense) {
      const int j = f.other.points.nearest(start.p_A).point;
      start.b = f.other.at[static_cast<std::size_t>(j)];
      start.p_B = f.other.points.point(j);
      normal = f.other.normals[static_cast<std::size_t>(j)];
    } else {
      start.b = near(f.side.shape, f.X_SB * start.p_A);
      const LocalFeature<double> at = at_location(f.side, start.b);
      start.p_B = at.p;
      normal = at.z;
    }
    start.score =
        1 + (f.X.R * f.own.normals[own]).dot(normal) + (start.p_A - start.p_B).norm() / length_;
    return start;
  }

  static bool better(const ClosestStart& x, const ClosestStart& y) { return x.score < y.score; }
  double worst() const { return std::max_element(kept_.begin(), kept_.end(), better)->score; }
  void keep(const ClosestStart& start) {
    ClosestStart& out = *std::max_element(kept_.begin(), kept_.end(), better);
    if (start.score < out.score) out = start;
  }

  double length_;
  std::array<ClosestStart, 12> kept_{};
};

}  // namespace

Closest closest_anywhere(const Side& A, const Side& B, const Pose<double>& X_BA,
                         const ClosestStarts& starts) {
  constexpr double kSamePlace = 0.1;  // of the length: starts so near to a pair lead to it
  const double length = length_of(A, B);
  const Promising promising(A, B, X_BA, starts, length);
  std::array<Closest, 12> found;
  std::size_t pairs = 0;
  const auto leads_to_known = [&](const ClosestStart& start) {
    return std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(pairs),
                       [&](const Closest& pair) {
                         const double reach = kSamePlace * length;
                         return (start.p_A - pair.point_A).norm() < reach &&
                                (start.p_B - pair.point_B).norm() < reach;
                       });
  };
  Closest best;
  best.gap = INFINITY;
  int iterations = 0;
  for (const ClosestStart& start : promising.kept()) {
    if (!std::isfinite(start.score) || leads_to_known(start)) continue;
    const Closest candidate = closest_from(A, B, X_BA, start.a, start.b);
    iterations += candidate.iterations;
    const bool first = best.status != ClosestStatus::found;
    if (candidate.status == ClosestStatus::found) {
      found[pairs++] = candidate;
      if (first || candidate.gap < best.gap) best = candidate;
    } else if (first && best.status == ClosestStatus::no_convergence) {
      best = candidate;
    }
  }
  best.iterations = iterations;
  return best;
}

}  // namespace oloid::proximity
