// One run from scene to files: what `oloid run` and `oloid demo` have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oloid/io/record/recorder_group.h"
#include "oloid/world/model/model.h"
#include "options.h"

namespace oloid::app {

// Prints errors, one a line, to standard error.
void print_errors(const Errors& errors);
// Prints them, and answers with the code.
ExitCode refused(const Errors& errors, ExitCode code);
ExitCode refused(const Error& error, ExitCode code);

// The scene file (empty: there is none) and all files that it names.
std::vector<std::string> inputs_of(const Spec& spec, const std::string& scene_file);

// An output that is an input, or another output, would destroy it; so would one whose NAME.part is.
// Empty names and devices are left out.
std::optional<Error> named_twice(const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs);

// Runs a model with a progress bar. The user may interrupt it, in which case the answer is true;
// `done`, if given, is asked at each time of the run whether it may end.
bool run_watched(const Model& model, RecorderGroup& recorders, int threads,
                 const std::function<bool(double t)>& done = {});

// Compiles and runs the scene, writes the outputs and tells what happened. No output may be an
// input (scene_file: empty if there is none) or another output.
ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs,
                  int threads);

}  // namespace oloid::app
