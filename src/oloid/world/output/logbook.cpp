#include "oloid/world/output/logbook.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/base/largest.h"
#include "oloid/world/islands/watchdog.h"

namespace oloid::world {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

bool in_order(const ContactFrame& a, const ContactFrame& b) {
  return a.pair != b.pair ? a.pair < b.pair : a.ordinal < b.ordinal;
}

// Whether the bodies touch before or after it.
bool is_of_contact(const Change& change) {
  return change.before != Mode::separated || change.after != Mode::separated;
}

}  // namespace

Logbook::Logbook(const Model& model, State& state, Recorder& recorder)
    : formula_witnesses(state.asked),
      model_(model),
      state_(state),
      recorder_(recorder),
      asked_(pairs_asked_for(model)) {}

void Logbook::begin(const Islands& islands) {
  recorder_.begin(model_.header);
  detail_ = recorder_.event_detail();
  if (state_.begun) return;
  state_.begun = true;
  observe_after(islands, 0, Rows::near);
  state_.summary.energy.initial = seen_.energy.kinetic + seen_.energy.potential;
  state_.kinetic_largest = seen_.energy.kinetic;
  std::vector<int> pairs;
  for (const StartContact& touch : model_.touches) pairs.push_back(touch.pair);
  std::sort(pairs.begin(), pairs.end());
  for (const int pair : pairs) {
    const Island& island = *islands.of(model_.pairs[static_cast<std::size_t>(pair)][0]);
    const DiscreteState& discrete = island.state().discrete;
    const int node = held_by(discrete, pair);
    const auto removed = state_.removed_speed.find(pair);
    tell(event_of(0, {EventKind::contact_start,
                      {pair},
                      Mode::separated,
                      node == kGround ? Mode::separated : mode_of(discrete.joint(node)),
                      removed == state_.removed_speed.end() ? 0 : removed->second}));
  }
}

void Logbook::end(const Islands& islands, double t, double wall_s) {
  observe_after(islands, t, Rows::touching);
  Summary& summary = state_.summary;
  summary.t_end = t;
  summary.wall_s = wall_s;
  summary.energy.final = seen_.energy.kinetic + seen_.energy.potential;
  for (const Island& island : islands) {
    if (island.ended()) summary.energy.final += island.state().energy_at_end;
  }
  summary.energy.dissipated = seen_.energy.dissipated;
  summary.energy.work = seen_.energy.work;
  summary.bodies = seen_.bodies;
  summary.hashes.clear();
  summary.hash = kHashStart;
  for (const BodyId id : model_.moving) {
    const Island& island = *islands.of(id);
    const auto node = static_cast<std::size_t>(island.group().node(id));
    summary.hashes.push_back(island.hashes(t)[node]);
    summary.hash = (summary.hash ^ summary.hashes.back()) * 0x100000001b3ull;
  }
  recorder_.end(summary);
}

void Logbook::observe(const Islands& islands, double t, Rows rows,
                      std::map<int, Witness>& witnesses, const Island* own,
                      const Snapshot* snapshot) {
  observe_with(islands, t, rows, witnesses, [&](Island& island) -> const Snapshot& {
    if (snapshot && &island == own) return *snapshot;
    const bool after =
        t == shown_after_t_ && std::count(shown_after_.begin(), shown_after_.end(), &island) > 0;
    return after ? island.snapshot_after(t) : island.snapshot(t);
  });
}
void Logbook::observe_after(const Islands& islands, double t, Rows rows) {
  observe_with(islands, t, rows, state_.shown,
               [t](Island& island) -> const Snapshot& { return island.snapshot_after(t); });
}

template <class SnapshotOf>
void Logbook::observe_with(const Islands& islands, double t, Rows rows,
                           std::map<int, Witness>& witnesses, const SnapshotOf& snapshot_of) {
  observe_ground(model_, t, seen_);
  for (Island& island : islands) observe_island(island, snapshot_of(island));
  number_contacts();
  add_asked_pairs(witnesses);
  if (rows == Rows::near) add_near_pairs(witnesses);
  evaluate(model_, model_.probes, t, seen_.bodies, seen_.asked, seen_.energy, seen_.probes);
}

