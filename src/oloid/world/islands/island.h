// Bodies whose motions depend on each other, advanced by steps of their own.
//
// Steps and pending events are kept for as long as another body could still undo them by meeting
// one of these bodies. docs/tour.md, "One step".
#pragma once

#include <atomic>

#include "oloid/base/constants.h"
#include "oloid/world/evaluate/fields.h"
#include "oloid/world/events/joint_decision.h"
#include "oloid/world/islands/step.h"

namespace oloid::world {

class Island {
 public:
  Island(const Model& model, std::vector<BodyId> members);

  // Computes everything that follows from the state. To be called first, and after the state was
  // set.
  void begin();
  // The same after the state was set to one from which a step has been taken before: that step will
  // be repeated exactly.
  void resume();

  // Steps until an instant has been passed, or as many as can be kept, or something happens that
  // others must handle, or `stop` is set. Curves of steps are made where they are needed, or
  // always.
  void advance(double t_until, int most_steps, bool always_curved,
               const std::atomic<bool>* stop = nullptr);
  // Back to an instant that has been passed; everything after it is forgotten.
  void cut(double t);
  // The same in three parts, for callers that have to find the instant: go back to the start of its
  // step, if there is one; see what holds at t, as a trial; accept it.
  bool rewind(double t);
  const Evaluation& try_until(double t);
  void accept_at(double t);
  // A state from which a run can start, at an instant within the steps that are kept. Changes
  // nothing.
  IslandState state_at(double t);
  // What the step that contains t started from.
  const IslandState& start_of_step(double t) const;
  // A force and a torque about the centre of mass, in world axes, that act on a member from now on.
  void set_applied(BodyId body, const Wrench<double>& wrench_W);
  // Forgets steps that end by t and pending_events up to t.
  void forget(double t);
  // The bodies of a pair that is watched, both of this island or one of the ground, have met.
  void meet(int pair);
  // Whether its bodies are no longer all connected, so that it should be divided.
  bool falls_apart() const { return falls_apart_; }
  void look_whether_it_falls_apart();
  bool finished() const { return finished_; }
  // Ends the island here, with an event: it cannot be continued.
  void finish(const Change& change);
  // After that: its bodies stay where they are for the rest of the run, and their state is kept.
  void freeze();
  void stay();
  bool ended() const { return ended_; }

  // It has been advanced up to here.
  double t() const {
    if (ended_) return kInfinity;
    return state_.y.t;
  }
  const IslandIndex& group() const { return group_; }
  IslandState& state() { return state_; }
  const IslandState& state() const { return state_; }
  int pending_events() const { return pending_in_use_; }
  const PendingEvent& pending_event(int i) const { return pending_[static_cast<std::size_t>(i)]; }
  int steps() const { return steps_in_use_; }
  const Step& step(int i) const { return steps_[static_cast<std::size_t>(i)]; }
  // The step that an instant belongs to: the first that ends there or later, if any.
  const Step* step_at(double t) const;
  Counters counters;  // of work done, including what was undone
  std::int64_t rates_calls() const { return stepper_.rates_calls(); }

  // What holds at an instant of a step, or now. References are valid until the next call.
  const Evaluation& place(const Step& step, double t);
  const Snapshot& snapshot(double t);  // before what happens there
  const Snapshot& snapshot_after(double t);
  const Evaluation& evaluate(const Snapshot& snapshot);
  // One for each node, of everything up to t.
  const std::vector<std::uint64_t>& hashes(double t) const;
  double energy_now();  // energy + dissipated − work [J]
  // Error of the energy, and kinetic energy, at the last step that was settled. [J]
  double settled_error = 0, settled_kinetic = 0;

 private:
  StepOptions options() const;
  ModeSelector gripper() { return {group_, discrete_, instant_, t(), state_.y.y}; }

