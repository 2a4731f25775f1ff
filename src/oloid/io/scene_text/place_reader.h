// Placements of a scene file: bodies that touch others or are dropped on them.
#pragma once

#include <string>

#include "oloid/io/scene_text/table_reader.h"
#include "oloid/scene/spec.h"

namespace oloid::io {

// Which kind it is follows from its keys; mixing them is complained about.
Given<PlacementSpec> read_placement(const NodeTable& table, Spot spot, const std::string& path,
                                    Complaints& complaints);

// Complains about what a body has given although it follows from the placement.
void refuse_given_twice(const TableReader& body, const Given<PlacementSpec>& placement,
                        Complaints& complaints);

}  // namespace oloid::io
