// `oloid replay` and `oloid recover`: what a record contains, and what is left of one.
#pragma once

#include <string>

#include "options.h"

namespace oloid::app {

// Tells what a record contains, like the summary of a run. With `verify` its scene is run again and
// compared.
ExitCode replay(const std::string& file, bool verify);

// Closes the record of a run that died; `to` may be empty.
ExitCode recover(const std::string& part, const std::string& to);

}  // namespace oloid::app
