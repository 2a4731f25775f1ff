// Advances a model in time, as far as the caller asks: islands advance independently until bodies
// of different islands meet, and everything is reported to the recorder in order of time.
//
//   Simulation simulation(model, recorder);
//   while (!simulation.over()) {
//     simulation.advance_to(simulation.t() + 0.001);
//     simulation.set_load(plate, controller(simulation.body(ball)), {});
//   }
//   simulation.finish();
//
// Islands may step beyond the requested time; results do not depend on which times are requested.
// Only loads set by the caller cut the steps of the bodies they act on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "oloid/world/model/state.h"

namespace oloid::world {

class Schedule;

struct Control {
  const std::atomic<bool>* stop = nullptr;  // set by the user to end the run early
  std::function<void(double t)> progress;   // called for every accepted step, if given
  int threads = 0;                          // 0: as many as there are cores
};

class Simulation {
 public:
  // The model and the recorder must outlive it. The recorder sees begin, frames, events and end, in
  // order of time.
  Simulation(const Model& model, Recorder& recorder, const Control& control = {});
  // Continues from a state: one from `save` gives bit-identical results, one from `state` is a
  // valid new start. The recorder sees only what follows.
  Simulation(const Model& model, const State& start, Recorder& recorder,
             const Control& control = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  double t() const;   // [s]: everything up to here has been recorded
  bool over() const;  // the duration is over, or an event has ended the run
  // Advances to a time, or to an event that ends the run. If an island cannot be continued, its
  // bodies stay where they are and the others go on.
  void advance_to(double t);

  // The state at t. Views are valid until the next call of a function that is not const.
  BodyFrame body(BodyId id);
  Frame frame();
  State state();       // a new start; islands begin at t
  State save() const;  // to continue with bit-identical results

  // A force and a torque about the centre of mass, in world axes, that act on a body from t on,
  // until they are set again. Their work counts as work of loads.
  void set_load(BodyId body, const Vec3<double>& force, const Vec3<double>& torque);

  // Tells the recorder that this is the end, once.
  const Summary& finish();

 private:
  std::unique_ptr<Schedule> schedule_;
};

// Advances to the end of a model's time or to an event that ends the run, whichever comes first.
// The result does not depend on the number of threads, down to the last bit; user functions for
// loads must be safe to call from several threads.
Summary run(const Model& model, State& state, Recorder& recorder, const Control& control = {});

}  // namespace oloid::world
