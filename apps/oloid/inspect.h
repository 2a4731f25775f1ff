// `oloid check`: looks at a scene without running it.
#pragma once

#include <string>

#include "oloid/io/scene_text/scene_reader.h"
#include "options.h"

namespace oloid::app {

// Reports all problems; of a good scene how it starts and what its surfaces are.
ExitCode check_scene(const std::string& scene_file, const SceneOptions& options);

}  // namespace oloid::app
