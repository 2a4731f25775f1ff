// What a simulation does between two calls: docs/tour.md.
//
// Works in rounds. In each, islands advance until bodies of different islands first meet; then
// everything up to there is recorded, as far as the caller asks for it; finally islands are joined
// or divided. Every list is in the order of time, or of islands' first bodies where times are
// equal.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <tuple>
#include <vector>

#include "oloid/base/sum.h"
#include "oloid/world/events/probe_watch.h"
#include "oloid/world/islands/apart.h"
#include "oloid/world/islands/island_queues.h"
#include "oloid/world/output/logbook.h"
#include "oloid/world/simulation.h"

namespace oloid::world {

class Schedule {
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

  // Rounds.
  Round next_round();
  void find_hungry();
  void advance();
  double reached() const { return std::min(model_.t_end, queues_.slowest()); }
  double time_ahead() const;
  void cut(Meeting& meeting, double t_until);
  void complete(const Round& round);

  // Records, in schedule_records.cpp.
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

  // Islands that join and part.
  void meet(const Meeting& meeting);
  void part_ways(double t);
  void part(Island& island);
  Island& add(std::vector<BodyId> members, const std::vector<Island*>& from);
  void retire(const Island& gone);
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
  IslandQueues queues_;
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

}  // namespace oloid::world
