// A file that a scene names, as it was read: kept for the record.
#pragma once

#include <string>

#include "oloid/base/rooms.h"

namespace oloid::scene {

struct SceneFile {
  std::string name;  // counted from the scene's directory
  std::string text;
};

}  // namespace oloid::scene
