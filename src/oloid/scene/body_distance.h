// Where two bodies of a scene are nearest, as plain data in world axes. Format:
// docs/formats/distance.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::scene {

// A point of a body, and what it lies on.
struct NearPoint {
  std::string feature;                            // "surface", "edge", "vertex", "wire"
  int index = 0;                                  // which edge or vertex
  int chart = 0;                                  // of the surface, or piece of the curve
  Vec3<double> location{0, 0, 0};                 // in the chart; of a curve (t, 0, 0)
  Vec3<double> point{0, 0, 0};                    // [m]
  Mat2<double> curvature = Mat2<double>::Zero();  // [1/m], in the pair's tangents; 0 across an edge
};

// Two points that face each other.
struct NearPair {
  std::string status;   // names of PairStatus: "found", "conforming", "continuum"; others are tries
  std::string phase;    // names of Phase
  bool usable = false;  // a local contact, or nearest pair
  std::array<NearPoint, 2> on;   // A, B
  double gap = 0;                // [m], negative when the bodies overlap
  Vec3<double> normal{0, 0, 1};  // from B to A, unit
  std::array<Vec3<double>, 2> tangents{Vec3<double>(1, 0, 0), Vec3<double>(0, 1, 0)};
  // Principal relative curvatures, least first [1/m]; none where an edge or vertex takes part.
  std::optional<Vec2<double>> relative_curvatures;
  double conformity = 0;
  Vec3<double> soft{0, 0, 0};  // unit: along it the features are nearest to lying flat
  double residual = 0;         // dimensionless
  double condition = 0;
  int iterations = 0, feature_changes = 0;
};

struct BodyDistance {
  std::array<std::string, 2> bodies;  // A, B, in the scene's order
  double length = 1;                  // [m], size of the smaller one
  double threshold = 0;               // [m], below which pairs were asked for
  bool certified = false;             // no pair is missing; else they were searched for
  bool overlap = false;               // they share a place, with or without a pair that tells it
  std::vector<NearPair> pairs;        // usable ones, nearest or deepest first
  std::optional<double> farther;      // [m], the least gap, if it is not below the threshold
  std::optional<NearPair> tried;      // the best try where no pair was found
};

}  // namespace oloid::scene
