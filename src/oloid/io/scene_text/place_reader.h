// Where bodies and shapes of a scene file are: poses, and bodies that touch others or are dropped
// on them.
#pragma once

#include <string>

#include "oloid/io/scene_text/table_reader.h"
#include "oloid/scene/spec.h"

namespace oloid::io {

// `position`, and one of `orientation`, `rotate`, `rotate_deg` and `rotation`.
void read_pose(const TableReader& table, Complaints& complaints, Located<Vec3<double>>& position,
               Located<Quat<double>>& orientation);

// Which kind it is follows from its keys; mixing them is complained about.
Located<PlacementSpec> read_placement(const NodeTable& table, Spot spot, const std::string& path,
                                      Complaints& complaints);

// Complains about keys of a body whose values follow from the placement.
void refuse_given_twice(const TableReader& body, const Located<PlacementSpec>& placement,
                        Complaints& complaints);

}  // namespace oloid::io
