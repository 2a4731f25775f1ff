// One run from scene to files: what `oloid run` and `oloid demo` have in common.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "oloid/scene/spec.h"
#include "options.h"

namespace oloid::app {

// Prints errors, one a line, to standard error.
void print_errors(const Errors& errors);

// Two names for one file among scene and outputs would destroy one of them. Empty names and devices
// are left out.
std::optional<Error> named_twice(std::initializer_list<std::string> paths);

// Compiles and runs the scene, writes the outputs and tells what happened. No output may be the
// scene file itself (empty: there is none) or another output.
ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs);

}  // namespace oloid::app
