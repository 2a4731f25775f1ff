// What a run leaves behind: frames, events, the energy book and a hash of every accepted step.
#pragma once

#include "oloid/integrate/segment.h"
#include "oloid/scene/recorder.h"
#include "oloid/world/observe.h"

namespace oloid {

class Logbook {
 public:
  // The instant is scratch memory.
  Logbook(const Model& model, State& state, Instant& instant, Recorder& recorder)
      : model_(model), state_(state), instant_(instant), recorder_(recorder) {}

  void begin();
  void end(std::int64_t rates_calls, double wall_s);

  // Frames at k · dt, read off the curve of a step.
  bool frame_due(double t) const { return next_frame() <= t; }
  void frames(const Segment<Eigen::Dynamic>& segment, double t_until);
  // A frame of now, beside an event: side −1 before it, +1 after it.
  void frame(int side);

  // Books an accepted step: energy, gap, hash; warns once if surfaces nearly conform.
  void step();

  struct Change {
    EventKind kind;
    int pair = kGround;  // kGround: of the whole run
    Mode before = Mode::separated, after = Mode::separated;
    double value = 0;
    std::string_view note = {};
  };
  void event(const Change& change);
  // The last event of a run, with a frame of its instant unless there is one.
  void last_event(const Change& change);

 private:
  double next_frame() const { return static_cast<double>(state_.next_frame) * model_.output_dt; }
  void show(double t, int side, const StateVector& y);
  void warn_if_conforming();
  void hash_state();

  const Model& model_;
  State& state_;
  Instant& instant_;
  Recorder& recorder_;
  Observation seen_;
  StateVector sample_;
  double last_frame_t_ = -1;
};

}  // namespace oloid
