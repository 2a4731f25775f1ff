#include "oloid/proximity/far_pair.h"

#include <array>
#include <cmath>

#include "oloid/proximity/newton.h"

namespace oloid::proximity {
namespace {

constexpr double kInside = -1e-9;  // least margin to a border
constexpr double kSlack = 1e-7;    // [rad], of normal cones

// Whether ν, outward in the body's frame, can be the direction of a contact at the spot.
bool supports(const TouchableBody& body, const Spot& spot, const Vec3<double>& nu) {
  if (spot.kind == Spot::Kind::surface) return margin(body.side()->shape, spot.at) >= kInside;
  if (spot.kind == Spot::Kind::vertex) return !body.larger(spot, nu, kSlack);
  const double t = spot.at.x(0);
  if (t < -1e-12 || t > 1 + 1e-12) return false;
  const std::optional<EdgeSection> at = body.section(spot.index, t);
  if (!at) return true;
  if (nu.dot(at->left.cross(at->tangent)) > kSlack) return false;
  return !at->right || nu.dot(at->tangent.cross(*at->right)) <= kSlack;
}

// Directions that may be normal to both features.
struct Directions {
  std::array<Vec3<double>, 2> n;
  int count = 0;
  void add(const Vec3<double>& direction) {
    n[static_cast<std::size_t>(count)] = direction;
    ++count;
  }
};
Directions directions(const LocalFeature<double>& A, const LocalFeature<double>& B, double length) {
  Directions d;
  if (B.dimension == 2) {
    d.add(B.z);
    return d;
  }
  if (A.dimension == 2) {
    d.add(-A.z);
    return d;
  }
  const Vec3<double> r = A.p - B.p;
  const double distance = r.norm();
  const bool curves = A.dimension == 1 && B.dimension == 1;
  const Vec3<double> across = A.E.col(0).cross(B.E.col(0));
  const bool touching = distance < 1e-9 * length;
  if (curves && across.norm() > 1e-6 && touching) {
    d.add(across.normalized());
  } else if (distance > 0) {
    d.add(r / distance);
  }
  if (curves && d.count == 1) d.add(-d.n[0]);  // edges that have passed each other
  return d;
}

}  // namespace

std::optional<TrackedPair> local_contact(const TouchableBody& A, const TouchableBody& B,
                                         const Pose<double>& X_BA, const Spot& a, const Spot& b) {
  const double length = pair_length(A, B);
  const Directions candidates = directions(X_BA * A.at(a), B.at(b), length);
  for (int i = 0; i < candidates.count; ++i) {
    const PairIterate at =
        iterate_at(A, B, X_BA, a, b, candidates.n[static_cast<std::size_t>(i)], length);
    const Vec3<double>& n = at.pair.n;
    if (!supports(B, b, n) || !supports(A, a, -(X_BA.R.transpose() * n))) continue;
    TrackedPair pair = report(at, length);
    if (pair.status == PairStatus::not_minimum) continue;
    if (pair.status == PairStatus::conforming) {
      if (!at.pair.quality(length).weak) continue;
      pair.status = PairStatus::continuum;
    }
    return pair;
  }
  return std::nullopt;
}

}  // namespace oloid::proximity
