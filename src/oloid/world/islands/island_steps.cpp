// What an island keeps of its steps and events until others can no longer undo them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "oloid/base/largest.h"
#include "oloid/world/islands/island.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {

Step& Island::next_step() {
  if (steps_in_use_ == static_cast<int>(steps_.size())) {
    Step& made = steps_.emplace_back();
    made.curve.resize(field_.size());
    made.bounds.resize(static_cast<std::size_t>(group_.nodes()));
    made.boxes.resize(made.bounds.size());
    made.origins.resize(made.bounds.size());
  }
  Step& step = steps_[static_cast<std::size_t>(steps_in_use_++)];
  step.start = state_;
  step.curved = false;
  return step;
}

void Island::close_step(double t1) {
  Step& step = steps_[static_cast<std::size_t>(steps_in_use_ - 1)];
  step.t1 = t1;
  instant_.kinematics(discrete_, t(), state_.y.y);
  const EnergyFrame energy = energies(group_, discrete_, state_.booked, instant_, state_.y.y);
  step.energy_error = energy.balance() - state_.energy_start;
  step.kinetic = energy.kinetic;
  step.gap_error = 0;
  for (int i = 0; i < group_.nodes(); ++i) {
    const Contact& hold = discrete_.joint(i);
    if (!hold.on) continue;
    step.gap_error =
        nan_or_max(step.gap_error, std::abs(quality(group_, hold, instant_.contact(i)).gap));
  }
  hash_state();
  warn_if_conforming();
  watch_over(step, energy);
  watch_progress();
}

const Step* Island::step_at(double t) const {
  for (int i = 0; i < steps_in_use_; ++i) {
    if (step(i).t1 >= t) return &step(i);
  }
  return nullptr;
}

void Island::forget(double t) {
  const auto first = steps_.begin();
  const auto end = first + steps_in_use_;
  const auto keep = std::find_if(first, end, [t](const Step& step) { return step.t1 > t; });
  steps_in_use_ = static_cast<int>(end - keep);
  std::rotate(first, keep, end);
  const auto begin = pending_.begin();
  const auto done = begin + pending_in_use_;
  const auto later = std::find_if(begin, done, [t](const PendingEvent& h) { return h.t > t; });
  pending_in_use_ = static_cast<int>(done - later);
  std::rotate(begin, later, done);
}

void Island::cut(double t) {
  if (!rewind(t)) return;
  try_until(t);
  accept_at(t);
}

bool Island::rewind(double t) {
  const Step* found = step_at(t);
  if (!found) return false;
  finished_ = falls_apart_ = undecided_ = false;
  steps_in_use_ = static_cast<int>(found - steps_.data()) + 1;
  const double t0 = found->start.t();
  state_ = found->start;
  instant_.set_topology(discrete_);
  while (pending_in_use_ > 0 && pending_event(pending_in_use_ - 1).t > t0) --pending_in_use_;
  return true;
}

const Evaluation& Island::try_until(double t) {
  const double h = t - this->t();
  if (!(h > 0)) {
    trial_.y = state_.y.y;
  } else if (!stepper_.attempt_exactly(field_, state_.y, h, trial_)) {
    trouble(h, "the equations of motion are undefined at the event");
  }
  instant_.kinematics(discrete_, t, trial_.y);
  return instant_;
}

void Island::accept_at(double t) {
  if (finished_ || !(t > this->t())) {
    --steps_in_use_;
    return;
  }
  stepper_.accept(trial_, state_.y);
  state_.y.t = t;
  close_step(t);
}

const IslandState& Island::start_of_step(double t) const {
  for (int i = 0; i < steps_in_use_; ++i) {
    if (step(i).t1 > t) return step(i).start;
  }
  return state_;
}

IslandState Island::state_at(double t) {
  if (ended_ || !(t < this->t())) return state_;
  IslandState now = start_of_step(t);
  if (!(t > now.t())) return now;
  std::swap(state_, now);
  instant_.set_topology(discrete_);
  if (stepper_.attempt_exactly(field_, state_.y, t - state_.y.t, trial_)) {
    stepper_.accept(trial_, state_.y);
    state_.y.t = t;
  }
  std::swap(state_, now);
  instant_.set_topology(discrete_);
  return now;
}

