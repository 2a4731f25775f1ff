// A control cage: polygons over common vertices, with the sharpness of some of their edges.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::base {

// The edge between two vertices. 0 is smooth; s > 0 keeps its edge through s refinements, as
// OpenSubdiv defines it; 10 and more are sharp for ever.
struct Crease {
  int a = -1, b = -1;
  double sharpness = std::numeric_limits<double>::infinity();
};

struct Cage {
  std::vector<Vec3<double>> vertices;   // [m]
  std::vector<std::vector<int>> faces;  // counter-clockwise, seen from outside
  std::vector<Crease> creases{};
  // Empty, or one for each face: which of the parts it belongs to, and the line of the file it was
  // read from.
  std::vector<int> part_of_face{}, line_of_face{};
  std::vector<std::string> parts{};  // their names
};

}  // namespace oloid::base
