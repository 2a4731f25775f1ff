// A model moved forward in time, as far as it is asked for: islands advance by themselves, bodies
// of different islands meet, everything is told in order of time.
//
//   Simulation simulation(model, recorder);
//   while (!simulation.over()) {
//     simulation.advance_to(simulation.t() + 0.001);
//     simulation.set_load(plate, controller(simulation.body(ball)), {});
//   }
//   simulation.finish();
//
// Steps of islands go beyond the instant that is asked for; nothing depends on where one asks. Only
// inputs from outside cut the steps of the bodies that they act on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "oloid/world/model/state.h"

namespace oloid::world {

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
  // From a state that `save` has returned it goes on with the same bits, with one of `state` from a
  // valid start. The recorder sees what comes after.
  Simulation(const Model& model, const State& start, Recorder& recorder,
             const Control& control = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  double t() const;   // [s]: everything up to here has been told
  bool over() const;  // at the end of its time, or by an event that ends the run
  // To an instant, or to an event that ends the run. An island that cannot be continued ends: its
  // bodies stay where they are while the others go on.
  void advance_to(double t);

  // What is at t. Views are valid until the next call of a function that is not const.
  BodyFrame body(BodyId id);
  Frame frame();
  State state();       // a new start; islands begin at t
  State save() const;  // for going on with the same bits

  // A force and a torque about the centre of mass, in world axes, that act on a body from t on,
  // until they are set again. Their work counts as work of loads.
  void set_load(BodyId body, const Vec3<double>& force, const Vec3<double>& torque);

  // Tells the recorder that this is the end, once.
  const Summary& finish();

 private:
  class Schedule;
  std::unique_ptr<Schedule> schedule_;
};

// Advances to the end of a model's time or to an event that ends the run, whichever comes first.
// The result does not depend on the number of threads, down to the last bit; user functions for
// loads must be safe to call from several threads.
Summary run(const Model& model, State& state, Recorder& recorder, const Control& control = {});

}  // namespace oloid::world
