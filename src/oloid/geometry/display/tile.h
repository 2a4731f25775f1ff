// A piece of a surface with three or four sides, for pictures.
//
// The tiles of a surface cover it once and meet along whole sides; a side may shrink to a point.
// Neighbours run along their common side at the same pace, in opposite directions, unless `beyond`
// says who they are. Sides are numbered and run as those of Bezier patches (bezier.h).
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "oloid/geometry/core/atlas.h"

namespace oloid::geometry {

struct TileSide {
  int tile = -1;  // -1: look for one
  int side = -1;
};

struct Tile {
  // (s, t) from the unit square, or with three sides from the triangle s, t ≥ 0, s + t ≤ 1;
  // s to t turns as c_u to c_v.
  std::function<Location(double s, double t)> at;
  int sides = 4;
  // If given: positive where the tile is part of the surface, zero on a trimmed edge.
  std::function<double(double s, double t)> kept = nullptr;
  std::array<TileSide, 4> beyond{};  // neighbours
};

}  // namespace oloid::geometry
