// What a run leaves behind: frames, events, the energy balance and a hash of every accepted step.
#pragma once

#include <map>
#include <memory>

#include "oloid/scene/recorder.h"
#include "oloid/world/islands/island.h"
#include "oloid/world/model/state.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {

using Islands = std::vector<std::unique_ptr<Island>>;

class Logbook {
 public:
  Logbook(const Model& model, State& state, Recorder& recorder)
      : model_(model),
        state_(state),
        recorder_(recorder),
        asked_(pairs_asked_for(model)),
        witnesses_(model.pairs.size()),
        formula_witnesses_(model.pairs.size()) {}

  void begin(const Islands& islands);
  void end(const Islands& islands, double t, double wall_s);

  // The end of a step: energy and gap. `error` and `kinetic` are those of all islands.
  void step(const Step& step, double error, double kinetic);
  // Frames at k · dt, up to an instant that all islands have reached.
  double next_frame() const { return static_cast<double>(state_.next_frame) * model_.output_dt; }
  void frames(const Islands& islands, double t_until);
  // Contacts that begin with events that are settled next: they are numbered in order of time, pair
  // and ordinal, so that numbers depend on nothing else.
  struct Birth {
    double t;  // [s]
    ContactKey contact;
    ContactId id = {};
  };
  void expect(std::vector<Birth> births);
  // An event of an island with its frames.
  void pending_event(const Islands& islands, const Island& own, const PendingEvent& pending_event);
  // A zero of a probe.
  void probe(const Islands& islands, double t, int probe, double way);
  // Values of all probes, then of all formulas of stop_when.
  const std::vector<double>& values(const Islands& islands, double t);
  // An event of the whole run, the last one, with a frame of its instant unless there is one.
  void last_event(const Islands& islands, double t, const Change& change);

 private:
  enum class Rows { touching, near };  // of contacts, apart from those that formulas ask for
  // Side −1: before an event, +1: after it, when one of the islands is seen at a snapshot of its
  // own.
  void show(const Islands& islands, double t, int side, const Event* event = nullptr,
            const Island* own = nullptr, const Snapshot* snapshot = nullptr);
  void observe(const Islands& islands, double t, Rows rows, const Island* own = nullptr,
               const Snapshot* snapshot = nullptr);
  void observe_after(const Islands& islands, double t, Rows rows);
  template <class SnapshotOf>
  void observe_with(const Islands& islands, double t, Rows rows, const SnapshotOf& snapshot_of);
  void add_asked_pairs();
  void add_near_pairs();
  Event event_of(double t, const Change& change);
  void tell(const Event& event);
  ContactId next_id(double t, const ContactKey& contact);

  const Model& model_;
  State& state_;
  Recorder& recorder_;
  Observation seen_;
  std::vector<double> values_, stops_;
  const std::vector<int> asked_;  // pairs that formulas ask for
  // By pair: where nearest points were in the last frame, and when formulas were last evaluated.
  // The output rate must not influence formulas.
  std::vector<Witness> witnesses_, formula_witnesses_;
  struct LastContact {
    ContactId id;  // stays when the contact has ended: an event at that instant may show it before
    bool lasts = false;
  };
  std::map<ContactKey, LastContact> last_contact_;
  std::vector<Birth> births_;  // expected
  double last_frame_t_ = -1;
};

}  // namespace oloid::world
