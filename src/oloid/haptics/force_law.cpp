#include "oloid/haptics/force_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace oloid::haptics {

Result<ForceLaw> checked(const ForceLaw& law) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(law.stiffness)) {
    return refuse(fmt::format("stiffness is {} N/m", law.stiffness), "it must be positive");
  }
  if (!(law.damping >= 0 && std::isfinite(law.damping))) {
    return refuse(fmt::format("damping is {} N s/m", law.damping), "it must not be negative");
  }
  if (!positive(law.largest_force)) {
    return refuse(fmt::format("largest force is {} N", law.largest_force), "it must be positive");
  }
  if (!positive(law.force_ramp)) {
    return refuse(fmt::format("force ramp is {} N/s", law.force_ramp), "it must be positive");
  }
  if (!positive(law.reach)) {
    return refuse(fmt::format("reach is {} m", law.reach), "it must be positive");
  }
  return law;
}

double pair_force(const ForceLaw& law, double gap, double gap_rate) {
  const double spring = law.stiffness * std::max(0.0, -gap);
  return spring + std::clamp(-law.damping * gap_rate, -spring, spring);
}

}  // namespace oloid::haptics