// Observes only the island of an event, and the ground that it may touch.
void Logbook::observe_concerned(double t, const Event& event, Island& own,
                                const Snapshot& snapshot) {
  observe_nothing(model_, seen_);
  observe_island(own, snapshot);
  for (const BodyId id : event.bodies) {
    if (id.valid() && !model_.body(id).moves) observe_one_ground(model_, id, t, seen_);
  }
  seen_.energy = {kNothing, kNothing, kNothing, kNothing};
  seen_.probes.assign(model_.probes.size(), kNothing);
  number_contacts();
  if (event.pair == kGround || first_of(seen_.contacts, event.pair)) return;
  seen_.contacts.push_back(observe_apart(model_, event.pair, state_.shown[event.pair], seen_));
  std::sort(seen_.contacts.begin(), seen_.contacts.end(), in_order);
}

void Logbook::observe_island(Island& island, const Snapshot& snapshot) {
  if (island.ended()) {
    observe_ended(island.group(), snapshot, island.evaluate(snapshot), seen_);
  } else {
    observe_group(island.group(), snapshot, island.evaluate(snapshot), seen_);
  }
}

void Logbook::number_contacts() {
  std::sort(seen_.contacts.begin(), seen_.contacts.end(), in_order);
  for (ContactFrame& c : seen_.contacts) c.id = state_.last_contacts[{c.pair, c.ordinal}].id;
}

// Adds the pairs that formulas use, at any distance.
void Logbook::add_asked_pairs(std::map<int, Witness>& witnesses) {
  seen_.asked.clear();
  for (const int pair : asked_) {
    const ContactFrame* touching = first_of(seen_.contacts, pair);
    seen_.asked.push_back(touching ? *touching
                                   : observe_apart(model_, pair, witnesses[pair], seen_));
  }
}

// Nearest points are forgotten when bodies are far apart: when they come near again, another pair
// may be nearest.
void Logbook::add_near_pairs(std::map<int, Witness>& witnesses) {
  const std::size_t touching = seen_.contacts.size();
  near_pairs(model_, seen_, near_);
  std::erase_if(witnesses, [&](const auto& known) {
    return !std::binary_search(near_.begin(), near_.end(), known.first) &&
           !std::binary_search(asked_.begin(), asked_.end(), known.first);
  });
  for (const int pair : near_) {
    const auto known = std::span<const ContactFrame>(seen_.contacts).first(touching);
    if (first_of(known, pair)) continue;
    const ContactFrame* asked = first_of(seen_.asked, pair);
    seen_.contacts.push_back(asked ? *asked : observe_apart(model_, pair, witnesses[pair], seen_));
  }
  std::inplace_merge(seen_.contacts.begin(),
                     seen_.contacts.begin() + static_cast<std::ptrdiff_t>(touching),
                     seen_.contacts.end(), in_order);
}

const std::vector<double>& Logbook::values(const Islands& islands, double t) {
  observe(islands, t, Rows::touching, formula_witnesses);
  evaluate(model_, model_.stops, t, seen_.bodies, seen_.asked, seen_.energy, stops_);
  values_ = seen_.probes;
  values_.insert(values_.end(), stops_.begin(), stops_.end());
  return values_;
}

// Checks every frame for overlaps, independently of the search for touches.
void Logbook::look_for_overlap(const Islands& islands) {
  const auto goes_on = [&](BodyId id) { return model_.body(id).moves && !islands.of(id)->ended(); };
  for (const ContactFrame& c : seen_.contacts) {
    if (overlap_) return;
    if (!(c.gap < -kDeepestRecorded * model_.pair(c.pair).length)) continue;
    const auto& [A, B] = model_.pairs[static_cast<std::size_t>(c.pair)];
    if (goes_on(A) || goes_on(B)) overlap_ = Overlap{c.pair, c.gap};
  }
}

