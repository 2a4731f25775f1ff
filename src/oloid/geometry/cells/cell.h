// A part of a surface, of a curve, or a point, with bounds that hold for all of its points.
//
// It is run through by parameters s and t from −1 to 1 (one for a curve, none for a point):
//   p(s, t) = p₀ + P_s s + P_t t,    P_s, P_t somewhere in their ranges    (mean value theorem)
//   N(s, t) = N₀ + N_s s + N_t t     outward normal, not of length 1
//   P_ss                             second derivative of a curve
// Ranges are kept in a frame of the cell, with N₀ along its third axis if there is one: over small
// cells P changes along the normal first, and N across it. docs/theory/proximity_far.md, "Cells".
#pragma once

#include <array>

#include "oloid/geometry/cells/vector_range.h"
#include "oloid/geometry/core/atlas.h"

namespace oloid::geometry {

// At one place: values and derivatives by s and t.
struct CellPoint {
  Location at;  // of a curve: chart is the piece, x = (t, 0, 0)
  Vec3<double> p = Vec3<double>::Zero();
  std::array<Vec3<double>, 2> P{Vec3<double>::Zero(), Vec3<double>::Zero()};
  Vec3<double> N = Vec3<double>::Zero();
  std::array<Vec3<double>, 2> N_rate{Vec3<double>::Zero(), Vec3<double>::Zero()};
  Vec3<double> P_ss = Vec3<double>::Zero();
};

struct Cell {
  int dimension = 2;
  ChartId chart{0};
  Vec3<double> low = Vec3<double>::Zero(), high = Vec3<double>::Zero();  // of the locations
  // On implicit surfaces: the coordinate that is a function of the other two over the cell, s
  // belongs to the next one and t to the one after; −1 if none is known to be. Charts: 2.
  int height = 2;

  Vec3<double> p = Vec3<double>::Zero();          // p₀ [m]
  Mat3<double> frame = Mat3<double>::Identity();  // of the ranges; columns in the shape's frame
  std::array<VectorRange, 2> P;                   // [m]
  double radius = 0;                              // [m], all points are this near to p₀
  VectorRange N;                                  // all normals; N₀ is the middle
  std::array<VectorRange, 2> N_rate;
  VectorRange P_ss;  // [m]

  // Whether P and N_rate say anything.
  bool is_smooth() const {
    return P[0].is_bounded() && P[1].is_bounded() && N_rate[0].is_bounded() &&
           N_rate[1].is_bounded() && P_ss.is_bounded();
  }
};

}  // namespace oloid::geometry
