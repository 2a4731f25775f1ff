// Runs a model forward in time: islands advance by themselves, bodies of different islands meet,
// everything is recorded in order of time.
#pragma once

#include <atomic>
#include <functional>

#include "oloid/world/model/state.h"

namespace oloid::world {

struct Control {
  const std::atomic<bool>* stop = nullptr;  // set by the user to end the run early
  std::function<void(double t)> progress;   // called for every accepted step, if given
  int threads = 0;                          // 0: as many as there are cores
};

// Advances to t_end or to an event that ends the run, whichever comes first. An island that cannot
// be continued ends: its bodies stay where they are while the others go on. The recorder sees
// begin, frames, events and end, in order of time, even if the run ends early. The result does not
// depend on the number of threads, down to the last bit; user functions for loads must be safe to
// call from several threads.
Summary run(const Model& model, State& state, Recorder& recorder, const Control& control = {});

}  // namespace oloid::world
