// One run from scene to files: what `oloid run` and `oloid demo` have in common.
#pragma once

#include <functional>
#include <string>

#include "oloid/io/record/recorder_group.h"
#include "oloid/world/model/model.h"
#include "options.h"

namespace oloid::app {

// Runs a model with a progress bar. The user may interrupt it, in which case the answer is true;
// `done`, if given, is asked at each time of the run whether it may end.
bool run_watched(const Model& model, RecorderGroup& recorders, int threads,
                 const std::function<bool(double t)>& done = {});

// Compiles and runs the scene, writes the outputs and tells what happened. No output may be an
// input (scene_file: empty if there is none) or another output.
ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs,
                  int threads);

}  // namespace oloid::app
