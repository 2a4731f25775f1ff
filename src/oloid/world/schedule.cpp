#include "oloid/world/schedule.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace oloid::world {
namespace {

// This many steps of an island are kept until all others have caught up.
constexpr int kMostSteps = 16;
// Islands advance at most this many steps of the slowest one ahead of it, since work that others
// undo is lost.
constexpr double kStepsAhead = 4;

void add_work(Counters& sum, const Counters& c) {
  sum.rejected_steps += c.rejected_steps;
  sum.reanchorings += c.reanchorings;
  sum.closest_calls += c.closest_calls;
  sum.witness_hits += c.witness_hits;
  sum.witness_misses += c.witness_misses;
  sum.witness_unknown += c.witness_unknown;
  sum.witness_vanished += c.witness_vanished;
  sum.witness_left += c.witness_left;
  sum.newton_iterations += c.newton_iterations;
  sum.rates_calls += c.rates_calls;
  for (const WatchedTime& time : c.watched) {
    WatchedTime& all = sum.watched_time(time.pair);
    all.all += time.all;
    all.certified += time.certified;
  }
}

}  // namespace

Schedule::Schedule(const Model& model, State start, Recorder& recorder, const Control& control)
    : model_(model),
      state_(std::move(start)),
      recorder_(recorder),
      control_(control),
      islands_(model),
      apart_(model, islands_),
      log_(model, state_, recorder),
      probes_(model),
      arena_(control.threads > 0 ? control.threads : tbb::task_arena::automatic),
      t_(state_.t),
      queues_(model.bodies.size()) {
  marks_.reserve(std::size_t{2} * kMostSteps);
  const std::vector<IslandPart> parts = std::exchange(state_.islands, {});
  for (const IslandPart& part : parts) {
    Island& island = islands_.add(part.members);
    island.state() = part.state;
    if (state_.begun) {
      island.resume();
    } else {
      island.begin();
      island.state().energy_start = island.energy_now();
      island.settled_error = 0;
    }
    if (part.ended) {
      island.stay();
    } else {
      ++running_;
    }
    error_.add(island.settled_error);
    kinetic_.add(island.settled_kinetic);
    queues_.place(island);
  }
  for (const auto& [pair, near] : state_.apart) {
    const auto& [A, B] = model_.pairs[static_cast<std::size_t>(pair)];
    apart_.begin(pair, std::max(island_of(A).state().t(), island_of(B).state().t()), near);
  }
  probes_.resume(state_.formulas_t, state_.formulas);
  if (state_.begun) told_before_ = t_;
  log_.begin(islands_);
}

// Rounds.

void Schedule::advance_to(double t) {
  t = std::min(t, model_.t_end);
  while (!over_ && (t_ < t || (t == model_.t_end && t_ == t))) {
    if (!round_) round_ = next_round();
    // Nothing is recorded beyond the next frame, since an overlap in it may end an island there.
    settle(std::max(t_, std::min({t, round_->t, log_.next_frame()})));
    if (over_ || !round_ || t_ < round_->t) continue;
    const Round done = *std::exchange(round_, std::nullopt);
    complete(done);
  }
}

// The slowest island sets the pace; a single one advances by as many steps as are kept.
double Schedule::time_ahead() const {
  if (islands_.size() == 1) return kInfinity;
  const auto& [t, first] = *queues_.by_reached().begin();
  return kStepsAhead * islands_.of(first)->state().y.h_next;
}

// Those that are to go on.
void Schedule::find_hungry() {
  const double slowest = queues_.slowest(), until = slowest + time_ahead();
  going_.clear();
  for (const auto& [t, first] : queues_.by_reached()) {
    if (!(t < until || t == slowest) || t >= model_.t_end) break;
    going_.push_back(islands_.of(first));
  }
}

// Each island on its own, so that the order does not matter.
void Schedule::advance() {
  const bool always_curved = islands_.size() > 1 || !probes_.idle();
  const double slowest = queues_.slowest();
  const double until = std::max(slowest + time_ahead(), std::nextafter(slowest, kInfinity));
  const auto one = [&](std::size_t i) {
    going_[i]->advance(until, kMostSteps, always_curved, control_.stop);
  };
  if (going_.size() <= 1 || control_.threads == 1) {
    for (std::size_t i = 0; i < going_.size(); ++i) one(i);
    return;
  }
  arena_.execute([&] { tbb::parallel_for(std::size_t{0}, going_.size(), one); });
}

