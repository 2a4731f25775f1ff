#include "oloid/world/output/logbook.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oloid::world {
namespace {

// The contact of a pair, if some island holds it.
const Contact* hold_of(const Islands& islands, int pair) {
  for (const auto& island : islands) {
    const DiscreteState& discrete = island->state().discrete;
    const int node = held_by(discrete, pair);
    if (node != kGround) return &discrete.joint(node);
  }
  return nullptr;
}

bool in_order(const ContactFrame& a, const ContactFrame& b) {
  return a.pair != b.pair ? a.pair < b.pair : a.ordinal < b.ordinal;
}

// Whether the bodies touch before or after it.
bool is_of_contact(const Change& change) {
  return change.before != Mode::separated || change.after != Mode::separated;
}

}  // namespace

void Logbook::begin(const Islands& islands) {
  recorder_.begin(model_.header);
  observe_after(islands, 0, Rows::near);
  state_.summary.energy.initial = seen_.energy.kinetic + seen_.energy.potential;
  state_.kinetic_largest = seen_.energy.kinetic;
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    const bool touched = std::any_of(model_.touches.begin(), model_.touches.end(),
                                     [&](const StartContact& touch) { return touch.pair == pair; });
    if (!touched) continue;
    const Contact* hold = hold_of(islands, pair);
    tell(event_of(0, {EventKind::contact_start,
                      {pair},
                      Mode::separated,
                      hold ? mode_of(*hold) : Mode::separated,
                      state_.removed_normal_speed + state_.removed_slip_speed}));
  }
}

void Logbook::end(const Islands& islands, double t, double wall_s) {
  observe_after(islands, t, Rows::touching);
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

void Logbook::observe(const Islands& islands, double t, Rows rows, const Island* own,
                      const Snapshot* snapshot) {
  observe_with(islands, t, rows, [&](Island& island) -> const Snapshot& {
    return snapshot && &island == own ? *snapshot : island.snapshot(t);
  });
}
void Logbook::observe_after(const Islands& islands, double t, Rows rows) {
  observe_with(islands, t, rows,
               [t](Island& island) -> const Snapshot& { return island.snapshot_after(t); });
}

template <class SnapshotOf>
void Logbook::observe_with(const Islands& islands, double t, Rows rows,
                           const SnapshotOf& snapshot_of) {
  observe_ground(model_, t, seen_);
  for (const auto& island : islands) {
    const Snapshot& m = snapshot_of(*island);
    if (island->ended()) {
      observe_ended(island->group(), island->evaluate(m), seen_);
      continue;
    }
    observe_group(island->group(), m, island->evaluate(m), seen_);
  }
  std::sort(seen_.contacts.begin(), seen_.contacts.end(), in_order);
  for (ContactFrame& c : seen_.contacts) c.id = last_contact_[{c.pair, c.ordinal}].id;
  add_asked_pairs();
  if (rows == Rows::near) add_near_pairs();
  evaluate(model_, model_.probes, t, seen_.bodies, seen_.asked, seen_.energy, seen_.probes);
}

// At any distance.
void Logbook::add_asked_pairs() {
  seen_.asked.clear();
  for (const int pair : asked_) {
    const ContactFrame* touching = first_of(seen_.contacts, pair);
    seen_.asked.push_back(
        touching ? *touching
                 : observe_apart(model_, pair, witnesses_[static_cast<std::size_t>(pair)], seen_));
  }
}

// Nearest points are forgotten where bodies are far apart: they are another pair when they return.
void Logbook::add_near_pairs() {
  const std::size_t touching = seen_.contacts.size();
  std::size_t next = 0;
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    while (next < touching && seen_.contacts[next].pair < pair) ++next;
    if (next < touching && seen_.contacts[next].pair == pair) continue;
    Witness& witness = witnesses_[static_cast<std::size_t>(pair)];
    const ContactFrame* asked = first_of(seen_.asked, pair);
    if (are_near(model_, pair, seen_)) {
      seen_.contacts.push_back(asked ? *asked : observe_apart(model_, pair, witness, seen_));
    } else if (!asked) {
      witness.lost = true;
    }
  }
  std::inplace_merge(seen_.contacts.begin(),
                     seen_.contacts.begin() + static_cast<std::ptrdiff_t>(touching),
                     seen_.contacts.end(), in_order);
}

