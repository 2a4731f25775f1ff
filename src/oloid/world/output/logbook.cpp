#include "oloid/world/output/logbook.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oloid::world {
namespace {

// The contact of a pair, if some island holds it.
const Hold* hold_of(const Islands& islands, int pair) {
  for (const auto& island : islands) {
    const Setting& setting = island->state().setting;
    const int node = held_by(setting, pair);
    if (node != kGround) return &setting.hold(node);
  }
  return nullptr;
}

}  // namespace

void Logbook::begin(const Islands& islands) {
  recorder_.begin(model_.header);
  observe_after(islands, 0);
  state_.summary.energy.initial = seen_.energy.kinetic + seen_.energy.potential;
  state_.kinetic_largest = seen_.energy.kinetic;
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    const bool touched = std::any_of(model_.touches.begin(), model_.touches.end(),
                                     [&](const StartContact& touch) { return touch.pair == pair; });
    if (!touched) continue;
    const Hold* hold = hold_of(islands, pair);
    event(0,
          {EventKind::contact_start, pair, Mode::separated, hold ? mode_of(*hold) : Mode::separated,
           state_.removed_normal_speed + state_.removed_slip_speed});
  }
}

void Logbook::end(const Islands& islands, double t, double wall_s) {
  observe_after(islands, t);
  Summary& summary = state_.summary;
  summary.t_end = t;
  summary.wall_s = wall_s;
  summary.energy.final = seen_.energy.kinetic + seen_.energy.potential;
  summary.energy.dissipated = seen_.energy.dissipated;
  summary.energy.work = seen_.energy.work;
  summary.bodies = seen_.bodies;
  summary.hashes.clear();
  summary.hash = kHashStart;
  for (const BodyId id : model_.moving) {
    for (const auto& island : islands) {
      const int node = island->group().node(id);
      if (node == kGround) continue;
      summary.hashes.push_back(island->hashes(t)[static_cast<std::size_t>(node)]);
      summary.hash = (summary.hash ^ summary.hashes.back()) * 0x100000001b3ull;
    }
  }
  recorder_.end(summary);
}

void Logbook::observe(const Islands& islands, double t, const Island* own, const Moment* moment) {
  observe_with(islands, t, [&](Island& island) -> const Moment& {
    return moment && &island == own ? *moment : island.moment(t);
  });
}
void Logbook::observe_after(const Islands& islands, double t) {
  observe_with(islands, t, [t](Island& island) -> const Moment& { return island.moment_after(t); });
}

template <class MomentOf>
void Logbook::observe_with(const Islands& islands, double t, const MomentOf& moment_of) {
  observe_ground(model_, t, seen_);
  for (ContactFrame& c : seen_.contacts) c.mode = Mode::separated;
  for (const auto& island : islands) {
    const Moment& m = moment_of(*island);
    if (island->ended()) {
      observe_ended(island->group(), island->evaluate(m), seen_);
      continue;
    }
    observe_group(island->group(), m, island->evaluate(m), seen_);
  }
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    if (seen_.contacts[static_cast<std::size_t>(pair)].mode == Mode::separated)
      observe_apart(model_, pair, witnesses_[static_cast<std::size_t>(pair)], seen_);
  }
  evaluate(model_, model_.probes, t, seen_.bodies, seen_.contacts, seen_.energy, seen_.probes);
}

const std::vector<double>& Logbook::values(const Islands& islands, double t) {
  std::swap(witnesses_, formula_witnesses_);
  observe(islands, t);
  std::swap(witnesses_, formula_witnesses_);
  evaluate(model_, model_.stops, t, seen_.bodies, seen_.contacts, seen_.energy, stops_);
  values_ = seen_.probes;
  values_.insert(values_.end(), stops_.begin(), stops_.end());
  return values_;
}

void Logbook::show(const Islands& islands, double t, int side, const Island* own,
                   const Moment* moment) {
  observe(islands, t, own, moment);
  for (std::size_t i = 0; i < seen_.bodies.size(); ++i) {
    Quat<double>& q = seen_.bodies[i].orientation;
    q = nearer_sign(q, state_.last_orientations[i]);
    state_.last_orientations[i] = q;
  }
  recorder_.frame(seen_.frame(t, side));
  last_frame_t_ = t;
}

void Logbook::frames(const Islands& islands, double t_until) {
  for (; next_frame() <= t_until; ++state_.next_frame) show(islands, next_frame(), 0);
}

void Logbook::leg(const Leg& leg, double error, double kinetic) {
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  state_.kinetic_largest = std::max(state_.kinetic_largest, kinetic);
  const double reference = model_.header.energy_reference(state_.kinetic_largest);
  if (reference > 0) {
    summary.energy.max_relative_drift =
        std::max(summary.energy.max_relative_drift, std::abs(error) / reference);
  }
  summary.max_gap_error = std::max(summary.max_gap_error, leg.gap_error);
}

void Logbook::happening(const Islands& islands, const Island& own, const Happening& h) {
  if (h.last) {
    if (h.t > last_frame_t_) show(islands, h.t, -1, &own, &h.before);
  } else if (h.shown) {
    show(islands, h.t, -1, &own, &h.before);
    show(islands, h.t, 1, &own, &h.after);
  }
  event(h.t, h.change);
}

void Logbook::probe(const Islands& islands, double t, int probe, double way) {
  frames(islands, t);
  event(t, {.kind = EventKind::probe, .value = way, .probe = probe});
}

void Logbook::event(double t, const Change& change) {
  Counters& counters = state_.summary.counters;
  ++counters.events;
  if (change.kind == EventKind::chart_crossing) ++counters.chart_crossings;
  Event e{t, change.kind, {}, {}, change.before, change.after, change.value, change.note};
  e.probe = change.probe;
  if (change.pair != kGround) {
    e.bodies = model_.pair(change.pair).bodies;
    e.contact = ContactId{change.pair};
  }
  recorder_.event(e);
}

void Logbook::last_event(const Islands& islands, double t, const Change& change) {
  if (t > last_frame_t_) show(islands, t, -1);
  event(t, change);
}

}  // namespace oloid::world
