// Commands that look at a scene without running it: `oloid check` and `oloid export`.
#pragma once

#include <optional>
#include <string>

#include "oloid/io/scene_reader.h"
#include "options.h"

namespace oloid::app {

// Reports all problems; of a good scene how it starts and what its surfaces are.
ExitCode check_scene(const std::string& scene_file, const SceneOptions& options);

// Writes triangles within `tolerance` [m] of each body's surface, as they are at the start.
ExitCode export_scene(const std::string& scene_file, const SceneOptions& options,
                      const std::string& obj_file, std::optional<double> tolerance);

}  // namespace oloid::app
