// One run from scene to files: what `oloid run` and `oloid demo` have in common.
#pragma once

#include "oloid/scene/spec.h"
#include "options.h"

namespace oloid::app {

// Prints errors, one a line, to standard error.
void print_errors(const Errors& errors);

// Compiles and runs the scene, writes the outputs and tells what happened.
ExitCode simulate(const Spec& spec, const Outputs& outputs);

}  // namespace oloid::app
