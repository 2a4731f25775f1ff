#include "verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "oloid/io/record/record_layout.h"

namespace oloid::app {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The first column in which two frames of a body or contact differ, with the numbers.
template <class T, std::size_t N>
std::string first_difference(const FrameColumn<T> (&columns)[N], const T& now, const T& then) {
  for (const FrameColumn<T>& column : columns) {
    double x[kWidest] = {}, y[kWidest] = {};
    column.get(now, x);
    column.get(then, y);
    for (std::size_t i = 0; i < column.width; ++i) {
      if (same(x[i], y[i])) continue;
      return fmt::format("{}[{}] was {:.17g}, is now {:.17g}", column.name, i, y[i], x[i]);
    }
  }
  return "";
}

bool same(const Event& a, const Event& b) {
  return same(a.t, b.t) && a.kind == b.kind && a.bodies == b.bodies && a.contact == b.contact &&
         a.pair == b.pair && a.before == b.before && a.after == b.after && same(a.value, b.value) &&
         a.probe == b.probe;
}

std::string describe(const Event& e) {
  return fmt::format("{} at t = {:.17g} s ({} -> {}, value {:.17g})", name(e.kind), e.t,
                     name(e.before), name(e.after), e.value);
}

bool was_cut(const RecordReader& record) {
  if (!record.summary()) return true;
  const EventKind last = record.events().empty() ? EventKind::end : record.events().back().kind;
  return last == EventKind::interrupted || last == EventKind::output_failed;
}

}  // namespace

void Verifier::begin(const Header& header) {
  const Header& then = record_.header();
  if (header.bodies != then.bodies || header.pairs != then.pairs)
    differs("the scene and the record have different bodies");
}

void Verifier::frame(const Frame& frame) {
  if (frame.event && !record_.events_are_frames()) {
    compare_event_state(frame);
    return;
  }
  const std::size_t k = frames_++;
  if (!difference_.empty() || trouble_) return;
  if (k >= record_.frames()) {
    if (record_.summary()) differs(fmt::format("there is a new frame at t = {} s", frame.t));
    return;
  }
  if (k >= block_from_ + block_.count) {
    auto next = record_.read(k, 1024);
    if (!next) {
      trouble_ = next.error();
      return;
    }
    block_ = *std::move(next);
    block_from_ = k;
  }
  compare(frame, block_.frame(k - block_from_));
}

void Verifier::compare(const Frame& now, const Frame& then) {
  const auto at = [&](std::string_view what) {
    return fmt::format("the frame at t = {:.9g} s: {}", then.t, what);
  };
  if (!same(now.t, then.t) || now.event_side != then.event_side)
    return differs(at(fmt::format("it is now at t = {:.17g} s", now.t)));
  const Header& h = record_.header();
  for (std::size_t i = 0; i < then.bodies.size(); ++i) {
    const std::string what = first_difference(kBodyColumns, now.bodies[i], then.bodies[i]);
    if (!what.empty()) return differs(at(fmt::format("{}.{}", h.bodies[i], what)));
  }
  for (const ContactFrame& c : now.contacts) {
    // Older formats have nearest points of all pairs, followed from frame to frame.
    if (record_.events_are_frames() && c.mode == Mode::separated) continue;
    const ContactFrame* old = first_of(then.contacts, c.pair);
    const auto body = [&](BodyId id) { return h.bodies[static_cast<std::size_t>(id.index)]; };
    const auto& [a, b] = h.pairs[static_cast<std::size_t>(c.pair)];
    std::string what = old ? first_difference(kContactNames, c, *old) : "there is a new contact";
    if (what.empty()) what = first_difference(kContactColumns, c, *old);
    if (!what.empty()) return differs(at(fmt::format("{}-{}.{}", body(a), body(b), what)));
  }
  const auto touching = [](std::span<const ContactFrame> contacts) {
    return std::count_if(contacts.begin(), contacts.end(),
                         [](const ContactFrame& c) { return c.mode != Mode::separated; });
  };
  if (touching(now.contacts) != touching(then.contacts)) return differs(at("a contact is missing"));
  if (!same(now.energy.kinetic, then.energy.kinetic) ||
      !same(now.energy.potential, then.energy.potential) ||
      !same(now.energy.dissipated, then.energy.dissipated) ||
      !same(now.energy.work, then.energy.work))
    return differs(at("the energies differ"));
  for (std::size_t i = 0; i < std::min(now.probes.size(), then.probes.size()); ++i) {
    if (same(now.probes[i], then.probes[i])) continue;
    return differs(at(fmt::format("the probe {} was {:.17g}, is now {:.17g}", h.probes[i].name,
                                  then.probes[i], now.probes[i])));
  }
}

