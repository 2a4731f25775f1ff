// What a run leaves behind: frames, events, the energy book and a hash of every accepted step.
#pragma once

#include "oloid/integrate/segment.h"
#include "oloid/scene/recorder.h"
#include "oloid/world/observe.h"
#include "oloid/world/state.h"

namespace oloid {

class Logbook {
 public:
  Logbook(const Model& model, State& state, Recorder& recorder)
      : model_(model), state_(state), recorder_(recorder) {}

  void begin();
  void end(std::int64_t rates_calls, double wall_s);

  Observation at(const ContactVector& y) const {
    return observe(model_, state_.contact_setting, y);
  }
  Observation at(const RootVector& y) const {
    return observe(model_, state_.flight_setting, state_.booked, y);
  }
  Observation now() const {
    return state_.in_contact() ? at(state_.contact.y) : at(state_.flight.y);
  }

  // Frames at k · dt, read off the curve of a step.
  bool frame_due(double t) const { return next_frame() <= t; }
  template <int N>
  void frames(const Segment<N>& segment, double t_until) {
    for (; next_frame() <= t_until; ++state_.next_frame) {
      frame(next_frame(), 0, at(segment(next_frame())));
    }
  }
  // A frame beside an event: side −1 before it, +1 after it.
  void frame(double t, int side, const Observation& observation);

  // Books an accepted step: energy, gap, hash; warns once if the surfaces nearly conform.
  void step();

  void event(EventKind kind, Mode before, double value, std::string_view note = {});
  // The last event of a run, with a frame of its instant unless there is one.
  void last_event(EventKind kind, double value, std::string_view note);

 private:
  double next_frame() const { return static_cast<double>(state_.next_frame) * model_.output_dt; }
  void warn_if_conforming(const Observation& now);
  void hash_state();

  const Model& model_;
  State& state_;
  Recorder& recorder_;
  double last_frame_t_ = -1;
};

}  // namespace oloid
