// How a schedule records what its islands have done, in order of time.
#include <algorithm>
#include <utility>

#include "oloid/world/schedule.h"

namespace oloid::world {

void Schedule::settle(double t) {
  t = std::min(t, find_zeros(t));
  telling_.clear();
  for (const auto& [untold, first] : queues_.by_unrecorded()) {
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
    queues_.place(*island);
  }
  end_overlapping();
}

// Frames may show what the search for touches has missed.
void Schedule::end_overlapping() {
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
    queues_.place(island);
  }
  settle(t_);
}

double Schedule::next_step_end(double t) const {
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
double Schedule::find_zeros(double t) {
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
void Schedule::finish_steps(double& t) {
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

void Schedule::tell(double t) {
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

void Schedule::tell_event(Island& island, int index) {
  const PendingEvent& event = island.pending_event(index);
  log_.pending_event(islands_, island, event);
  if (event.last) end_island(island);
}

// Contacts that begin at the instant of a mark.
void Schedule::expect_births(std::size_t from) {
  std::vector<ContactKey> births;
  for (std::size_t i = from; i < marks_.size() && marks_[i].t == marks_[from].t; ++i) {
    if (!marks_[i].island) continue;
    const Change& change = marks_[i].island->pending_event(marks_[i].index).change;
    if (change.before == Mode::separated && change.after != Mode::separated)
      births.push_back(change.contact);
  }
  log_.expect(std::move(births));
}

void Schedule::look_for_an_end(double t) {
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
void Schedule::end_island(Island& island) {
  --running_;
  over_ = running_ == 0 || model_.stop_on_end;
  if (over_) return;
  island.freeze();
  apart_.follow(island);
  apart_.look(island, t_);
}

void Schedule::end_run(double t, const Change& change) {
  over_ = true;
  log_.last_event(islands_, t, change);
}

}  // namespace oloid::world
