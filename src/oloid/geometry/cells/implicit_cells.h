// Cells of the surface f = 0: boxes that it may pass through, as graphs of one coordinate over the
// other two where the gradient's bounds allow it.
#pragma once

#include <optional>
#include <span>

#include "oloid/geometry/cells/cell.h"
#include "oloid/geometry/implicit/implicit_field.h"

namespace oloid::geometry::implicit_cells {

// The part of face i of {f ≤ 0 for all fields} in a box; none if the surface is not there.
std::optional<Cell> make(std::span<const ImplicitField> fields, int face, const Box& box);

// At parameters of a cell with a height; the height is found by Newton's method from that of the
// cell's middle. Not finite if it fails.
CellPoint point(const ImplicitField& field, const Cell& cell, const Vec2<double>& st);

}  // namespace oloid::geometry::implicit_cells
