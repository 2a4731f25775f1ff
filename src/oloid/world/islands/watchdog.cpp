#include "oloid/world/islands/watchdog.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "oloid/base/largest.h"
#include "oloid/world/islands/island.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {
namespace {

// By this fraction of the energies involved, rounding and quadrature may reduce a dissipated
// energy.
constexpr double kTakenBack = 1e-9;
// This many steps within this fraction of ℓ / √(gℓ) count as never ending.
constexpr int kMostShortSteps = 5000;
constexpr double kShortTime = 1e-6;

}  // namespace

double allowed_balance(bool controlled, double rtol) {
  return controlled ? std::clamp(1e4 * rtol, 1e-6, 1.0) : 1.0;
}

Alarm alarm_at(const StepAccount& now, const StepLimits& allowed) {
  for (const double number :
       {now.energy_error, now.energy_grown, now.dissipated, now.least_booked, now.least_gap}) {
    if (!std::isfinite(number)) return {number, "energy or gap is not a finite number"};
  }
  if (now.least_gap < -kDeepestRecorded)
    return {now.least_gap, "the bodies overlap where they touch"};
  const double taken_back =
      std::max(allowed.dissipated - now.dissipated, -now.least_booked);  // [J]
  if (taken_back > kTakenBack * allowed.energy_scale)
    return {-taken_back, "contacts gave back energy that they had dissipated"};
  const double most = allowed.balance * allowed.energy_scale;
  if (!allowed.driven && now.energy_grown > most)
    return {now.energy_grown, "energy has grown although nothing drives the bodies"};
  if (std::abs(now.energy_error) > most)
    return {now.energy_error, "the energy balance does not hold"};
  return {};
}

// At an instant that has been placed.
void Island::watch_over(const Step& step, const EnergyFrame& energy) {
  StepAccount now{.energy_error = step.energy_error,
                  .energy_grown = step.energy_error - energy.dissipated,
                  .dissipated = energy.dissipated};
  ContactKey worst{};
  for (int i = 0; i < group_.nodes(); ++i) {
    const Contact& hold = discrete_.joint(i);
    if (!hold.on) continue;
    const double least =
        state_.y.y.segment<3>(block_at(i) + kBooked).minCoeff<Eigen::PropagateNaN>();
    const double gap =
        quality(group_, hold, instant_.contact(i)).gap / group_.pair(hold.key.pair).length;
    if (!(least >= now.least_booked) || !(gap >= now.least_gap)) worst = hold.key;
    now.least_booked = -nan_or_max(-now.least_booked, -least);
    now.least_gap = -nan_or_max(-now.least_gap, -gap);
  }
  state_.kinetic_largest = std::max(state_.kinetic_largest, step.kinetic);
  StepLimits allowed;
  allowed.energy_scale =
      state_.kinetic_largest + std::abs(energy.dissipated) + std::abs(energy.work);
  for (const BodyId id : group_.moving)
    allowed.energy_scale += group_.body(id).inertia.mass * group_.speed * group_.speed;
  allowed.balance = allowed_balance(model_.scheme == Scheme::dop853, model_.rtol);
  allowed.dissipated = std::exchange(state_.dissipated, energy.dissipated);
  allowed.driven = is_driven() || !group_.loads.empty() || !discrete_.applied.empty();
  if (const Alarm alarm = alarm_at(now, allowed)) {
    finish({.kind = EventKind::solver_trouble,
            .contact = worst,
            .value = alarm.value,
            .note = alarm.note});
  }
}

void Island::watch_progress() {
  if (++state_.steps_since < kMostShortSteps) return;
  const double time = t() - std::exchange(state_.counting_since, t());
  state_.steps_since = 0;
  if (time < kShortTime * group_.length / group_.speed && !finished_)
    trouble(time, "steps become ever shorter: forces or motions change too fast to be followed");
}

}  // namespace oloid::world
