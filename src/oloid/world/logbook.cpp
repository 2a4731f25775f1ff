#include "oloid/world/logbook.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace oloid {

void Logbook::begin() {
  recorder_.begin(model_.header);
  const Observation first = now();
  state_.energy_start = first.energy.kinetic + first.energy.potential;
  state_.kinetic_largest = first.energy.kinetic;
  state_.summary.energy.initial = state_.energy_start;
  event(EventKind::contact_start, Mode::separated,
        state_.removed_normal_speed + state_.removed_slip_speed);
  warn_if_conforming(first);
}

void Logbook::end(std::int64_t rates_calls, double wall_s) {
  const Observation last = now();
  Summary& summary = state_.summary;
  summary.t_end = state_.t();
  summary.wall_s = wall_s;
  summary.energy.final = last.energy.kinetic + last.energy.potential;
  summary.energy.dissipated = last.energy.dissipated;
  summary.counters.rates_calls = rates_calls;
  summary.bodies.assign(2, {});
  summary.bodies[static_cast<std::size_t>(model_.bodies[0].index)] = last.body;
  summary.bodies[static_cast<std::size_t>(model_.bodies[1].index)] = fixed_body_frame(model_);
  recorder_.end(summary);
}

void Logbook::frame(double t, int side, const Observation& observation) {
  std::array<BodyFrame, 2> bodies;
  BodyFrame& moving = bodies[static_cast<std::size_t>(model_.bodies[0].index)];
  moving = observation.body;
  moving.orientation = nearer_sign(moving.orientation, state_.last_orientation);
  state_.last_orientation = moving.orientation;
  bodies[static_cast<std::size_t>(model_.bodies[1].index)] = fixed_body_frame(model_);
  recorder_.frame({t, side, bodies, {&observation.contact, 1}, observation.energy});
  last_frame_t_ = t;
}

void Logbook::step() {
  const Observation seen = now();
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  const EnergyFrame& e = seen.energy;
  state_.kinetic_largest = std::max(state_.kinetic_largest, e.kinetic);
  const double reference = state_.kinetic_largest + model_.header.energy_scale;
  const double error = std::abs(e.kinetic + e.potential + e.dissipated - state_.energy_start);
  if (reference > 0) {
    summary.energy.max_relative_drift =
        std::max(summary.energy.max_relative_drift, error / reference);
  }
  if (state_.in_contact()) {
    summary.max_gap_error = std::max(summary.max_gap_error, std::abs(seen.contact.gap));
    warn_if_conforming(seen);
  }
  hash_state();
}

// FNV-1a over the raw bits of (t, y, mode): one number that tells whether two runs were the same.
void Logbook::hash_state() {
  const auto add = [&](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t& h = state_.summary.hash;
    for (std::size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 0x100000001b3ull;
  };
  const double t = state_.t();
  add(&t, sizeof t);
  if (state_.in_contact()) {
    add(state_.contact.y.data(), sizeof(double) * kContactSize);
  } else {
    add(state_.flight.y.data(), sizeof(double) * kRootSize);
  }
  add(&state_.mode, sizeof state_.mode);
}

void Logbook::warn_if_conforming(const Observation& seen) {
  if (state_.warned_conforming || seen.conformity > kConformityWarn) return;
  state_.warned_conforming = true;
  event(EventKind::conforming, state_.mode, seen.conformity,
        "nearly: the contact may run far and fast");
}

void Logbook::event(EventKind kind, Mode before, double value, std::string_view note) {
  ++state_.summary.counters.events;
  recorder_.event(
      {state_.t(), kind, model_.bodies, ContactId{0}, before, state_.mode, value, note});
}

void Logbook::last_event(EventKind kind, double value, std::string_view note) {
  if (state_.t() > last_frame_t_) frame(state_.t(), -1, now());
  const bool of_the_run = kind == EventKind::end || kind == EventKind::budget ||
                          kind == EventKind::interrupted || kind == EventKind::output_failed;
  if (!of_the_run) {
    event(kind, state_.mode, value, note);
    return;
  }
  ++state_.summary.counters.events;
  recorder_.event({state_.t(), kind, {}, {}, state_.mode, state_.mode, value, note});
}

}  // namespace oloid