const std::vector<double>& Logbook::values(const Islands& islands, double t) {
  std::swap(witnesses_, formula_witnesses_);
  observe(islands, t, Rows::touching);
  std::swap(witnesses_, formula_witnesses_);
  evaluate(model_, model_.stops, t, seen_.bodies, seen_.asked, seen_.energy, stops_);
  values_ = seen_.probes;
  values_.insert(values_.end(), stops_.begin(), stops_.end());
  return values_;
}

void Logbook::show(const Islands& islands, double t, int side, const Event* event,
                   const Island* own, const Snapshot* snapshot) {
  observe(islands, t, Rows::near, own, snapshot);
  for (std::size_t i = 0; i < seen_.bodies.size(); ++i) {
    Quat<double>& q = seen_.bodies[i].orientation;
    q = nearer_sign(q, state_.last_orientations[i]);
    state_.last_orientations[i] = q;
  }
  recorder_.frame(seen_.frame(t, side, event));
  last_frame_t_ = t;
}

void Logbook::frames(const Islands& islands, double t_until) {
  for (; next_frame() <= t_until; ++state_.next_frame) show(islands, next_frame(), 0);
}

void Logbook::step(const Step& step, double error, double kinetic) {
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  state_.kinetic_largest = std::max(state_.kinetic_largest, kinetic);
  const double reference = model_.header.energy_reference(state_.kinetic_largest);
  if (reference > 0) {
    summary.energy.max_relative_drift =
        std::max(summary.energy.max_relative_drift, std::abs(error) / reference);
  }
  summary.max_gap_error = std::max(summary.max_gap_error, step.gap_error);
}

void Logbook::expect(std::vector<Birth> births) {
  std::stable_sort(births.begin(), births.end(), [](const Birth& a, const Birth& b) {
    return a.t != b.t ? a.t < b.t : a.contact < b.contact;
  });
  births_ = std::move(births);
  for (Birth& birth : births_) birth.id = ContactId{state_.next_contact++};
}

ContactId Logbook::next_id(double t, const ContactKey& contact) {
  const auto at = std::find_if(births_.begin(), births_.end(), [&](const Birth& birth) {
    return birth.t == t && birth.contact == contact;
  });
  if (at == births_.end()) return ContactId{state_.next_contact++};
  const ContactId id = at->id;
  births_.erase(at);
  return id;
}

void Logbook::pending_event(const Islands& islands, const Island& own, const PendingEvent& h) {
  if (h.change.kind == EventKind::chart_crossing) {
    ++state_.summary.counters.chart_crossings;
    if (!model_.header.chart_crossings) return;
  }
  const Event event = event_of(h.t, h.change);
  if (h.last) {
    if (h.t > last_frame_t_) show(islands, h.t, -1, nullptr, &own, &h.before);
  } else if (h.shown) {
    show(islands, h.t, -1, &event, &own, &h.before);
    show(islands, h.t, 1, &event, &own, &h.after);
  }
  tell(event);
}

void Logbook::probe(const Islands& islands, double t, int probe, double way) {
  frames(islands, t);
  tell(event_of(t, {.kind = EventKind::probe, .value = way, .probe = probe}));
}

// A contact gets its number with the first event in which its bodies touch.
Event Logbook::event_of(double t, const Change& change) {
  Event e{t, change.kind, {}, {}, change.before, change.after, change.value, change.note};
  e.probe = change.probe;
  e.pair = change.contact.pair;
  e.ordinal = change.contact.ordinal;
  if (e.pair == kGround) return e;
  e.bodies = model_.pair(e.pair).bodies;
  e.features = {feature_of(change.features[0]), feature_of(change.features[1])};
  if (!is_of_contact(change)) return e;
  LastContact& last = last_contact_[change.contact];
  if (!last.lasts) last.id = next_id(t, change.contact);
  last.lasts = change.after != Mode::separated;
  e.contact = last.id;
  return e;
}

void Logbook::tell(const Event& event) {
  ++state_.summary.counters.events;
  recorder_.event(event);
}

void Logbook::last_event(const Islands& islands, double t, const Change& change) {
  if (t > last_frame_t_) show(islands, t, -1);
  tell(event_of(t, change));
}

}  // namespace oloid::world
