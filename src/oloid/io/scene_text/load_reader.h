// Motions and loads of a scene file.
#pragma once

#include <string>

#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {

// The keys decide between formulas, key frames and a running surface; mixtures are refused.
Located<MotionSpec> read_motion(const NodeTable& table, Spot spot, const std::string& path,
                                Complaints& complaints);
LoadSpec read_load(const TableReader& table);

}  // namespace oloid::io
