// `oloid distance`: where the bodies of a scene are nearest at its start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "options.h"

namespace oloid::app {

struct DistanceRequest {
  std::string scene_file;
  SceneOptions options;
  std::optional<double> within;   // [m]
  std::vector<std::string> pair;  // two names, or none for all bodies
  std::string json;               // file name; empty: not wanted
};

ExitCode tell_distances(const DistanceRequest& request);

}  // namespace oloid::app
