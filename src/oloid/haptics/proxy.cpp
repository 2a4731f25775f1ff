#include "oloid/haptics/proxy.h"

#include <algorithm>
#include <array>

#include "oloid/haptics/pair_search.h"
#include "oloid/haptics/way_out.h"
#include "oloid/proximity/newton.h"

namespace oloid::haptics {
namespace {

constexpr int kRounds = 6;
constexpr double kSettled = 1e-12;  // of the length

// A pair seen as a half-space of displacements δ of the tool: χ + n·(δ − δ₀) ≥ 0.
HalfSpace half_space(const TrackedPair& pair, const Vec3<double>& at) {
  return {pair.normal, pair.normal.dot(at) - pair.gap};
}

}  // namespace

Proxy proxy_of(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
               std::span<const TrackedPair> pairs) {
  OLOID_EXPECT(pairs.size() <= kMostPairs);
  std::array<HalfSpace, kMostPairs> own;
  const std::span<HalfSpace> spaces(own.data(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    spaces[i] = half_space(pairs[i], Vec3<double>::Zero());
  WayOut way = shortest_way_out(spaces);
  // Pairs that cannot be followed on the way out stay the planes that they were.
  std::array<bool, kMostPairs> flat{};
  if (way.delta.isZero(0)) return {X_BA, way.lacking};

  const double length = pair_length(A, B), tolerance = kSettled * length;
  for (int round = 0; round < kRounds; ++round) {
    const Vec3<double> delta = way.delta;
    const double far = delta.norm();
    // Pairs that δ cannot have brought to overlap are as they were. One alone was solved exactly:
    // moving along its normal does not move its points.
    const auto concerned = [&](const HalfSpace& s) { return s.n.dot(delta) - s.b <= far; };
    if (std::count_if(spaces.begin(), spaces.end(), concerned) < 2) break;
    const Pose<double> moved{X_BA.R, X_BA.p + delta};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (flat[i] || !concerned(spaces[i])) continue;
      const TrackedPair now =
          nearest_from(A, B, moved, pairs[i].A, pairs[i].B, pairs[i].normal, kSoon);
      flat[i] = !now.usable() || now.normal.dot(pairs[i].normal) < kTurned;
      if (!flat[i]) spaces[i] = half_space(now, delta);
    }
    way = shortest_way_out(spaces);
    if ((way.delta - delta).norm() <= tolerance) break;
  }
  if (way.delta.norm() > length) {  // nearly no room: it stays
    double deepest = 0;
    for (const TrackedPair& pair : pairs) deepest = std::max(deepest, -pair.gap);
    return {X_BA, deepest};
  }
  return {{X_BA.R, X_BA.p + way.delta}, way.lacking};
}

}  // namespace oloid::haptics
