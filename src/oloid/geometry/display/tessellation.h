// Triangles for pictures: flat within a stated distance of the surface, closed where it is.
#pragma once

#include <array>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/shape.h"

namespace oloid::geometry {

struct Mesh {
  std::vector<Vec3<double>> vertices;         // [m], in the shape's frame
  std::vector<Vec3<double>> normals;          // unit, out of the body, exact; one for each vertex
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
};

struct MeshOptions {
  double tolerance = 1e-3;  // [m], largest distance between triangles and surface
  double reach = 1;         // [m], where unbounded surfaces are cut off
};

// Vertices along common sides of tiles are shared unless the surface has a sharp edge there; then
// there are two with the same position and different normals. Refused: a tolerance that would take
// more than ten million triangles, a surface that has no tiles.
Result<Mesh> tessellate(const Shape& shape, const MeshOptions& options = {});

}  // namespace oloid::geometry