// Quaternions of one body in consecutive frames have the same sign.
void Logbook::turn(BodyId body) {
  const auto i = static_cast<std::size_t>(body.index);
  Quat<double>& q = seen_.bodies[i].orientation;
  q = nearer_sign(q, state_.last_orientations[i]);
  state_.last_orientations[i] = q;
}

void Logbook::show(const Islands& islands, double t, int side, const Event* event, Island* own,
                   const Snapshot* snapshot) {
  const bool whole = !event || detail_ == EventDetail::whole;
  if (whole) {
    observe(islands, t, Rows::near, state_.shown, own, snapshot);
    for (std::size_t i = 0; i < seen_.bodies.size(); ++i)
      turn(BodyId{static_cast<std::int32_t>(i)});
    look_for_overlap(islands);
  } else {
    observe_concerned(t, *event, *own, *snapshot);
    for (const BodyId id : own->group().moving) turn(id);
  }
  Frame frame = seen_.frame(t, side, event);
  frame.whole = whole;
  recorder_.frame(frame);
  last_shown_t_ = t;
  if (!event) last_frame_t_ = t;
}

Frame Logbook::look(const Islands& islands, double t) {
  std::map<int, Witness> witnesses = state_.shown;
  observe(islands, t, Rows::near, witnesses);
  return seen_.frame(t, 0, nullptr);
}

void Logbook::frames(const Islands& islands, double t_until) {
  for (; next_frame() <= t_until; ++state_.next_frame) show(islands, next_frame(), 0);
}

void Logbook::step(const Step& step, double error, double kinetic) {
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  state_.kinetic_largest = nan_or_max(state_.kinetic_largest, kinetic);
  const double reference = model_.header.energy_reference(state_.kinetic_largest);
  if (!(reference <= 0)) {
    summary.energy.max_relative_drift =
        nan_or_max(summary.energy.max_relative_drift, std::abs(error) / reference);
  }
  summary.max_gap_error = nan_or_max(summary.max_gap_error, step.gap_error);
}

void Logbook::expect(std::vector<ContactKey> births) {
  std::sort(births.begin(), births.end());
  births_.clear();
  for (const ContactKey& contact : births)
    births_.push_back({contact, ContactId{state_.next_contact++}});
}

ContactId Logbook::next_id(const ContactKey& contact) {
  const auto at = std::find_if(births_.begin(), births_.end(),
                               [&](const Birth& birth) { return birth.contact == contact; });
  if (at == births_.end()) return ContactId{state_.next_contact++};
  const ContactId id = at->id;
  births_.erase(at);
  return id;
}

void Logbook::pending_event(const Islands& islands, Island& own, const PendingEvent& h) {
  if (h.change.kind == EventKind::chart_crossing) {
    ++state_.summary.counters.chart_crossings;
    if (!model_.header.chart_crossings) return;
  }
  const Event event = event_of(h.t, h.change);
  if (h.last) {
    if (h.t > last_frame_t_) show(islands, h.t, -1, nullptr, &own, &h.before);
  } else if (h.shown && detail_ != EventDetail::none) {
    show(islands, h.t, -1, &event, &own, &h.before);
    show(islands, h.t, 1, &event, &own, &h.after);
    if (std::exchange(shown_after_t_, h.t) != h.t) shown_after_.clear();
    shown_after_.push_back(&own);
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
  e.bodies = model_.pairs[static_cast<std::size_t>(e.pair)];
  e.features = {feature_of(change.features[0]), feature_of(change.features[1])};
  if (!is_of_contact(change)) return e;
  LastContact& last = state_.last_contacts[change.contact];
  if (!last.lasts) last.id = next_id(change.contact);
  last.lasts = change.after != Mode::separated;
  e.contact = last.id;
  return e;
}

void Logbook::tell(const Event& event) {
  ++state_.summary.counters.events;
  recorder_.event(event);
}

void Logbook::last_event(const Islands& islands, double t, const Change& change) {
  if (t > last_shown_t_) show(islands, t, -1);
  tell(event_of(t, change));
}

}  // namespace oloid::world
