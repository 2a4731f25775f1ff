// A file that a scene names, as it was read: kept for the record.
#pragma once

#include <string>

namespace oloid {

struct SceneFile {
  std::string name;  // as written in the scene
  std::string text;
};

}  // namespace oloid
