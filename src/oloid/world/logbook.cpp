#include "oloid/world/logbook.h"

#include <algorithm>
#include <cmath>

namespace oloid {

void Logbook::begin() {
  recorder_.begin(model_.header);
  instant_.place(state_.setting, state_.t(), state_.y.y);
  const EnergyFrame first = energies(model_, state_, instant_, state_.y.y);
  state_.energy_start = first.kinetic + first.potential;
  state_.kinetic_largest = first.kinetic;
  state_.summary.energy.initial = state_.energy_start;
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    const int node = held_by(state_.setting, pair);
    const bool touched = std::any_of(model_.touches.begin(), model_.touches.end(),
                                     [&](const Touch& touch) { return touch.pair == pair; });
    if (!touched) continue;
    const Mode mode = node == kGround ? Mode::separated : mode_of(state_.setting.hold(node));
    event({EventKind::contact_start, pair, Mode::separated, mode,
           state_.removed_normal_speed + state_.removed_slip_speed});
  }
  warn_if_conforming();
}

void Logbook::end(std::int64_t rates_calls, double wall_s) {
  observe(model_, state_, state_.t(), state_.y.y, instant_, seen_);
  Summary& summary = state_.summary;
  summary.t_end = state_.t();
  summary.wall_s = wall_s;
  summary.energy.final = seen_.energy.kinetic + seen_.energy.potential;
  summary.energy.dissipated = seen_.energy.dissipated;
  summary.energy.work = seen_.energy.work;
  summary.counters.rates_calls = rates_calls;
  summary.bodies = seen_.bodies;
  recorder_.end(summary);
}

void Logbook::show(double t, int side, const StateVector& y) {
  observe(model_, state_, t, y, instant_, seen_);
  for (std::size_t i = 0; i < seen_.bodies.size(); ++i) {
    Quat<double>& q = seen_.bodies[i].orientation;
    q = nearer_sign(q, state_.last_orientations[i]);
    state_.last_orientations[i] = q;
  }
  recorder_.frame(seen_.frame(t, side));
  last_frame_t_ = t;
}

void Logbook::frame(int side) { show(state_.t(), side, state_.y.y); }

void Logbook::frames(const Segment<Eigen::Dynamic>& segment, double t_until) {
  for (; next_frame() <= t_until; ++state_.next_frame) {
    segment.at(next_frame(), sample_);
    show(next_frame(), 0, sample_);
  }
}

void Logbook::step() {
  instant_.place(state_.setting, state_.t(), state_.y.y);
  const EnergyFrame e = energies(model_, state_, instant_, state_.y.y);
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  state_.kinetic_largest = std::max(state_.kinetic_largest, e.kinetic);
  const double reference = state_.kinetic_largest + model_.header.energy_scale;
  const double error =
      std::abs(e.kinetic + e.potential + e.dissipated - e.work - state_.energy_start);
  if (reference > 0) {
    summary.energy.max_relative_drift =
        std::max(summary.energy.max_relative_drift, error / reference);
  }
  for (int i = 0; i < model_.nodes(); ++i) {
    const Hold& hold = state_.setting.hold(i);
    if (!hold.on) continue;
    const double gap = quality(model_, hold, instant_.contact(i)).gap;
    summary.max_gap_error = std::max(summary.max_gap_error, std::abs(gap));
  }
  warn_if_conforming();
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
  add(state_.y.y.data(), sizeof(double) * static_cast<std::size_t>(state_.y.y.size()));
  for (const Hold& hold : state_.setting.holds) {
    const Mode mode = mode_of(hold);
    add(&mode, sizeof mode);
  }
}

// At an instant that has been placed.
void Logbook::warn_if_conforming() {
  for (int i = 0; i < model_.nodes(); ++i) {
    const Hold& hold = state_.setting.hold(i);
    if (!hold.on || state_.warned_conforming) continue;
    const double measure = quality(model_, hold, instant_.contact(i)).conformity;
    if (measure > kConformityWarn) continue;
    state_.warned_conforming = true;
    event({EventKind::conforming, hold.pair, mode_of(hold), mode_of(hold), measure,
           "nearly: the contact may run far and fast"});
  }
}

void Logbook::event(const Change& change) {
  ++state_.summary.counters.events;
  Event e{state_.t(), change.kind, {}, {}, change.before, change.after, change.value, change.note};
  if (change.pair != kGround) {
    e.bodies = model_.pair(change.pair).bodies;
    e.contact = ContactId{change.pair};
  }
  recorder_.event(e);
}

void Logbook::last_event(const Change& change) {
  if (state_.t() > last_frame_t_) frame(-1);
  event(change);
}

}  // namespace oloid
