// What a run leaves behind: frames, events, the energy balance and a hash of every accepted step.
#pragma once

#include <optional>
#include <utility>

#include "oloid/scene/recorder.h"
#include "oloid/world/islands/islands.h"
#include "oloid/world/model/state.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {

// Bodies that overlap in a frame.
struct Overlap {
  int pair = 0;
  double gap = 0;  // [m]
};

class Logbook {
 public:
  Logbook(const Model& model, State& state, Recorder& recorder);

  // Records the start, unless this has been done.
  void begin(const Islands& islands);
  void end(const Islands& islands, double t, double wall_s);

  // The end of a step: energy and gap. `error` and `kinetic` are those of all islands.
  void step(const Step& step, double error, double kinetic);
  // Frames at k · dt, up to an instant that all islands have reached.
  double next_frame() const { return static_cast<double>(state_.next_frame) * model_.output_dt; }
  void frames(const Islands& islands, double t_until);
  // Contacts that begin at the instant that is recorded next. They are numbered in order of pair
  // and ordinal, so that their numbers depend on nothing else.
  void expect(std::vector<ContactKey> births);
  // An event of an island with its frames.
  void pending_event(const Islands& islands, Island& own, const PendingEvent& pending_event);
  // A zero of a probe.
  void probe(const Islands& islands, double t, int probe, double way);
  // Values of all probes, then of all formulas of stop_when.
  const std::vector<double>& values(const Islands& islands, double t);
  // Where the nearest points that formulas use were when these were last evaluated.
  std::map<int, Witness> formula_witnesses;
  // An event of the whole run, the last one, with a frame of its instant unless there is one.
  void last_event(const Islands& islands, double t, const Change& change);
  // The first overlap that a frame has shown since the last call.
  std::optional<Overlap> take_overlap() { return std::exchange(overlap_, std::nullopt); }
  // Everything at an instant that all islands have reached. Valid until the next call.
  Frame look(const Islands& islands, double t);

 private:
  enum class Rows { touching, near };  // of contacts, apart from those that formulas ask for
  // Side −1: before an event, +1: after it, when its island is seen at a snapshot of its own.
  void show(const Islands& islands, double t, int side, const Event* event = nullptr,
            Island* own = nullptr, const Snapshot* snapshot = nullptr);
  void observe(const Islands& islands, double t, Rows rows, std::map<int, Witness>& witnesses,
               const Island* own = nullptr, const Snapshot* snapshot = nullptr);
  void observe_after(const Islands& islands, double t, Rows rows);
  template <class SnapshotOf>
  void observe_with(const Islands& islands, double t, Rows rows, std::map<int, Witness>& witnesses,
                    const SnapshotOf& snapshot_of);
  void observe_concerned(double t, const Event& event, Island& own, const Snapshot& snapshot);
  void observe_island(Island& island, const Snapshot& snapshot);
  void number_contacts();
  void add_asked_pairs(std::map<int, Witness>& witnesses);
  void add_near_pairs(std::map<int, Witness>& witnesses);
  void look_for_overlap(const Islands& islands);
  void turn(BodyId body);
  Event event_of(double t, const Change& change);
  void tell(const Event& event);
  ContactId next_id(const ContactKey& contact);

  const Model& model_;
  State& state_;
  Recorder& recorder_;
  EventDetail detail_ = EventDetail::whole;
  Observation seen_;
  std::vector<double> values_, stops_;
  std::vector<int> near_;         // pairs
  const std::vector<int> asked_;  // pairs that formulas ask for
  struct Birth {
    ContactKey contact;
    ContactId id;
  };
  std::vector<Birth> births_;                     // expected
  double last_frame_t_ = -1, last_shown_t_ = -1;  // [s]: the second also of states around events
  std::optional<Overlap> overlap_;
  // Islands whose events at an instant have been shown: later events at that instant see them as
  // they are afterwards.
  std::vector<const Island*> shown_after_;
  double shown_after_t_ = -1;
};

}  // namespace oloid::world