  // Steps: island.cpp.
  void take_step(double t_end, bool always_curved);
  bool needs_curve(double t1) const;
  bool is_watched(int watch) const;
  std::optional<Encounter> first_encounter(const Step& step, double t1, int& pair);
  std::optional<Encounter> first_encounter(int watch, const Approach& approach, double t1);
  template <class Correction>
  bool land(double t, const Correction& correction);
  void go_part_of_the_way(double h);
  bool land_on_guard(const Hit& hit);
  bool land_on_encounter(const Encounter& hit, int pair);
  double next_break() const;
  bool is_driven() const;
  double longest_step();
  double longest_step(int node, Channel channel);
  void restart();  // after any change other than an accepted step
  bool ends_conforming();
  void end_where_undefined();
  void forget_carry_of_stuck();
  void rescale();     // error scales for the coordinates in use
  void after_step();  // upkeep between steps: reference directions, friction directions
  bool keep_up(int node);
  void warn_if_conforming();
  void hash_state();
  // Ends the island if a step has an impossible result, or if steps become ever shorter.
  void watch_over(const Step& step, const EnergyFrame& energy);
  void watch_progress();
  double energy_book() const;  // energy + dissipated − work [J], at an instant that is placed

  // What is kept of them: island_steps.cpp.
  Step& next_step();
  void close_step(double t1);

  // Beside contacts: second_contact.cpp.
  void look_beside_contacts();
  bool touches_once(int node) const;
  std::optional<Encounter> first_beside_contact(int watch, const Approach& approach, double t1);

  // What happens at events: island_events.cpp.
  void at_guard(int guard);
  bool goes_on(int pair);  // whether changes may still come to an end
  void change_contact(int node, Guard guard);
  bool has_stopped(int node, Channel channel);  // false: only the direction has changed
  void closing_step(int node, Channel channel);
  bool ends_by_threshold(const ChannelSetting& setting, Channel channel) const;
  void close(int node, Channel channel);
  void stick_below_threshold(int node);
  bool separate(int node);
  bool jammed(int node);
  void cross_chart(int node, bool is_A, Change& change);
  void turn_frames(int node, const PairGeometry<double>& before, const Vec5<double>& w);
  void close_loop(int pair, double approach);
  void finish_at(int pair, const TrackedPair& near, double approach, std::string_view why);
  bool presses(int pair, const TrackedPair& near, double separation);
  bool close_together(int pair, const TrackedPair& near);
  void capture(int pair, const TrackedPair& near, double separation);
  // Decides all contacts together if they cannot be decided one by one. False if that was not
  // needed, or if the island has ended.
  bool retest(const std::optional<LetGo>& loose = std::nullopt);
  void retest_and_tell();
  bool decide_together(const std::optional<LetGo>& loose = std::nullopt, bool jams = false);
  void look_whether_decided();
  void decide_at_start();
  bool runs_into_jam();
  // Adds an event for each mode that has changed since `before`; if `show`, the last one with the
  // states around it.
  bool tell_changes(const DiscreteState& before, bool show);
  Mode mode(int pair) const;
  void take_now(Snapshot& snapshot) const;
  const Snapshot& start_of(const Step& step);
  // Adds an event at the present instant; if it is shown, then with the state in `then_`.
  PendingEvent& tell(const Change& change);
  void tell_and_show(const Change& change);
  void trouble(double value, std::string_view note) {
    finish({.kind = EventKind::solver_trouble, .value = value, .note = note});
  }

  const Model& model_;
  const IslandIndex group_;
  IslandState state_;
  DiscreteState& discrete_;
  Evaluation instant_;
  Evaluation seen_;  // for views from outside
  IslandField field_;
  Stepper<IslandField> stepper_;
  Trial<Eigen::Dynamic, Eigen::Dynamic> trial_;
  StateVector sample_;
  std::vector<Step> steps_;  // the first steps_in_use_ count; others are memory
  int steps_in_use_ = 0;
  std::vector<PendingEvent> pending_;  // likewise
  int pending_in_use_ = 0;
  Snapshot then_, asked_;
  std::vector<std::unique_ptr<Certificate>> certificates_;  // by watch, as far as there are any
  std::vector<Witness> ahead_;  // by watch: at the end of a step that is looked at
  std::vector<std::optional<double>>
      switched_;                    // by watch: gap of points that have come nearer [m]
  std::vector<bool> touches_once_;  // by watch, of a pair that is held: proven, for the step tried
  bool falls_apart_ = false, finished_ = false, ended_ = false;
  bool undecided_ = false;  // contacts of the start, one by one, do not obey their laws together
  int jammed_ = kGround;    // the contact that the last joint decision compressed,
  double denominator_ = 0;  // and what its force divided by before
};

}  // namespace oloid::world
