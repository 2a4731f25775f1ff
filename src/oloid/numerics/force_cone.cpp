#include "oloid/numerics/force_cone.h"

#include <algorithm>

namespace oloid::numerics {

double slack(const ForceCone& cone, const Eigen::VectorXd& force) {
  double largest = 0;
  for_each_channel(cone, [&](int at, const ConeChannel& channel) {
    largest = std::max(largest, force.segment(at, channel.width).norm() / channel.limit);
  });
  return force(cone.first) - largest;
}

double least_slack(std::span<const ForceCone> cones, const Eigen::VectorXd& force) {
  double least = kUnlimited;
  for (const ForceCone& cone : cones) least = std::min(least, slack(cone, force));
  return least;
}

}  // namespace oloid::numerics