// What the record has of the event that comes next.
void Verifier::compare_event_state(const Frame& now) {
  if (!difference_.empty() || trouble_ || events_ >= record_.events().size()) return;
  if (events_ >= states_until_) {
    constexpr std::size_t kEventsAtOnce = 256;
    auto next = record_.event_states(events_, kEventsAtOnce);
    if (!next) {
      trouble_ = next.error();
      return;
    }
    states_ = *std::move(next);
    states_until_ = events_ + kEventsAtOnce;
  }
  const auto here = [&](const auto& row) {
    return row.event == events_ && row.side == now.event_side;
  };
  const auto differs_at = [&](const std::string& name, const std::string& what) {
    if (what.empty()) return;
    differs(fmt::format("{} the event at t = {:.9g} s: {}.{}",
                        now.event_side < 0 ? "before" : "after", now.t, name, what));
  };
  for (const EventStates::Body& row : states_.bodies) {
    if (!here(row)) continue;
    differs_at(record_.header().bodies[row.body],
               first_difference(kBodyColumns, now.bodies[row.body], row.frame));
  }
  for (const EventStates::Contact& row : states_.contacts) {
    if (!here(row)) continue;
    const ContactFrame* c = first_of(now.contacts, row.frame.pair);
    if (c)
      differs_at("contact", first_difference(kContactColumns, *c, row.frame));
    else
      differs(fmt::format("a contact is missing at the event at t = {:.9g} s", now.t));
  }
}

void Verifier::event(const Event& event) {
  const std::size_t k = events_++;
  if (!difference_.empty()) return;
  if (k >= record_.events().size()) {
    if (record_.summary()) differs("there is a new event: " + describe(event));
    return;
  }
  const Event& then = record_.events()[k];
  // How a disk filled up cannot be repeated, nor when somebody interrupted.
  const bool cut = then.kind == EventKind::output_failed && event.kind == EventKind::interrupted;
  if (same(event, then) || (cut && same(event.t, then.t))) return;
  differs(fmt::format("the event {} is now {}", describe(then), describe(event)));
}

bool Verifier::done(double t) const {
  if (!difference_.empty() || trouble_) return true;
  if (!was_cut(record_)) return false;
  return record_.summary() ? t >= record_.summary()->t_end : frames_ >= record_.frames();
}

void Verifier::end(const Summary& summary) {
  if (!difference_.empty() || !record_.summary()) return;
  if (frames_ != record_.frames() || events_ != record_.events().size()) {
    return differs(fmt::format("there were {} frames and {} events, now there are {} and {}",
                               record_.frames(), record_.events().size(), frames_, events_));
  }
  compare_hashes(summary);
}

void Verifier::compare_hashes(const Summary& summary) {
  const Summary& then = *record_.summary();
  const Header& h = record_.header();
  std::size_t moving = 0;
  for (std::size_t i = 0; i < h.bodies.size(); ++i) {
    if (!(h.masses[i] > 0)) continue;
    const std::size_t k = moving++;
    if (k >= then.hashes.size() || k >= summary.hashes.size()) break;
    if (then.hashes[k] == summary.hashes[k]) continue;
    return differs(fmt::format(
        "the body {} moves differently between frames: its hash was {:016x}, is now {:016x}",
        h.bodies[i], then.hashes[k], summary.hashes[k]));
  }
  if (then.hash != summary.hash) {
    differs(fmt::format(
        "the runs differ between frames: the hash of all steps was {:016x}, is now {:016x}",
        then.hash, summary.hash));
  }
}

}  // namespace oloid::app
