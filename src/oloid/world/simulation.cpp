#include "oloid/world/simulation.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "oloid/base/sum.h"
#include "oloid/world/events/probe_watch.h"
#include "oloid/world/islands/apart.h"
#include "oloid/world/output/logbook.h"

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

BodyId first_of_island(const Island& island) { return island.group().moving.front(); }

}  // namespace

// Works in rounds. In each, islands advance until bodies of different islands first meet; then
// everything up to there is recorded, as far as the caller asks for it; finally islands are joined
// or divided. Every list is in the order of time, or of islands' first bodies where times are
// equal.
class Simulation::Schedule {
 public:
  Schedule(const Model& model, State start, Recorder& recorder, const Control& control);

  double t() const { return t_; }
  bool over() const { return over_; }
  void advance_to(double t);
  BodyFrame body(BodyId id);
  Frame frame() { return log_.look(islands_, t_); }
  State state();
  State save() const;
  void set_load(BodyId body, const Wrench<double>& wrench_W);
  const Summary& finish();

 private:
  struct Round {
    double t = 0;                    // [s], where it ends
    std::optional<Meeting> meeting;  // that ends it
  };
  // Islands sorted by a time.
  using Queue = std::set<std::pair<double, BodyId>>;
  struct Places {
    bool queued = false;
    double reached = 0, untold = 0;  // its times in both queues
  };

  Round next_round();
  void find_hungry();
  void advance();
  double reached() const { return std::min(model_.t_end, by_reached_.begin()->first); }
  double time_ahead() const;
  void cut(Meeting& meeting, double t_until);
  void complete(const Round& round);

  void settle(double t);
  double find_zeros(double t);
  double next_step_end(double t) const;
  void finish_steps(double& t);
  void tell(double t);
  void tell_event(Island& island, int index);
  void expect_births(std::size_t from);
  void look_for_an_end(double t);
  void end_island(Island& island);
  void end_overlapping();
  void go_back_to_now(Island& island);
  bool budget_is_spent() const { return state_.summary.counters.steps >= model_.max_steps; }
  bool is_stopped() const {
    return control_.stop && control_.stop->load(std::memory_order_relaxed);
  }
  void end_run(double t, const Change& change);

  void meet(const Meeting& meeting);
  void part_ways(double t);
  void part(Island& island);
  Island& add(std::vector<BodyId> members, const std::vector<Island*>& from);
  void retire(const Island& gone);
  void place(const Island& island);
  void take_out(const Island& island);
  Island& island_of(BodyId body) { return *islands_.of(body); }

  const Model& model_;
  State state_;  // all but its islands, which are in islands_
  const Recorder& recorder_;
  const Control control_;
  Islands islands_;
  ApartPairs apart_;
  Logbook log_;
  ProbeWatch probes_;
  tbb::task_arena arena_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double t_ = 0;  // [s]: everything up to here has been recorded
  bool over_ = false, told_ = false;
  std::optional<Round> round_;  // that is being recorded
  Queue by_reached_;            // by how far they have been followed
  Queue by_untold_;             // by the first step or event that has not been recorded
  std::vector<Places> places_;  // of islands, by their first bodies
  std::vector<Island*> going_, telling_;
  int running_ = 0;                 // islands that have not ended
  CompensatedSum error_, kinetic_;  // [J], of all islands, at their last recorded steps
  Counters retired_;                // of islands that no longer exist

  // Formulas: zeros up to probes_.t(), and what was known at the end of a step before that.
  std::vector<ProbeZero> zeros_;
  double told_before_ = -1;  // [s]: zeros up to here, where formulas are looked at once more
  double last_step_t_ = -1;  // [s], where the last step that was told ends

  struct Mark {
    double t;
    Island* island;  // null: a zero of a formula, before all else at its instant
    int index;

    bool operator<(const Mark& other) const { return key() < other.key(); }
    std::tuple<double, BodyId, int> key() const {
      return {t, island ? first_of_island(*island) : BodyId{}, index};
    }
  };
  std::vector<Mark> marks_;
};

Simulation::Schedule::Schedule(const Model& model, State start, Recorder& recorder,
                               const Control& control)
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
      places_(model.bodies.size()) {
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
    place(island);
  }
  for (const auto& [pair, near] : state_.apart) {
    const auto& [A, B] = model_.pairs[static_cast<std::size_t>(pair)];
    apart_.begin(pair, std::max(island_of(A).state().t(), island_of(B).state().t()), near);
  }
  probes_.resume(state_.formulas_t, state_.formulas);
  if (state_.begun) told_before_ = t_;
  log_.begin(islands_);
}

