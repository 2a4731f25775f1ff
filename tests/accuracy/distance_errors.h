// How far signed distances between bodies of all kinds are off, measured against 40 digits.
//
// A pose is made by touching: random locations on both bodies, a random turn about the common
// normal, then 2 mm apart or into each other along it. The distance is asked for from starts that
// are 2 mm off over both surfaces; what comes back is compared with the exact extremal pair of that
// very pose. Of half of the poses the bodies are exchanged.
#pragma once

#include <cstddef>
#include <vector>

#include "accuracy/bodies.h"
#include "oloid/spatial/pose.h"
#include "support/rooms.h"

namespace oloid::test {

inline constexpr double kBound = 1e-12;           // [m]
inline constexpr double kLeastConformity = 1e-3;  // the bound holds from there on
inline constexpr double kMoved = 2e-3;            // [m], along the normal
inline constexpr double kStartsOff = 2e-3;        // [m], 1 % of the size

// Of poses of one kind, well-conditioned ones or flat ones.
struct ErrorCount {
  int poses = 0;
  int answered = 0;  // with a pair that has a reference
  double worst = 0;  // [m], of the answers
};

struct PairErrors {
  ErrorCount curved, flat;  // by conformity
  int elsewhere = 0;        // answers with another local pair than the one that made the pose
  // The search without starts, for curved pairs that are apart: its pair against the exact one next
  // to it, and against the one that made the pose, of which it must not be farther.
  ErrorCount anywhere;
  int missed = 0;  // a nearer pair than the one returned is known

  int poses() const { return curved.poses + flat.poses; }
};

// The first of a fixed sequence of poses. Every `search_every`-th of them is also searched for
// without starts.
PairErrors distance_errors(const Body& first, const Body& second, int poses, int search_every);

// Of every body with every other and with its like.
struct ErrorTable {
  struct Pair {
    std::size_t row, column;  // column ≤ row
    PairErrors errors;
  };
  std::vector<Body> bodies;
  int poses;                // of each pair
  std::vector<Pair> pairs;  // row by row

  // A polyhedron is flat wherever it is touched: not bounded.
  bool is_bounded(const Pair& pair) const {
    return !bodies[pair.row].is_polyhedron() && !bodies[pair.column].is_polyhedron();
  }
};
ErrorTable error_table(std::vector<Body> bodies, int poses_of_each_pair, int search_every);

}  // namespace oloid::test
