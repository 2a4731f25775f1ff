// Errors for people, on standard error, and the exit code that goes with them.
#pragma once

#include "oloid/base/result.h"
#include "options.h"

namespace oloid::app {

// Prints errors, one a line, to standard error.
void print_errors(const Errors& errors);
// Prints them, and answers with the code.
ExitCode refused(const Errors& errors, ExitCode code);
ExitCode refused(const Error& error, ExitCode code);

}  // namespace oloid::app
