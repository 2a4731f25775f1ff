// Whether two cells can hold an extremal pair, how many, and where: bounds of distance and
// direction, and Krawczyk's test for the conditions of such a pair. docs/theory/proximity_far.md,
// section "Pairs of cells"; [Neumaier90] for the test.
#pragma once

#include "oloid/proximity/cell_tree.h"
#include "oloid/spatial/pose.h"

namespace oloid::proximity {

// Poses near a given one: how far points of A may have moved, and how far A may have turned.
struct PoseSlack {
  double moved = 0;   // [m]
  double turned = 0;  // [rad]
};

// A cell of A seen from B's shape: the parts that turn with the frame.
struct PairOfNodes {
  const CellNode& A;
  const CellNode& B;
  const Pose<double>& X;  // of A's shape in that of B

  Vec3<double> centre_A() const { return X * A.centre; }
  // No points of the two are nearer than this, or farther apart than that. [m]
  double least_distance() const;
  double most_distance() const;
  // No direction is normal to both, as far as the cones and balls show, however A is moved within
  // the slack. Normals of a surface point along p_A − p_B if `sense` is 1, against it if it is −1,
  // one or the other if it is 0.
  bool cannot_face(const PoseSlack& slack = {}, int sense = 0) const;
};

// A cell of A above the half-space z ≤ 0. The half-space has no parameters, so the conditions
// involve only A's: t_i·N_A = 0 or P_A·e_z = 0.
struct NodeOnPlane {
  const CellNode& A;
  const Pose<double>& X;  // of A's shape in the frame of the half-space

  double least_distance() const;
  bool cannot_face(const PoseSlack& slack = {}) const;
};

// The conditions of an extremal pair, n = dim A + dim B equations in the cells' parameters:
//   B a surface:   t_i·(r × N_B) = 0,   and   t_i·(N_A × N_B) = 0  or  P_A·N_B = 0   as A is
//   A a surface:   the same with A and B exchanged
//   else           P_A·r = 0,  P_B·r = 0
// with r = p_A − p_B and two fixed directions t_i across the surface's normal.
struct Conditions {
  int n = 0;
  Vec<double, 4> F = Vec<double, 4>::Zero();            // in the middle
  Mat<double, 4, 4> J = Mat<double, 4, 4>::Identity();  // middle of the derivatives
  Mat<double, 4, 4> J_rad = Mat<double, 4, 4>::Zero();  // how far they may be off
  Vec<double, 4> noise = Vec<double, 4>::Zero();        // round-off of F
  Vec<double, 4> slack = Vec<double, 4>::Zero();        // how far F may be off at other poses
};
// For all poses within the slack.
Conditions conditions(const PairOfNodes& pair, const PoseSlack& slack = {});
Conditions conditions(const NodeOnPlane& pair, const PoseSlack& slack = {});

// A place in both cells: parameters and what is there, each in the frame of its shape.
struct PlaceOfPair {
  Vec<double, 4> x = Vec<double, 4>::Zero();  // s_A, t_A, s_B, t_B, as many as exist
  CellPoint A, B;
  double residual = 0;  // dimensionless
  bool converged = false;
};

enum class PairContent {
  nothing,  // no extremal pair
  one,      // at most one
  undecided,
};
PairContent content(const Conditions& at);

// Newton's method from the cells' middles, least steps where the conditions depend on each other.
PlaceOfPair solve(const CellTree& A, const CellTree& B, const PairOfNodes& pair);
PlaceOfPair solve(const CellTree& A, const NodeOnPlane& pair);

}  // namespace oloid::proximity