// The queues.

void Simulation::Schedule::take_out(const Island& island) {
  const BodyId first = first_of_island(island);
  Places& at = places_[static_cast<std::size_t>(first.index)];
  if (!std::exchange(at.queued, false)) return;
  by_reached_.erase({at.reached, first});
  by_untold_.erase({at.untold, first});
}

void Simulation::Schedule::place(const Island& island) {
  double untold = kInfinity;
  if (island.steps() > 0) untold = island.step(0).t1;
  if (island.pending_events() > 0) untold = std::min(untold, island.pending_event(0).t);
  const BodyId first = first_of_island(island);
  Places& at = places_[static_cast<std::size_t>(first.index)];
  const auto move = [&](Queue& queue, double from, double to) {
    auto node = at.queued ? queue.extract({from, first}) : Queue::node_type();
    if (node.empty()) {
      queue.emplace(to, first);
    } else {
      node.value() = {to, first};
      queue.insert(std::move(node));
    }
  };
  move(by_reached_, at.reached, island.t());
  move(by_untold_, at.untold, untold);
  at = {true, island.t(), untold};
}

// Rounds.

void Simulation::Schedule::advance_to(double t) {
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
double Simulation::Schedule::time_ahead() const {
  if (islands_.size() == 1) return kInfinity;
  const auto& [t, first] = *by_reached_.begin();
  return kStepsAhead * islands_.of(first)->state().y.h_next;
}

// Those that are to go on.
void Simulation::Schedule::find_hungry() {
  const double slowest = by_reached_.begin()->first, until = slowest + time_ahead();
  going_.clear();
  for (const auto& [t, first] : by_reached_) {
    if (!(t < until || t == slowest)) break;
    if (t < model_.t_end) going_.push_back(islands_.of(first));
  }
}

// Each island on its own, so that the order does not matter.
void Simulation::Schedule::advance() {
  const bool always_curved = islands_.size() > 1 || !probes_.idle();
  const double slowest = by_reached_.begin()->first;
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

Simulation::Schedule::Round Simulation::Schedule::next_round() {
  find_hungry();
  advance();
  for (const Island* island : going_) {
    place(*island);
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
void Simulation::Schedule::cut(Meeting& meeting, double t_until) {
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
    place(*island);
  }
  apart_.remember(meeting);
  // Other pairs, up to the same instant.
  apart_.look(a, t_);
  apart_.look(b, t_);
}

// To be called after everything up to the end of the round has been recorded.
void Simulation::Schedule::complete(const Round& round) {
  part_ways(t_);
  if (round.meeting) {
    meet(*round.meeting);
  } else if (t_ >= model_.t_end) {
    end_run(t_, {.kind = EventKind::end});
  }
}

// What is told.

void Simulation::Schedule::settle(double t) {
  t = std::min(t, find_zeros(t));
  telling_.clear();
  for (const auto& [untold, first] : by_untold_) {
    if (untold > t) break;
    telling_.push_back(islands_.of(first));
  }
  std::sort(telling_.begin(), telling_.end(), [](const Island* a, const Island* b) {
    return first_of_island(*a) < first_of_island(*b);
  });
  finish_steps(t);
  tell(t);
  if (!over_) log_.frames(islands_, t);
  t_ = t;
  look_for_an_end(t);
  if (over_) return;
  std::erase_if(zeros_, [t](const ProbeZero& zero) { return zero.t <= t; });
  for (Island* island : telling_) {
    island->forget(t);
    place(*island);
  }
  end_overlapping();
}

// Frames may show what the search for touches has missed.
void Simulation::Schedule::end_overlapping() {
  const std::optional<Overlap> found = log_.take_overlap();
  if (!found) return;
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(found->pair)];
  const Island* done = nullptr;
  for (const BodyId body : {A, B}) {
    if (!model_.body(body).moves) continue;
    Island& island = island_of(body);
    if (island.ended() || &island == done) continue;
    done = &island;
    go_back_to_now(island);
    island.finish({.kind = EventKind::solver_trouble,
                   .contact = {found->pair},
                   .value = found->gap,
                   .note = "the bodies overlap: a touch was missed"});
    place(island);
  }
  settle(t_);
}

double Simulation::Schedule::next_step_end(double t) const {
  double next = kInfinity;
  if (round_) next = round_->t;
  for (const Island& island : islands_) {
    for (int k = 0; k < island.steps(); ++k) {
      if (island.step(k).t1 <= t) continue;
      next = std::min(next, island.step(k).t1);
      break;
    }
  }
  return next;
}

// Zeros of formulas up to the first end of a step at t or later. Returns where one of them ends the
// run, if so.
double Simulation::Schedule::find_zeros(double t) {
  if (probes_.idle()) return kInfinity;
  const auto values = [this](double at) -> const std::vector<double>& {
    return log_.values(islands_, at);
  };
  while (probes_.t() < t && (zeros_.empty() || !zeros_.back().stops)) {
    state_.formulas = probes_.state();
    state_.formulas_t = std::max(probes_.t(), 0.0);
    state_.asked = log_.formula_witnesses;
    const auto& found = probes_.zeros(next_step_end(state_.formulas_t), values);
    std::copy_if(found.begin(), found.end(), std::back_inserter(zeros_),
                 [this](const ProbeZero& zero) { return zero.t > told_before_; });
  }
  if (!zeros_.empty() && zeros_.back().stops) return zeros_.back().t;
  return kInfinity;
}

// Records the steps that end by t, in order of time; t becomes earlier if the budget runs out or
// the user stops the run at one of them.
void Simulation::Schedule::finish_steps(double& t) {
  marks_.clear();
  for (Island* island : telling_) {
    for (int k = 0; k < island->steps() && island->step(k).t1 <= t; ++k)
      marks_.push_back({island->step(k).t1, island, k});
  }
  std::sort(marks_.begin(), marks_.end());
  for (const Mark& mark : marks_) {
    if (mark.t > t) return;
    Island& island = *mark.island;
    const Step& step = island.step(mark.index);
    error_.replace(std::exchange(island.settled_error, step.energy_error), step.energy_error);
    kinetic_.replace(std::exchange(island.settled_kinetic, step.kinetic), step.kinetic);
    log_.step(step, error_.value(), kinetic_.value());
    last_step_t_ = step.t1;
    if (control_.progress) control_.progress(step.t1);
    if (budget_is_spent() || is_stopped()) t = step.t1;
  }
}

void Simulation::Schedule::tell(double t) {
  marks_.clear();
  for (std::size_t i = 0; i < zeros_.size() && zeros_[i].t <= t; ++i)
    marks_.push_back({zeros_[i].t, nullptr, static_cast<int>(i)});
  for (Island* island : telling_) {
    for (int k = 0; k < island->pending_events() && island->pending_event(k).t <= t; ++k)
      marks_.push_back({island->pending_event(k).t, island, k});
  }
  std::sort(marks_.begin(), marks_.end());
  for (std::size_t i = 0; i < marks_.size() && !over_; ++i) {
    const Mark& mark = marks_[i];
    if (i == 0 || marks_[i - 1].t < mark.t) expect_births(i);
    if (mark.island) {
      log_.frames(islands_, mark.t);
      tell_event(*mark.island, mark.index);
    } else if (const ProbeZero& zero = zeros_[static_cast<std::size_t>(mark.index)]; !zero.stops) {
      log_.probe(islands_, zero.t, zero.formula, zero.way);
    }
  }
}

void Simulation::Schedule::tell_event(Island& island, int index) {
  const PendingEvent& event = island.pending_event(index);
  log_.pending_event(islands_, island, event);
  if (event.last) end_island(island);
}

// Contacts that begin at the instant of a mark.
void Simulation::Schedule::expect_births(std::size_t from) {
  std::vector<ContactKey> births;
  for (std::size_t i = from; i < marks_.size() && marks_[i].t == marks_[from].t; ++i) {
    if (!marks_[i].island) continue;
    const Change& change = marks_[i].island->pending_event(marks_[i].index).change;
    if (change.before == Mode::separated && change.after != Mode::separated)
      births.push_back(change.contact);
  }
  log_.expect(std::move(births));
}

void Simulation::Schedule::look_for_an_end(double t) {
  if (over_) return;
  if (!zeros_.empty() && zeros_.back().stops && zeros_.back().t == t) {
    end_run(
        t,
        {.kind = EventKind::stopped, .value = zeros_.back().way, .probe = zeros_.back().formula});
  } else if (budget_is_spent()) {
    end_run(t, {.kind = EventKind::budget,
                .value = static_cast<double>(state_.summary.counters.steps),
                .note = "raise solver.max_steps to continue"});
  } else if (is_stopped() && (t == last_step_t_ || !round_ || t >= round_->t)) {
    end_run(t, {.kind = EventKind::interrupted});  // where a step ends: that can be repeated
  } else if (recorder_.trouble()) {
    end_run(t, {.kind = EventKind::output_failed});
  }
}

// The other islands continue, if there are any.
void Simulation::Schedule::end_island(Island& island) {
  --running_;
  over_ = running_ == 0 || model_.stop_on_end;
  if (over_) return;
  island.freeze();
  apart_.follow(island);
  apart_.look(island, t_);
}

void Simulation::Schedule::end_run(double t, const Change& change) {
  over_ = true;
  log_.last_event(islands_, t, change);
}

// Islands that join and part.

// A new island from the bodies of others.
Island& Simulation::Schedule::add(std::vector<BodyId> members, const std::vector<Island*>& from) {
  for (const Island* island : from) take_out(*island);
  Island& made = islands_.add(std::move(members));
  for (Island* island : from)
    take_over(island->group(), island->state(), made.group(), made.state());
  made.begin();
  return made;
}

void Simulation::Schedule::retire(const Island& gone) {
  add_work(retired_, gone.counters);
  retired_.rates_calls += gone.rates_calls();
  islands_.remove(gone);
}

// Two islands become one, in which their bodies meet.
void Simulation::Schedule::meet(const Meeting& meeting) {
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(meeting.pair)];
  Island &a = island_of(A), &b = island_of(B);
  if (a.ended() || b.ended()) {
    Island& last = a.ended() ? b : a;
    last.finish({.kind = EventKind::unsupported_contact,
                 .contact = {meeting.pair},
                 .value = -meeting.rate,
                 .note = "it touches a body that no longer moves because its island has ended",
                 .features = {meeting.near.A, meeting.near.B}});
    place(last);
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
  place(both);
}

// Islands whose bodies no longer depend on each other become several.
void Simulation::Schedule::part_ways(double t) {
  std::vector<Island*> gone;
  for (const auto& [reached, first] : by_reached_) {
    if (reached > t) break;
    if (islands_.of(first)->falls_apart()) gone.push_back(islands_.of(first));
  }
  for (Island* island : gone) part(*island);
}

void Simulation::Schedule::part(Island& island) {
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
  for (const Island* made : parts) place(*made);
}

// For users.

BodyFrame Simulation::Schedule::body(BodyId id) {
  if (!model_.body(id).moves) return body_frame(model_.body(id).motion.at(t_));
  Island& island = island_of(id);
  BodyFrame frame = body_frame(island.evaluate(island.snapshot(t_)).body(id));
  frame.ended = island.ended();
  return frame;
}

void Simulation::Schedule::set_load(BodyId body, const Wrench<double>& wrench_W) {
  OLOID_EXPECT(model_.body(body).moves);
  Island& island = island_of(body);
  if (over_ || island.ended()) return;
  go_back_to_now(island);
  island.set_applied(body, wrench_W);
  place(island);
}

// Takes an island back to the present time, beyond which it may have advanced: from here on,
// something else will happen.
void Simulation::Schedule::go_back_to_now(Island& island) {
  round_.reset();
  told_before_ = t_;
  probes_.resume(state_.formulas_t, state_.formulas);
  log_.formula_witnesses = state_.asked;
  zeros_.clear();
  island.cut(t_);
  apart_.undo(island, t_);
}

State Simulation::Schedule::save() const {
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

State Simulation::Schedule::state() {
  State now = save();
  for (IslandPart& part : now.islands) {
    if (!part.ended) part.state = island_of(part.members.front()).state_at(t_);
  }
  now.apart.clear();
  now.formulas_t = t_;
  return now;
}

const Summary& Simulation::Schedule::finish() {
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

Simulation::Simulation(const Model& model, Recorder& recorder, const Control& control)
    : Simulation(model, initial_state(model), recorder, control) {}
Simulation::Simulation(const Model& model, const State& start, Recorder& recorder,
                       const Control& control)
    : schedule_(std::make_unique<Schedule>(model, start, recorder, control)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

double Simulation::t() const { return schedule_->t(); }
bool Simulation::over() const { return schedule_->over(); }
void Simulation::advance_to(double t) { schedule_->advance_to(t); }
BodyFrame Simulation::body(BodyId id) { return schedule_->body(id); }
Frame Simulation::frame() { return schedule_->frame(); }
State Simulation::state() { return schedule_->state(); }
State Simulation::save() const { return schedule_->save(); }
void Simulation::set_load(BodyId body, const Vec3<double>& force, const Vec3<double>& torque) {
  schedule_->set_load(body, {torque, force});
}
const Summary& Simulation::finish() { return schedule_->finish(); }

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  Simulation simulation(model, state, recorder, control);
  simulation.advance_to(model.t_end);
  simulation.finish();
  state = simulation.state();
  return state.summary;
}

}  // namespace oloid::world
