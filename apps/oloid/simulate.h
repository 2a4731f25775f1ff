// One run from scene to files: what `oloid run` and `oloid demo` have in common.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "oloid/io/recorder_group.h"
#include "oloid/world/model.h"
#include "options.h"

namespace oloid::app {

// Prints errors, one a line, to standard error.
void print_errors(const Errors& errors);

// Two names for one file among scene and outputs would destroy one of them. Empty names and devices
// are left out.
std::optional<Error> named_twice(std::initializer_list<std::string> paths);

// Runs a model with a progress bar. The user may interrupt it, in which case the answer is true;
// `done`, if given, is asked at each time of the run whether it may end.
bool run_watched(const Model& model, RecorderGroup& recorders,
                 const std::function<bool(double t)>& done = {});

// Compiles and runs the scene, writes the outputs and tells what happened. No output may be the
// scene file itself (empty: there is none) or another output.
ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs);

}  // namespace oloid::app
