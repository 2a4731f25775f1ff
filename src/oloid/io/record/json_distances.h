// Writes where bodies are nearest as JSON, for scripts. Keys: docs/formats/distance.md.
#pragma once

#include <span>
#include <string>

#include "oloid/scene/body_distance.h"

namespace oloid::io {

// Numbers read back exactly, those that are not finite are null.
std::string json_distances(const std::string& scene, std::span<const BodyDistance> distances);

}  // namespace oloid::io