const Evaluation& Island::place(const Step& step, double t) {
  if (t > step.start.t()) {
    step.curve.at(t, sample_);
  } else {
    sample_ = step.start.y.y;
  }
  seen_.set_topology(step.start.discrete);
  seen_.kinematics(step.start.discrete, t, sample_);
  return seen_;
}

void Island::take_now(Snapshot& snapshot) const {
  snapshot.t = t();
  snapshot.discrete = discrete_;
  snapshot.y = state_.y.y;
  snapshot.booked = state_.booked;
}

const Snapshot& Island::start_of(const Step& step) {
  asked_.t = step.start.t();
  asked_.discrete = step.start.discrete;
  asked_.booked = step.start.booked;
  asked_.y = step.start.y.y;
  return asked_;
}

const Snapshot& Island::snapshot(double t) {
  const Step* step = step_at(t);
  if (step && t > step->start.t() && (step->curved || t < step->t1)) {
    start_of(*step);
    asked_.t = t;
    step->curve.at(t, asked_.y);
    return asked_;
  }
  // Between steps: the state before the events there, if there are any.
  for (int i = 0; i < pending_in_use_; ++i) {
    if (pending_event(i).t == t && pending_event(i).shown) return pending_event(i).before;
  }
  return snapshot_after(t);
}

const Snapshot& Island::snapshot_after(double t) {
  for (int i = 0; i < steps_in_use_; ++i) {
    if (step(i).start.t() == t) return start_of(step(i));
    if (step(i).t1 > t) return snapshot(t);
  }
  take_now(asked_);
  return asked_;
}

const Evaluation& Island::evaluate(const Snapshot& m) {
  seen_.set_topology(m.discrete);
  seen_.evaluate(m.discrete, m.t, m.y);
  return seen_;
}

const std::vector<std::uint64_t>& Island::hashes(double t) const {
  for (int i = 0; i < steps_in_use_; ++i) {
    if (step(i).t1 > t) return step(i).start.hashes;
  }
  return state_.hashes;
}

PendingEvent& Island::tell(const Change& change) {
  if (pending_in_use_ == static_cast<int>(pending_.size())) pending_.emplace_back();
  PendingEvent& made = pending_[static_cast<std::size_t>(pending_in_use_++)];
  made.t = t();
  made.change = change;
  made.shown = made.last = false;
  return made;
}

void Island::tell_and_show(const Change& change) {
  PendingEvent& made = tell(change);
  made.shown = true;
  std::swap(made.before, then_);
  take_now(made.after);
}

void Island::finish(const Change& change) {
  finished_ = true;
  PendingEvent& made = tell(change);
  made.last = true;
  take_now(made.before);
}

void Island::freeze() {
  instant_.kinematics(discrete_, t(), state_.y.y);
  const EnergyFrame last = energies(group_, discrete_, state_.booked, instant_, state_.y.y);
  state_.energy_at_end = last.kinetic + last.potential;
  state_.booked = last.dissipated;
  stay();
}

void Island::stay() {
  instant_.kinematics(discrete_, t(), state_.y.y);
  for (int node = 0; node < group_.nodes(); ++node) {
    const Pose<double>& X = instant_.body(group_.id(node)).X_WB;
    state_.y.y.segment<kBlock>(block_at(node)) = pack_free({X.p, quaternion(X.R), {}});
    discrete_.joint(node) = {};
  }
  instant_.set_topology(discrete_);
  steps_in_use_ = pending_in_use_ = 0;
  Step& step = next_step();
  step.curved = true;
  step.curve.t0 = t();
  step.curve.h = step.t1 = kInfinity;
  step.curve.c.setZero();
  step.curve.c.col(0) = state_.y.y;
  for (int node = 0; node < group_.nodes(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    step.bounds[i] = {};
    step.origins[i] = instant_.at_node(node).X_WB.p;
    step.boxes[i] = around(step.origins[i], group_.at_node(node).radius());
  }
  ended_ = true;
}

}  // namespace oloid::world
