// Scenes by the name of their file, or of a built-in scene.
#pragma once

#include <string>

#include "oloid/io/scene_text/scene_reader.h"

namespace oloid::app {

struct FoundScene {
  Spec spec;
  std::string file;  // empty: built in
};

// A name without an ending that is no file is looked for among the built-in scenes.
Result<FoundScene, Errors> find_scene(const std::string& name, const SceneOptions& options);

// By its name alone.
Result<FoundScene, Errors> find_built_in(const std::string& name, SceneOptions options);

}  // namespace oloid::app
