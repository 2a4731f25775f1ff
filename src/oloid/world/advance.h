// Runs a model forward in time: step, look for events on the curve, record, change mode.
#pragma once

#include <atomic>
#include <functional>

#include "oloid/world/state.h"

namespace oloid {

struct Control {
  const std::atomic<bool>* stop = nullptr;  // set by the user to end the run early
  std::function<void(double t)> progress;   // called after every accepted step, if given
};

// Advances to t_end or to an event that ends the run, whichever comes first. The recorder sees
// begin, frames, events and end, in order of time, also if the run ends early.
Summary run(const Model& model, State& state, Recorder& recorder, const Control& control = {});

}  // namespace oloid
