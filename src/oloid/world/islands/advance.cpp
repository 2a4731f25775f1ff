#include "oloid/world/islands/advance.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "oloid/world/events/probe_watch.h"
#include "oloid/world/islands/apart.h"

namespace oloid::world {
namespace {

// This many steps of an island are kept until all others have caught up.
constexpr int kMostSteps = 16;

class World {
 public:
  World(const Model& model, State& state, Recorder& recorder, const Control& control)
      : model_(model),
        state_(state),
        recorder_(recorder),
        control_(control),
        log_(model, state, recorder),
        apart_(model),
        probes_(model),
        arena_(control.threads > 0 ? control.threads : tbb::task_arena::automatic) {}

  void run();

 private:
  void begin();
  void advance();
  double reached() const;
  Meeting undo_after(Meeting meeting, double t_until);
  void cut(Meeting& meeting, double t_until);
  void settle(double t);
  void end_island(Island& island);
  const std::vector<ProbeZero>& find_zeros(double& t);
  void finish_steps(double& t);
  void meet(const Meeting& meeting);
  void part_ways(double t);
  Island& add(std::vector<BodyId> members, const std::vector<Island*>& from);
  void retire(const Island& gone);
  void sort();
  bool budget_is_spent() const;
  Island& island_of(BodyId body);
  void finish(double t, const Change& change) {
    finished_ = true;
    if (islands_.empty()) return;
    log_.last_event(islands_, t, change);
  }
  void end(double wall_s);

  const Model& model_;
  State& state_;
  const Recorder& recorder_;
  const Control& control_;
  Logbook log_;
  Islands islands_;  // in the order of their first bodies
  ApartPairs apart_;
  ProbeWatch probes_;
  tbb::task_arena arena_;
  double t_ = 0;  // [s]: everything up to here is recorded
  bool finished_ = false;
  Counters retired_;  // of islands that no longer exist

