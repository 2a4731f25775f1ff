// A piece of a surface with three or four sides, for pictures.
//
// The tiles of a surface cover it once and meet along whole sides; a side may shrink to a point.
// Neighbours run along their common side at the same pace, in opposite directions, unless `beyond`
// says who they are. Sides are numbered and run as those of Bezier patches (bezier.h). Where a
// tile lies is plain data; shape.h evaluates it.
#pragma once

#include <array>
#include <variant>
#include <vector>

#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

// Straight or bilinear in the plane of a chart: origin + s along_s + t along_t + s t twist.
struct ChartTile {
  ChartId chart;
  Uv<double> origin, along_s, along_t;
  Uv<double> twist = Uv<double>::Zero();

  Location at(double s, double t) const {
    Location q{chart};
    q.x.head<2>() = origin + s * along_s + t * along_t + (s * t) * twist;
    return q;
  }
};
// What rays through a rectangle of a side of the cube about a middle meet, lines at equal angles.
struct CubeTile {
  int side;
  Uv<double> low = Uv<double>::Zero(), size = Uv<double>::Ones();  // parts of the side
  int face = 0;  // of an intersection of implicit bodies
};
// A height over a rectangle: across it, along (u, v) from its middle, and up.
struct HeightTile {
  Vec3<double> middle;  // [m]
  Mat3<double> axes;    // columns: half sides [m], and up, of any length
};
// A quarter turn of a span of a surface of revolution.
struct SpanTile {
  int span, quarter;
  double from, to;  // along the meridian
};
// A triangle on a strip of a hull of circles: one side on an arc, the apex on the other border.
struct StripTile {
  int circle, run, loop;
  double start, end;  // the phase along the arc
  double from, to;    // the place along the loop there
  double shift;       // added to it, whole turns
  double apex;        // the place along the loop opposite
};
// A sector of a disc of a hull of circles, between two angles of its rim.
struct SectorTile {
  ChartId chart;
  double from, to;  // [rad]
};

struct TileSide {
  int tile = -1;  // -1: look for one
  int side = -1;
};

struct Tile {
  // (s, t) from the unit square, or with three sides from the triangle s, t ≥ 0, s + t ≤ 1;
  // s to t turns as c_u to c_v.
  std::variant<ChartTile, CubeTile, HeightTile, SpanTile, StripTile, SectorTile> place;
  int sides = 4;
  bool trimmed = false;              // some of it may be no part of the surface
  std::array<TileSide, 4> beyond{};  // neighbours
};

}  // namespace oloid::geometry
