// `oloid list`: what there is to choose from.
#pragma once

#include <string>

#include "options.h"

namespace oloid::app {

// The built-in scenes; or, by name, "events", "modes" or "shapes".
ExitCode list(const std::string& what);

}  // namespace oloid::app
