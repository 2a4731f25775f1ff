// Shapes of a scene file.
#pragma once

#include <string>

#include "oloid/io/scene_text/cage_files.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {

// The shape of a body and its pose. The type decides which keys are known; without a valid one only
// the common keys are checked.
void read_shape(const NodeTable& table, Spot spot, const std::string& path, Complaints& complaints,
                CageFiles& files, BodySpec& body);

}  // namespace oloid::io
