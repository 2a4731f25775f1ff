// Curves cut into cells: parts of their pieces, with bounds from derivatives by intervals.
#pragma once

#include <vector>

#include "oloid/geometry/cell.h"
#include "oloid/geometry/curve.h"

namespace oloid::curve_cells {

std::vector<Cell> roots(const Curve& curve);  // one for each piece
void split(const Curve& curve, const Cell& cell, std::vector<Cell>& parts);
CellPoint point(const Curve& curve, const Cell& cell, double s);

// A point by itself.
Cell of_vertex(const Vec3<double>& p);

}  // namespace oloid::curve_cells