  struct Mark {
    double t;
    int island, index;
    bool operator<(const Mark& other) const {
      return t != other.t             ? t < other.t
             : island != other.island ? island < other.island
                                      : index < other.index;
    }
  };
  static constexpr int kFormula = -1;  // in the place of an island: a zero of a formula
  std::vector<Mark> marks_;
  std::vector<double> ends_;  // [s], of steps
};

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
}

void World::begin() {
  for (const IslandPart& part : state_.islands) {
    islands_.push_back(std::make_unique<Island>(model_, part.members));
    islands_.back()->state() = part.state;
    islands_.back()->begin();
    islands_.back()->state().energy_start = islands_.back()->energy_now();
    islands_.back()->settled_error = 0;
  }
  apart_.regroup(islands_);
  log_.begin(islands_);
}

void World::run() {
  const auto start = std::chrono::steady_clock::now();
  begin();
  while (!finished_) {
    advance();
    double t = reached();
    auto meeting = apart_.first(islands_, t);
    if (meeting) {
      meeting = undo_after(*meeting, t);
      t = meeting->t;
    }
    settle(t);
    if (finished_) break;
    part_ways(t_);
    if (meeting) {
      meet(*meeting);
    } else if (t_ >= model_.t_end) {
      finish(t_, {.kind = EventKind::end});
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  end(wall.count());
}

// Each island on its own, so that the order does not matter.
void World::advance() {
  const bool always_curved = islands_.size() > 1 || !probes_.idle();
  const auto one = [&](std::size_t i) {
    islands_[i]->advance(model_.t_end, kMostSteps, always_curved);
  };
  if (islands_.size() == 1 || control_.threads == 1) {
    for (std::size_t i = 0; i < islands_.size(); ++i) one(i);
    return;
  }
  arena_.execute([&] { tbb::parallel_for(std::size_t{0}, islands_.size(), one); });
}

// All islands have come this far, or one of them has something for the others.
double World::reached() const {
  double t = model_.t_end;
  for (const auto& island : islands_) t = std::min(t, island->t());
  return t;
}

Island& World::island_of(BodyId body) {
  for (const auto& island : islands_) {
    if (island->group().node(body) != kGround) return *island;
  }
  OLOID_EXPECT(false);
  return *islands_.front();
}

// Both islands go back to where their bodies meet. Along the curves that are left another meeting
// may come out earlier: then that one counts.
Meeting World::undo_after(Meeting meeting, double t_until) {
  while (true) {
    cut(meeting, t_until);
    const auto other = apart_.first(islands_, meeting.t);
    if (!other || other->pair == meeting.pair || !(other->t < meeting.t)) return meeting;
    meeting = *other;
  }
}

// One step of both islands to where their bodies meet, and one correction of the time by the gap
// that is left there.
void World::cut(Meeting& meeting, double t_until) {
  const auto& [A, B] = model_.pair(meeting.pair).bodies;
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
  double earliest = t_;
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
  apart_.undo(a, meeting.t);
  apart_.undo(b, meeting.t);
}

// Zeros of formulas up to t; t becomes earlier if one of them ends the run.
const std::vector<ProbeZero>& World::find_zeros(double& t) {
  ends_.clear();
  if (!probes_.idle()) {
    for (const auto& island : islands_) {
      for (int k = 0; k < island->steps() && island->step(k).t1 < t; ++k)
        ends_.push_back(island->step(k).t1);
    }
    ends_.push_back(t);
    std::sort(ends_.begin(), ends_.end());
  }
  const auto& zeros = probes_.zeros(
      ends_, [this](double at) -> const std::vector<double>& { return log_.values(islands_, at); });
  if (!zeros.empty() && zeros.back().stops) t = zeros.back().t;
  return zeros;
}

void World::settle(double t) {
  const std::vector<ProbeZero>& zeros = find_zeros(t);
  finish_steps(t);
  marks_.clear();
  for (std::size_t i = 0; i < zeros.size() && zeros[i].t <= t; ++i)
    marks_.push_back({zeros[i].t, kFormula, static_cast<int>(i)});
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    const Island& island = *islands_[i];
    for (int k = 0; k < island.pending_events() && island.pending_event(k).t <= t; ++k)
      marks_.push_back({island.pending_event(k).t, static_cast<int>(i), k});
  }
  std::sort(marks_.begin(), marks_.end());
  std::vector<Logbook::Birth> births;
  for (const Mark& mark : marks_) {
    if (mark.island == kFormula) continue;
    const PendingEvent& h =
        islands_[static_cast<std::size_t>(mark.island)]->pending_event(mark.index);
    if (h.change.before == Mode::separated && h.change.after != Mode::separated)
      births.push_back({h.t, h.change.contact});
  }
  log_.expect(std::move(births));
  for (const Mark& mark : marks_) {
    if (finished_) break;
    if (mark.island == kFormula) {
      const ProbeZero& zero = zeros[static_cast<std::size_t>(mark.index)];
      if (!zero.stops) log_.probe(islands_, zero.t, zero.formula, zero.way);
      continue;
    }
    const Island& island = *islands_[static_cast<std::size_t>(mark.island)];
    const PendingEvent& pending_event = island.pending_event(mark.index);
    log_.frames(islands_, mark.t);
    log_.pending_event(islands_, island, pending_event);
    if (pending_event.last) end_island(*islands_[static_cast<std::size_t>(mark.island)]);
  }
  if (!finished_) log_.frames(islands_, t);
  t_ = t;
  if (!finished_ && !zeros.empty() && zeros.back().stops && zeros.back().t == t) {
    finish(t,
           {.kind = EventKind::stopped, .value = zeros.back().way, .probe = zeros.back().formula});
  } else if (!finished_ && budget_is_spent()) {
    finish(t, {.kind = EventKind::budget,
               .value = static_cast<double>(state_.summary.counters.steps),
               .note = "raise solver.max_steps to continue"});
  } else if (!finished_ && control_.stop && control_.stop->load(std::memory_order_relaxed)) {
    finish(t, {.kind = EventKind::interrupted});
  } else if (!finished_ && recorder_.trouble()) {
    finish(t, {.kind = EventKind::output_failed});
  }
  if (finished_) return;
  for (const auto& island : islands_) island->forget(t);
  apart_.forget(t);
}

// The others go on, if there are any.
void World::end_island(Island& island) {
  const bool alone = std::all_of(islands_.begin(), islands_.end(), [&](const auto& other) {
    return other->ended() || other.get() == &island;
  });
  finished_ = alone || model_.stop_on_end;
  if (!finished_) island.freeze();
}

bool World::budget_is_spent() const { return state_.summary.counters.steps >= model_.max_steps; }

// Records the steps that end by t, in order of time; t becomes earlier if the budget runs out.
void World::finish_steps(double& t) {
  marks_.clear();
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    for (int k = 0; k < islands_[i]->steps() && islands_[i]->step(k).t1 <= t; ++k)
      marks_.push_back({islands_[i]->step(k).t1, static_cast<int>(i), k});
  }
  std::sort(marks_.begin(), marks_.end());
  for (const Mark& mark : marks_) {
    const auto i = static_cast<std::size_t>(mark.island);
    const Step& step = islands_[i]->step(mark.index);
    islands_[i]->settled_error = step.energy_error;
    islands_[i]->settled_kinetic = step.kinetic;
    double error = 0, kinetic = 0;
    for (const auto& island : islands_) {
      error += island->settled_error;
      kinetic += island->settled_kinetic;
    }
    log_.step(step, error, kinetic);
    if (control_.progress) control_.progress(step.t1);
    if (budget_is_spent()) {
      t = step.t1;
      return;
    }
  }
}

// A new island from the bodies of others.
Island& World::add(std::vector<BodyId> members, const std::vector<Island*>& from) {
  auto made = std::make_unique<Island>(model_, std::move(members));
  for (Island* island : from)
    take_over(island->group(), island->state(), made->group(), made->state());
  made->begin();
  return *islands_.emplace_back(std::move(made));
}

void World::retire(const Island& gone) {
  add_work(retired_, gone.counters);
  retired_.rates_calls += gone.rates_calls();
  islands_.erase(std::find_if(islands_.begin(), islands_.end(),
                              [&](const auto& island) { return island.get() == &gone; }));
}

// After islands have come and gone.
void World::sort() {
  std::sort(islands_.begin(), islands_.end(), [](const auto& a, const auto& b) {
    return a->group().moving.front() < b->group().moving.front();
  });
  apart_.regroup(islands_);
}

// Two islands become one, in which their bodies meet.
void World::meet(const Meeting& meeting) {
  const auto& [A, B] = model_.pair(meeting.pair).bodies;
  Island &a = island_of(A), &b = island_of(B);
  if (a.ended() || b.ended()) {
    (a.ended() ? b : a)
        .finish({.kind = EventKind::unsupported_contact,
                 .contact = {meeting.pair},
                 .value = -meeting.rate,
                 .note = "it touches a body that stays where its island has ended",
                 .features = {meeting.near.A, meeting.near.B}});
    settle(meeting.t);
    return;
  }
  OLOID_EXPECT(a.t() == b.t());
  std::vector<BodyId> members = a.group().moving;
  members.insert(members.end(), b.group().moving.begin(), b.group().moving.end());
  Island& both = add(std::move(members), {&a, &b});
  for (int watch = 0; watch < both.group().watches(); ++watch) {
    const int pair = both.group().pair_of_watch(watch);
    const auto& [C, D] = model_.pair(pair).bodies;
    const bool crosses =
        model_.body(D).moves && (a.group().node(C) == kGround) != (a.group().node(D) == kGround);
    if (crosses) both.state().discrete.witness(watch) = apart_.near(pair);
  }
  both.state().discrete.witness(both.group().watch_of_pair(meeting.pair)) = meeting.near;
  retire(a);
  retire(b);
  sort();
  if (!both.finished()) both.meet(meeting.pair);
  if (!both.finished()) both.look_whether_it_falls_apart();
}

// Islands whose bodies no longer depend on each other become several.
void World::part_ways(double t) {
  std::vector<Island*> gone;
  for (const auto& island : islands_) {
    if (island->falls_apart() && island->t() <= t) gone.push_back(island.get());
  }
  for (Island* island : gone) {
    const double error = island->energy_now() - island->state().energy_start;
    const IslandIndex& whole = island->group();
    const DiscreteState discrete = island->state().discrete;
    double carried = error;
    for (std::vector<BodyId>& members : parts_of(whole, discrete)) {
      Island& part = add(std::move(members), {island});
      part.settled_error = std::exchange(carried, 0.0);
      part.state().energy_start = part.energy_now() - part.settled_error;
    }
    for (int watch = 0; watch < whole.watches(); ++watch)
      apart_.begin(whole.pair_of_watch(watch), island->t(), discrete.witness(watch));
    retire(*island);
  }
  if (!gone.empty()) sort();
}

void World::end(double wall_s) {
  Counters& counters = state_.summary.counters;
  for (const auto& island : islands_) {
    add_work(retired_, island->counters);
    retired_.rates_calls += island->rates_calls();
  }
  add_work(counters, retired_);
  add_work(counters, apart_.counters);
  log_.end(islands_, t_, wall_s);
  state_.islands.clear();
  for (const auto& island : islands_) {
    if (!island->ended()) island->cut(t_);
    state_.islands.push_back({island->group().moving, island->state()});
  }
}

}  // namespace

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  World(model, state, recorder, control).run();
  return state.summary;
}

}  // namespace oloid::world