Schedule::Round Schedule::next_round() {
  find_hungry();
  advance();
  for (const Island* island : going_) {
    queues_.place(*island);
    apart_.follow(*island);
  }
  for (Island* island : going_) apart_.look(*island, t_);
  Round round{reached(), apart_.first(reached())};
  const double t_until = round.t;
  // Cutting the steps may bring another meeting forward: then the earlier one counts.
  for (bool again = round.meeting.has_value(); again;) {
    cut(*round.meeting, t_until);
    round.t = round.meeting->t;
    const auto first = apart_.first(round.t);
    again = first->pair != round.meeting->pair && first->t < round.t;
    if (again) round.meeting = first;
  }
  return round;
}

// One step of both islands to where their bodies meet, and one correction of the time by the gap
// that is left there.
void Schedule::cut(Meeting& meeting, double t_until) {
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(meeting.pair)];
  Island &a = island_of(A), &b = island_of(B);
  meeting.t = std::max(meeting.t, t_);
  const bool again_a = !a.ended() && a.rewind(meeting.t),
             again_b = !b.ended() && b.rewind(meeting.t);
  const auto until = [&](Island& island, BodyId body) {
    const bool ended = island.ended();
    return (ended ? island.place(island.step(0), meeting.t) : island.try_until(meeting.t))
        .body(body)
        .X_WB;
  };
  const Pose<double> X_WA = until(a, A), X_WB = until(b, B);
  const TrackedPair near = nearest(model_, meeting.pair, inverse(X_WB) * X_WA, meeting.near);
  const double by = meeting.rate < 0 ? -near.gap / meeting.rate : 0;
  double earliest = 0;  // where the later of the two steps begins, even if more has been recorded
  for (const Island* island : {&a, &b}) {
    if (!island->ended()) earliest = std::max(earliest, island->t());
  }
  const bool sure = (again_a || a.ended()) && (again_b || b.ended()) && near.usable();
  if (sure && std::abs(by) < 1e-3 * (meeting.t - earliest)) {
    meeting.t = std::min(meeting.t + by, t_until);
    until(a, A);
    until(b, B);
  }
  if (again_a) a.accept_at(meeting.t);
  if (again_b) b.accept_at(meeting.t);
  for (const Island* island : {&a, &b}) {
    apart_.undo(*island, meeting.t);
    apart_.follow(*island);
    queues_.place(*island);
  }
  apart_.remember(meeting);
  // Other pairs, up to the same instant.
  apart_.look(a, t_);
  apart_.look(b, t_);
}

// To be called after everything up to the end of the round has been recorded.
void Schedule::complete(const Round& round) {
  part_ways(t_);
  if (round.meeting) {
    meet(*round.meeting);
  } else if (t_ >= model_.t_end) {
    end_run(t_, {.kind = EventKind::end});
  }
}

// Islands that join and part.

// A new island from the bodies of others.
Island& Schedule::add(std::vector<BodyId> members, const std::vector<Island*>& from) {
  for (const Island* island : from) queues_.take_out(*island);
  Island& made = islands_.add(std::move(members));
  for (Island* island : from)
    take_over(island->group(), island->state(), made.group(), made.state());
  made.begin();
  return made;
}

void Schedule::retire(const Island& gone) {
  add_work(retired_, gone.counters);
  retired_.rates_calls += gone.rates_calls();
  islands_.remove(gone);
}

// Two islands become one, in which their bodies meet.
void Schedule::meet(const Meeting& meeting) {
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(meeting.pair)];
  Island &a = island_of(A), &b = island_of(B);
  if (a.ended() || b.ended()) {
    Island& last = a.ended() ? b : a;
    last.finish({.kind = EventKind::unsupported_contact,
                 .contact = {meeting.pair},
                 .value = -meeting.rate,
                 .note = "it touches a body that no longer moves because its island has ended",
                 .features = {meeting.near.A, meeting.near.B}});
    queues_.place(last);
    settle(meeting.t);
    return;
  }
  OLOID_EXPECT(a.t() == b.t());
  std::vector<BodyId> members = a.group().moving;
  members.insert(members.end(), b.group().moving.begin(), b.group().moving.end());
  error_.add(-a.settled_error - b.settled_error);
  kinetic_.add(-a.settled_kinetic - b.settled_kinetic);
  Island& both = add(std::move(members), {&a, &b});
  for (const BodyId C : a.group().moving) {
    for (const BodyId D : b.group().moving) {
      const int pair = *model_.pairs.find(C, D);
      both.state().discrete.witness(both.group().watch_of_pair(pair)) = apart_.near(pair);
      apart_.end(pair);
    }
  }
  both.state().discrete.witness(both.group().watch_of_pair(meeting.pair)) = meeting.near;
  retire(a);
  retire(b);
  --running_;
  if (!both.finished()) both.meet(meeting.pair);
  if (!both.finished()) both.look_whether_it_falls_apart();
  error_.add(both.settled_error);
  kinetic_.add(both.settled_kinetic);
  queues_.place(both);
}

