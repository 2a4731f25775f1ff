#include "oloid/proximity/far_newton.h"

#include "oloid/proximity/tracker.h"

namespace oloid::proximity {

std::optional<TrackedPair> contact_from(const TouchableBody& A, const TouchableBody& B,
                                        const Pose<double>& X_BA, const Spot& a, const Spot& b) {
  const Vec3<double> r = X_BA * A.at(a).p - B.at(b).p;
  const double distance = r.norm();
  const Vec3<double> n = distance > 0 ? Vec3<double>(r / distance) : Vec3<double>::UnitZ();
  const TrackedPair pair = nearest_from(A, B, X_BA, a, b, n);
  if (!pair.usable()) return std::nullopt;
  return local_contact(A, B, X_BA, pair.A, pair.B);
}

void contacts_from_seeds(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
                         std::vector<TrackedPair>& found) {
  const auto take = [&](const Spot& a, const Spot& b) {
    if (const auto pair = contact_from(A, B, X_BA, a, b)) found.push_back(*pair);
  };
  const Pose<double> X_AB = inverse(X_BA);
  for (const Spot& a : A.seeds()) take(a, B.near(X_BA * A.at(a).p));
  for (const Spot& b : B.seeds()) take(A.near(X_AB * B.at(b).p), b);
}

}  // namespace oloid::proximity
