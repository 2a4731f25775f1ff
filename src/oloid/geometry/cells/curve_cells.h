// Curves cut into cells: parts of their pieces, with bounds from derivatives by intervals.
#pragma once

#include <vector>

#include "oloid/geometry/cells/cell.h"
#include "oloid/geometry/curves/curve.h"

namespace oloid::geometry::curve_cells {

std::vector<Cell> roots(const Curve& curve);  // one for each piece
void split(const Curve& curve, const Cell& cell, std::vector<Cell>& parts);
CellPoint point(const Curve& curve, const Cell& cell, double s);

// A point by itself.
Cell of_vertex(const Vec3<double>& p);

}  // namespace oloid::geometry::curve_cells