// Islands whose bodies no longer depend on each other become several.
void Schedule::part_ways(double t) {
  std::vector<Island*> gone;
  for (const auto& [reached, first] : queues_.by_reached()) {
    if (reached > t) break;
    if (islands_.of(first)->falls_apart()) gone.push_back(islands_.of(first));
  }
  for (Island* island : gone) part(*island);
}

void Schedule::part(Island& island) {
  const IslandIndex& whole = island.group();
  const DiscreteState discrete = island.state().discrete;
  error_.add(-island.settled_error);
  kinetic_.add(-island.settled_kinetic);
  double carried = island.energy_now() - island.state().energy_start;
  std::vector<Island*> parts;
  for (std::vector<BodyId>& members : parts_of(whole, discrete)) {
    Island& made = add(std::move(members), {&island});
    made.settled_error = std::exchange(carried, 0.0);
    made.state().energy_start = made.energy_now() - made.settled_error;
    error_.add(made.settled_error);
    kinetic_.add(made.settled_kinetic);
    parts.push_back(&made);
  }
  for (int watch = 0; watch < whole.watches(); ++watch) {
    const auto& [A, B] = whole.pair(whole.pair_of_watch(watch)).bodies;
    if (model_.body(B).moves && islands_.of(A) != islands_.of(B))
      apart_.begin(whole.pair_of_watch(watch), island.t(), discrete.witness(watch));
  }
  running_ += static_cast<int>(parts.size()) - 1;
  retire(island);
  for (const Island* made : parts) queues_.place(*made);
}

// For users.

BodyFrame Schedule::body(BodyId id) {
  if (!model_.body(id).moves) return body_frame(model_.body(id).motion.at(t_));
  Island& island = island_of(id);
  BodyFrame frame = body_frame(island.evaluate(island.snapshot(t_)).body(id));
  frame.ended = island.ended();
  return frame;
}

void Schedule::set_load(BodyId body, const Wrench<double>& wrench_W) {
  OLOID_EXPECT(model_.body(body).moves);
  Island& island = island_of(body);
  if (over_ || island.ended()) return;
  go_back_to_now(island);
  island.set_applied(body, wrench_W);
  queues_.place(island);
}

// Takes an island back to the present time, beyond which it may have advanced: from here on,
// something else will happen.
void Schedule::go_back_to_now(Island& island) {
  round_.reset();
  told_before_ = t_;
  probes_.resume(state_.formulas_t, state_.formulas);
  log_.formula_witnesses = state_.asked;
  zeros_.clear();
  island.cut(t_);
  apart_.undo(island, t_);
}

State Schedule::save() const {
  State saved = state_;
  saved.t = t_;
  for (const Island& island : islands_)
    saved.islands.push_back({island.group().moving, island.start_of_step(t_), island.ended()});
  saved.apart = apart_.known(t_);
  if (!(probes_.t() > t_)) {
    saved.formulas = probes_.state();
    saved.formulas_t = std::max(probes_.t(), 0.0);
    saved.asked = log_.formula_witnesses;
  }
  return saved;
}

State Schedule::state() {
  State now = save();
  for (IslandPart& part : now.islands) {
    if (!part.ended) part.state = island_of(part.members.front()).state_at(t_);
  }
  now.apart.clear();
  now.formulas_t = t_;
  return now;
}

const Summary& Schedule::finish() {
  if (std::exchange(told_, true)) return state_.summary;
  over_ = true;
  Counters work = retired_;
  for (const Island& island : islands_) {
    add_work(work, island.counters);
    work.rates_calls += island.rates_calls();
  }
  add_work(work, apart_.counters);
  add_work(state_.summary.counters, work);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  log_.end(islands_, t_, wall.count());
  return state_.summary;
}

}  // namespace oloid::world
