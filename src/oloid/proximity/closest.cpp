#include "oloid/proximity/closest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oloid/contact/extremal_pair.h"
#include "oloid/proximity/surface_feature.h"

namespace oloid {
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

ClosestStarts make_starts(const Side& A, const Side& B) { return {seeds(A.shape), seeds(B.shape)}; }

Closest closest_anywhere(const Side& A, const Side& B, const Pose<double>& X_BA,
                         const ClosestStarts& starts) {
  const Pose<double> X_AB = inverse(X_BA);
  const double length = length_of(A, B);
  Closest best;
  best.gap = INFINITY;
  // The most promising starts: nearly opposite normals and little distance.
  struct Start {
    double score;
    Location a, b;
  };
  std::array<Start, 12> kept;
  kept.fill({INFINITY, {}, {}});
  const auto offer = [&](const Location& a, const Location& b) {
    const ExtremalPair at = facing(A, B, X_BA, a, b);
    const double score = 1 + at.A.z.dot(at.n) + at.r().norm() / length;
    auto* worst = &*std::max_element(
        kept.begin(), kept.end(), [](const Start& x, const Start& y) { return x.score < y.score; });
    if (score < worst->score) *worst = {score, a, b};
  };
  const Pose<double> X_SB = inverse(B.X_BS), X_SA = inverse(A.X_BS);
  for (const Location& a : starts.A) {
    offer(a, near(B.shape, X_SB * (X_BA * at_location(A, a).p)));
  }
  for (const Location& b : starts.B) {
    offer(near(A.shape, X_SA * (X_AB * at_location(B, b).p)), b);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Start& x, const Start& y) { return x.score < y.score; });
  for (const Start& start : kept) {
    if (!std::isfinite(start.score)) continue;
    const Closest candidate = closest_from(A, B, X_BA, start.a, start.b);
    const bool first = best.status != ClosestStatus::found;
    if (candidate.status == ClosestStatus::found && (first || candidate.gap < best.gap))
      best = candidate;
    if (first && candidate.status != ClosestStatus::found &&
        best.status == ClosestStatus::no_convergence)
      best = candidate;
  }
  return best;
}

}  // namespace oloid
